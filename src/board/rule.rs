//! [`Rule`]: the rules of the game, and when a row wins.

use strum::{Display, EnumString, VariantNames};

use super::Color;
use crate::text::UnknownName;

/// The rule of a game. Command lines and records write its name, such as `caro_overline`; Gomocup's number is read as
/// well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, VariantNames)]
#[strum(ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_rule)]
pub enum Rule {
    /// Five or more win, for both colors. `INFO rule 0`.
    #[default]
    #[strum(to_string = "freestyle", serialize = "0")]
    Freestyle,
    /// Exactly five wins; six or more do not. `INFO rule 1`.
    #[strum(to_string = "standard", serialize = "1")]
    Standard,
    /// Black wins with exactly five and has forbidden points, white wins with five or more. `INFO rule 4`.
    #[strum(to_string = "renju", serialize = "4")]
    Renju,
    /// Caro with overlines: six or more win; five wins unless opposing stones hold both its ends. `INFO rule 8`.
    #[strum(to_string = "caro_overline", serialize = "8")]
    CaroOverline,
    /// Caro: exactly five wins unless opposing stones hold both its ends. `INFO rule 9`.
    #[strum(to_string = "caro", serialize = "9")]
    Caro,
}

/// The meaning of `INFO rule N`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleInfo {
    /// The rule of the game.
    pub rule: Rule,
    /// Whether the game goes on after a five, whose stones then become walls (bit 2).
    pub continuous: bool,
}

impl RuleInfo {
    /// The number of `INFO rule N` in Gomocup's dialect.
    pub const fn number(self) -> u8 {
        self.rule.number() | if self.continuous { CONTINUOUS } else { 0 }
    }
}

/// The bit of `INFO rule N` that makes a game continuous.
const CONTINUOUS: u8 = 2;

/// The manager whose numbers `INFO rule N` uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Gomocup's and Piskvork's: a bit mask.
    #[default]
    Gomocup,
    /// Yixin-Board's, in use after `YXSHOWINFO`: 2 is renju, 5 and 6 are freestyle with a swap.
    Yixin,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 5] = [Self::Freestyle, Self::Standard, Self::Renju, Self::CaroOverline, Self::Caro];

    /// Reads the number of `INFO rule N`: bit 4 before bit 8 before bit 1, unknown bits ignored; bit 2 makes the
    /// game continuous. In Yixin's dialect 2 is renju and 5 and 6 are freestyle.
    pub const fn from_info(number: i64, dialect: Dialect) -> RuleInfo {
        if matches!(dialect, Dialect::Yixin) {
            match number {
                2 => return RuleInfo { rule: Self::Renju, continuous: false },
                5 | 6 => return RuleInfo { rule: Self::Freestyle, continuous: false },
                _ => {}
            }
        }
        let rule = if number & 4 != 0 {
            Self::Renju
        } else if number & 8 != 0 {
            if number & 1 != 0 { Self::Caro } else { Self::CaroOverline }
        } else if number & 1 != 0 {
            Self::Standard
        } else {
            Self::Freestyle
        };
        RuleInfo { rule, continuous: number & CONTINUOUS as i64 != 0 }
    }

    /// The number of `INFO rule N` in Gomocup's dialect.
    pub const fn number(self) -> u8 {
        match self {
            Self::Freestyle => 0,
            Self::Standard => 1,
            Self::Renju => 4,
            Self::CaroOverline => 8,
            Self::Caro => 9,
        }
    }

    /// 0..=4, for tables by rule.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The condition on which a row of this color wins.
    pub const fn row(self, color: Color) -> RowRule {
        match (self, color) {
            (Self::Freestyle, _) | (Self::Renju, Color::White) => RowRule::FiveOrMore,
            (Self::Standard, _) | (Self::Renju, Color::Black) => RowRule::ExactlyFive,
            (Self::CaroOverline, _) => RowRule::CaroOverline,
            (Self::Caro, _) => RowRule::Caro,
        }
    }

    /// Whether points can be forbidden to black. White has no forbidden points under any rule.
    pub const fn has_forbidden_points(self) -> bool {
        match self {
            Self::Renju => true,
            Self::Freestyle | Self::Standard | Self::CaroOverline | Self::Caro => false,
        }
    }

    /// Whether points can be forbidden to this color.
    pub const fn forbids(self, color: Color) -> bool {
        match color {
            Color::Black => self.has_forbidden_points(),
            Color::White => false,
        }
    }

    /// Whether black and white play by different rules. If not, one table serves both.
    pub const fn colors_differ(self) -> bool {
        match self {
            Self::Renju => true,
            Self::Freestyle | Self::Standard | Self::CaroOverline | Self::Caro => false,
        }
    }

    /// Whether a five wins only if at least one end is free of opposing stones, so that a stone at an end can block it.
    pub const fn five_needs_free_end(self) -> bool {
        match self {
            Self::CaroOverline | Self::Caro => true,
            Self::Freestyle | Self::Standard | Self::Renju => false,
        }
    }
}

/// The error for an unknown rule name.
fn unknown_rule(_: &str) -> UnknownName {
    UnknownName::of::<Rule>("rule")
}

/// The condition on which a row of stones of one color wins. Boards and patterns both use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowRule {
    /// Five or more.
    FiveOrMore,
    /// Exactly five.
    ExactlyFive,
    /// Six or more, or five with an opposing stone at one end at most.
    CaroOverline,
    /// Exactly five, with an opposing stone at one end at most.
    Caro,
}

impl RowRule {
    /// All four.
    pub const ALL: [Self; 4] = [Self::FiveOrMore, Self::ExactlyFive, Self::CaroOverline, Self::Caro];

    /// Whether an unbroken row of `length` stones wins when opposing *stones* stand directly at `held_ends` of its
    /// two ends. The edge of the board and walls hold no end.
    pub const fn wins(self, length: u32, held_ends: u32) -> bool {
        match self {
            Self::FiveOrMore => length >= 5,
            Self::ExactlyFive => length == 5,
            Self::CaroOverline => length >= 6 || length == 5 && held_ends < 2,
            Self::Caro => length == 5 && held_ends < 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_managers_mean_them() {
        let rule = |number, dialect| {
            let info = Rule::from_info(number, dialect);
            (info.rule, info.continuous)
        };
        for (number, expected, continuous) in [
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
            assert_eq!(rule(number, Dialect::Gomocup), (expected, continuous), "{number}");
        }
        assert_eq!(rule(2, Dialect::Yixin), (Rule::Renju, false));
        assert_eq!(rule(4, Dialect::Yixin), (Rule::Renju, false));
        assert_eq!(rule(5, Dialect::Yixin), (Rule::Freestyle, false));
        assert_eq!(rule(6, Dialect::Yixin), (Rule::Freestyle, false));
    }

    #[test]
    fn names_and_numbers_name_the_rules() {
        for rule in Rule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
            assert_eq!(rule.number().to_string().parse(), Ok(rule));
            for continuous in [false, true] {
                let info = RuleInfo { rule, continuous };
                assert_eq!(Rule::from_info(info.number().into(), Dialect::Gomocup), info);
            }
        }
        assert!("gomoku".parse::<Rule>().is_err());
    }
}
