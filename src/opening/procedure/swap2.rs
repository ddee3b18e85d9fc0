//! Swap2, by the sequence of questions that the Gomocup judge asks.
//!
//! ```text
//! stones  asked   question
//! 0       opener  three stones anywhere: black, white, black
//! 3       other   black | white and the fourth stone | two stones, white and black
//! 5       opener  after two stones: black | white and the sixth stone
//! ```

use super::Course;
use crate::board::Size;
use crate::opening::{Negotiation, ProcedureAnswer, ProcedureQuestion, Seat, Step, ThreeStones};

pub(super) const SWAP2: Course = Course { least_side: Size::MIN, step };

fn step(so_far: &Negotiation) -> Step {
    match so_far.answers() {
        [] => so_far.ask_mover(ProcedureQuestion::Open(ThreeStones::Any)),
        [_] => so_far.ask_mover(ProcedureQuestion::Choose),
        // Two more stones leave the side to move, white, to the opener.
        [_, two] if two.stones().len() == 2 => Step::Ask(Seat::Opener, ProcedureQuestion::Decide),
        [_, _, ProcedureAnswer::Swap] => Step::Agreed { black: Seat::Opener },
        [_, _, _] => Step::Agreed { black: Seat::Other },
        _ => so_far.agreed(),
    }
}
