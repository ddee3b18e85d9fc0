//! Texts of records: labels on points of the board, and a comment.

use crate::board::{Point, Size};
use crate::library::Mark;

/// The first bytes of a text with board labels.
const HEAD: &str = "@BTXT@";

/// Ends the board labels. In a comment it ends a line.
const END: char = '\u{8}';

/// The base of the digits of a point.
const BASE: u32 = 36;

/// The greatest number of bytes of a text: the length of data has 16 bits, and five bytes precede the text.
pub(super) const MOST_BYTES: usize = 65_530;

/// The parts of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::library::format) struct Text {
    /// The board labels in ascending order of their points.
    pub(in crate::library::format) marks: Vec<Mark>,
    /// The comment; lines end with U+000A.
    pub(in crate::library::format) comment: String,
    /// The number of board labels that lie off the board or cannot be read.
    pub(in crate::library::format) dropped: u64,
}

/// Reads a text without NULs. Of several labels on a point the first counts.
pub(in crate::library::format) fn split(text: &str, size: Size) -> Text {
    let (items, comment) = match text.strip_prefix(HEAD) {
        Some(labelled) => labelled.split_once(END).unwrap_or((labelled, "")),
        None => ("", text),
    };
    let mut dropped = 0;
    let mut marks = Vec::new();
    for item in items.split('\n').filter(|item| !item.is_empty()) {
        match mark(item, size) {
            Some(mark) => marks.push(mark),
            None => dropped += 1,
        }
    }
    // The sort keeps the order of labels on the same point.
    marks.sort_by_key(|mark| mark.point);
    marks.dedup_by_key(|mark| mark.point);
    Text { marks, comment: comment.replace(END, "\n"), dropped }
}

fn mark(item: &str, size: Size) -> Option<Mark> {
    let mut characters = item.chars();
    let mut coordinate = || u8::try_from(characters.next()?.to_digit(BASE)?).ok();
    let point = size.point(coordinate()?, coordinate()?)?;
    let text = characters.as_str().trim();
    (!text.is_empty()).then(|| Mark { point, text: text.to_owned() })
}

/// Writes a text. Returns whether something was cut off because the text is too long.
pub(in crate::library::format) fn join(marks: &[Mark], comment: &str) -> (String, bool) {
    let mut text = String::new();
    let mut is_cut = false;
    let items = marks.iter().filter_map(|mark| Some((mark.point, word(&mark.text)?)));
    for (point, label) in items {
        let separator = if text.is_empty() { HEAD } else { "\n" };
        // Three bytes: the point and the end of the labels.
        if text.len() + separator.len() + label.len() + 3 > MOST_BYTES {
            is_cut = true;
            continue;
        }
        text.push_str(separator);
        text.extend(digits(point));
        text.push_str(&label);
    }
    let comment = comment.replace('\0', "").replace(END, "\n");
    // A comment that looks like labels follows an empty list of them.
    if text.is_empty() && comment.starts_with(HEAD) {
        text.push_str(HEAD);
    }
    if !text.is_empty() {
        text.push(END);
    }
    let room = MOST_BYTES - text.len();
    let end = if comment.len() <= room {
        comment.len()
    } else {
        is_cut = true;
        // A character has at most four bytes.
        (room.saturating_sub(3)..=room).rev().find(|&end| comment.is_char_boundary(end)).unwrap_or(0)
    };
    text.push_str(&comment[..end]);
    (text, is_cut)
}

fn digits(point: Point) -> impl Iterator<Item = char> {
    let digit = |place: u8| char::from_digit(place.into(), BASE).map(|digit| digit.to_ascii_uppercase());
    [digit(point.x()), digit(point.y())].into_iter().flatten()
}

/// The text of a label as one word: blanks would end it in the protocol of the boards. `None` if nothing is left.
///
/// ```
/// assert_eq!(tengen::library::format::rapfi::word(" a b\n").as_deref(), Some("a_b"));
/// ```
pub fn word(text: &str) -> Option<String> {
    let text: String = text
        .trim()
        .chars()
        .map(|character| if character.is_whitespace() { '_' } else { character })
        .filter(|character| !character.is_control())
        .collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(x: u8, y: u8, text: &str) -> Mark {
        Mark { point: Point::new(x, y).unwrap(), text: text.to_owned() }
    }

    #[test]
    fn board_labels_precede_the_comment() {
        let text = Text { marks: vec![mark(7, 3, "TOP"), mark(10, 14, "ß")], comment: "one\ntwo".into(), dropped: 0 };
        let (written, is_cut) = join(&text.marks, &text.comment);
        assert_eq!((written.as_str(), is_cut), ("@BTXT@73TOP\nAEß\u{8}one\ntwo", false));
        assert_eq!(split(&written, Size::FIFTEEN), text);
        assert_eq!(split("@BTXT@73TOP\nAEß", Size::FIFTEEN).marks, text.marks);
        assert_eq!(split("one\u{8}two", Size::FIFTEEN), Text { comment: "one\ntwo".into(), ..Text::default() });
        assert_eq!(join(&[], ""), (String::new(), false));
    }

    #[test]
    fn a_comment_that_looks_like_labels_stays_a_comment() {
        let (written, _) = join(&[], "@BTXT@73TOP");
        assert_eq!(written, "@BTXT@\u{8}@BTXT@73TOP");
        assert_eq!(split(&written, Size::FIFTEEN).comment, "@BTXT@73TOP");
    }

    #[test]
    fn labels_that_are_none_are_counted_and_the_first_of_a_point_counts() {
        let text = split("@BTXT@73A\n73B\nF0off\n7\n-1x\n12\n\n\u{8}", Size::FIFTEEN);
        assert_eq!(text, Text { marks: vec![mark(7, 3, "A")], comment: String::new(), dropped: 4 });
        assert_eq!(join(&[mark(0, 0, " a b\u{8}\n"), mark(1, 0, " \n")], "x\0y"), ("@BTXT@00a_b\u{8}xy".into(), false));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let (text, is_cut) = join(&[], &"ß".repeat(32_766));
        assert!(is_cut && text.len() == MOST_BYTES && text.chars().all(|c| c == 'ß'));
        let (text, is_cut) = join(&[], &format!("x{}", "ß".repeat(32_766)));
        assert!(is_cut && text.len() == MOST_BYTES - 1);
        assert!(!join(&[], &"x".repeat(MOST_BYTES)).1);
        let marks = [mark(0, 0, &"a".repeat(60_000)), mark(1, 0, &"b".repeat(60_000)), mark(2, 0, "c")];
        let (text, is_cut) = join(&marks, &"c".repeat(60_000));
        assert!(is_cut && text.len() == MOST_BYTES);
        assert_eq!(split(&text, Size::FIFTEEN).marks, [marks[0].clone(), marks[2].clone()]);
    }
}
