//! Text for a terminal: what an engine, a record or a command line brings along must not control it.

use std::fmt::{self, Write};

/// The text with each control character but the end of a line replaced.
pub fn printable(text: &str) -> String {
    text.chars().map(replaced).collect()
}

fn replaced(sign: char) -> char {
    if sign.is_control() && sign != '\n' { char::REPLACEMENT_CHARACTER } else { sign }
}

/// Writes printable text on.
pub(super) struct Printable<'a, 'b>(pub(super) &'a mut fmt::Formatter<'b>);

impl Write for Printable<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.chars().any(|sign| replaced(sign) != sign) {
            self.0.write_str(&printable(text))
        } else {
            self.0.write_str(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_both_sets_are_replaced() {
        assert_eq!(printable("a\u{1b}[2J\r\u{9b}31mñ\t\n"), "a\u{fffd}[2J\u{fffd}\u{fffd}31mñ\u{fffd}\n");
    }
}
