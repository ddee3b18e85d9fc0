//! WHY THIS POINT: [`Explanation`], a move with what decided it.
//!
//! ```text
//! moves, saved game ─► GameMoves ─► position ─► Explanation::ask ─► Player ───┐
//! protocol lines ────► Transcript::explain ─► protocol::replay ─► Player ─────┴─► Answered ─► Explanation ─► text, JSON, SVG
//! ```
//!
//! Owns how an answer is shown, and the facts about a move ([`reasons`]), which it proves with the solvers. An explanation
//! asks the same player as a game, so it shows the move that the game would play.
//! Must never touch a stream or a file: it converts text to values and values to text.

pub mod fifths;
mod picture;
pub mod proof;
pub mod reasons;
mod render;
pub mod replay;
#[cfg(feature = "programs")]
mod transcript;
pub(crate) mod verdict;

#[cfg(feature = "programs")]
pub use render::reason_name;
#[cfg(feature = "programs")]
pub use transcript::{Transcript, TranscriptError};

use std::time::Duration;

use crate::board::{ByDirection, Color, Direction, Point, PointSet};
use crate::opening::NamedOpening;
use crate::picker::{Choice, Deadlines, Limits, PickerName, Question, SearchInfo};
use crate::player::{Answered, Player, Request};
use crate::threat::{LineWindow, Pattern};
use crate::weights::{WeightedPosition, Weights};

/// The number of points in the list of the greatest weights, and in the list of a tree search's moves.
const LISTED: usize = 10;

/// A move that a picker chose, with the reason.
///
/// [`Display`](std::fmt::Display) shows it as text, with `{:#}` in colors, [`to_json`](Self::to_json) as a value for scripts,
/// [`to_svg`](Self::to_svg) as a picture.
pub struct Explanation {
    position: WeightedPosition,
    picker: PickerName,
    /// The named opening of the game. It is found if three stones are on the board; for a later position the caller, who
    /// knows the moves, sets it.
    pub opening: Option<&'static NamedOpening>,
    /// The move and its reason.
    pub choice: Choice,
    /// The last report of the search, if the choice leads its first line.
    pub search: Option<SearchInfo>,
    /// The ten points of the greatest weights for the side to move, forbidden points last.
    pub greatest: Vec<Candidate>,
    /// The lines through the chosen point.
    pub lines: ByDirection<PatternLine>,
    /// The points forbidden to black, also when white is to move; empty except under renju.
    pub forbidden: PointSet,
}

/// One of the greatest points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The point.
    pub point: Point,
    /// Its weights for the side to move.
    pub weights: Weights,
}

/// A line through the chosen point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternLine {
    /// The cells round the point from black's side, so that X is black as on the board.
    pub window: LineWindow,
    /// The pattern after a stone of the side to move on the point.
    pub own: Pattern,
    /// The pattern after a stone of the other side.
    pub their: Pattern,
}

impl Explanation {
    /// Asks a new picker for a move, on this thread. The depth or the nodes of the limits end the search; without either,
    /// the time does. `None` on a full board.
    pub fn ask(position: WeightedPosition, picker: PickerName, limits: Limits, time: Duration) -> Option<Self> {
        let mut player = Player::inline(Box::new(move || picker.build()), time);
        Self::new(picker, ask(&mut player, position, limits, time)?)
    }

    /// Explains an answer of this picker. `None` for the answer to a question about an opening. Costs some milliseconds.
    pub fn new(picker: PickerName, answered: Answered) -> Option<Self> {
        let Answered { position, answer, info } = answered;
        let choice = answer.choice()?;
        let side = position.board().turn();
        let line = |direction| {
            let pattern = |color| position.threats().patterns(choice.point, color).get(direction);
            PatternLine {
                window: position.threats().cache().window(choice.point, direction),
                own: pattern(side),
                their: pattern(!side),
            }
        };
        let candidate = |point| position.weights(point).map(|weights| Candidate { point, weights });
        let is_forbidden = |&point: &Point| position.is_forbidden(point, Color::Black);
        Some(Self {
            picker,
            opening: NamedOpening::of_board(position.board()),
            choice,
            search: info.filter(|info| is_led_by(info, choice.point)),
            greatest: position.ranking().into_iter().filter_map(candidate).take(LISTED).collect(),
            lines: ByDirection(Direction::ALL.map(line)),
            forbidden: position.board().empty_points().iter().filter(is_forbidden).collect(),
            position,
        })
    }

    /// The position that the picker read.
    pub fn position(&self) -> &WeightedPosition {
        &self.position
    }
}

/// Asks a player for a move. The depth or the nodes of the limits end the search; without either, the time does.
fn ask(player: &mut Player, position: WeightedPosition, limits: Limits, time: Duration) -> Option<Answered> {
    let deadlines = if limits.has_work_limit() { Deadlines::NONE } else { Deadlines::within(time) };
    player.ask(Request { question: Question::MOVE, position, limits, deadlines }, &mut |_| {});
    player.take_answered()
}

/// Whether this move leads the first line of the search.
fn is_led_by(info: &SearchInfo, point: Point) -> bool {
    info.lines.first().is_some_and(|line| line.points.first() == Some(&point))
}
