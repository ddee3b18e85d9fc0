//! Records of a database as records of a library, and back.

use super::{LEAST_MATE, LOSS, MATE, MOST_DEPTH, RapfiLabel, RapfiNumbers, RapfiRecord, WIN};
use crate::board::{ByColor, Color};
use crate::library::{Bound, Cursor, Proof, ProofOrigin, Record, SearchNote, Stones};

/// The greatest absolute value of a score that older versions of Rapfi write.
const MOST_SCORE: i32 = 20_000;

impl RapfiRecord {
    /// The position, in the orientation of the file.
    pub fn cursor(&self) -> Cursor {
        Cursor::from_stones(&self.stones)
    }

    /// The numbers of the record.
    pub const fn numbers(&self) -> RapfiNumbers {
        RapfiNumbers { label: self.label, value: self.value, depth: self.depth, bound: self.bound }
    }

    /// The record, with its marks in the orientation of the [`cursor`](Self::cursor). See [`RapfiNumbers::to_record`].
    pub fn to_record(&self) -> Record {
        Record { comment: self.comment.clone(), marks: self.marks.clone(), ..self.numbers().to_record() }
    }

    /// The record of a position, with its marks in the orientation of the cursor. The table of [`rapfi`](super) states
    /// what is lost.
    pub fn from_record(cursor: &Cursor, record: &Record) -> Self {
        let mut points = ByColor::<Vec<_>>::default();
        cursor.stones().iter().for_each(|&(color, point)| points[color].push(point));
        Color::ALL.into_iter().for_each(|color| points[color].sort_unstable());
        let stones = Stones { rule: cursor.rule(), size: cursor.size(), turn: cursor.turn(), points };
        let RapfiNumbers { label, value, depth, bound } = RapfiNumbers::of(record);
        let (comment, marks) = (record.comment.clone(), record.marks.clone());
        Self { stones, label, value, depth, bound, comment, marks }
    }
}

impl RapfiNumbers {
    /// A record with the proof, the search and the label that the numbers stand for.
    ///
    /// A mate value and the labels `w` and `l` become a proof. If they contradict each other, the label decides, and the
    /// record is disputed. Other values become a search, other characters the label.
    pub fn to_record(self) -> Record {
        let claimed = |is_win, plies| Proof { is_win, plies, origin: ProofOrigin::Claimed };
        let value = i32::from(self.value);
        // A win as an upper bound excludes nothing, and neither does a loss as a lower one.
        let is_proof = match self.bound {
            Bound::None | Bound::Exact => self.is_mate(),
            Bound::Upper => self.is_mate() && value < 0,
            Bound::Lower => self.is_mate() && value > 0,
        };
        let by_value = is_proof.then(|| claimed(value > 0, u16::try_from(MATE - value.abs()).ok()));
        let by_label = self.label.wins().map(|is_win| claimed(is_win, None));
        let is_disputed = by_label.zip(by_value).is_some_and(|(label, value)| label.is_win != value.is_win);
        let says_more = value != 0 || self.depth != 0 || self.bound != Bound::None;
        let search = (says_more && !self.is_mate()).then(|| SearchNote {
            score: value,
            depth: u16::try_from(self.depth).unwrap_or(0),
            bound: self.bound,
            nodes: 0,
            engine: None,
        });
        Record {
            proof: if is_disputed { by_label } else { by_value.or(by_label) },
            is_disputed,
            search,
            label: match self.label {
                RapfiLabel::Character(WIN | LOSS) | RapfiLabel::Null | RapfiLabel::None => None,
                RapfiLabel::Character(character) => Some(character),
            },
            ..Record::default()
        }
    }

    /// The numbers of a record: its result if it is known, else its search.
    pub fn of(record: &Record) -> Self {
        let proof = record.settled();
        let label = match (proof, record.label) {
            (Some(proof), _) => RapfiLabel::Character(if proof.is_win { LOSS } else { WIN }),
            // Only a result may look like one.
            (None, None | Some(WIN | LOSS)) => RapfiLabel::None,
            (None, Some(character)) if character.is_ascii_graphic() => RapfiLabel::Character(character),
            (None, Some(_)) => RapfiLabel::None,
        };
        let mate = proof.and_then(|proof| {
            let value = Some(MATE - i32::from(proof.plies?)).filter(|&value| value >= LEAST_MATE)?;
            Some((if proof.is_win { value } else { -value }, 0, Bound::Exact))
        });
        let searched = || {
            let search = record.search?;
            let depth = i16::try_from(search.depth).unwrap_or(i16::MAX);
            Some((search.score.clamp(-MOST_SCORE, MOST_SCORE), depth, search.bound))
        };
        let (value, depth, bound) = mate.or_else(searched).unwrap_or_default();
        // Values lie within ± 30,000.
        Self { label, value: value as i16, depth: depth.min(MOST_DEPTH), bound }
    }

    /// The numbers of a record as boards show them: its result or its search. Without both, the score that follows from its
    /// moves.
    pub fn shown(record: &Record) -> Self {
        match record.backed_up.filter(|_| record.search.is_none() && record.settled().is_none()) {
            None => Self::of(record),
            Some(score) => {
                let search = SearchNote { score, depth: 0, bound: Bound::Exact, nodes: 0, engine: None };
                Self::of(&Record { search: Some(search), ..record.clone() })
            }
        }
    }

    /// Whether the value is that of a win or a loss.
    pub(in crate::library) fn is_mate(self) -> bool {
        i32::from(self.value).abs() >= LEAST_MATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Size};
    use crate::library::GameCounts;

    fn with(label: RapfiLabel, value: i16, depth: i16, bound: Bound) -> Record {
        let cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        let record = RapfiRecord::from_record(&cursor, &Record::default());
        RapfiRecord { label, value, depth, bound, ..record }.to_record()
    }

    fn claimed(is_win: bool, plies: Option<u16>) -> Option<Proof> {
        Some(Proof { is_win, plies, origin: ProofOrigin::Claimed })
    }

    #[test]
    fn the_label_is_for_the_side_that_has_moved_and_the_value_for_the_side_to_move() {
        let (win, loss) = (RapfiLabel::Character('w'), RapfiLabel::Character('l'));
        let proof = |label, value, bound| with(label, value, 0, bound).proof;
        // `w11` in the display of the move before.
        assert_eq!(proof(win, -29_990, Bound::Exact), claimed(false, Some(10)));
        assert_eq!(proof(loss, 29_993, Bound::Exact), claimed(true, Some(7)));
        assert_eq!(proof(win, 0, Bound::None), claimed(false, None));
        assert_eq!(proof(loss, 0, Bound::None), claimed(true, None));
        assert_eq!(proof(RapfiLabel::None, 29_500, Bound::Exact), claimed(true, Some(500)));
        assert_eq!(proof(RapfiLabel::None, 29_499, Bound::Exact), None);
        assert_eq!(proof(RapfiLabel::None, i16::MIN, Bound::None), claimed(false, None));
        assert_eq!(with(win, -29_990, 0, Bound::Exact).search, None);
    }

    #[test]
    fn a_bound_that_excludes_nothing_proves_nothing() {
        let proof = |value, bound| with(RapfiLabel::None, value, 3, bound).proof;
        assert_eq!(proof(29_990, Bound::Upper), None);
        assert_eq!(proof(-29_990, Bound::Lower), None);
        assert_eq!(proof(29_990, Bound::Lower), claimed(true, Some(10)));
        assert_eq!(proof(-29_990, Bound::Upper), claimed(false, Some(10)));
    }

    #[test]
    fn a_label_and_a_mate_that_contradict_each_other_are_disputed() {
        let record = with(RapfiLabel::Character('w'), 29_990, 0, Bound::Exact);
        assert_eq!((record.proof, record.is_disputed, record.settled()), (claimed(false, None), true, None));
        let record = with(RapfiLabel::Character('w'), -29_990, 0, Bound::Exact);
        assert!(!record.is_disputed);
        // A score is an opinion: it disputes nothing.
        let record = with(RapfiLabel::Character('w'), 120, 5, Bound::Exact);
        assert_eq!((record.proof, record.is_disputed), (claimed(false, None), false));
    }

    #[test]
    fn other_values_are_searches_and_other_labels_stay() {
        let search = |score, depth, bound| Some(SearchNote { score, depth, bound, nodes: 0, engine: None });
        let record = with(RapfiLabel::Character('!'), 120, 12, Bound::Exact);
        assert_eq!((record.search, record.label, record.proof), (search(120, 12, Bound::Exact), Some('!'), None));
        assert_eq!(with(RapfiLabel::None, 0, 0, Bound::Lower).search, search(0, 0, Bound::Lower));
        assert_eq!(with(RapfiLabel::None, -3, -2, Bound::None).search, search(-3, 0, Bound::None));
        assert!(with(RapfiLabel::None, 0, 0, Bound::None).is_empty());
        assert!(with(RapfiLabel::Null, 0, 0, Bound::None).is_empty());
    }

    #[test]
    fn a_library_gives_its_proof_then_its_search() {
        let cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        let search = Some(SearchNote { score: -30_500, depth: 9_999, bound: Bound::Lower, nodes: 5, engine: None });
        let derived = Some(Proof { is_win: true, plies: Some(7), origin: ProofOrigin::Derived });
        let numbers = |record: &Record| {
            let record = RapfiRecord::from_record(&cursor, record);
            (record.label, record.value, record.depth, record.bound)
        };
        let known = Record { derived, search, label: Some('x'), ..Record::default() };
        assert_eq!(numbers(&known), (RapfiLabel::Character('l'), 29_993, 0, Bound::Exact));
        let far = Record { proof: claimed(false, Some(501)), search, ..Record::default() };
        assert_eq!(numbers(&far), (RapfiLabel::Character('w'), -20_000, 8_191, Bound::Lower));
        let disputed = Record { is_disputed: true, ..known };
        assert_eq!(numbers(&disputed), (RapfiLabel::Character('x'), -20_000, 8_191, Bound::Lower));
        for label in [Some('w'), Some('ß'), None] {
            let games = GameCounts::one(None);
            let record = Record { label, games, ..Record::default() };
            assert_eq!(numbers(&record), (RapfiLabel::None, 0, 0, Bound::None));
        }
    }
}
