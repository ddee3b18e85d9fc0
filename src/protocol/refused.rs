//! [`RefusedCommand`]: a known command that cannot be carried out on any board, and [`CommandError`], why.

use super::command::Word;
use super::database::DatabaseArgumentError;
use crate::board::SizeError;
use crate::notation::PointError;
use crate::text::UnknownName;

/// A known command with an invalid argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedCommand {
    word: Word,
    error: CommandError,
}

impl RefusedCommand {
    pub(super) const fn new(word: Word, error: CommandError) -> Self {
        Self { word, error }
    }

    pub(super) const fn word(&self) -> Word {
        self.word
    }

    /// What is wrong with the argument.
    pub const fn error(&self) -> CommandError {
        self.error
    }
}

/// Error returned when a known command has an invalid argument, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// START without a size of 5 to 32.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// START or RECTSTART with two different sides.
    #[error("unsupported board size, expected a square")]
    Rectangle,
    /// The argument is not a point.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The argument is not the name of a weighting.
    #[error(transparent)]
    Weighting(#[from] UnknownName),
    /// YXNBEST without a number.
    #[error("expected a number of moves such as 5")]
    Number,
    /// YXBALANCEONE or YXBALANCETWO with an argument that is not a score.
    #[error("expected a score such as 0")]
    Score,
    /// YXFORBID without add or del, a point and a side.
    #[error("expected add or del, a point and 0 or 1, such as add 7 7 0")]
    Forbid,
    /// A command about a file, such as YXHASHDUMP, without a path.
    #[error("expected a path after the command or on the next line")]
    Path,
    /// A command of the library with an invalid argument.
    #[error(transparent)]
    Database(#[from] DatabaseArgumentError),
}
