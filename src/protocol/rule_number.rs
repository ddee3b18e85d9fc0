//! The numbers of `INFO rule N`, in both directions. Every part of the program that speaks the protocol reads them here.

use crate::board::Rule;
use crate::text::UnknownName;

/// The manager whose numbers `INFO rule N` uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Gomocup's and Piskvork's: a bit mask.
    #[default]
    Gomocup,
    /// Yixin-Board's, in use after `YXSHOWINFO`: 2 is renju, 5 and 6 are freestyle with a swap.
    Yixin,
}

/// The game that `INFO rule N` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleInfo {
    /// The rule of the game.
    pub rule: Rule,
    /// Whether the game continues after a five, whose stones then become walls.
    pub continuous: bool,
}

/// The bit of exactly five.
const EXACT: u8 = 1;

/// The bit of a continuous game.
const CONTINUOUS: u8 = 2;

/// The bit of renju.
const RENJU: u8 = 4;

/// The bit of caro.
const CARO: u8 = 8;

impl RuleInfo {
    /// Decodes a number. Renju comes before caro, and caro before standard; unknown bits are ignored. In Yixin's dialect
    /// 2 is renju, and 5 and 6 are freestyle.
    pub fn from_number(number: i64, dialect: Dialect) -> Self {
        let has = |bit: u8| number & i64::from(bit) != 0;
        let rule = match (dialect, number) {
            (Dialect::Yixin, 2) => return Rule::Renju.into(),
            (Dialect::Yixin, 5 | 6) => return Rule::Freestyle.into(),
            _ if has(RENJU) => Rule::Renju,
            _ if has(CARO) && has(EXACT) => Rule::Caro,
            _ if has(CARO) => Rule::CaroOverline,
            _ if has(EXACT) => Rule::Standard,
            _ => Rule::Freestyle,
        };
        Self { rule, continuous: has(CONTINUOUS) }
    }

    /// The number in Gomocup's dialect.
    pub const fn number(self) -> u8 {
        let rule = match self.rule {
            Rule::Freestyle => 0,
            Rule::Standard => EXACT,
            Rule::Renju => RENJU,
            Rule::CaroOverline => CARO,
            Rule::Caro => CARO | EXACT,
        };
        if self.continuous { rule | CONTINUOUS } else { rule }
    }
}

/// A game that ends with a five.
impl From<Rule> for RuleInfo {
    fn from(rule: Rule) -> Self {
        Self { rule, continuous: false }
    }
}

/// Reads the rule of a command line: a name such as `caro_overline`, or its number in Gomocup's dialect.
///
/// # Errors
/// When the text is neither.
///
/// ```
/// use tengen::board::Rule;
/// use tengen::protocol::rule_number::parse_rule;
///
/// assert_eq!(parse_rule("renju"), Ok(Rule::Renju));
/// assert_eq!(parse_rule("9"), Ok(Rule::Caro));
/// assert_eq!(
///     parse_rule("2").unwrap_err().to_string(),
///     "unknown rule, expected freestyle, standard, renju, caro_overline or caro, or 0, 1, 4, 8, 9"
/// );
/// ```
pub fn parse_rule(text: &str) -> Result<Rule, RuleError> {
    let has_number = |rule: &Rule| RuleInfo::from(*rule).number().to_string() == text;
    Rule::ALL.into_iter().find(has_number).map_or_else(|| Ok(text.parse()?), Ok)
}

/// Error returned when a text is neither the name nor the number of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}, or {numbers}", numbers = Rule::ALL.map(|rule| RuleInfo::from(rule).number().to_string()).join(", "))]
pub struct RuleError(#[from] UnknownName);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_managers_mean_them() {
        for (number, rule, continuous) in [
            (0, Rule::Freestyle, false),
            (1, Rule::Standard, false),
            (2, Rule::Freestyle, true),
            (3, Rule::Standard, true),
            (4, Rule::Renju, false),
            (5, Rule::Renju, false),
            (6, Rule::Renju, true),
            (8, Rule::CaroOverline, false),
            (9, Rule::Caro, false),
            (10, Rule::CaroOverline, true),
            (11, Rule::Caro, true),
            (12, Rule::Renju, false),
            (17, Rule::Standard, false),
        ] {
            assert_eq!(RuleInfo::from_number(number, Dialect::Gomocup), RuleInfo { rule, continuous }, "{number}");
        }
        for (number, rule) in [(2, Rule::Renju), (4, Rule::Renju), (5, Rule::Freestyle), (6, Rule::Freestyle)] {
            assert_eq!(RuleInfo::from_number(number, Dialect::Yixin), rule.into(), "{number}");
        }
    }

    #[test]
    fn every_game_has_its_number() {
        for rule in Rule::ALL {
            assert_eq!(parse_rule(&RuleInfo::from(rule).number().to_string()), Ok(rule));
            assert_eq!(parse_rule(&rule.to_string()), Ok(rule));
            for continuous in [false, true] {
                let info = RuleInfo { rule, continuous };
                assert_eq!(RuleInfo::from_number(info.number().into(), Dialect::Gomocup), info);
            }
        }
    }
}
