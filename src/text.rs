//! Text from outside the program: its lines, its quotation in errors, and values that files and messages hold as text.
//!
//! A file may hold a line of 100 MB, but an error must stay a line that a person reads: [`Quoted`] and [`Short`] cut.

use std::fmt;

use strum::VariantNames;
use thiserror::Error;

/// The most characters that an error quotes of a word or a line.
const QUOTED: usize = 80;

/// The most characters of an error from another crate, which may repeat its whole input.
const SHORT: usize = 400;

/// The byte order mark, which Windows editors put before the first line.
const MARK: char = '\u{feff}';

/// The text without a leading byte order mark.
///
/// ```
/// assert_eq!(tengen::text::without_mark("\u{feff}h8 i9"), "h8 i9");
/// ```
pub fn without_mark(text: &str) -> &str {
    text.trim_start_matches(MARK)
}

/// The lines of a text without its byte order mark. A line ends with `\n`, `\r\n` or a lone `\r`, as in the protocol.
///
/// ```
/// let lines: Vec<_> = tengen::text::lines("\u{feff}a\r\nb\rc\n\nd").collect();
/// assert_eq!(lines, ["a", "b", "c", "", "d"]);
/// ```
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = without_mark(text);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, end) = rest.split_at(rest.find(['\n', '\r']).unwrap_or(rest.len()));
        rest = end.strip_prefix("\r\n").or_else(|| end.get(1..)).unwrap_or_default();
        Some(line)
    })
}

/// The number, counted from 1, of the line with this byte.
///
/// ```
/// assert_eq!(tengen::text::line_at("a = 1\nb =\n", 9), 2);
/// ```
pub fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// A word or a line quoted in an error: in quotation marks, with control characters escaped, cut after 80 characters.
///
/// ```
/// use tengen::text::Quoted;
///
/// assert_eq!(Quoted("a\tb").to_string(), r#""a\tb""#);
/// assert_eq!(Quoted(&"x".repeat(100_000_000)).to_string().chars().count(), 83);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(QUOTED) {
            Some((end, _)) => write!(f, "{:?}", format_args!("{}…", &self.0[..end]).to_string()),
            None => write!(f, "{:?}", self.0),
        }
    }
}

/// The text of an error, cut after 400 characters. Use it for errors of other crates, which may quote their whole
/// input.
///
/// ```
/// use tengen::text::Short;
///
/// assert_eq!(Short("no such file").to_string(), "no such file");
/// assert_eq!(Short("x".repeat(100_000_000)).to_string().chars().count(), 401);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short<T>(pub T);

impl<T: fmt::Display> fmt::Display for Short<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        match text.char_indices().nth(SHORT) {
            Some((end, _)) => write!(f, "{}…", &text[..end]),
            None => f.write_str(&text),
        }
    }
}

/// Writes values with a separator between them.
///
/// # Errors
/// Those of the formatter.
pub(crate) fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    separator: &str,
    values: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (index, value) in values.into_iter().enumerate() {
        write!(f, "{}{value}", if index == 0 { "" } else { separator })?;
    }
    Ok(())
}

/// A list of names in a sentence: `a, b or c`.
///
/// ```
/// assert_eq!(tengen::text::Alternatives(&["a", "b", "c"]).to_string(), "a, b or c");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternatives(pub &'static [&'static str]);

impl fmt::Display for Alternatives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [first @ .., before, last] => {
                first.iter().try_for_each(|name| write!(f, "{name}, "))?;
                write!(f, "{before} or {last}")
            }
            names => f.write_str(&names.concat()),
        }
    }
}

/// Error returned when a text is not one of the expected names. It lists them.
///
/// ```
/// let error = "gomoku".parse::<tengen::board::Rule>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown rule, expected freestyle, standard, renju, caro_overline or caro");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unknown {what}, expected {}", Alternatives(.names))]
pub struct UnknownName {
    what: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    /// The error for a name that is not in this list; `what` is the word for a value of the list.
    pub const fn new(what: &'static str, names: &'static [&'static str]) -> Self {
        Self { what, names }
    }

    /// The error for a name that is not a variant of an enum; `what` is the word for a value of the enum.
    pub const fn of<T: VariantNames>(what: &'static str) -> Self {
        Self::new(what, T::VARIANTS)
    }
}

/// Serde for values that are written by `Display` and read by `FromStr`: `#[serde(with = "as_text")]`.
pub mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    /// Writes a value as text.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads a value from text.
    ///
    /// # Errors
    /// When the value is not text, or the text does not parse.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }

    /// Reads a value that may be absent or null: `#[serde(default, deserialize_with = "as_text::optional")]`.
    ///
    /// # Errors
    /// When the value is neither text nor null, or the text does not parse.
    pub fn optional<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_the_last_one_needs_no_end() {
        let read = |text| lines(text).collect::<Vec<_>>();
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("\u{feff}"), [""; 0]);
        assert_eq!(read("a"), ["a"]);
        assert_eq!(read("a\r\n"), ["a"]);
        assert_eq!(read("ñ\r\r\nb\r"), ["ñ", "", "b"]);
    }

    #[test]
    fn a_quotation_is_cut_between_characters() {
        assert_eq!(Quoted(&"ñ".repeat(80)).to_string(), format!("\"{}\"", "ñ".repeat(80)));
        assert_eq!(Quoted(&"ñ".repeat(81)).to_string(), format!("\"{}…\"", "ñ".repeat(80)));
    }

    #[test]
    fn the_text_of_an_error_is_cut_wherever_its_pieces_end() {
        let pieces = format_args!("{}{}{}", "a".repeat(399), "ñ", "b").to_string();
        assert_eq!(Short(&pieces).to_string(), format!("{}ñ…", "a".repeat(399)));
        let error = serde_json::from_str::<u8>(&format!("\"{}\"", "x".repeat(10_000))).unwrap_err();
        assert_eq!(Short(&error).to_string().chars().count(), 401);
    }
}
