//! [`TurnLimit`] and [`MatchLeft`]: the times of INFO, whose special numbers are decoded here once.

use std::time::Duration;

/// Maximum number of milliseconds in the protocol, 24 days. Piskvork and c-gomoku-cli send it for "no limit".
pub const MOST_MILLISECONDS: u64 = i32::MAX as u64;

/// Yixin-Board's `timeout_turn` for "no limit".
pub const YIXIN_UNLIMITED_TURN: u64 = 2_000_000;

/// Yixin-Board's `timeout_match` for "no limit".
const YIXIN_UNLIMITED_MATCH: u64 = 100_000_000;

/// The limit of one move, `timeout_turn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLimit {
    /// 0: the engine answers at once, without search.
    Instant,
    /// At most this time.
    Within(Duration),
    /// No limit.
    Unlimited,
}

impl TurnLimit {
    /// Decodes `INFO timeout_turn`, in milliseconds; `None` for a negative number, which sets nothing.
    pub(crate) fn from_timeout_turn(milliseconds: i64) -> Option<Self> {
        Some(match u64::try_from(milliseconds).ok()? {
            0 => Self::Instant,
            YIXIN_UNLIMITED_TURN | MOST_MILLISECONDS.. => Self::Unlimited,
            limit => Self::Within(Duration::from_millis(limit)),
        })
    }
}

/// The time left for the moves of a game, `time_left` or `timeout_match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchLeft {
    /// Nothing, or less: the engine answers at once.
    Overdrawn,
    /// This time.
    Left(Duration),
    /// No limit.
    Unlimited,
    /// No limit, set by Yixin-Board's number. Yixin-Board subtracts the time used from it and sends the rest as `time_left`,
    /// which is ignored.
    UnlimitedByYixin,
}

impl MatchLeft {
    /// Decodes `INFO timeout_match`, in milliseconds: 0 means unlimited. A negative number is ignored.
    pub(crate) fn from_timeout_match(milliseconds: i64) -> Option<Self> {
        match u64::try_from(milliseconds).ok()? {
            0 => Some(Self::Unlimited),
            YIXIN_UNLIMITED_MATCH => Some(Self::UnlimitedByYixin),
            _ => Some(Self::from_time_left(milliseconds)),
        }
    }

    /// Decodes `INFO time_left`, in milliseconds: 0 and less are overdrawn.
    pub(crate) fn from_time_left(milliseconds: i64) -> Self {
        match u64::try_from(milliseconds) {
            Err(_) | Ok(0) => Self::Overdrawn,
            Ok(MOST_MILLISECONDS..) => Self::Unlimited,
            Ok(left) => Self::Left(Duration::from_millis(left)),
        }
    }

    /// The time left after this much was gained and used.
    pub(super) fn after(self, gained: Duration, used: Duration) -> Self {
        match self {
            Self::Left(left) => match left.saturating_add(gained).saturating_sub(used) {
                Duration::ZERO => Self::Overdrawn,
                left => Self::Left(left),
            },
            Self::Overdrawn | Self::Unlimited | Self::UnlimitedByYixin => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_a_special_meaning_are_decoded() {
        assert_eq!(TurnLimit::from_timeout_turn(-5), None);
        assert_eq!(TurnLimit::from_timeout_turn(0), Some(TurnLimit::Instant));
        assert_eq!(TurnLimit::from_timeout_turn(1), Some(TurnLimit::Within(Duration::from_millis(1))));
        for unlimited in [2_000_000, 2_147_483_647, i64::MAX] {
            assert_eq!(TurnLimit::from_timeout_turn(unlimited), Some(TurnLimit::Unlimited));
        }
        assert_eq!(MatchLeft::from_timeout_match(-1), None);
        assert_eq!(MatchLeft::from_timeout_match(0), Some(MatchLeft::Unlimited));
        assert_eq!(MatchLeft::from_timeout_match(100_000_000), Some(MatchLeft::UnlimitedByYixin));
        assert_eq!(MatchLeft::from_timeout_match(2_147_483_647), Some(MatchLeft::Unlimited));
        for overdrawn in [0, -500, i64::MIN] {
            assert_eq!(MatchLeft::from_time_left(overdrawn), MatchLeft::Overdrawn);
        }
        assert_eq!(MatchLeft::from_time_left(2_147_483_647), MatchLeft::Unlimited);
    }
}
