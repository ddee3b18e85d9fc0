//! Swap2: one player puts three stones, the other takes a color, or puts two more and lets the first one choose.

mod procedure;

pub use procedure::{AnswerError, Player, Procedure, Question, Step};

use super::lists;
use crate::board::{Board, Color, Point, Rule, Size};
use crate::position::Position;
use crate::weights::Weight;

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

/// The position of these stones, given in playing order: black, white, black, … Points off the board or taken are
/// passed over.
pub fn position(size: Size, rule: Rule, stones: &[Point]) -> Position {
    let mut position = Position::from_board(Board::new(size, rule));
    for &stone in stones {
        if position.board().is_empty(stone) {
            position.play(stone);
        }
    }
    position
}

/// The answer of the weighting in use to these stones. `None` on a full board or without a weighting.
///
/// No stone is answered by an opening, three and five by a color: black where its greatest attack by the weighting exceeds
/// white's, else the stone that the weighting plays for white. Other numbers are no question of Swap2: the stone of the
/// side to move.
pub fn answer(position: &Position) -> Option<Answer> {
    match position.board().stone_count() {
        0 => opening(position.board().size()).map(Answer::Open),
        3 | 5 if greatest_attack(position, Color::Black) > greatest_attack(position, Color::White) => {
            Some(Answer::TakeBlack)
        }
        _ => position.greatest().map(Answer::Play),
    }
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

/// The greatest attack of a side on the points that it may play.
fn greatest_attack(position: &Position, side: Color) -> Option<Weight> {
    let points = position.board().empty_points();
    let allowed = points.iter().filter(|point| !position.is_forbidden(*point, side));
    allowed.filter_map(|point| Some(position.weights_for(point, side)?.attack)).max()
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
                    assert_eq!(position(size, rule, stones).board().stone_count(), 3, "{stones:?} on {size}");
                }
                assert!(openings.len() > 30 || size < Size::FIFTEEN, "{rule} {size}: {}", openings.len());
            }
        }
    }
}
