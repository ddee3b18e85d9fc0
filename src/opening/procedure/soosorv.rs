//! Soosõrv's rule: four fifth moves at most as it was first played, eight in the world championships since 2017.
//!
//! ```text
//! answers  asked   question
//! 0        opener  three stones: one of the 26
//! 1        other   swap, or keep white
//! 2        white   the fourth stone, anywhere, and the number n of fifth moves
//! 3        black   swap, or keep black
//! 4        black   n fifth moves
//! 5        white   which of them stays
//! 6                white puts the sixth stone
//! ```

use super::{Course, FIFTHS_SIDE};
use crate::opening::{Ahead, Negotiation, ProcedureQuestion, Step, ThreeStones};

pub(super) const SOOSORV_4: Course = Course { least_side: FIFTHS_SIDE, step: |so_far| step(so_far, 4) };

pub(super) const SOOSORV_8: Course = Course { least_side: FIFTHS_SIDE, step: |so_far| step(so_far, 8) };

fn step(so_far: &Negotiation, most: u8) -> Step {
    let fifths = so_far.announced();
    match so_far.answers().len() {
        0 => so_far.ask_mover(ProcedureQuestion::Open(ThreeStones::Named(None))),
        1 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Fourth { most })),
        2 => so_far.ask_mover(ProcedureQuestion::Fourth { most }),
        3 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Fifths(fifths))),
        4 => so_far.ask_mover(ProcedureQuestion::Offer(fifths)),
        5 => so_far.ask_white(ProcedureQuestion::Pick(so_far.last_stones())),
        _ => so_far.agreed(),
    }
}
