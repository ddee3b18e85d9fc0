//! Near-even openings found by `tengen-tune openings`: the file does not depend on threads or on interruptions, and a match
//! reads it.

use std::collections::HashSet;
use std::fs;

use tengen::board::{Point, Rule, Size, Symmetry};
use tengen::notation::Letters;
use tengen::opening::lists::parse_list;

use crate::arena::arena;
use crate::tune::{Folder, fails, succeeds};

const SEARCH: [&str; 7] =
    ["openings", "--nodes=200", "--pair-nodes=20", "--chance=30..70", "--numbers=odd", "--seed=3", "--out=list"];

fn with<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&SEARCH, words].concat()
}

#[test]
fn a_list_depends_neither_on_threads_nor_on_interruptions_and_begins_games() {
    let folder = Folder::new();
    succeeds(&folder.tune(&with(&["--count=4"])));
    let whole = folder.read("list");
    let lines: Vec<_> = whole.lines().collect();
    assert_eq!(lines.len(), 2 + 4);
    for line in &lines[2..] {
        let columns: Vec<_> = line.split(" | ").collect();
        let number: u64 = columns[0].parse().unwrap();
        let chance: f64 = columns[3].parse().unwrap();
        assert!(number % 2 == 1 && (30.0..=70.0).contains(&chance), "{line}");
        assert_eq!(columns[1], columns[2].split(' ').count().to_string(), "{line}");
        assert!(!["BB", "WW", "=="].contains(&columns[4]), "{line}");
    }

    // A kill in the middle of the second opening's line, and before the second line of the file.
    for kept in [lines[..4].join("\n").len() - 4, lines[0].len() + 9] {
        fs::write(folder.0.join("list"), &whole[..kept]).unwrap();
        succeeds(&folder.tune(&with(&["--count=3", "--threads=3"])));
        succeeds(&folder.tune(&with(&["--count=4", "--threads=2"])));
        assert_eq!(folder.read("list"), whole);
    }
    let again = folder.tune(&with(&["--count=2"]));
    succeeds(&again);
    assert_eq!(folder.read("list"), whole, "a complete list stays as it is");

    let engines = ["one", "other"].map(|name| {
        let cmd = format!("cmd='{}'", env!("CARGO_BIN_EXE_pbrain-tengen"));
        vec!["--engine".to_owned(), format!("name={name}"), cmd, "tolerance=30000".to_owned()]
    });
    let list = folder.0.join("list");
    let words = ["match", "-q", "--games", "12", "--openings", list.to_str().unwrap()];
    assert!(arena(&words, &engines).output().unwrap().status.success());
}

#[test]
fn openings_of_a_list_are_judged_again_by_a_longer_search() {
    let folder = Folder::new();
    succeeds(&folder.tune(&with(&["--count=12"])));
    let again = ["openings", "--nodes=2000", "--pair-nodes=20", "--chance=43..57", "--numbers=odd", "--seed=3"];
    let from_list = [&again[..], &["--from=list"]].concat();
    let again = [&from_list[..], &["--out=again"]].concat();
    succeeds(&folder.tune(&again));
    let (list, thinned) = (folder.read("list"), folder.read("again"));
    let settings = list.lines().next().unwrap().split_once("shard 1/1, ").unwrap().1.to_owned();
    assert!(thinned.lines().next().unwrap().ends_with(&format!(", of those by {settings}")), "{thinned}");
    let moves = |text: &str| -> Vec<String> {
        text.lines().skip(2).map(|line| line.split(" | ").nth(2).unwrap().to_owned()).collect()
    };
    let (earlier, kept) = (moves(&list), moves(&thinned));
    assert!(!kept.is_empty() && kept.len() < earlier.len(), "{thinned}");
    assert!(kept.iter().all(|moves| earlier.contains(moves)), "{thinned}");

    fs::write(folder.0.join("again"), &thinned[..thinned.trim_end().rfind('\n').unwrap() + 4]).unwrap();
    succeeds(&folder.tune(&[&again[..], &["--threads=2"]].concat()));
    assert_eq!(folder.read("again"), thinned);
    // Another last stone of the first opening.
    let stones = &earlier[0];
    let other = if stones.contains("a1") { "o15" } else { "a1" };
    let other_stones = format!("{} {other}", stones.rsplit_once(' ').unwrap().0);
    folder.write("list", &list.replacen(stones, &other_stones, 1));
    let changed = folder.tune(&[&from_list[..], &["--out=third"]].concat());
    fails(&changed, 1, "list, line 3: not an opening of these settings");
    let other = ["openings", "--seed=4", "--numbers=odd", "--from=list", "--out=other"];
    fails(&folder.tune(&other), 1, "list was begun with other settings: rule freestyle, size 15, seed 3, numbers odd");
}

#[test]
fn lists_of_other_settings_and_damaged_ones_are_refused_and_stay() {
    let folder = Folder::new();
    succeeds(&folder.tune(&with(&["--count=1"])));
    let list = folder.read("list");
    let other = ["openings", "--seed=4", "--out=list"];
    fails(&folder.tune(&other), 1, "list was begun with other settings: rule freestyle, size 15, seed 3, numbers odd");
    for (line, text) in [(4, "x | 1 | a1 | 50.0 | BW\n"), (4, "1 | 1 | a1 | 50.0 | BW\n"), (4, "\n")] {
        folder.write("list", &format!("{list}{text}"));
        fails(&folder.tune(&with(&["--count=2"])), 1, &format!("list, line {line}: not an opening of these settings"));
    }
    folder.write("list", "h8 i9\n");
    fails(&folder.tune(&SEARCH), 1, "begun with other settings: h8 i9");
    fails(&folder.tune(&["openings", "--chance=57..43", "--out=list"]), 2, "expected LOW..HIGH in percent");
    assert_eq!(folder.read("list"), "h8 i9\n");
}

/// The images of an opening: its black and its white stones, each sorted.
fn images(moves: &[Point], size: Size) -> Vec<[Vec<Point>; 2]> {
    let image = |symmetry: Symmetry| {
        [0, 1].map(|first| {
            let mut stones: Vec<_> =
                moves.iter().skip(first).step_by(2).map(|&point| symmetry.apply(point, size)).collect();
            stones.sort();
            stones
        })
    };
    Symmetry::all().map(image).collect()
}

#[test]
fn the_found_lists_are_playable_and_no_opening_is_the_image_of_another() {
    let (fifteen, twenty) = (Size::FIFTEEN, Size::TWENTY);
    for (rule, size, count, halves) in [
        (Rule::Freestyle, fifteen, 600, &["even", "odd"][..]),
        (Rule::Standard, fifteen, 350, &["even", "odd"]),
        (Rule::Renju, fifteen, 60, &["even", "odd"]),
        (Rule::Freestyle, twenty, 100, &["odd"]),
    ] {
        let mut seen = HashSet::new();
        for half in halves {
            let path = format!("{}/tests/data/openings/{rule}{size}-{half}.txt", env!("CARGO_MANIFEST_DIR"));
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains(&format!("rule {rule}, ")) && text.contains(&format!("numbers {half},")), "{half}");
            let openings = parse_list(&text, rule, Letters::new(size)).unwrap();
            assert!(openings.len() >= count, "{rule}, {half}: {}", openings.len());
            for (moves, line) in openings.iter().zip(text.lines().skip(2)) {
                let images = images(moves, size);
                assert!(!images.iter().any(|image| seen.contains(image)), "{half}: {line}");
                seen.insert(images[0].clone());
            }
        }
    }
}
