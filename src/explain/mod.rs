//! WHY THIS POINT: [`Explanation`], what a picker chose in a position and what it went by.
//!
//! Owns the ways a position comes in ([`Record`] for moves and saved games, [`Transcript`] for lines of the protocol)
//! and how an explanation is shown, as text and as JSON. Asks a player as a game does, and the protocol's own
//! session, so that it cannot disagree with the move. Must never touch a stream or a file: it makes values from text
//! and text from values.

mod render;
mod transcript;

pub use transcript::{Pick, Transcript, TranscriptError};

pub use crate::notation::{Record, RecordError};

use crate::board::{ByDirection, Color, Direction, Point, PointSet};
use crate::picker::{Choice, Deadlines, Limits, PickerName, Question, SearchInfo};
use crate::player::{Answered, Player, Request};
use crate::threat::{LineWindow, Pattern};
use crate::weights::{WeightedPosition, Weights};

/// How many of the greatest points are listed.
const LISTED: usize = 10;

/// What a picker chose in a position, and what it went by.
///
/// [`Display`](std::fmt::Display) shows it as plain text, [`styled`](Self::styled) with colors, and
/// [`to_json`](Self::to_json) as a value for scripts.
pub struct Explanation<'a> {
    position: &'a WeightedPosition,
    picker: PickerName,
    /// What the picker answered.
    pub choice: Choice,
    /// The last progress of a search: its line, or the proof.
    pub search: Option<SearchInfo>,
    /// The ten points that the weighting in use prefers, forbidden points last.
    pub greatest: Vec<Candidate>,
    /// The lines through the chosen point.
    pub lines: ByDirection<Line>,
    /// The points forbidden to black, whoever is to move; none but under renju.
    pub forbidden: PointSet,
}

/// One of the greatest points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The point.
    pub point: Point,
    /// What the weighting says of it for the side to move.
    pub weights: Weights,
}

/// A line through the chosen point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// What lies round the point, as black sees it: drawn, X is black as on the board.
    pub window: LineWindow,
    /// What the line becomes when the side to move plays the point.
    pub own: Pattern,
    /// What it becomes when the other side plays there.
    pub their: Pattern,
}

impl<'a> Explanation<'a> {
    /// Asks a new picker for its choice and notes what it went by; `None` where no empty point is left.
    pub fn ask(position: &'a WeightedPosition, picker: PickerName, limits: &Limits, time: Deadlines) -> Option<Self> {
        let mut player = Player::inline(Box::new(move || picker.build()));
        let (question, limits) = (Question::MOVE, limits.clone());
        player.ask(Request { question, position: position.clone(), limits, deadlines: time }, &mut |_| {});
        let Answered { answer, info, .. } = player.take_answered()?;
        Some(Self::new(position, picker, answer.choice()?, info))
    }

    /// What a picker went by that chose this in this position, with the last progress of its search.
    pub fn new(position: &'a WeightedPosition, picker: PickerName, choice: Choice, search: Option<SearchInfo>) -> Self {
        let side = position.board().turn();
        let line = |direction| {
            let pattern = |color| position.threats().patterns(choice.point, color).get(direction);
            Line {
                window: position.threats().cache().window(choice.point, direction),
                own: pattern(side),
                their: pattern(!side),
            }
        };
        let candidate = |point| position.weights(point).map(|weights| Candidate { point, weights });
        let is_forbidden = |&point: &Point| position.is_forbidden(point, Color::Black);
        Self {
            position,
            picker,
            choice,
            search: search.filter(|depth| is_about(depth, choice.point)),
            greatest: position.ranking().into_iter().filter_map(candidate).take(LISTED).collect(),
            lines: ByDirection(Direction::ALL.map(line)),
            forbidden: position.board().empty_points().iter().filter(is_forbidden).collect(),
        }
    }
}

/// Whether this move leads the search's line.
fn is_about(depth: &SearchInfo, point: Point) -> bool {
    depth.lines.first().is_some_and(|line| line.points.first() == Some(&point))
}
