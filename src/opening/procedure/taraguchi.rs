//! Taraguchi's rule with ten fifth moves.
//!
//! ```text
//! answers  asked   question
//! 0        opener  the first stone, black's, on the centre
//! 1        white   swap, or keep white
//! 2        white   the second stone, in the central 3 × 3
//! 3        black   swap, or keep black
//! 4        black   the third stone, in the central 5 × 5
//! 5        white   swap, or keep white
//! 6        white   the fourth stone, in the central 7 × 7
//! 7        black   swap | a fifth stone in the central 9 × 9 | ten fifth moves anywhere
//! 8                after a swap: black  a fifth stone in the central 9 × 9
//!                  after a fifth stone: white  swap, or keep white
//!                  after ten: white  which of them stays
//! 9                after a swap and a fifth stone: white  swap, or keep white
//!                  then white puts the sixth stone
//! ```

use super::{Course, FIFTHS_SIDE};
use crate::opening::{Ahead, Negotiation, ProcedureAnswer, ProcedureQuestion, Square, Step};

pub(super) const TARAGUCHI_10: Course = Course { least_side: FIFTHS_SIDE, step };

/// The number of fifth moves of the second way.
const FIFTHS: u8 = 10;

/// The square of black's single fifth stone.
const FIFTH: Square = Square::of_side(9);

fn step(so_far: &Negotiation) -> Step {
    let swap = ProcedureQuestion::Swap(Ahead::Game);
    match so_far.answers() {
        [] => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(Square::CENTRE)),
        [_] | [_, _, _] | [_, _, _, _, _] => so_far.ask_mover(swap),
        [_, _] => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(Square::of_side(3))),
        [_, _, _, _] => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(Square::of_side(5))),
        [_, _, _, _, _, _] => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(Square::of_side(7))),
        [_, _, _, _, _, _, _] => so_far.ask_mover(ProcedureQuestion::FifthOrOffer(FIFTH, FIFTHS)),
        [_, _, _, _, _, _, _, ProcedureAnswer::Swap] => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(FIFTH)),
        [_, _, _, _, _, _, _, fifth] if fifth.stones().len() == 1 => so_far.ask_mover(swap),
        [_, _, _, _, _, _, _, offered] => so_far.ask_white(ProcedureQuestion::Pick(offered.stones())),
        [_, _, _, _, _, _, _, ProcedureAnswer::Swap, _] => so_far.ask_mover(swap),
        _ => so_far.agreed(),
    }
}
