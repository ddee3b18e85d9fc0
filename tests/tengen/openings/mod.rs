//! The named openings compared with the file of the rules, and the procedures.

mod found;
mod judged;
mod procedures;

use serde_json::Value;
use tengen::board::Size;
use tengen::opening::{Catalogue, NamedOpening, Verdict};

use crate::data::{points, read, text};

#[test]
fn the_named_openings_are_those_of_the_rules() {
    let file: Value = serde_json::from_str(&read("openings26.json")).unwrap();
    let rows = file["openings"].as_array().unwrap();
    assert_eq!(rows.len(), 26);
    for (row, opening) in rows.iter().zip(NamedOpening::all()) {
        assert_eq!(opening.code(), text(&row["rif"]));
        let names = [&row["zh"], &row["ja"], &row["romaji"]].map(text);
        assert_eq!([opening.zh, opening.ja, opening.romaji], names);
        assert_eq!(opening.stones(Size::FIFTEEN)[..], points(row, &row["moves"])[..]);
        let keys = ["black_wins", "black_better", "even", "white_better", "white_wins"];
        for (verdict, key) in Verdict::ALL.into_iter().zip(keys) {
            let range = &row["n_play"][key];
            let number = |value: &Value| value.as_u64().map(|number| number as u8);
            let expected = range.as_array().map(|range| (number(&range[0]).unwrap(), number(&range[1])));
            assert_eq!(opening.fifths(verdict), expected, "{opening}: {key}");
        }
    }
}

#[test]
fn the_catalogue_shows_every_opening_with_its_picture_and_verdicts() {
    let shown = Catalogue.to_string();
    let picture = "\
4D Kagetsu (Flower Moon)   花月 花月   h8 h9 i9

   e f g h i j k
11 . . . . . . .     black wins        1-3
10 . . . . . . .     black is better   4-5
 9 . . . O X . .     even              6-8
 8 . . . X . . .     white is better   9-
 7 . . . . . . .     white wins        -
 6 . . . . . . .
 5 . . . . . . .";
    assert!(shown.contains(picture), "{shown}");
    for opening in NamedOpening::all() {
        assert_eq!(shown.matches(&format!("\n{opening}   ")).count(), 1);
    }
    let json = Catalogue.to_json();
    assert_eq!(json[3]["moves"], serde_json::json!(["7,7", "7,6", "8,6"]));
    assert_eq!(json.as_array().unwrap().len(), 26);
    assert_eq!(json[3]["fifths"]["white_better"], serde_json::json!([9, null]));
    assert_eq!(json[3]["fifths"]["white_wins"], Value::Null);
}

#[test]
fn a_picture_shows_the_stones_where_books_print_them() {
    let file: Value = serde_json::from_str(&read("openings26.json")).unwrap();
    let shown = Catalogue.to_string();
    // A picture has a line of file letters, then one line per rank.
    let pictures: Vec<_> = shown.split("\n\n").filter(|part| part.starts_with("   e f g")).collect();
    let rows = file["openings"].as_array().unwrap();
    assert_eq!(pictures.len(), rows.len());
    for (row, picture) in rows.iter().zip(pictures) {
        let mut lines = picture.lines();
        let files: Vec<_> = lines.next().unwrap().split_whitespace().collect();
        let mut stones = [Vec::new(), Vec::new()];
        for line in lines.take(files.len()) {
            let words: Vec<_> = line.split_whitespace().collect();
            for (file, sign) in files.iter().zip(&words[1..]) {
                if let Some(color) = ["X", "O"].iter().position(|stone| stone == sign) {
                    stones[color].push(format!("{file}{}", words[0]));
                }
            }
        }
        let moves: Vec<_> = row["moves"].as_array().unwrap().iter().map(|point| text(point).to_owned()).collect();
        let mut black = vec![moves[0].clone(), moves[2].clone()];
        black.sort();
        stones[0].sort();
        assert_eq!(stones, [black, vec![moves[1].clone()]], "{picture}");
    }
}
