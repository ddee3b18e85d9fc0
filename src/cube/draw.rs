//! [`Drawing`]: a position as text, with the four levels side by side.
//!
//! ```text
//!   level 0      level 1      level 2      level 3
//!     0 1 2 3      0 1 2 3      0 1 2 3      0 1 2 3
//!   0 X . . O    0 . . . .    0 . . . .    0 . . . .
//!   1 . . . .    1 . . . .    1 . . . .    1 . . . .
//!   2 . . . .    2 . . . .    2 . . . .    2 . . . .
//!   3 . . . .    3 . . . .    3 . . . .    3 . . . .
//! ```

use std::fmt;

use anstyle::{AnsiColor, Style};

use super::board::Position;
use super::geometry::{Cell, CellSet, LINE_CELLS, SIDE};
use crate::board::Color;

/// Whether a text has ANSI color codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Without color codes.
    Plain,
    /// Black's stones are red and white's blue. The last stone and a winning line are highlighted.
    Colors,
}

/// A position as text: `X` black, `O` white, `.` empty. The top row is y = 0, and x goes to the right.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    position: &'a Position,
    last: Option<Cell>,
    paint: Paint,
}

impl<'a> Drawing<'a> {
    /// The picture of a position. With colors the last stone is highlighted.
    pub const fn new(position: &'a Position, last: Option<Cell>, paint: Paint) -> Self {
        Self { position, last, paint }
    }

    /// The cells of the winning lines.
    fn won(&self) -> CellSet {
        let lines = Color::ALL.into_iter().flat_map(|color| self.position.lines_of(color, SIDE));
        lines.fold(CellSet::EMPTY, |cells, line| cells.or(LINE_CELLS[line]))
    }

    fn style(&self, cell: Cell) -> Style {
        let color = match self.position.occupant(cell) {
            _ if self.paint == Paint::Plain => return Style::new(),
            Some(Color::Black) => AnsiColor::Red,
            Some(Color::White) => AnsiColor::Blue,
            None => return Style::new().dimmed(),
        };
        let style = color.on_default();
        if self.won().contains(cell) {
            style.bold().invert()
        } else if self.last == Some(cell) {
            style.bold().underline()
        } else {
            style
        }
    }
}

/// The sign of a color's stones.
pub(super) const fn sign(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, texts: [String; SIDE]| {
            writeln!(f, "{}", texts.map(|text| format!("{text:<13}")).concat().trim_end())
        };
        row(f, std::array::from_fn(|level| format!("  level {level}")))?;
        row(f, std::array::from_fn(|_| "    0 1 2 3".to_owned()))?;
        for y in 0..SIDE {
            for z in 0..SIDE {
                write!(f, "{}{y}", if z == 0 { "  " } else { "    " })?;
                for cell in (0..SIDE).filter_map(|x| Cell::new(x, y, z)) {
                    let style = self.style(cell);
                    let stone = self.position.occupant(cell).map_or('.', sign);
                    write!(f, " {style}{stone}{style:#}")?;
                }
            }
            if y + 1 < SIDE {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::board::{Board, Gravity};

    const PICTURE: &str = "  level 0      level 1      level 2      level 3
    0 1 2 3      0 1 2 3      0 1 2 3      0 1 2 3
  0 X . . O    0 X . . .    0 O . . .    0 . . . .
  1 . . . .    1 . . . .    1 . . . .    1 . . . .
  2 . . . .    2 . . . .    2 . . . .    2 . . . .
  3 . . . .    3 . . . .    3 . . . .    3 . . . .";

    #[test]
    fn the_levels_stand_side_by_side() {
        let mut board = Board::new(Gravity::On);
        for cell in ["0,0,0", "3,0,0", "0,0,1", "0,0,2"] {
            board.play(cell.parse().unwrap());
        }
        let draw = |paint| Drawing::new(board.position(), board.moves().last().copied(), paint).to_string();
        assert_eq!(draw(Paint::Plain), PICTURE);
        let colored = draw(Paint::Colors);
        assert!(colored.contains("\u{1b}[31mX") && colored.contains("\u{1b}[34mO"), "{colored:?}");
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), PICTURE);
    }
}
