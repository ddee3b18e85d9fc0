//! Yamaguchi's rule (五手N打), of the world championships from 2009 to 2015.
//!
//! ```text
//! answers  asked   question
//! 0        opener  three stones, one of the 26, and the number N of fifth moves, 1 to 12
//! 1        other   swap, or keep white
//! 2        white   the fourth stone, anywhere
//! 3        black   N fifth moves
//! 4        white   which of them stays
//! 5                white puts the sixth stone
//! ```

use super::{Course, FIFTHS_SIDE};
use crate::opening::{Ahead, MOST_STONES, Negotiation, ProcedureQuestion, Step, ThreeStones};

pub(super) const YAMAGUCHI: Course = Course { least_side: FIFTHS_SIDE, step };

fn step(so_far: &Negotiation) -> Step {
    let fifths = so_far.announced();
    match so_far.answers().len() {
        0 => so_far.ask_mover(ProcedureQuestion::Open(ThreeStones::Announced { most: MOST_STONES as u8 })),
        1 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Fifths(fifths))),
        2 => so_far.ask_mover(ProcedureQuestion::FourthFor { fifths }),
        3 => so_far.ask_mover(ProcedureQuestion::Offer(fifths)),
        4 => so_far.ask_white(ProcedureQuestion::Pick(so_far.last_stones())),
        _ => so_far.agreed(),
    }
}
