//! The opening procedure Swap2, by the judge's sequence of questions.
//!
//! ```text
//! SWAP2BOARD with 0 stones → the opener puts black, white, black
//! SWAP2BOARD with 3 stones → the other: SWAP (takes black) | x,y (takes white, its stone) | x,y x,y (white, black)
//! SWAP2BOARD with 5 stones → the opener: SWAP (takes black) | x,y (takes white, its stone)
//! ```

use super::engine::Engine;
use super::game::{Game, Stop, stop};
use super::record::End;
use super::words::{self, Word};
use crate::board::{Color, Point};

/// Lets both engines agree on the opening; whether the opener has to play white. Until then the opener is taken for
/// black: a forfeit in the opening is recorded so.
pub(super) fn negotiate(
    game: &mut Game,
    opener: &mut Engine,
    other: &mut Engine,
    answers: &mut Vec<String>,
) -> Result<bool, Stop> {
    question(game, opener, Color::Black, answers, &[3])?;
    let swapped = match question(game, other, Color::White, answers, &[0, 1, 2])? {
        // The other one is black now.
        0 => true,
        // The other one is white and has put its stone.
        1 => false,
        // The opener takes black by SWAP, and white by a stone.
        _ => question(game, opener, Color::Black, answers, &[0, 1])? == 1,
    };
    Ok(swapped)
}

/// Asks for one of some numbers of stones, 0 standing for SWAP, and puts them down.
fn question(
    game: &mut Game,
    engine: &mut Engine,
    color: Color,
    answers: &mut Vec<String>,
    counts: &[usize],
) -> Result<usize, Stop> {
    let request = words::swap2_request(game.stones());
    let is_answer = |word: &Word| matches!(word, Word::Points(_) | Word::Swap);
    let answer = game.ask(engine, color, request, is_answer)?;
    let points = match answer.word {
        Word::Points(points) => points,
        _ => Vec::new(),
    };
    let text = spell(&points);
    answers.push(format!("{} {text}", engine.name()));
    let fits = counts.contains(&points.len()) && points.iter().try_for_each(|&point| game.put(point)).is_ok();
    if fits {
        Ok(points.len())
    } else {
        let trouble = engine.forfeit(End::Illegal, format!("answered SWAP2BOARD with {text}"));
        Err(stop(trouble, engine, color))
    }
}

fn spell(points: &[Point]) -> String {
    let names: Vec<_> = points.iter().map(Point::to_string).collect();
    if names.is_empty() { "swap".to_owned() } else { names.join(" ") }
}
