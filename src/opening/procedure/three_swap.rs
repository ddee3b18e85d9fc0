//! The three-move swap of the Chinese rules (三手可交换), with free stones: 黑先、白后,从天元开始相互顺序落子.
//!
//! ```text
//! answers  asked   question
//! 0        opener  the first stone, black's, on the centre
//! 1        other   the second stone, white's, anywhere
//! 2        opener  the third stone, black's, anywhere
//! 3        other   swap, or keep white
//! 4                white puts the fourth stone
//! ```
//!
//! In [`swap`](super::swap) one player puts all three stones; here each player puts those of its color.

use super::Course;
use crate::board::Size;
use crate::opening::{Ahead, Negotiation, ProcedureQuestion, Square, Step};

pub(super) const THREE_SWAP: Course = Course { least_side: Size::MIN, step };

fn step(so_far: &Negotiation) -> Step {
    match so_far.answers().len() {
        0 => so_far.ask_mover(ProcedureQuestion::Stone(Square::CENTRE)),
        1 => so_far.ask_mover(ProcedureQuestion::Stone(Square::ANYWHERE)),
        2 => so_far.ask_mover(ProcedureQuestion::StoneBeforeSwap(Square::ANYWHERE)),
        3 => so_far.ask_mover(ProcedureQuestion::Swap(Ahead::Game)),
        _ => so_far.agreed(),
    }
}
