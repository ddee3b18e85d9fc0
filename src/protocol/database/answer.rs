//! What a library knows of a position, as the lines that Yixin-Board reads.

use std::collections::BTreeMap;
use std::fmt;

use crate::board::Point;
use crate::library::format::rapfi::{RapfiNumbers, word};
use crate::library::{Cursor, LibraryError, View};

/// Most bytes of a label: Yixin-Board keeps no more.
const MOST_LABEL_BYTES: usize = 6;

/// The tag of a move without a text.
const NO_TAG: i32 = -1;

/// A known move, or a label on a point: a line of YXQUERYDATABASEALL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseMove {
    point: Point,
    /// The numbers of the position after the move. Zeros if it is not known.
    numbers: RapfiNumbers,
    has_comment: bool,
    /// A word of at most 6 bytes.
    label: String,
}

/// The answer to YXQUERYDATABASEONE; `None` for an unknown position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseRecord(pub Option<RapfiNumbers>);

/// The known moves and the labels of a position, in the order of the board.
pub(in crate::protocol) fn known_moves(view: &View<'_>, cursor: &Cursor) -> Result<Vec<DatabaseMove>, LibraryError> {
    let known = view.known(cursor)?;
    let (moves, marks) = match known {
        Some(known) => (known.moves, known.record.marks),
        None => (view.moves(cursor)?, Vec::new()),
    };
    let empty =
        |point| DatabaseMove { point, numbers: RapfiNumbers::default(), has_comment: false, label: String::new() };
    let mut lines: BTreeMap<Point, DatabaseMove> = BTreeMap::new();
    for known in &moves {
        // A pass has no point on the board.
        let Some(point) = known.played else { continue };
        let (numbers, has_comment) = (RapfiNumbers::shown(&known.record), known.has_comment);
        lines.insert(point, DatabaseMove { numbers, has_comment, ..empty(point) });
    }
    for mark in marks.iter().filter(|mark| cursor.is_empty(mark.point)) {
        lines.entry(mark.point).or_insert_with(|| empty(mark.point)).label = label(&mark.text);
    }
    Ok(lines.into_values().collect())
}

/// The comment on a position; empty if there is none.
pub(in crate::protocol) fn comment(view: &View<'_>, cursor: &Cursor) -> Result<String, LibraryError> {
    Ok(view.entry(cursor)?.map(|entry| entry.record.comment).unwrap_or_default())
}

/// A label as one word that Yixin-Board keeps whole.
fn label(text: &str) -> String {
    let mut word = word(text).unwrap_or_default();
    let end = (0..=MOST_LABEL_BYTES).rev().find(|&end| word.is_char_boundary(end)).unwrap_or(0);
    word.truncate(end);
    word
}

/// The first four characters of a text as the bytes of a number, the first one highest.
fn tag(text: &str) -> i32 {
    let mut bytes = text.bytes().take(size_of::<i32>()).peekable();
    if bytes.peek().is_none() { NO_TAG } else { bytes.fold(0, |tag, byte| tag << 8 | i32::from(byte)) }
}

impl fmt::Display for DatabaseMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { point, numbers, has_comment, label } = self;
        let RapfiNumbers { value, depth, .. } = numbers;
        let (tag, bound) = (tag(&numbers.display()), numbers.bound_code());
        write!(f, "{} {} {tag} {value} {depth} {bound} {}", point.x(), point.y(), u8::from(*has_comment))?;
        if label.is_empty() { Ok(()) } else { write!(f, " {label}") }
    }
}

impl fmt::Display for DatabaseRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(numbers) = self.0 else { return f.write_str("0 0 0 0") };
        let RapfiNumbers { value, depth, .. } = numbers;
        // The blank stays without a text, as Rapfi writes it.
        write!(f, "{} {value} {depth} {} {}", numbers.label_code(), numbers.bound_code(), numbers.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::format::rapfi::RapfiLabel;
    use crate::library::{Bound, Proof, ProofOrigin, Record, SearchNote};

    #[test]
    fn tags_are_characters_as_a_number() {
        for (text, number) in
            [("", -1), ("w*", 30_506), ("w11", 7_811_377), ("35%", 3_355_941), ("w101x", 1_999_712_305)]
        {
            assert_eq!(tag(text), number, "{text}");
        }
    }

    #[test]
    fn a_label_is_one_word_of_whole_characters() {
        for (text, expected) in
            [("A", "A"), (" a b ", "a_b"), ("directly", "direct"), ("直指黑", "直指"), ("éééé", "ééé")]
        {
            assert_eq!(label(text), expected, "{text}");
        }
    }

    #[test]
    fn the_score_of_the_moves_is_shown_without_another_one() {
        let record = Record { backed_up: Some(120), ..Record::default() };
        assert_eq!(DatabaseRecord(Some(RapfiNumbers::shown(&record))).to_string(), "-1 120 0 3 35%");
        let search = SearchNote { score: -5, depth: 3, bound: Bound::Lower, nodes: 0, engine: None };
        let searched = Record { search: Some(search), ..record.clone() };
        assert_eq!(DatabaseRecord(Some(RapfiNumbers::shown(&searched))).to_string(), "-1 -5 3 2 ");
        let proof = Some(Proof { is_win: false, plies: None, origin: ProofOrigin::Claimed });
        assert_eq!(DatabaseRecord(Some(RapfiNumbers::shown(&Record { proof, ..record }))).to_string(), "119 0 0 0 w*");
        assert_eq!(DatabaseRecord(None).to_string(), "0 0 0 0");
        assert_eq!(RapfiNumbers::shown(&Record::default()).label, RapfiLabel::None);
    }
}
