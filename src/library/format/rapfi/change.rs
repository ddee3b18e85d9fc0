//! [`RapfiChange`]: a change of a record's numbers, as the boards make it.

use super::{RapfiLabel, RapfiNumbers};
use crate::library::{Bound, Proof, Record, SearchNote};

/// A change of the numbers of a record. `None` leaves a number as it is.
///
/// ```
/// use tengen::library::Record;
/// use tengen::library::format::rapfi::{RapfiChange, RapfiLabel, RapfiNumbers};
///
/// let mut record = Record::default();
/// RapfiChange { label: Some(RapfiLabel::Character('w')), ..RapfiChange::default() }.apply(&mut record);
/// assert_eq!(RapfiNumbers::of(&record).display(), "w*");
/// RapfiChange { value: Some(-29_990), ..RapfiChange::default() }.apply(&mut record);
/// assert_eq!(RapfiNumbers::of(&record).display(), "w11");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RapfiChange {
    /// The label, for the side that has just moved.
    pub label: Option<RapfiLabel>,
    /// The value, for the side to move.
    pub value: Option<i16>,
    /// The depth of the search. The value becomes exact with it.
    pub depth: Option<i16>,
}

impl RapfiChange {
    /// Changes a record. What follows from its moves stays. Parts that the change says again keep their origin.
    ///
    /// A label that contradicts a mate value removes the value; a mate value that contradicts a label removes the label.
    pub fn apply(self, record: &mut Record) {
        // While sources disagree on the result, the shown score is that of the search or of the moves.
        let hides_proof = record.is_disputed && self.label.is_none() && self.value.is_none();
        let proof = record.proof.filter(|_| !hides_proof);
        let own = Record { proof, derived: None, is_disputed: false, ..record.clone() };
        let numbers = self.applied(&own);
        let known = numbers.to_record();
        if self.label.is_some() || self.value.is_some() {
            record.is_disputed = false;
        }
        let result = |proof: Option<Proof>| proof.map(|proof| (proof.is_win, proof.plies));
        if result(known.proof) != result(own.proof) {
            record.proof = known.proof;
        }
        let searched = |search: Option<SearchNote>| search.map(|search| (search.score, search.depth, search.bound));
        // A mate value hides the search.
        if !numbers.is_mate() && searched(known.search) != searched(own.search) {
            record.search = known.search;
        }
        // A result hides the label.
        if self.label.is_some() || known.label != RapfiNumbers::of(&own).to_record().label {
            record.label = known.label;
        }
    }

    fn applied(self, own: &Record) -> RapfiNumbers {
        // A depth makes the shown value exact.
        let numbers_of = if self.depth.is_some() { RapfiNumbers::shown } else { RapfiNumbers::of };
        let mut numbers = numbers_of(own);
        // A mate value hides those of the search.
        let searched = numbers_of(&Record { proof: None, ..own.clone() });
        if let Some(label) = self.label {
            if numbers.is_mate() && label.wins() != numbers.label.wins() {
                numbers = searched;
            }
            numbers.label = label;
        }
        if let Some(value) = self.value {
            if numbers.is_mate() {
                numbers = RapfiNumbers { label: numbers.label, ..searched };
            }
            numbers.value = value;
            if numbers.is_mate() {
                numbers.bound = Bound::None;
            }
        }
        if let Some(depth) = self.depth {
            (numbers.depth, numbers.bound) = (depth, Bound::Exact);
        }
        let is_win = numbers.value > 0;
        if numbers.is_mate() && numbers.label.wins().is_some_and(|by_label| by_label != is_win) {
            match self.label {
                Some(label) => numbers = RapfiNumbers { label, ..searched },
                None => numbers.label = RapfiLabel::None,
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ProofOrigin, SourceId};

    const WIN: RapfiLabel = RapfiLabel::Character('w');

    /// The numbers after a change of `own`, as ONE answers them.
    fn after(own: &mut Record, label: Option<RapfiLabel>, value: Option<i16>, depth: Option<i16>) -> RapfiNumbers {
        RapfiChange { label, value, depth }.apply(own);
        assert!(!own.is_disputed);
        RapfiNumbers::of(own)
    }

    #[test]
    fn each_number_is_changed_alone() {
        let mut record = Record::default();
        let numbers = |label, value, depth, bound| RapfiNumbers { label, value, depth, bound };
        assert_eq!(after(&mut record, None, Some(120), None), numbers(RapfiLabel::None, 120, 0, Bound::None));
        assert_eq!(after(&mut record, None, None, Some(12)), numbers(RapfiLabel::None, 120, 12, Bound::Exact));
        assert_eq!(after(&mut record, Some(WIN), None, None), numbers(WIN, 120, 12, Bound::Exact));
        assert_eq!(after(&mut record, None, Some(-29_990), None), numbers(WIN, -29_990, 0, Bound::Exact));
        assert_eq!(
            after(&mut record, Some(RapfiLabel::Character('d')), None, None),
            numbers(RapfiLabel::Character('d'), 120, 12, Bound::Exact),
            "the search shows again"
        );
        assert_eq!(after(&mut record, Some(RapfiLabel::None), Some(0), None).display(), "50%");
    }

    #[test]
    fn a_depth_keeps_the_shown_score_of_the_moves_and_a_label_stores_none() {
        let mut record = Record { backed_up: Some(120), ..Record::default() };
        assert_eq!(after(&mut record, Some(RapfiLabel::Character('d')), None, None).value, 0);
        assert_eq!(record.search, None);
        let numbers = after(&mut record, None, None, Some(12));
        assert_eq!((numbers.value, numbers.depth, numbers.bound), (120, 12, Bound::Exact));
    }

    #[test]
    fn a_depth_leaves_contradictory_results_as_they_are() {
        let proof = Some(Proof { is_win: true, plies: Some(7), origin: ProofOrigin::Claimed });
        let own = Record { proof, is_disputed: true, backed_up: Some(120), ..Record::default() };
        let mut record = own.clone();
        RapfiChange { depth: Some(12), ..RapfiChange::default() }.apply(&mut record);
        let search = SearchNote { score: 120, depth: 12, bound: Bound::Exact, nodes: 0, engine: None };
        assert_eq!(record, Record { search: Some(search), ..own });
    }

    #[test]
    fn a_label_that_a_result_hides_stays() {
        let proof = Some(Proof { is_win: false, plies: None, origin: ProofOrigin::Claimed });
        let mut record = Record { proof, label: Some('!'), ..Record::default() };
        assert_eq!(after(&mut record, None, None, Some(12)).label, WIN);
        assert_eq!(record.label, Some('!'));
        after(&mut record, Some(RapfiLabel::Character('d')), None, None);
        assert_eq!(record.label, Some('d'));
    }

    #[test]
    fn the_last_word_counts_where_label_and_value_contradict_each_other() {
        let mut record = Record::default();
        assert_eq!(after(&mut record, Some(WIN), Some(-29_990), Some(0)).display(), "w11");
        assert_eq!(after(&mut record, Some(RapfiLabel::Character('l')), None, None).display(), "l*");
        assert_eq!(after(&mut record, None, Some(-29_990), None).display(), "w11");
        assert_eq!(after(&mut record, Some(WIN), Some(29_990), None).display(), "w*");
        assert_eq!(after(&mut record, Some(RapfiLabel::None), None, None).label, RapfiLabel::None);
        assert_eq!(record.proof, None);
    }

    #[test]
    fn what_a_change_does_not_touch_keeps_its_origin() {
        let proof = Proof { is_win: false, plies: Some(10), origin: ProofOrigin::Proved };
        let engine = Some(SourceId(3));
        let search = SearchNote { score: 5, depth: 9, bound: Bound::Exact, nodes: 77, engine };
        let derived = Some(Proof { is_win: false, plies: Some(8), origin: ProofOrigin::Derived });
        let own = Record { proof: Some(proof), search: Some(search), derived, ..Record::default() };
        let mut record = own.clone();
        after(&mut record, Some(WIN), None, None);
        assert_eq!(record, own);
        after(&mut record, None, Some(-29_990), None);
        assert_eq!(record, own);
        let mut record = Record { proof: None, derived: None, ..own };
        after(&mut record, None, None, Some(9));
        assert_eq!(record.search, Some(search));
        after(&mut record, None, None, Some(10));
        assert_eq!(record.search, Some(SearchNote { depth: 10, nodes: 0, engine: None, ..search }));
    }

    #[test]
    fn a_change_of_the_depth_keeps_a_dispute() {
        let mut record = Record { is_disputed: true, ..Record::default() };
        RapfiChange { depth: Some(3), ..RapfiChange::default() }.apply(&mut record);
        assert!(record.is_disputed);
    }
}
