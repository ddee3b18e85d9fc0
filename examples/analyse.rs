//! Searches a position and prints its best lines with their scores, for the side to move.
//!
//! ```text
//! cargo run --release --example analyse -- h8 i9 g9          # the moves of the game, black first
//! cargo run --release --example analyse -- renju h8 i9 g9    # under another rule
//! ```

use std::io::{self, Write};

use anyhow::{Context, bail};
use tengen::board::{Rule, Size};
use tengen::notation::{GameMoves, Letters};
use tengen::picker::{Limits, PickerName, Question, Report};
use tengen::weights::{WeightedPosition, Weighting};

/// With a limit of nodes and one thread the answer is the same on every machine.
const NODES: u64 = 20_000;

const LINES: usize = 3;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (rule, moves) = match words.first().and_then(|word| word.parse().ok()) {
        Some(rule) => (rule, &words[1..]),
        None => (Rule::Freestyle, &words[..]),
    };
    let letters = Letters::new(Size::FIFTEEN);
    let game = GameMoves::from_letters(&moves.join(" "), letters)?;
    if let Some((number, outcome)) = game.end(rule)? {
        bail!("the game is over at move {number}: {outcome}");
    }
    let mut position = WeightedPosition::new(game.board(rule, None)?, Weighting::default());
    let turn = position.board().turn();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut last = None;
    // Each report replaces the one before: a deeper search of the same position.
    let mut keep = |report| {
        if let Report::Search(info) = report {
            last = Some(info);
        }
    };
    let mut picker = PickerName::Search.build();
    let answer = picker.answer(Question::Move { lines: LINES }, &mut position, &limits, &mut keep);
    let choice = answer.and_then(|answer| answer.choice()).context("no move is left")?;
    let info = last.context("the picker did not search")?;

    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", position.board())?;
    writeln!(out, "{turn} plays {}: depth {}, {} nodes", letters.point(choice.point), info.depth, info.nodes)?;
    for line in &info.lines {
        // `+M5` is a win in five plies, other scores have a chance to win.
        let chance = 100.0 * line.score.win_chance();
        writeln!(out, "{:>6} {chance:3.0} %  {}", line.score.to_string(), letters.moves(&line.points))?;
    }
    Ok(())
}
