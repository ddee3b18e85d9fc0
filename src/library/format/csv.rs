//! The table of Rapfi's command `dbtotxt`. Rapfi has no reader for it.
//!
//! ```text
//! index,key,label,value,depth,bound,text
//! 0,r-15-15-h8-h7-b,w,-29990,0,exact,"one\ntwo"
//! ```
//!
//! A key holds the rule (`f`, `s`, `r`), width, height, black stones, white stones and the side to move. A letter is a
//! column, a number one more than the row, counted from the top. The text is that of a [`rapfi`](super::rapfi) record.

use std::borrow::Cow;
use std::fmt::Write as _;

use thiserror::Error;

use super::rapfi::{Canonical, RapfiLabel, RapfiRecord, Unwritable, join_text, rule_number, split_text};
use crate::board::{ByColor, Color, Point, PointSet, Rule, Size};
use crate::library::{Bound, Stones};
use crate::notation::TextEncoding;

/// The first line.
pub const CSV_HEADER: &str = "index,key,label,value,depth,bound,text";

/// The label of a null record.
const NULL: &str = "(null)";

/// The label of a record without one.
const NONE: &str = "(none)";

/// The greatest side of a board whose columns have letters.
const MOST_COLUMNS: u8 = 26;

/// Letters of the rules, by the number that Rapfi gives them.
const RULE_LETTERS: [char; 3] = ['f', 's', 'r'];

/// Characters that a text escapes, and the letters after their backslash.
const ESCAPES: [(char, char); 4] = [('\\', '\\'), ('"', '"'), ('\n', 'n'), ('\u{8}', 'b')];

/// Error returned when a line is not a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct CsvError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason.
    pub what: &'static str,
}

/// The row of a record, without its line end, and with the position in Rapfi's orientation; and whether its text was cut
/// off because it is too long.
///
/// # Errors
/// When the format has no form for the position.
pub fn csv_row(index: usize, record: &RapfiRecord) -> Result<(String, bool), Unwritable> {
    let Stones { rule, size, turn, .. } = record.stones;
    let rule = rule_number(rule).and_then(|number| RULE_LETTERS.get(usize::from(number))).ok_or(Unwritable::Rule)?;
    if size.side() > MOST_COLUMNS {
        return Err(Unwritable::Size);
    }
    let canonical = Canonical::of(&record.stones);
    let mut row = format!("{index},{rule}-{size}-{size}-");
    // Writing to a string does not fail.
    for color in Color::ALL {
        for point in &canonical.points[color] {
            let _ = write!(row, "{}{}", char::from(b'a' + point.x()), point.y() + 1);
        }
        row.push('-');
    }
    row.push(if turn == Color::Black { 'b' } else { 'w' });
    row.push(',');
    match record.label.writable() {
        RapfiLabel::Null => row.push_str(NULL),
        RapfiLabel::None => row.push_str(NONE),
        RapfiLabel::Character(character) => row.push(character),
    }
    let _ = write!(row, ",{},{},{},\"", record.value, record.depth, record.bound);
    let (text, is_cut) = join_text(&canonical.marks(&record.marks), &record.comment);
    for character in text.chars() {
        match ESCAPES.iter().find(|(escaped, _)| *escaped == character) {
            Some((_, letter)) => row.extend(['\\', *letter]),
            None => row.push(character),
        }
    }
    row.push('"');
    Ok((row, is_cut))
}

/// The text of a table, and its encoding: the named one, else the first of UTF-8, GBK and Windows-1252 that fits.
///
/// # Errors
/// At the first line that does not fit the named encoding.
pub fn decode_csv(bytes: &[u8], named: Option<TextEncoding>) -> Result<(Cow<'_, str>, TextEncoding), CsvError> {
    let encoding = named.unwrap_or_else(|| TextEncoding::of_texts(&[bytes]));
    let misfit = || {
        let bad = bytes.split(|&byte| byte == b'\n').position(|line| encoding.decode(line).is_none());
        CsvError { line: bad.unwrap_or_default() + 1, what: "the text is not in the named encoding" }
    };
    Ok((encoding.decode(bytes).ok_or_else(misfit)?, encoding))
}

/// Reads the rows of a table. An error concerns its line only: the next call reads the next line.
///
/// ```
/// use tengen::library::format::csv::CsvReader;
///
/// let table = "index,key,label,value,depth,bound,text\n0,r-15-15-h8-h7-b,w,-29990,0,exact,\"one\\ntwo\"\n1,r\n";
/// let mut rows = CsvReader::new(table)?;
/// assert_eq!(rows.next().expect("a row")?.comment, "one\ntwo");
/// assert_eq!(rows.next().expect("a row").unwrap_err().to_string(), "line 3: a row has seven columns");
/// # Ok::<(), tengen::library::format::csv::CsvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CsvReader<'a> {
    /// The lines after the header and their numbers, from 0.
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
}

impl<'a> CsvReader<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the first line is another one.
    pub fn new(text: &'a str) -> Result<Self, CsvError> {
        let mut lines = crate::text::without_mark(text).lines().enumerate();
        match lines.next() {
            Some((_, header)) if header.trim_end() == CSV_HEADER => Ok(Self { lines }),
            _ => Err(CsvError { line: 1, what: "expected the header index,key,label,value,depth,bound,text" }),
        }
    }
}

impl Iterator for CsvReader<'_> {
    type Item = Result<RapfiRecord, CsvError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, line) = self.lines.find(|(_, line)| !line.is_empty())?;
        Some(record(line).map_err(|what| CsvError { line: place + 1, what }))
    }
}

fn record(line: &str) -> Result<RapfiRecord, &'static str> {
    let columns = "a row has seven columns";
    let (index, rest) = line.split_once(',').ok_or(columns)?;
    index.parse::<u64>().map_err(|_| "the index is not a number")?;
    let (key, rest) = rest.split_once(',').ok_or(columns)?;
    let stones = stones(key)?;
    let (label, rest) = label(rest).ok_or("expected (null), (none) or a character as label")?;
    let mut columns_left = rest.splitn(4, ',');
    let mut column = || columns_left.next().ok_or(columns);
    let (value, depth, bound, quoted) = (column()?, column()?, column()?, column()?);
    let text = unquoted(quoted)?;
    let text = split_text(&text, stones.size);
    if text.dropped > 0 {
        return Err("the text has a board label off the board");
    }
    Ok(RapfiRecord {
        stones,
        label,
        value: value.parse().map_err(|_| "the value is not a number of 16 bits")?,
        depth: depth.parse().map_err(|_| "the depth is not a number of 16 bits")?,
        bound: bound.parse::<Bound>().map_err(|_| "expected none, lower, upper or exact as bound")?,
        comment: text.comment,
        marks: text.marks,
    })
}

/// Reads the label and the comma after it. The label may be a comma.
fn label(rest: &str) -> Option<(RapfiLabel, &str)> {
    for (name, label) in [(NULL, RapfiLabel::Null), (NONE, RapfiLabel::None)] {
        if let Some(rest) = rest.strip_prefix(name).and_then(|rest| rest.strip_prefix(',')) {
            return Some((label, rest));
        }
    }
    let mut characters = rest.chars();
    let character = characters.next().filter(char::is_ascii_graphic)?;
    Some((RapfiLabel::Character(character), characters.as_str().strip_prefix(',')?))
}

fn stones(key: &str) -> Result<Stones, &'static str> {
    let parts: Vec<_> = key.splitn(7, '-').collect();
    let [rule, width, height, black, white, side] = parts[..] else {
        return Err("the key has not six parts, as in r-15-15-h8-h7-b");
    };
    let of_letter = |rule: &Rule| rule_number(*rule).map(|number| RULE_LETTERS[usize::from(number)].to_string());
    let named = Rule::ALL.into_iter().find(|known| of_letter(known).as_deref() == Some(rule));
    let rule = named.ok_or("unknown rule, expected f, s or r")?;
    let size = width.parse::<Size>().ok().filter(|_| width == height).ok_or("unsupported size of the board")?;
    let mut seen = PointSet::EMPTY;
    let mut read = |list| points(list, size, &mut seen).ok_or("stones off the board or on each other");
    let points = ByColor([read(black)?, read(white)?]);
    let turn = match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err("the side to move is not b or w"),
    };
    Ok(Stones { rule, size, turn, points })
}

fn points(list: &str, size: Size, seen: &mut PointSet) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    let mut rest = list;
    while let Some(column) = rest.chars().next() {
        let column = u8::try_from(column).ok().filter(u8::is_ascii_lowercase)? - b'a';
        rest = &rest[1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let row = rest[..digits].parse::<u8>().ok()?.checked_sub(1)?;
        rest = &rest[digits..];
        let point = size.point(column, row).filter(|&point| !seen.contains(point))?;
        seen.insert(point);
        points.push(point);
    }
    points.sort_unstable();
    Some(points)
}

fn unquoted(quoted: &str) -> Result<String, &'static str> {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = inner else {
        return if quoted.is_empty() { Ok(String::new()) } else { Err("the text is not in quotation marks") };
    };
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let letter = characters.next();
                let escaped = ESCAPES.iter().find(|(_, known)| Some(*known) == letter);
                text.push(escaped.ok_or("unknown escape in the text")?.0);
            }
            '"' => return Err("a quotation mark within the text"),
            '\0' => {}
            _ => text.push(character),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Cursor, Mark, Record};

    fn read(row: &str) -> Result<RapfiRecord, String> {
        let text = format!("{CSV_HEADER}\r\n{row}\r\n");
        CsvReader::new(&text).unwrap().next().unwrap().map_err(|error| error.to_string())
    }

    #[test]
    fn a_row_is_what_rapfi_prints() {
        let size = Size::FIFTEEN;
        let mut cursor = Cursor::new(Rule::Renju, size);
        let row = |index, cursor: &Cursor, label, comment: &str, marks: Vec<Mark>| {
            let record = Record { comment: comment.to_owned(), marks, ..Record::default() };
            let record = RapfiRecord { label, ..RapfiRecord::from_record(cursor, &record) };
            csv_row(index, &record).unwrap().0
        };
        let label = RapfiLabel::Null;
        assert_eq!(row(0, &cursor, label, "", vec![]), "0,r-15-15---b,(null),0,0,none,\"\"");
        let marks = vec![Mark { point: size.point(7, 11).unwrap(), text: "TOP".to_owned() }];
        // Rapfi leaves a tab as it is.
        let expected = "1,r-15-15---b,(none),0,0,none,\"@BTXT@73TOP\\bone\\ntwo\t\\\"\\\\\"";
        assert_eq!(row(1, &cursor, RapfiLabel::None, "one\ntwo\t\"\\", marks), expected);
        cursor.play(size.point(11, 6));
        cursor.play(None);
        let label = RapfiLabel::Character(',');
        assert_eq!(row(2, &cursor, label, "", vec![]), "2,r-15-15-d7--b,,,0,0,none,\"\"");
    }

    #[test]
    fn a_row_is_read_back() {
        let record = read(r#"5823,r-15-15-h8i10-h7-w,w,-29990,-3,exact,"one\ntwo\\ \"x\"""#).unwrap();
        let point = |x, y| Size::FIFTEEN.point(x, y).unwrap();
        assert_eq!(record.stones.points, ByColor([vec![point(7, 7), point(8, 9)], vec![point(7, 6)]]));
        assert_eq!((record.stones.rule, record.stones.turn), (Rule::Renju, Color::White));
        assert_eq!((record.value, record.depth, record.bound), (-29_990, -3, Bound::Exact));
        assert_eq!((record.label, &*record.comment), (RapfiLabel::Character('w'), "one\ntwo\\ \"x\""));
        assert_eq!(read("0,f-20-20---b,,,1,2,upper,").unwrap().label, RapfiLabel::Character(','));
        assert_eq!(read("0,s-20-20-t20--w,(null),1,2,lower,\"\"").unwrap().label, RapfiLabel::Null);
    }

    #[test]
    fn a_line_that_is_no_row_is_an_error_with_its_number() {
        let good = r#"0,r-15-15-h8-h7-b,w,-29990,0,exact,"text""#;
        assert!(read(good).is_ok());
        for (part, bad, what) in [
            ("0,r", "x,r", "the index is not a number"),
            ("r-15", "c-15", "unknown rule, expected f, s or r"),
            ("15-15", "15-16", "unsupported size of the board"),
            ("15-15", "4-4", "unsupported size of the board"),
            ("h8-", "h8--", "the key has not six parts, as in r-15-15-h8-h7-b"),
            ("h8", "p8", "stones off the board or on each other"),
            ("h8", "h0", "stones off the board or on each other"),
            ("h8", "hé", "stones off the board or on each other"),
            ("h8", "h7", "stones off the board or on each other"),
            ("-b", "-x", "the side to move is not b or w"),
            (",w", ",win", "expected (null), (none) or a character as label"),
            ("-29990", "-32769", "the value is not a number of 16 bits"),
            (",0,", ",deep,", "the depth is not a number of 16 bits"),
            ("exact", "about", "expected none, lower, upper or exact as bound"),
            (",exact", "", "a row has seven columns"),
            ("text\"", "text", "the text is not in quotation marks"),
            ("text", "te\"xt", "a quotation mark within the text"),
            ("text", "te\\xt", "unknown escape in the text"),
            ("text\"", "text\\\"\\", "the text is not in quotation marks"),
            ("text", "@BTXT@FFx", "the text has a board label off the board"),
        ] {
            assert_eq!(read(&good.replacen(part, bad, 1)), Err(format!("line 2: {what}")), "{bad}");
        }
        let text = format!("{CSV_HEADER}\n\nbad\n{good}\n");
        let rows: Vec<_> = CsvReader::new(&text).unwrap().map(|row| row.map_err(|error| error.line)).collect();
        assert!(matches!(rows[..], [Err(3), Ok(_)]));
        assert_eq!(CsvReader::new("0,1").unwrap_err().line, 1);
    }

    #[test]
    fn a_table_is_read_in_one_encoding() {
        let gbk = &b"\xBA\xDA"[..];
        for (text, named, expected) in [
            (gbk, None, Ok(("黑", TextEncoding::Gbk))),
            ("黑".as_bytes(), None, Ok(("黑", TextEncoding::Utf8))),
            (b"\xFF", None, Ok(("ÿ", TextEncoding::Windows1252))),
            (b"\x8D\x95", Some(TextEncoding::ShiftJis), Ok(("黒", TextEncoding::ShiftJis))),
            (gbk, Some(TextEncoding::Utf8), Err("line 3: the text is not in the named encoding")),
        ] {
            let table = [CSV_HEADER.as_bytes(), b"\n0,r-15-15---b,w,0,0,exact,\"\"\n", text, b"\n"].concat();
            let read = decode_csv(&table, named);
            let last_line = match &read {
                Ok((table, encoding)) => Ok((table.lines().last().unwrap(), *encoding)),
                Err(error) => Err(error.to_string()),
            };
            assert_eq!(last_line, expected.map_err(str::to_owned), "{named:?}");
        }
    }

    #[test]
    fn boards_without_letters_and_rules_without_numbers_cannot_be_written() {
        let row = |rule, side| {
            let cursor = Cursor::new(rule, Size::new(side).unwrap());
            csv_row(0, &RapfiRecord::from_record(&cursor, &Record::default()))
        };
        assert_eq!(row(Rule::Freestyle, 27), Err(Unwritable::Size));
        assert_eq!(row(Rule::Caro, 15), Err(Unwritable::Rule));
        assert!(row(Rule::Standard, 26).is_ok());
        let cursor = Cursor::new(Rule::Standard, Size::FIFTEEN);
        let is_cut = |length| {
            let record = Record { comment: "c".repeat(length), ..Record::default() };
            csv_row(0, &RapfiRecord::from_record(&cursor, &record)).unwrap().1
        };
        assert!(!is_cut(60_000) && is_cut(70_000));
    }
}
