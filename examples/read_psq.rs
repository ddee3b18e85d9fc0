//! Reads a game saved by Piskvork or by `tengen-arena --psq`, and prints its board and its result.
//!
//! ```text
//! cargo run --example read_psq -- game.psq           # freestyle
//! cargo run --example read_psq -- game.psq renju     # a saved game does not name its rule
//! ```

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use tengen::board::{Color, Rule};
use tengen::files::{self, MOST_BYTES};
use tengen::notation::{Diagram, Letters, SavedGame};

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let path = words.next().context("expected a file")?;
    let rule: Rule = words.next().map_or(Ok(Rule::Freestyle), |word| word.parse())?;
    let text = files::read_text(Path::new(&path), MOST_BYTES).with_context(|| path.clone())?;
    let saved = SavedGame::read(&text).with_context(|| path.clone())?;
    let moves = &saved.record.moves;

    let board = saved.record.board(rule, None).with_context(|| path.clone())?;
    let last = moves.last().copied();
    // The last stone: `x` of black, `o` of white.
    let sign = if board.turn() == Color::White { 'x' } else { 'o' };
    let picture = Diagram::new(&board, |point| (Some(point) == last).then_some(sign));

    // The stones count for more than the judge of a tournament, and the judge for more than the code of the file.
    let by_stones = saved.record.end(rule)?;
    let by_file = saved.judged.or_else(|| saved.winner_by_code());
    let result = match (by_stones, by_file) {
        (Some((number, outcome)), _) => format!("{outcome}, at move {number}"),
        (None, Some(Some(winner))) => format!("{winner} has won by the file, not by a row"),
        (None, Some(None)) => "draw by the file".to_owned(),
        (None, None) => "the game was not finished".to_owned(),
    };

    let [black, white] = &saved.players;
    let seconds = saved.times.iter().sum::<u64>() as f64 / 1000.0;
    let mut out = io::stdout().lock();
    writeln!(out, "black: {black}\nwhite: {white}\n\n{picture}\n")?;
    writeln!(out, "{} moves in {seconds:.1} s: {}", moves.len(), Letters::new(saved.record.size).moves(moves))?;
    writeln!(out, "{result}")?;
    Ok(())
}
