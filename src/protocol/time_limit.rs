//! [`TurnLimit`] and [`MatchLeft`]: the times of INFO, whose special numbers are decoded here once.

use std::time::Duration;

/// Piskvork's and c-gomoku-cli's number for "no limit".
const UNLIMITED: i64 = i32::MAX as i64;

/// Yixin-Board's `timeout_turn` for "no limit".
const YIXIN_UNLIMITED_TURN: i64 = 2_000_000;

/// Yixin-Board's `timeout_match` for "no limit".
const YIXIN_UNLIMITED_MATCH: i64 = 100_000_000;

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
    pub fn from_timeout_turn(milliseconds: i64) -> Option<Self> {
        match milliseconds {
            0 => Some(Self::Instant),
            YIXIN_UNLIMITED_TURN | UNLIMITED.. => Some(Self::Unlimited),
            _ => Some(Self::Within(Duration::from_millis(u64::try_from(milliseconds).ok()?))),
        }
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
}

impl MatchLeft {
    /// Decodes `INFO timeout_match`, in milliseconds: 0 means unlimited. A negative number is ignored.
    pub fn from_timeout_match(milliseconds: i64) -> Option<Self> {
        match milliseconds {
            ..0 => None,
            0 | YIXIN_UNLIMITED_MATCH => Some(Self::Unlimited),
            _ => Some(Self::from_time_left(milliseconds)),
        }
    }

    /// Decodes `INFO time_left`, in milliseconds: 0 and less are overdrawn.
    pub fn from_time_left(milliseconds: i64) -> Self {
        match u64::try_from(milliseconds) {
            _ if milliseconds >= UNLIMITED => Self::Unlimited,
            Ok(left) if left > 0 => Self::Left(Duration::from_millis(left)),
            _ => Self::Overdrawn,
        }
    }

    /// The time left after this much was gained and used.
    pub(super) fn after(self, gained: Duration, used: Duration) -> Self {
        match self {
            Self::Left(left) => match left.saturating_add(gained).saturating_sub(used) {
                Duration::ZERO => Self::Overdrawn,
                left => Self::Left(left),
            },
            Self::Overdrawn | Self::Unlimited => self,
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
        assert_eq!(MatchLeft::from_timeout_match(2_147_483_647), Some(MatchLeft::Unlimited));
        for overdrawn in [0, -500, i64::MIN] {
            assert_eq!(MatchLeft::from_time_left(overdrawn), MatchLeft::Overdrawn);
        }
        assert_eq!(MatchLeft::from_time_left(2_147_483_647), MatchLeft::Unlimited);
    }
}
