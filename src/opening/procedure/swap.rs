//! Swap, as gomoku has it.
//!
//! ```text
//! answers  asked   question
//! 0        opener  three stones anywhere: black, white, black
//! 1        other   swap, or keep white
//! 2                white puts the fourth stone
//! ```

use super::Course;
use crate::board::Size;
use crate::opening::{Ahead, Negotiation, ProcedureQuestion, Step, ThreeStones};

pub(super) const SWAP: Course = Course { least_side: Size::MIN, step };

fn step(so_far: &Negotiation) -> Step {
    match so_far.answers().len() {
        0 => so_far.ask_mover(ProcedureQuestion::Open(ThreeStones::Any)),
        1 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Game)),
        _ => so_far.agreed(),
    }
}
