//! Swap2: one player puts three stones, the other takes a color, or puts two more and lets the first one choose.

mod procedure;

pub use procedure::{AnswerError, Player, Procedure, Question, Step};

use super::lists;
use crate::board::{Board, Point, Rule, Size};

/// What a player answers to the stones on the board. White is to move where there is a choice of colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The three stones of an empty board: black, white, black.
    Open([Point; 3]),
    /// The player takes black.
    TakeBlack,
    /// The player takes the side to move, white where there is a choice, and puts this stone.
    Play(Point),
    /// The player puts two more stones, white and black, and lets the other one choose.
    Offer([Point; 2]),
}

impl Answer {
    /// The stones that it puts, in playing order.
    pub fn stones(&self) -> &[Point] {
        match self {
            Self::Open(points) => points,
            Self::TakeBlack => &[],
            Self::Play(point) => std::slice::from_ref(point),
            Self::Offer(points) => points,
        }
    }
}

/// The stones of an opening as steps from a corner, (x, y): black, white, black.
///
/// Three stones near a corner: black has two against one, but white moves next, and the edge takes from black's
/// rows what the second stone gives them. They fit every board.
///
/// ```text
///    a b c d e f
///  1 . . . . . .
///  2 . X . . O .
///  3 . . . . X .
/// ```
const OPENING: [(u8, u8); 3] = [(1, 1), (4, 1), (4, 2)];

/// The board of these stones, given in playing order: black, white, black, … Points off the board or taken are passed
/// over.
pub fn board(size: Size, rule: Rule, stones: &[Point]) -> Board {
    let mut board = Board::new(size, rule);
    for &stone in stones {
        // A point that cannot be played is passed over.
        let _ = board.try_play(stone);
    }
    board
}

/// The three stones that open a game wherever nothing more is known.
pub fn opening(size: Size) -> Option<[Point; 3]> {
    let [one, two, three] = OPENING.map(|(x, y)| size.point(x, y));
    Some([one?, two?, three?])
}

/// Three stones each with which to open a game: the first three of the built-in openings for the rule. Those for
/// another size are moved with the centre, where they fit; a rule or a size without any has the [`opening`] alone.
pub fn openings(rule: Rule, size: Size) -> Vec<[Point; 3]> {
    let listed = [size, Size::FIFTEEN].into_iter().find_map(|size| Some((size, lists::builtin(rule, size)?)));
    let builtin = listed.and_then(|(listed, text)| Some((listed, lists::parse_list(text, rule, listed).ok()?)));
    let (listed, builtin) = builtin.unwrap_or((size, Vec::new()));
    let moved = |point: &Point| {
        let coordinate = |at: u8| (at + size.centre().x()).checked_sub(listed.centre().x());
        size.point(coordinate(point.x())?, coordinate(point.y())?)
    };
    let three = |stones: &lists::Opening| match stones.get(..3)? {
        [one, two, three] => Some([moved(one)?, moved(two)?, moved(three)?]),
        _ => None,
    };
    let openings: Vec<_> = builtin.iter().filter_map(three).collect();
    if openings.is_empty() { opening(size).into_iter().collect() } else { openings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_openings_for_every_rule_and_size() {
        for rule in Rule::ALL {
            for size in Size::MIN..=Size::MAX {
                let size = Size::new(size).unwrap();
                let openings = openings(rule, size);
                assert!(!openings.is_empty());
                for stones in &openings {
                    assert_eq!(board(size, rule, stones).stone_count(), 3, "{stones:?} on {size}");
                }
                assert!(openings.len() > 30 || size < Size::FIFTEEN, "{rule} {size}: {}", openings.len());
            }
        }
    }
}
