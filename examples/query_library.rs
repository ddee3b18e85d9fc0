//! Prints what a library of `tengen-library` knows of a position and its moves, for the side to move.
//!
//! ```text
//! cargo run --bin tengen-library -- create my.library
//! cargo run --bin tengen-library -- edit my.library --rule renju h8 i9 --win 11
//! cargo run --example query_library -- my.library h8      # the moves before the position, if any
//! ```

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use tengen::library::{Cursor, Library, Record};
use tengen::notation::{GameMoves, Letters};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, moves @ ..] = &words[..] else { bail!("expected a library and moves such as h8 i9") };
    // Opening makes no new file, and may migrate one of an older version.
    let library = Library::open(Path::new(path)).with_context(|| path.clone())?;
    let view = library.view()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{path}: {} positions", view.len()?)?;
    // A library may hold positions of several rules and sizes.
    for (rule, size) in view.games()? {
        let letters = Letters::new(size);
        let board = GameMoves::from_letters(&moves.join(" "), letters)?.board(rule, None)?;
        writeln!(out, "\n{rule}, {size} x {size}\n{board}")?;
        let Some(known) = view.known(&Cursor::from_board(&board))? else {
            writeln!(out, "{} to move: unknown", board.turn())?;
            continue;
        };
        writeln!(out, "{} to move: {}", board.turn(), summary(&known.record, 1))?;
        for next in &known.moves {
            let name = next.played.map_or("pass".to_owned(), |point| letters.point(point).to_string());
            // The record of a move is that of the position after it, where the other side moves.
            writeln!(out, "{name:>5}: {}", summary(&next.record, -1))?;
        }
    }
    Ok(())
}

/// A record in words; `sign` is -1 for the side that has moved.
fn summary(record: &Record, sign: i32) -> String {
    let mut facts = Vec::new();
    if let Some(proof) = record.settled() {
        let word = if proof.is_win == (sign > 0) { "wins" } else { "loses" };
        let plies = proof.plies.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
        facts.push(format!("{word}{plies} ({})", proof.origin));
    } else if let Some(score) = record.score() {
        facts.push(format!("score {}", sign * score.value()));
    }
    let games = record.games;
    if games.total() > 0 {
        facts.push(format!("games +{} ={} -{} for black", games.black, games.drawn, games.white));
    }
    facts.extend((!record.comment.is_empty()).then(|| format!("{:?}", record.comment)));
    if facts.is_empty() { "known".to_owned() } else { facts.join(", ") }
}
