//! [`QuotedText`]: a text in quotation marks that may span lines, as YXEDITTEXTDATABASE has it.

use super::reader::LINE_CAP;

/// Maximum length of a text in bytes, as in Rapfi's database.
const MOST_BYTES: usize = 65_530;

/// A text while its lines are read. `\"` and `\\` stand for the second character.
#[derive(Debug, Default)]
pub(super) struct QuotedText {
    text: String,
    /// Whether a line was read.
    is_begun: bool,
    is_too_long: bool,
}

/// The end of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// The whole text, and what follows it on its last line.
    Text(String, String),
    /// The text is longer than 65,530 bytes, or has a line that was cut. Its rest cannot be told from commands.
    TooLong,
}

impl QuotedText {
    /// Takes the rest of the command's line or a line after it. Returns the text if the line holds its end.
    pub(super) fn read(&mut self, line: &str) -> Option<Closed> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.push('\n');
        }
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' if self.is_too_long => return Some(Closed::TooLong),
                '"' => return Some(Closed::Text(std::mem::take(&mut self.text), characters.as_str().to_owned())),
                '\\' => characters.next().into_iter().for_each(|escaped| self.push(escaped)),
                character => self.push(character),
            }
        }
        (line.len() >= LINE_CAP).then_some(Closed::TooLong)
    }

    fn push(&mut self, character: char) {
        self.is_too_long |= self.text.len() + character.len_utf8() > MOST_BYTES;
        if !self.is_too_long {
            self.text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Closed> {
        let mut text = QuotedText::default();
        lines.iter().find_map(|line| text.read(line))
    }

    #[test]
    fn a_text_ends_with_its_quotation_mark() {
        let text = |text: &str, rest: &str| Some(Closed::Text(text.to_owned(), rest.to_owned()));
        assert_eq!(read(&["\""]), text("", ""));
        assert_eq!(read(&["one\"7,7"]), text("one", "7,7"));
        assert_eq!(read(&[r#"a \"b\" \\ c"#, "", "  done", "e\""]), text("a \"b\" \\ c\n\n  done\ne", ""));
        assert_eq!(read(&["no end", "here"]), None);
    }

    #[test]
    fn a_text_that_is_too_long_ends_too() {
        let line = "x".repeat(10_000);
        let mut lines = vec![line.as_str(); 7];
        lines.push("end\"");
        assert_eq!(read(&lines), Some(Closed::TooLong));
        assert_eq!(read(&[&"x".repeat(LINE_CAP)]), Some(Closed::TooLong));
    }
}
