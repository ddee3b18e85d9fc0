//! The questions of an opening procedure put to the engines. Which question comes next and which answers are legal is
//! `opening`'s, the words are the [`Inquiry`]'s; the clocks and the forfeits are here.

use super::engine::Engine;
use super::inquiry::Inquiry;
use super::play::{Game, Stop, stop};
use crate::board::Color;
use crate::notation::record::GameEnd;
use crate::opening::{Negotiation, Procedure, ProcedureAnswer, Seat, Step};

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
            Step::Ask(Seat::Opener, _) => (&mut *opener, Color::Black),
            Step::Ask(Seat::Other, _) => (&mut *other, Color::White),
            Step::Agreed { black } => return Ok(black == Seat::Other),
        };
        let answer = ask(&negotiation, game, engine, color)?;
        answers.push(format!("{} {answer}", engine.name()));
        let known = negotiation.stones().len();
        if let Err(error) = negotiation.answer(answer) {
            let failure = engine.forfeit(GameEnd::Illegal, format!("answered {procedure} with {answer}: {error}"));
            return Err(stop(failure, engine, color));
        }
        negotiation.stones()[known..].iter().try_for_each(|&point| game.put(point))?;
    }
}

/// The answer of an engine to the next question, in its dialect.
fn ask(negotiation: &Negotiation, game: &mut Game, engine: &mut Engine, color: Color) -> Result<ProcedureAnswer, Stop> {
    let dialect = engine.dialect();
    let Some(mut inquiry) = Inquiry::new(negotiation, dialect) else {
        let failure = engine.forfeit(GameEnd::Nonsense, format!("no words for {}", negotiation.procedure()));
        return Err(stop(failure, engine, color));
    };
    loop {
        game.ask(engine, color, inquiry.request(), |response, line| inquiry.read(response, line))?;
        match inquiry.answer() {
            Some(Ok(answer)) => return Ok(*answer),
            Some(Err(outside)) => {
                let failure = engine.forfeit(GameEnd::Illegal, outside.to_string());
                return Err(stop(failure, engine, color));
            }
            None => {}
        }
    }
}
