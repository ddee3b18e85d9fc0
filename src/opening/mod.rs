//! OPENINGS: the ways in which a game may begin before the players simply alternate.
//!
//! Owns the named openings, the lists of openings (built in or read from text), and the procedures by which two players
//! agree on an opening and on the colors. Uses the board and the notation. Must never know a weight, a search or a
//! protocol.
//!
//! ```text
//! Procedure ─► Negotiation ─► Step::Ask(Seat, ProcedureQuestion) ─► ProcedureAnswer ─► Negotiation … ─► Step::Agreed
//!              stones so far                                        checked
//! ```

mod catalogue;
pub mod lists;
mod named;
mod negotiation;
mod procedure;
mod question;
mod stone_symmetries;
mod stones;
pub mod three_stones;

pub use catalogue::Catalogue;
pub use named::{Family, NamedOpening, Verdict};
pub use negotiation::{Item, Negotiation, ReadError, Seat};
pub use procedure::Procedure;
pub use question::{Ahead, AnswerError, ProcedureAnswer, ProcedureQuestion, Square, Step, ThreeStones};
pub use stone_symmetries::StoneSymmetries;
pub use stones::{MOST_STONES, Stones};

use crate::board::{Board, Point, Rule, Size};

/// The board of these stones, given in playing order: black, white, black, … Points off the board and occupied points
/// are skipped.
pub fn board(size: Size, rule: Rule, stones: impl IntoIterator<Item = Point>) -> Board {
    let mut board = Board::new(size, rule);
    for stone in stones {
        let _ = board.try_play(stone);
    }
    board
}
