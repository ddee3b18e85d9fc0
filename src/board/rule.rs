//! [`Rule`]: the rules of the game, and when a row wins.

use strum::{Display, EnumString, VariantNames};

use super::Color;
use crate::text::UnknownName;

/// The rule of a game. Command lines and records write its name, such as `caro_overline`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_rule)]
pub enum Rule {
    /// Five or more win, for both colors.
    #[default]
    Freestyle,
    /// Exactly five wins; six or more do not.
    Standard,
    /// Black wins with exactly five and has forbidden points, white wins with five or more.
    Renju,
    /// Caro with overlines: six or more win; five wins unless opposing stones hold both its ends.
    CaroOverline,
    /// Caro: exactly five wins unless opposing stones hold both its ends.
    Caro,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 5] = [Self::Freestyle, Self::Standard, Self::Renju, Self::CaroOverline, Self::Caro];

    /// 0..=4, for tables by rule. Files hold it as the code of the rule, so a new rule comes last.
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

    /// Number of learned tables: one for both colors, or two if the rule treats the colors differently.
    pub const fn tables(self) -> usize {
        match self {
            Self::Renju => 2,
            Self::Freestyle | Self::Standard | Self::CaroOverline | Self::Caro => 1,
        }
    }

    /// The number of the table of a color, counted from 0.
    pub const fn table_of(self, color: Color) -> usize {
        color.index() % self.tables()
    }

    /// Whether a five wins only if at least one end is free of opposing stones. A stone at an end can then block a
    /// five.
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

    /// Whether an unbroken row of `length` stones wins when opposing *stones* stand directly at `blocked_ends` of its
    /// two ends. The edge of the board and walls block no end.
    pub const fn wins(self, length: u32, blocked_ends: u32) -> bool {
        match self {
            Self::FiveOrMore => length >= 5,
            Self::ExactlyFive => length == 5,
            Self::CaroOverline => length >= 6 || length == 5 && blocked_ends < 2,
            Self::Caro => length == 5 && blocked_ends < 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_rules_in_files_stay() {
        let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::CaroOverline, Rule::Caro];
        assert_eq!(rules.map(Rule::index), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn rules_have_names() {
        for rule in Rule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert!("gomoku".parse::<Rule>().is_err());
    }
}
