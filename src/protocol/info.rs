//! [`Info`]: a setting of INFO, decoded once.

use std::time::Duration;

use super::clock::{MatchLeft, TurnLimit};
use super::coordinates::Coordinates;
use super::detail::Detail;
use crate::picker::{JudgeName, PickerName};
use crate::weights::Weighting;

/// One setting of INFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// `timeout_turn`: the limit of one move.
    TimeoutTurn(TurnLimit),
    /// `timeout_match`: the limit of all moves of a game together.
    TimeoutMatch(MatchLeft),
    /// `time_left`: the time left of that limit.
    TimeLeft(MatchLeft),
    /// `time_increment`: the time that each move adds to it.
    TimeIncrement(Duration),
    /// `max_memory`: bytes of the whole process; `None` is the default.
    MaxMemory(Option<u64>),
    /// `hash_size`, sent in KiB: bytes of the tables; `None` is the default.
    HashSize(Option<u64>),
    /// `thread_num`: threads of the search.
    Threads(usize),
    /// `rule`: a number whose meaning depends on the dialect.
    Rule(i64),
    /// `max_depth`: plies; `None` is no limit.
    MaxDepth(Option<u32>),
    /// `max_node`: nodes; `None` is no limit.
    MaxNode(Option<u64>),
    /// `show_detail`: how much of a search is written.
    ShowDetail(Detail),
    /// `pondering`: whether the engine thinks on the opponent's time.
    Pondering(bool),
    /// `coordinates`, an extension: how points are written in texts.
    Coordinates(Coordinates),
    /// `evaluation`, an extension: the evaluation of a search.
    Evaluation(JudgeName),
    /// `weights`, an extension: the weights in use.
    Weighting(Weighting),
    /// `picker`, an extension: the picker in use.
    Picker(PickerName),
}

/// More memory than 1 TiB is an error of the manager, and reads as the default.
const PLAUSIBLE_MEMORY: u64 = 1 << 40;

/// Bytes in the unit of `hash_size`.
const KILOBYTE: u64 = 1024;

impl Info {
    /// Reads the text behind the word INFO. `None` for an unknown key, and for a value that is missing, no number where
    /// one is due, or out of range: INFO is never answered, not even by an error.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let key = words.next()?.to_ascii_lowercase();
        let value = words.next()?;
        let number = || saturating(value);
        let natural = || number().and_then(|number| u64::try_from(number).ok());
        let info = match key.as_str() {
            "timeout_turn" => Self::TimeoutTurn(TurnLimit::from_timeout_turn(number()?)?),
            "timeout_match" => Self::TimeoutMatch(MatchLeft::from_timeout_match(number()?)?),
            "time_left" => Self::TimeLeft(MatchLeft::from_time_left(number()?)),
            "time_increment" => Self::TimeIncrement(Duration::from_millis(natural()?)),
            "max_memory" => Self::MaxMemory(memory(natural()?)),
            "hash_size" => Self::HashSize(memory(natural()?.saturating_mul(KILOBYTE))),
            "thread_num" => Self::Threads(usize::try_from(natural()?).unwrap_or(usize::MAX)),
            "rule" => Self::Rule(number().filter(|number| *number >= 0)?),
            "max_depth" => Self::MaxDepth(limit(number()?).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))),
            "max_node" => Self::MaxNode(limit(number()?)),
            "show_detail" => Self::ShowDetail(Detail::from_show_detail(number()?)?),
            "pondering" => Self::Pondering(switch(number()?)?),
            "coordinates" => Self::Coordinates(value.parse().ok()?),
            "evaluation" => Self::Evaluation(value.parse().ok()?),
            "weights" => Self::Weighting(value.parse().ok()?),
            "picker" => Self::Picker(value.parse().ok()?),
            _ => return None,
        };
        Some(info)
    }
}

/// 0 and negative numbers mean no limit (c-gomoku-cli, Yixin-Board).
fn limit(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|number| *number > 0)
}

/// 0 is off, 1 is on.
fn switch(number: i64) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// 0 and amounts beyond the plausible mean the default.
fn memory(bytes: u64) -> Option<u64> {
    (bytes > 0 && bytes <= PLAUSIBLE_MEMORY).then_some(bytes)
}

/// A whole number; one too great for 64 bits becomes the greatest of its sign.
fn saturating(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let extreme = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(extreme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_any_case_and_invalid_values_set_nothing() {
        assert_eq!(Info::parse("RULE 4"), Some(Info::Rule(4)));
        assert_eq!(Info::parse("coordinates Numbers"), Some(Info::Coordinates(Coordinates::Numbers)));
        assert_eq!(Info::parse("evaluation Classical"), Some(Info::Evaluation("classical".parse().unwrap())));
        assert_eq!(Info::parse("pondering 1"), Some(Info::Pondering(true)));
        assert_eq!((Info::parse("pondering 2"), Info::parse("coordinates x")), (None, None));
        assert_eq!(Info::parse("Weights  DECIMAL tail"), Some(Info::Weighting(Weighting::DECIMAL)));
        for text in
            ["", "foo", "foo 5", "rule", "rule x", "rule -1", "timeout_turn -5", "timeout_turn 5.5", "weights x"]
        {
            assert_eq!(Info::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_saturate_and_implausible_memory_is_the_default() {
        assert_eq!(saturating("99999999999999999999"), Some(i64::MAX));
        assert_eq!(saturating("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(Info::parse("max_memory 99999999999999999999"), Some(Info::MaxMemory(None)));
        assert_eq!(Info::parse("max_memory 0"), Some(Info::MaxMemory(None)));
        assert_eq!(Info::parse("hash_size 999999999999"), Some(Info::HashSize(None)));
        assert_eq!(Info::parse("hash_size 1024"), Some(Info::HashSize(Some(1 << 20))));
        assert_eq!(Info::parse("max_node -1"), Some(Info::MaxNode(None)));
    }
}
