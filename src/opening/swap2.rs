//! Swap2: one player puts three stones, the other takes a color, or puts two more and lets the first one choose.

use crate::board::{Board, Color, Point, Rule, Size};
use crate::position::Position;
use crate::weights::{Book, Weight};

/// What a player answers to the stones on the board. White is to move where there is a choice of colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The three stones of an empty board: black, white, black.
    Open([Point; 3]),
    /// The player takes black.
    TakeBlack,
    /// The player takes the side to move, white where there is a choice, and puts this stone.
    Play(Point),
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

/// The answer to these stones, given in playing order: black, white, black, … Points off the board or taken are
/// passed over. `None` on a full board.
///
/// No stone is answered by an opening, three and five by a color: black where its greatest attack by the book exceeds
/// white's, else the stone that the book plays for white. Other numbers are no question of Swap2: the stone of the
/// side to move.
pub fn answer(size: Size, rule: Rule, book: Book, stones: &[Point]) -> Option<Answer> {
    let mut position = Position::from_board(Board::new(size, rule));
    for &stone in stones {
        if position.board().is_empty(stone) {
            position.play(stone);
        }
    }
    position.set_book(Some(book));
    match position.board().stone_count() {
        0 => opening(size).map(Answer::Open),
        3 | 5 if greatest_attack(&position, Color::Black) > greatest_attack(&position, Color::White) => {
            Some(Answer::TakeBlack)
        }
        _ => position.greatest().map(Answer::Play),
    }
}

fn opening(size: Size) -> Option<[Point; 3]> {
    let [one, two, three] = OPENING.map(|(x, y)| size.point(x, y));
    Some([one?, two?, three?])
}

/// The greatest attack of a side on the points that it may play.
fn greatest_attack(position: &Position, side: Color) -> Option<Weight> {
    let points = position.board().empty_points();
    let allowed = points.iter().filter(|point| !position.is_forbidden(*point, side));
    allowed.filter_map(|point| Some(position.weights_for(point, side)?.attack)).max()
}
