//! What the texts of a [`GameInfo`] say: the winner, the rule.

use super::GameInfo;
use crate::board::{Color, Rule};

/// Words for a draw at the beginning of a result.
const DRAW: [&str; 6] = ["draw", "jigo", "tie", "1/2", "和", "平"];

/// Words in the names of rules, and of opening procedures of renju.
const RULE_WORDS: [(&str, Rule); 13] = [
    ("caro", Rule::Caro),
    ("renju", Rule::Renju),
    ("yamaguchi", Rule::Renju),
    ("taraguchi", Rule::Renju),
    ("soos", Rule::Renju),
    ("rif", Rule::Renju),
    ("连珠", Rule::Renju),
    ("連珠", Rule::Renju),
    ("有禁", Rule::Renju),
    ("无禁", Rule::Freestyle),
    ("無禁", Rule::Freestyle),
    ("free", Rule::Freestyle),
    ("standard", Rule::Standard),
];

impl GameInfo {
    /// The winner that the result names: `None` if it names none, `Some(None)` for a draw.
    ///
    /// ```
    /// use tengen::board::Color;
    /// use tengen::notation::GameInfo;
    ///
    /// let winner = |result: &str| GameInfo { result: result.to_owned(), ..GameInfo::default() }.winner();
    /// assert_eq!(winner("B+R"), Some(Some(Color::Black)));
    /// assert_eq!(winner("Draw"), Some(None));
    /// assert_eq!(winner("?"), None);
    /// ```
    pub fn winner(&self) -> Option<Option<Color>> {
        let result = self.result.trim().to_lowercase();
        for (color, words, sign) in [
            (Color::Black, ["b+", "black+", "black win", "black won"], '黑'),
            (Color::White, ["w+", "white+", "white win", "white won"], '白'),
        ] {
            if words.iter().any(|word| result.starts_with(word)) {
                return Some(Some(color));
            }
            // The first verdict applies to the color before it: 黑负，白胜 means that black loses.
            let verdict =
                result.strip_prefix(sign).and_then(|rest| rest.chars().find(|sign| "胜勝负負".contains(*sign)));
            if let Some(verdict) = verdict {
                return Some(Some(if "胜勝".contains(verdict) { color } else { !color }));
            }
        }
        (result == "0" || DRAW.iter().any(|word| result.starts_with(word))).then_some(None)
    }

    /// The rule that the text of the rule names, also by an opening procedure that only renju has. The numbers are those of
    /// c-gomoku-cli: 0 freestyle, 1 standard, 4 renju. `None` if the text names no rule of this program, or is only
    /// "gomoku", which programs use for different rules.
    pub fn known_rule(&self) -> Option<Rule> {
        let text = self.rule.trim().to_lowercase();
        match text.as_str() {
            "0" => return Some(Rule::Freestyle),
            "1" => return Some(Rule::Standard),
            "4" => return Some(Rule::Renju),
            _ => {}
        }
        let named = text.replace([' ', '-'], "_").parse().ok();
        named.or_else(|| RULE_WORDS.iter().find(|(word, _)| text.contains(word)).map(|&(_, rule)| rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winner(result: &str) -> Option<Option<Color>> {
        GameInfo { result: result.to_owned(), ..GameInfo::default() }.winner()
    }

    fn rule(rule: &str) -> Option<Rule> {
        GameInfo { rule: rule.to_owned(), ..GameInfo::default() }.known_rule()
    }

    #[test]
    fn a_result_names_the_winner() {
        for text in ["B+", "b+r", " B+Time ", "B+1", "Black+2", "Black wins", "黑胜", "黑中盘胜", "黑勝", "白负黑胜"]
        {
            assert_eq!(winner(text), Some(Some(Color::Black)), "{text}");
        }
        for text in ["W+", "w+R", "W+1", "White won by time", "白胜", "黑负，白胜"] {
            assert_eq!(winner(text), Some(Some(Color::White)), "{text}");
        }
        for text in ["0", "Draw", "draw", "和棋", "和", "平局", "1/2-1/2"] {
            assert_eq!(winner(text), Some(None), "{text}");
        }
        for text in ["", "?", "Void", "B", "Black resigns", "White", "黑", "1-0", "0-1", "whatever", "bw+"] {
            assert_eq!(winner(text), None, "{text}");
        }
    }

    #[test]
    fn a_rule_is_named_in_several_ways() {
        for known in Rule::ALL {
            assert_eq!(rule(&known.to_string()), Some(known));
        }
        for (text, known) in [
            ("Renju", Rule::Renju),
            ("RIF", Rule::Renju),
            ("Soosõrv-8", Rule::Renju),
            ("Taraguchi-10", Rule::Renju),
            ("有禁手", Rule::Renju),
            ("无禁手", Rule::Freestyle),
            ("Free style", Rule::Freestyle),
            ("Standard Gomoku", Rule::Standard),
            ("Caro overline", Rule::CaroOverline),
            ("0", Rule::Freestyle),
            ("1", Rule::Standard),
            ("4", Rule::Renju),
        ] {
            assert_eq!(rule(text), Some(known), "{text}");
        }
        for text in ["", "Gomoku", "Swap2", "五子棋", "2", "9"] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
