//! [`DeleteFilter`]: the positions that YXDELETEDATABASEALL removes.

use std::str::FromStr;

use super::DatabaseArgumentError;
use crate::library::Record;
use crate::library::format::rapfi::{RapfiLabel, RapfiNumbers};

/// The positions that YXDELETEDATABASEALL removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeleteFilter {
    /// The labels of the positions.
    pub kind: DeleteKind,
    /// Whether positions after those that stay are looked at too.
    pub is_recursive: bool,
}

/// The labels of the positions that YXDELETEDATABASEALL removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteKind {
    /// Without a filter: all.
    All,
    /// `nonwl`: all but wins and losses.
    NotWonOrLost,
    /// `nonwld`: all but wins, losses and draws.
    Undecided,
    /// `w`: wins of the side that plays the move.
    Won,
    /// `l`: its losses.
    Lost,
    /// `wl`: wins and losses.
    WonOrLost,
    /// `wld`: wins, losses and draws.
    Decided,
    /// `wlnostep`: wins and losses without a number of plies.
    WithoutSteps,
    /// `wlinstep n`: wins and losses in at most n plies.
    WithinSteps(u32),
}

/// The ending of the filters that look at all positions.
const RECURSIVE: &str = "recursive";

impl FromStr for DeleteFilter {
    type Err = DatabaseArgumentError;

    fn from_str(text: &str) -> Result<Self, DatabaseArgumentError> {
        let lower = text.to_ascii_lowercase();
        let (word, steps) = lower.split_once(char::is_whitespace).unwrap_or((&lower, ""));
        let (name, is_recursive) = word.strip_suffix(RECURSIVE).map_or((word, false), |name| (name, true));
        let kind = match (name, steps.trim()) {
            ("", "") if !is_recursive => DeleteKind::All,
            ("nonwl", "") => DeleteKind::NotWonOrLost,
            ("nonwld", "") => DeleteKind::Undecided,
            ("w", "") => DeleteKind::Won,
            ("l", "") => DeleteKind::Lost,
            ("wl", "") => DeleteKind::WonOrLost,
            ("wld", "") => DeleteKind::Decided,
            ("wlnostep", "") => DeleteKind::WithoutSteps,
            ("wlinstep", steps) => DeleteKind::WithinSteps(steps.parse().map_err(|_| DatabaseArgumentError::Filter)?),
            _ => return Err(DatabaseArgumentError::Filter),
        };
        Ok(Self { kind, is_recursive })
    }
}

impl DeleteKind {
    /// Whether a position with this record is removed.
    pub(in crate::protocol) fn removes(self, record: &Record) -> bool {
        let numbers = RapfiNumbers::of(record);
        // The side that plays the move wins if the side to move after it loses.
        let wins = numbers.label.wins().map(|is_win| !is_win);
        let is_drawn = numbers.label == RapfiLabel::Character('d');
        match self {
            Self::All => true,
            Self::NotWonOrLost => wins.is_none(),
            Self::Undecided => wins.is_none() && !is_drawn,
            Self::Won => wins == Some(true),
            Self::Lost => wins == Some(false),
            Self::WonOrLost => wins.is_some(),
            Self::Decided => wins.is_some() || is_drawn,
            Self::WithoutSteps => wins.is_some() && numbers.steps().is_none(),
            Self::WithinSteps(most) => numbers.steps().is_some_and(|steps| steps <= most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Proof, ProofOrigin};

    #[test]
    fn filters_are_read_in_any_case_and_others_are_refused() {
        let filter = |kind, is_recursive| Ok(DeleteFilter { kind, is_recursive });
        assert_eq!("".parse(), filter(DeleteKind::All, false));
        assert_eq!("NonWL".parse(), filter(DeleteKind::NotWonOrLost, false));
        assert_eq!("nonwldrecursive".parse(), filter(DeleteKind::Undecided, true));
        assert_eq!("wlinstep 7".parse(), filter(DeleteKind::WithinSteps(7), false));
        assert_eq!("wlinsteprecursive  7".parse(), filter(DeleteKind::WithinSteps(7), true));
        for text in ["recursive", "x", "wl 3", "wlinstep", "wlinstep x", "wlinstep -1"] {
            assert_eq!(text.parse::<DeleteFilter>(), Err(DatabaseArgumentError::Filter), "{text}");
        }
    }

    #[test]
    fn a_filter_chooses_by_the_label() {
        let proof = |is_win, plies| Some(Proof { is_win, plies, origin: ProofOrigin::Claimed });
        // w11, w*, l8, d, no label.
        let records = [
            Record { proof: proof(false, Some(10)), ..Record::default() },
            Record { proof: proof(false, None), ..Record::default() },
            Record { proof: proof(true, Some(7)), ..Record::default() },
            Record { label: Some('d'), ..Record::default() },
            Record::default(),
        ];
        for (text, expected) in [
            ("", [true; 5]),
            ("nonwl", [false, false, false, true, true]),
            ("nonwld", [false, false, false, false, true]),
            ("w", [true, true, false, false, false]),
            ("l", [false, false, true, false, false]),
            ("wl", [true, true, true, false, false]),
            ("wld", [true, true, true, true, false]),
            ("wlnostep", [false, true, false, false, false]),
            ("wlinstep 8", [false, false, true, false, false]),
            ("wlinstep 11", [true, false, true, false, false]),
        ] {
            let filter: DeleteFilter = text.parse().unwrap();
            assert_eq!(records.each_ref().map(|record| filter.kind.removes(record)), expected, "{text}");
        }
    }
}
