//! [`Verdict`]: what is proved of a node.

use super::tree::ONE;

/// What is proved of a node, for the side to move there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    #[default]
    Open,
    /// Won in at most this number of plies.
    Won(u16),
    /// Lost, and put off for at most this number of plies.
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

    /// The verdict that the last 16 bits hold.
    pub(super) const fn decode(bits: u64) -> Self {
        match bits & 0xFFFF {
            0 => Self::Open,
            1 => Self::Drawn,
            bits if bits & 1 == 0 => Self::Won((bits / 2 - 1) as u16),
            bits => Self::Lost((bits / 2 - 1) as u16),
        }
    }

    /// The value for the side to move; `None` where nothing is proved.
    pub(super) const fn value(self) -> Option<u32> {
        match self {
            Self::Open => None,
            Self::Won(_) => Some(ONE),
            Self::Lost(_) => Some(0),
            Self::Drawn => Some(ONE / 2),
        }
    }

    /// Whether something is proved.
    pub(super) const fn is_decided(self) -> bool {
        !matches!(self, Self::Open)
    }
}
