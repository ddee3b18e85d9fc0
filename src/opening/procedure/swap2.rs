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
use crate::opening::{Answer, Negotiation, Opening, Player, Question, Step};

pub(super) const SWAP2: Course = Course { name: "swap2", least_side: Size::MIN, step };

fn step(so_far: &Negotiation) -> Step {
    match so_far.answers() {
        [] => so_far.ask_mover(Question::Open(Opening::Any)),
        [_] => so_far.ask_mover(Question::Choose),
        // Two more stones leave the side to move, white, to the opener.
        [_, two] if two.stones().len() == 2 => Step::Ask(Player::Opener, Question::Decide),
        [_, _, Answer::Swap] => Step::Agreed { black: Player::Opener },
        [_, _, _] => Step::Agreed { black: Player::Other },
        _ => so_far.agreed(),
    }
}
