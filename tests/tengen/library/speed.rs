//! How fast a library is, and how large. Run by hand, in a release build, on an idle machine:
//!
//! ```text
//! cargo test --release --test tengen library::speed -- --ignored --nocapture --test-threads 1
//! ```

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tengen::board::{Color, Point, Rule, Size};
use tengen::library::format::renlib::{RenLibFile, write_renlib};
use tengen::library::{Cursor, ImportConfig, Library, import, import_game};
use tengen::notation::{GameTree, NodeId, Step, TextEncoding};
use tengen::rng::Rng;

use super::faults::{LIBRARY, run_well};
use super::games::{random_game, random_list};
use crate::tune::Folder;

const GAME: (Rule, Size) = (Rule::Freestyle, Size::FIFTEEN);

/// The longest time of a median opening.
const MOST_OPENING: Duration = Duration::from_millis(100);

fn bytes_of(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// The median time of nine openings.
fn opening_time(path: &Path) -> Duration {
    let mut times: Vec<_> = (0..9)
        .map(|_| {
            let started = Instant::now();
            let library = Library::open(path).unwrap();
            let time = started.elapsed();
            drop(library);
            time
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// The time of a look-up of all moves, cold and warm, and the average number of moves.
fn look_ups(library: &Library, games: &[Vec<Point>], rng: &mut Rng) -> ([Duration; 2], f64) {
    let view = library.view().unwrap();
    let cursors = games.iter().take(2_000).map(|moves| {
        let mut cursor = Cursor::new(GAME.0, GAME.1);
        moves.iter().take(1 + rng.below(12)).for_each(|&played| cursor.play(Some(played)));
        cursor
    });
    let cursors: Vec<_> = cursors.collect();
    let mut moves = 0;
    let times = [(); 2].map(|()| {
        let started = Instant::now();
        moves = cursors.iter().map(|cursor| view.known(cursor).unwrap().unwrap().moves.len()).sum();
        started.elapsed() / cursors.len() as u32
    });
    (times, moves as f64 / cursors.len() as f64)
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_games_are_imported_and_asked() {
    let folder = Folder::new();
    let path = folder.0.join("games.library");
    let mut library = Library::create(&path).unwrap();
    let mut rng = Rng::new(1);
    let games: Vec<_> = (0..100_000).map(|_| random_game(&mut rng, 30)).collect();
    let started = Instant::now();
    let mut edit = library.edit().unwrap();
    for moves in &games {
        let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3)];
        let moves: Vec<_> = moves.iter().copied().map(Some).collect();
        import_game(&mut edit, GAME, &moves, Some(winner), 30, None).unwrap();
    }
    edit.commit().unwrap();
    let time = started.elapsed();
    let positions = library.view().unwrap().len().unwrap();
    let size = bytes_of(&path) / positions;
    println!("{time:.1?} to import {} games, {positions} positions of {size} bytes", games.len());
    let ([cold, warm], moves) = look_ups(&library, &games, &mut rng);
    println!("{cold:.1?} cold, {warm:.1?} warm for all moves of a position, {moves:.1} on average");
    let started = Instant::now();
    library.compact().unwrap();
    println!("{:.1?} to compact, then {} bytes a position", started.elapsed(), bytes_of(&path) / positions);
    assert!(time < Duration::from_secs(180) && size <= 200 && warm < Duration::from_micros(50));
}

/// A library of this number of random games. Returns its positions.
fn random_library(path: &Path, games: usize) -> u64 {
    let library = Library::create(path).unwrap();
    let mut rng = Rng::new(2);
    let mut edit = library.edit().unwrap();
    for _ in 0..games {
        let moves: Vec<_> = random_game(&mut rng, 30).into_iter().map(Some).collect();
        import_game(&mut edit, GAME, &moves, None, 30, None).unwrap();
    }
    edit.commit().unwrap();
    library.view().unwrap().len().unwrap()
}

#[test]
#[ignore = "takes minutes"]
fn half_a_gigabyte_opens_at_once_even_after_a_kill() {
    let folder = Folder::new();
    let path = folder.0.join("large.library");
    let positions = random_library(&path, 200_000);
    let size = bytes_of(&path);
    let time = opening_time(&path);
    println!("{time:.1?} to open {size} bytes, {positions} positions");
    assert!(time < MOST_OPENING && size > 500_000_000);
    folder.write("games.txt", &random_list(&mut Rng::new(3), 60_000, 30));
    let arguments = ["import", "large.library", "games.txt", "--rule", "freestyle"];
    let mut command = Command::new(LIBRARY);
    command.args(arguments).current_dir(&folder.0).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    while fs::metadata(&path).unwrap().modified().unwrap() == written {
        assert!(child.try_wait().unwrap().is_none(), "the import has ended");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Within the writes that follow the first one.
    std::thread::sleep(Duration::from_secs(1));
    child.kill().unwrap();
    child.wait().unwrap();
    let started = Instant::now();
    let library = Library::open(&path).unwrap();
    let time = started.elapsed();
    println!("{time:.1?} to open it after a kill");
    assert_eq!(library.view().unwrap().len().unwrap(), positions);
    drop(library);
    println!("{:.1?} to open it again", opening_time(&path));
    assert!(time < MOST_OPENING);
    run_well(&folder.0, &["edit", "large.library", "h8", "--comment", "after the kill"]);
}

/// A tree of moves: a line that fills the board, and random moves before its first plies.
fn large_tree(nodes: usize, rng: &mut Rng) -> GameTree {
    let mut tree = GameTree::new(GAME.1);
    let centre = GAME.1.centre();
    let mut points: Vec<_> = GAME.1.points().filter(|&point| point != centre).collect();
    rng.shuffle(&mut points);
    points.insert(0, centre);
    let mut line = vec![NodeId::ROOT];
    for (ply, &point) in points.iter().enumerate() {
        line.push(tree.add(line[ply], Step::Play(Color::after(ply), point)));
    }
    while tree.len() < nodes {
        // A branch of twelve moves that leaves the line at one of its first plies. The point of the line itself is left
        // out, so that no two children are the same move.
        let start = 1 + rng.below(20);
        let mut node = line[start];
        let mut free = points[start + 1..].to_vec();
        for ply in start..start + 12 {
            let point = free.swap_remove(rng.below(free.len()));
            let known =
                tree.children(node).find(|&child| tree.node(child).step == Step::Play(Color::after(ply), point));
            node = known.unwrap_or_else(|| tree.add(node, Step::Play(Color::after(ply), point)));
        }
    }
    tree
}

/// Imports a library of RenLib with this number of moves, of which every `commented`th has a comment. Returns the time and
/// the number of bytes and positions.
fn import_renlib(folder: &Folder, nodes: usize, commented: usize) -> (Duration, usize, u64) {
    let mut tree = large_tree(nodes, &mut Rng::new(4));
    let ids: Vec<_> = tree.depth_first().skip(1).step_by(commented).collect();
    for id in ids {
        tree.node_mut(id).comment = "black wins by the four-three in the corner, after i9".into();
    }
    let bytes = write_renlib(&RenLibFile::new(tree, TextEncoding::Utf8)).unwrap();
    let library = Library::create(&folder.0.join(format!("{nodes}.library"))).unwrap();
    let started = Instant::now();
    let mut edit = library.edit().unwrap();
    import(&mut edit, "large.lib", &bytes, &ImportConfig::default()).unwrap();
    edit.commit().unwrap();
    (started.elapsed(), bytes.len(), library.view().unwrap().len().unwrap())
}

#[test]
#[ignore = "takes a minute"]
fn a_megabyte_of_renlib_is_imported_in_seconds() {
    let folder = Folder::new();
    // A third of the moves of a real library of openings has a comment. The most that a megabyte holds are bare moves.
    for (nodes, commented, seconds) in [(55_000, 3, 5), (500_000, usize::MAX, 60)] {
        let (time, bytes, positions) = import_renlib(&folder, nodes, commented);
        println!("{time:.1?} to import {bytes} bytes of {nodes} moves, {positions} positions");
        assert!(time < Duration::from_secs(seconds), "{time:?}");
    }
}
