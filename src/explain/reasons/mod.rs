//! WHY THIS MOVE: [`Reasons`], true statements about a move from proofs and shapes.
//!
//! ```text
//! board, point ─┬─ after the move      other side to move   loses
//!               │                      every answer         wins
//!               │                      a pass               threatens, makes
//!               └─ a pass instead      other side to move   stops
//!                  every other move    other side to move   only
//! ```
//!
//! A fact that is not proved within the budget is left out. A pass is hypothetical: it shows what a side would do with the
//! next stone.

mod move_facts;
mod prover;
mod shape;
#[cfg(test)]
mod tests;

pub use shape::Shape;

use strum::Display;

use self::move_facts::MoveFacts;
use crate::board::{Board, Foul, Outcome, Point};
use crate::position::ThreatBoard;
use crate::solver::WinKind;

/// A forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// [`WinKind::Vcf`], also for a five at once, or [`WinKind::Vct`].
    pub kind: WinKind,
    /// The moves of both sides in turn; the last one makes the five. The other side may answer otherwise.
    pub line: Vec<Point>,
}

impl ForcedWin {
    /// Number of the winner's moves in the line, its five included, against the longest defence: the minimum for fours,
    /// an upper bound for threats.
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// This win, preceded by one more move of either side.
    fn after(mut self, point: Point) -> Self {
        self.line.insert(0, point);
        self
    }
}

/// What a move stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Stopped {
    /// A five that the other side would make.
    Five,
    /// An open four: the other side has an open three.
    #[strum(to_string = "open four")]
    OpenFour,
    /// A stone that makes two threats: a double four, a four-three or a double three.
    Fork,
    /// Other continuous fours.
    Vcf,
    /// Other continuous threats.
    Vct,
}

/// A true statement about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The rule forbids the point to the side to move: it loses at once.
    Forbidden(Foul),
    /// The stone makes a row that wins.
    Five {
        /// The stones of the row, in the order of the board.
        points: Vec<Point>,
    },
    /// The side to move wins by force. The line begins with the move, which is counted.
    Wins(ForcedWin),
    /// The other side wins by force. The line begins with the move, which is not counted.
    Loses(ForcedWin),
    /// The other side wins by force after every other legal move.
    Only {
        /// The strongest kind of win that the other side needs.
        refuted: WinKind,
    },
    /// If the side to move passed, the other side would win by force. After the move it cannot.
    Stops {
        /// What the other side would do.
        what: Stopped,
        /// The points that make the five or the open four; for other threats, the first stone.
        points: Vec<Point>,
        /// The stones of the row that becomes the five or the open four, in the order of the line; else empty.
        row: Vec<Point>,
        /// The win. The line begins with the stone of the other side after a pass.
        win: ForcedWin,
    },
    /// If the other side passed after the move, the side that moved would win by force.
    Threatens {
        /// The points where it would make a five, or an open or double four, at once; else the first stone.
        points: Vec<Point>,
        /// The win. The line begins with the next stone of the side that moved.
        win: ForcedWin,
    },
    /// The stone makes a shape.
    Makes {
        /// The greatest shape of its lines together.
        shape: Shape,
        /// The stones of its rows, in the order of the board.
        points: Vec<Point>,
    },
}

/// Why a move is good or bad: at most three facts, the most important first.
///
/// ```
/// use tengen::board::{Board, Rule, Size};
/// use tengen::explain::reasons::{Fact, Reasons, Stopped};
/// use tengen::notation::{Moves, parse_comma};
///
/// let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
/// let moves: Moves = "7,7 0,0 8,7 0,2 9,7".parse()?;
/// moves.0.into_iter().for_each(|point| board.play(point));
/// let reasons = Reasons::of(&board, parse_comma("10,7")?, &|| false);
/// let Some(Fact::Stops { what, row, .. }) = reasons.facts.first() else { panic!("{reasons:?}") };
/// assert_eq!((*what, row.len()), (Stopped::OpenFour, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The facts, the most important first.
    pub facts: Vec<Fact>,
}

impl Reasons {
    /// The facts about a move of the side to move. The list is empty if the point is occupied
    /// or the move draws the game.
    ///
    /// All facts together search at most some 200,000 positions: typically some milliseconds, at worst about half a
    /// second. `must_stop` is called often; once it returns true, the search
    /// ends and the facts proved so far are returned.
    pub fn of(board: &Board, point: Point, must_stop: &dyn Fn() -> bool) -> Self {
        let mover = board.turn();
        if board.check_empty(point).is_err() {
            return Self::default();
        }
        let facts = match board.outcome_of(point, mover) {
            Some(Outcome::Row { .. }) => {
                vec![Fact::Five { points: board.winning_row(point, mover).iter().collect() }]
            }
            Some(Outcome::Foul { foul, .. }) => vec![Fact::Forbidden(foul)],
            Some(Outcome::Draw) => Vec::new(),
            None => MoveFacts::new(board, point, must_stop).facts(),
        };
        Self { facts }
    }

    /// The shape that the move makes, without any proof: for games in which a five does not win. Cost: some hundred
    /// microseconds.
    pub fn of_shape(board: &Board, point: Point) -> Self {
        let ends = board.check_empty(point).is_err() || board.outcome_of(point, board.turn()).is_some();
        let made = if ends { None } else { shape::made(&mut ThreatBoard::new(board.clone()), point) };
        Self { facts: made.map(|(shape, points)| Fact::Makes { shape, points }).into_iter().collect() }
    }
}
