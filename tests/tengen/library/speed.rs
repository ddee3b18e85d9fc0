//! How fast a library is, and how large. Run by hand, in a release build:
//!
//! ```text
//! cargo test --release --test tengen library::speed -- --ignored --nocapture
//! ```

use std::time::Instant;

use tengen::board::{Board, Color, Point, Rule, Size};
use tengen::library::{Cursor, Library, import_game};
use tengen::rng::Rng;

use crate::tune::Folder;

/// A random game near the centre, as games of engines are: the first moves repeat, later ones seldom do.
fn random_game(rng: &mut Rng, plies: usize) -> Vec<Option<Point>> {
    let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    board.play(Size::FIFTEEN.centre());
    let mut moves = vec![Some(Size::FIFTEEN.centre())];
    while moves.len() < plies {
        let near: Vec<_> = board.near_stones().iter().collect();
        // The square makes the first points of the list likelier.
        let share = rng.fraction() * rng.fraction();
        let point = near[(share * near.len() as f64) as usize];
        board.play(point);
        moves.push(Some(point));
    }
    moves
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_games_are_imported_and_asked() {
    let folder = Folder::new();
    let path = folder.0.join("games.library");
    let library = Library::create(&path).unwrap();
    let mut rng = Rng::new(1);
    let games: Vec<_> = (0..100_000).map(|_| random_game(&mut rng, 30)).collect();
    let started = Instant::now();
    let mut edit = library.edit().unwrap();
    for moves in &games {
        let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3)];
        import_game(&mut edit, (Rule::Freestyle, Size::FIFTEEN), moves, Some(winner), 30, None).unwrap();
    }
    println!("{:.1} s to add {} positions", started.elapsed().as_secs_f64(), edit.added());
    edit.commit().unwrap();
    let bytes = std::fs::metadata(&path).unwrap().len();
    let positions = library.view().unwrap().len().unwrap();
    println!("{:.1} s with the commit", started.elapsed().as_secs_f64());
    println!("{positions} positions, {} bytes each", bytes / positions);
    let view = library.view().unwrap();
    let mut cursors = Vec::new();
    for moves in games.iter().take(2_000) {
        let mut cursor = Cursor::new(Rule::Freestyle, Size::FIFTEEN);
        moves.iter().take(1 + rng.below(12)).for_each(|&played| cursor.play(played));
        cursors.push(cursor);
    }
    for round in ["cold", "warm"] {
        let started = Instant::now();
        let moves: usize = cursors.iter().map(|cursor| view.known(cursor).unwrap().unwrap().moves.len()).sum();
        let micros = started.elapsed().as_secs_f64() * 1e6 / cursors.len() as f64;
        println!("{round}: {micros:.1} µs a position, {:.1} moves each", moves as f64 / cursors.len() as f64);
    }
    drop(view);
    drop(library);
    let started = Instant::now();
    let mut library = Library::open(&path).unwrap();
    println!("{:.1} ms to open", started.elapsed().as_secs_f64() * 1e3);
    let started = Instant::now();
    library.compact().unwrap();
    let bytes = std::fs::metadata(&path).unwrap().len();
    println!("{:.1} s to compact, {} bytes each", started.elapsed().as_secs_f64(), bytes / positions);
}
