//! [`Verdict`] and [`Outlook`]: what is proved about a node, and what its threats decide.

use super::tree::ONE;
use crate::board::PointSet;
use crate::picker::tactics::{Tactics, UNANSWERED_FOUR, open_four_answers};
use crate::position::ThreatBoard;

/// A proof about a node, for its side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing is proved.
    #[default]
    Open,
    /// Won within this number of plies.
    Won(u16),
    /// Lost within this number of plies.
    Lost(u16),
    /// Drawn.
    Drawn,
}

impl Verdict {
    /// The verdict in 16 bits.
    pub(super) const fn encode(self) -> u64 {
        match self {
            Self::Open => 0,
            Self::Drawn => 1,
            Self::Won(plies) => 2 + 2 * plies as u64,
            Self::Lost(plies) => 3 + 2 * plies as u64,
        }
    }

    /// The verdict in the last 16 bits of a word.
    pub(super) const fn decode(bits: u64) -> Self {
        match bits & 0xFFFF {
            0 => Self::Open,
            1 => Self::Drawn,
            bits if bits & 1 == 0 => Self::Won((bits / 2 - 1) as u16),
            bits => Self::Lost((bits / 2 - 1) as u16),
        }
    }

    /// The value for the side to move; `None` if the verdict is open.
    pub(super) const fn value(self) -> Option<u32> {
        match self {
            Self::Open => None,
            Self::Won(_) => Some(ONE),
            Self::Lost(_) => Some(0),
            Self::Drawn => Some(ONE / 2),
        }
    }

    /// Whether the node is proved.
    pub(super) const fn is_decided(self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// The result that the threats of a position force for the side to move, found before the position is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// The position is won, lost or drawn.
    Decided(Verdict),
    /// Every move but these loses.
    Forced(PointSet),
    /// The threats decide nothing.
    Open,
}

impl Outlook {
    /// Reads the threats, and searches the answers to an open four of the other side.
    pub(super) fn of(threats: &ThreatBoard) -> Self {
        if threats.board().is_full() {
            return Self::Decided(Verdict::Drawn);
        }
        match Tactics::of(threats) {
            Tactics::Won(plies) => Self::Decided(Verdict::Won(plies as u16)),
            Tactics::Lost(plies) => Self::Decided(Verdict::Lost(plies as u16)),
            Tactics::Block(blocks) => Self::Forced(blocks),
            Tactics::Undecided => match open_four_answers(threats).map(|answers| threats.allowed(&answers)) {
                None => Self::Open,
                Some(answers) if answers.is_empty() => Self::Decided(Verdict::Lost(UNANSWERED_FOUR as u16)),
                Some(answers) => Self::Forced(answers),
            },
        }
    }
}
