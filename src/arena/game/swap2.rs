//! The questions of Swap2 put to the engines. Which question comes next and which answers are legal is
//! `opening::swap2`'s; the requests, the clocks and the forfeits are here.

use super::engine::Engine;
use super::messages::{self, Response};
use super::play::{Game, Stop, stop};
use crate::arena::record::End;
use crate::board::{Color, Point};
use crate::notation::Moves;
use crate::opening::swap2::{Player, Procedure, Step};

/// Lets both engines agree on the opening; returns whether the opener plays white. Until then the opener counts as
/// black: a forfeit in the opening is recorded so.
pub(super) fn negotiate(
    game: &mut Game,
    opener: &mut Engine,
    other: &mut Engine,
    answers: &mut Vec<String>,
) -> Result<bool, Stop> {
    let mut procedure = Procedure::new(game.board().size(), game.board().rule());
    loop {
        let (engine, color, question) = match procedure.step() {
            Step::Ask(Player::Opener, question) => (&mut *opener, Color::Black, question),
            Step::Ask(Player::Other, question) => (&mut *other, Color::White, question),
            Step::Agreed { black } => return Ok(black == Player::Other),
        };
        let request = messages::swap2_request(game.stones());
        let is_answer = |response: &Response| matches!(response, Response::Points(_) | Response::Swap);
        let points = match game.ask(engine, color, request, is_answer)?.response {
            Response::Points(points) => points,
            _ => Vec::new(),
        };
        let text = spell(&points);
        answers.push(format!("{} {text}", engine.name()));
        let answered = question.read(&points).and_then(|answer| procedure.answer(answer).map(|()| answer));
        match answered {
            Ok(answer) => answer.stones().iter().try_for_each(|&point| game.put(point))?,
            Err(error) => {
                let failure = engine.forfeit(End::Illegal, format!("answered SWAP2BOARD with {text}: {error}"));
                return Err(stop(failure, engine, color));
            }
        }
    }
}

fn spell(points: &[Point]) -> String {
    if points.is_empty() { "swap".to_owned() } else { Moves(points.to_vec()).to_string() }
}
