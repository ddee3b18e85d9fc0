//! The questions of an opening procedure put to the engines. Which question comes next and which answers are legal is
//! `opening`'s; the requests, the clocks and the forfeits are here.

use super::engine::Engine;
use super::messages;
use super::play::{Game, Stop, stop};
use crate::arena::record::End;
use crate::board::Color;
use crate::opening::{Negotiation, Player, Procedure, Step};

/// Lets both engines agree on the opening; returns whether the opener plays white. Until then the opener counts as
/// black: a forfeit in the opening is recorded so.
pub(super) fn negotiate(
    procedure: Procedure,
    game: &mut Game,
    opener: &mut Engine,
    other: &mut Engine,
    answers: &mut Vec<String>,
) -> Result<bool, Stop> {
    let mut negotiation = Negotiation::new(procedure, game.board().size(), game.board().rule());
    loop {
        let (engine, color) = match negotiation.step() {
            Step::Ask(Player::Opener, _) => (&mut *opener, Color::Black),
            Step::Ask(Player::Other, _) => (&mut *other, Color::White),
            Step::Agreed { black } => return Ok(black == Player::Other),
        };
        let request = if procedure == Procedure::SWAP2 {
            messages::swap2_request(negotiation.stones())
        } else {
            messages::opening_request(procedure, negotiation.answers())
        };
        let asked = game.ask(engine, color, request, |response| response.answer().is_some())?.response;
        let Some(answer) = asked.answer() else { continue };
        answers.push(format!("{} {answer}", engine.name()));
        let known = negotiation.stones().len();
        if let Err(error) = negotiation.answer(answer) {
            let failure = engine.forfeit(End::Illegal, format!("answered {procedure} with {answer}: {error}"));
            return Err(stop(failure, engine, color));
        }
        negotiation.stones()[known..].iter().try_for_each(|&point| game.put(point))?;
    }
}
