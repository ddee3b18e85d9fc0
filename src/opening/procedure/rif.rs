//! The rule of the Renju International Federation of 1996 (三手可交换、五手两打).
//!
//! ```text
//! answers  asked   question
//! 0        opener  three stones: one of the 26
//! 1        other   swap, or keep white
//! 2        white   the fourth stone, anywhere
//! 3        black   two fifth moves
//! 4        white   which of them stays
//! 5                white puts the sixth stone
//! ```

use super::{Course, FIFTHS_SIDE};
use crate::opening::{Ahead, Negotiation, ProcedureQuestion, Step, ThreeStones};

pub(super) const RIF: Course = Course { least_side: FIFTHS_SIDE, step };

/// 五手两打.
const FIFTHS: u8 = 2;

fn step(so_far: &Negotiation) -> Step {
    match so_far.answers().len() {
        0 => so_far.ask_mover(ProcedureQuestion::Open(ThreeStones::Named(Some(FIFTHS)))),
        1 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Fifths(FIFTHS))),
        2 => so_far.ask_mover(ProcedureQuestion::FourthFor { fifths: FIFTHS }),
        3 => so_far.ask_mover(ProcedureQuestion::Offer(FIFTHS)),
        4 => so_far.ask_white(ProcedureQuestion::Pick(so_far.last_stones())),
        _ => so_far.agreed(),
    }
}
