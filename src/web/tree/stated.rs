//! What the root of a file in SGF states of its game: the rule and the result.

use crate::board::{Color, Rule};

/// The word after the rule of a continuous game in the property `RU`.
pub(super) const CONTINUOUS: &str = "continuous";

/// The rule that a file states, if it is one of ours.
pub(super) fn rule_of(text: &str) -> Option<(Rule, bool)> {
    let mut words = text.split_whitespace();
    let rule = words.next()?.parse().ok()?;
    match words.next() {
        None => Some((rule, false)),
        Some(CONTINUOUS) if words.next().is_none() => Some((rule, true)),
        Some(_) => None,
    }
}

/// The winner and how the game ended, from a result such as `B+T`; `None` if there is none.
pub(super) fn result_of(text: &str) -> Option<(String, String)> {
    let text = text.trim().to_ascii_lowercase();
    if text == "draw" || text == "0" {
        return Some(("draw".to_owned(), "agreed".to_owned()));
    }
    let (winner, how) = text.split_once('+')?;
    let winner = match winner {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    };
    let end = match how.chars().next() {
        Some('t') => "time",
        Some('r') => "resigned",
        _ => "claimed",
    };
    Some((winner.to_string(), end.to_owned()))
}
