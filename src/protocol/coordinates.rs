//! [`Coordinates`]: the notation of points in texts, matching the labels of the board on the screen.

use strum::{Display, EnumString, VariantNames};

use super::rule_number::Dialect;
use crate::board::{Point, Size};
use crate::notation::{Comma, Letters};
use crate::text::UnknownName;

/// Notation of points in texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown)]
pub enum Coordinates {
    /// A letter and a number: `h8` as in records. After YXSHOWINFO `H8`, as Yixin-Board labels its board.
    #[default]
    Letters,
    /// The two numbers of the protocol: `[7,7]`, as Piskvork shows them.
    Numbers,
}

fn unknown(_: &str) -> UnknownName {
    UnknownName::of::<Coordinates>("coordinates")
}

/// The labels of one board in the manager's window.
///
/// ```text
/// Gomocup's dialect: x is the column      Yixin's: the first number is the row
///     3 . . .                                  3 . . 0,2 = C3
///     2 . . .                                  2 . . .
///     1 . . 2,2 = c1                           1 . . .
///       a b c                                    A B C
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels {
    pub(super) coordinates: Coordinates,
    pub(super) dialect: Dialect,
    pub(super) size: Size,
}

impl Labels {
    /// The point as the manager's board labels it.
    pub(super) fn label(&self, point: Point) -> String {
        match (self.coordinates, self.dialect) {
            (Coordinates::Numbers, _) => format!("[{}]", Comma(point)),
            (Coordinates::Letters, Dialect::Gomocup) => Letters::new(self.size).point(point).to_string(),
            (Coordinates::Letters, Dialect::Yixin) => {
                let shown = Point::new(point.y(), point.x()).unwrap_or(point);
                Letters::new(self.size).point(shown).to_string().to_ascii_uppercase()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_comma;

    fn label(coordinates: Coordinates, dialect: Dialect, point: &str) -> String {
        Labels { coordinates, dialect, size: Size::FIFTEEN }.label(parse_comma(point).unwrap())
    }

    #[test]
    fn a_point_is_written_as_the_board_in_the_window_labels_it() {
        for (point, gomocup, yixin) in [
            ("7,7", "h8", "H8"),
            ("6,9", "g6", "J9"),
            ("0,0", "a15", "A15"),
            ("14,0", "o15", "A1"),
            ("0,14", "a1", "O15"),
        ] {
            assert_eq!(label(Coordinates::Letters, Dialect::Gomocup, point), gomocup);
            assert_eq!(label(Coordinates::Letters, Dialect::Yixin, point), yixin);
            for dialect in [Dialect::Gomocup, Dialect::Yixin] {
                assert_eq!(label(Coordinates::Numbers, dialect, point), format!("[{point}]"));
            }
        }
    }

    #[test]
    fn coordinates_have_names() {
        assert_eq!("Numbers".parse(), Ok(Coordinates::Numbers));
        assert_eq!("letters".parse(), Ok(Coordinates::Letters));
        assert_eq!(
            "x".parse::<Coordinates>().unwrap_err().to_string(),
            "unknown coordinates, expected letters or numbers"
        );
    }
}
