//! [`LineWindow`]: the ten cells round a point in one direction, packed into the index of every table.

use std::fmt;

use crate::board::{Board, Color, Direction, Occupant, Point};

/// The number of cells of a window on either side. Fives, fours and threes need no more.
pub const REACH: u8 = 5;

/// The content of a window's cell from one side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// An empty point.
    Empty,
    /// A stone of the side.
    Own,
    /// A stone of the other side.
    Opponent,
    /// Off the board: beyond the edge, a wall, or a cell beyond a wall.
    Off,
}

impl Cell {
    /// A stone of this color in black's view, which the windows of a board have.
    pub const fn of(color: Color) -> Self {
        match color {
            Color::Black => Self::Own,
            Color::White => Self::Opponent,
        }
    }
}

/// The ten cells round a point in one direction, five on either side, from one side's view.
///
/// ```text
///   distance  -5 -4 -3 -2 -1  0  1  2  3  4  5
///   cells      |  .  .  X  O  *  .  X  .  .  |        X own   O opponent   . empty   | off
///              └──── before ───┘  └─── after ────┘
/// ```
///
/// Cells beyond an off cell are off too, so a half is a word of 0 to 5 ternary digits, and 364 halves exist:
/// 1 + 3 + 9 + 27 + 81 + 243. The number of a half is the count of all shorter words plus Σ digit · 3^(distance − 1),
/// and the number of a window is 364 · before + after. Placing or removing a stone therefore *adds* a constant to the
/// windows that see it ([`plus`](Self::plus)). Unchanged windows are never recomputed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineWindow(u32);

/// The number of halves.
const HALVES: u32 = 364;

/// The number of the first half with this many cells on the board.
const FIRST: [u32; REACH as usize + 2] = [0, 1, 4, 13, 40, 121, HALVES];

/// The properties of a half.
#[derive(Clone, Copy)]
struct Half {
    /// The cells from the point outwards.
    cells: [Cell; REACH as usize],
    /// The number of cells on the board.
    on_board: u8,
    /// The number of the same half from the other side's view.
    swapped: u16,
    /// The empty cells: bit `distance − 1`.
    empty: u8,
    /// The length of the unbroken run of own stones next to the point.
    run: u8,
    /// Whether an opposing stone ends that run.
    is_blocked: bool,
}

impl Half {
    /// The empty half of a point at the edge.
    const OFF: Self =
        Self { cells: [Cell::Off; REACH as usize], on_board: 0, swapped: 0, empty: 0, run: 0, is_blocked: false };

    /// Computes the properties that follow from the cells.
    const fn derive(&mut self) {
        let mut step = 0;
        let mut is_run = true;
        while step < self.on_board as usize {
            match self.cells[step] {
                Cell::Own if is_run => self.run += 1,
                Cell::Opponent if is_run => self.is_blocked = true,
                Cell::Empty => self.empty |= 1 << step,
                _ => {}
            }
            is_run &= matches!(self.cells[step], Cell::Own);
            step += 1;
        }
    }
}

/// Every half, by its number.
static HALF: [Half; HALVES as usize] = {
    let mut table = [Half::OFF; HALVES as usize];
    let mut on_board = 1;
    while on_board <= REACH {
        let first = FIRST[on_board as usize];
        let mut number = first;
        while number < FIRST[on_board as usize + 1] {
            let half = &mut table[number as usize];
            let mut swapped = first;
            let mut step = 0;
            while step < on_board as usize {
                let (cell, other) = match (number - first) / POWERS[step] % 3 {
                    0 => (Cell::Empty, 0),
                    1 => (Cell::Own, 2),
                    _ => (Cell::Opponent, 1),
                };
                half.cells[step] = cell;
                swapped += other * POWERS[step];
                step += 1;
            }
            half.on_board = on_board;
            half.swapped = swapped as u16;
            half.derive();
            number += 1;
        }
        on_board += 1;
    }
    table
};

const POWERS: [u32; REACH as usize] = [1, 3, 9, 27, 81];

impl LineWindow {
    /// Number of windows, and the length of every table indexed by them.
    pub const COUNT: usize = (HALVES * HALVES) as usize;

    /// The window without stones that has this many cells on the board on either side, 0..=5.
    pub const fn empty(before: u8, after: u8) -> Self {
        Self(FIRST[before as usize] * HALVES + FIRST[after as usize])
    }

    /// What an own stone adds to a window's number, for distances −1 to −5.
    pub(crate) const BEFORE: [u32; REACH as usize] = {
        let mut places = POWERS;
        let mut steps = 0;
        while steps < places.len() {
            places[steps] *= HALVES;
            steps += 1;
        }
        places
    };

    /// What an own stone adds to a window's number, for distances 1 to 5.
    pub(crate) const AFTER: [u32; REACH as usize] = POWERS;

    /// Ternary digit of a cell: 1 own, 2 opponent, 0 empty. A stone adds digit · addend to the window's number.
    #[inline]
    pub const fn digit(owner: Cell) -> u32 {
        match owner {
            Cell::Own => 1,
            Cell::Opponent => 2,
            Cell::Empty | Cell::Off => 0,
        }
    }

    /// Adds `places` to the number, modulo 2^32. To remove a stone, add the two's complement.
    #[inline]
    #[must_use]
    pub const fn plus(self, places: u32) -> Self {
        Self(self.0.wrapping_add(places))
    }

    /// This window with a stone on an empty cell at a distance of ±1 to ±5.
    #[inline]
    #[must_use]
    pub const fn with(self, distance: i8, owner: Cell) -> Self {
        let places = if distance < 0 { Self::BEFORE } else { Self::AFTER };
        self.plus(Self::digit(owner) * places[distance.unsigned_abs() as usize - 1])
    }

    /// Reads a window from the board cell by cell.
    pub fn read(board: &Board, point: Point, direction: Direction, side: Color) -> Self {
        let cell = |distance: i8| match point.step(direction, distance, board.size()).map(|point| board.at(point)) {
            None | Some(Occupant::Wall) => Cell::Off,
            Some(Occupant::Empty) => Cell::Empty,
            Some(Occupant::Stone(color)) if color == side => Cell::Own,
            Some(Occupant::Stone(_)) => Cell::Opponent,
        };
        let half = |sign: i8| {
            let cells = (1..=REACH as i8).map(|distance| cell(sign * distance));
            cells.take_while(|&cell| cell != Cell::Off).collect::<arrayvec::ArrayVec<_, { REACH as usize }>>()
        };
        let (before, after) = (half(-1), half(1));
        let mut window = Self::empty(before.len() as u8, after.len() as u8);
        for (sign, half) in [(-1, before), (1, after)] {
            for (distance, owner) in (1..).zip(half) {
                window = window.with(sign * distance, owner);
            }
        }
        window
    }

    /// Every window, by its number.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..HALVES * HALVES).map(Self)
    }

    /// The same window from the other end of its line, with the two halves swapped.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(self.0 % HALVES * HALVES + self.0 / HALVES)
    }

    /// The addend of an own stone for each empty cell.
    #[inline]
    pub(super) fn empty_places(self) -> impl Iterator<Item = u32> {
        let (before, after) = self.halves();
        let places = |cells: u8, places: [u32; REACH as usize]| {
            places.into_iter().enumerate().filter(move |(step, _)| cells >> step & 1 != 0).map(|(_, place)| place)
        };
        places(before.empty, Self::BEFORE).chain(places(after.empty, Self::AFTER))
    }

    /// The length of the row through the point once the side plays there, and how many of its two ends are blocked by
    /// opposing stones.
    #[inline]
    pub(super) fn row(self) -> (u32, u32) {
        let (before, after) = self.halves();
        let length = 1 + u32::from(before.run) + u32::from(after.run);
        (length, u32::from(before.is_blocked) + u32::from(after.is_blocked))
    }

    /// The number of cells on the board before and after the point.
    #[inline]
    pub fn reach(self) -> (u8, u8) {
        let (before, after) = self.halves();
        (before.on_board, after.on_board)
    }

    fn halves(self) -> (&'static Half, &'static Half) {
        (&HALF[(self.0 / HALVES) as usize], &HALF[(self.0 % HALVES) as usize])
    }

    /// The number of the window, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell at a distance of −5 to 5. Distance 0 is the point itself, which is empty.
    pub fn cell(self, distance: i8) -> Cell {
        let (before, after) = self.halves();
        match distance {
            0 => Cell::Empty,
            ..0 => before.cells[distance.unsigned_abs() as usize - 1],
            1.. => after.cells[distance as usize - 1],
        }
    }

    /// The same window from the other side's view.
    #[must_use]
    pub fn swapped(self) -> Self {
        let (before, after) = self.halves();
        Self(u32::from(before.swapped) * HALVES + u32::from(after.swapped))
    }
}

/// The eleven cells as a picture: `|..XO*.X..|`.
impl fmt::Display for LineWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for distance in -(REACH as i8)..=REACH as i8 {
            f.write_str(match self.cell(distance) {
                _ if distance == 0 => "*",
                Cell::Empty => ".",
                Cell::Own => "X",
                Cell::Opponent => "O",
                Cell::Off => "|",
            })?;
        }
        Ok(())
    }
}

impl fmt::Debug for LineWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rule;
    use crate::notation::{parse_comma, parse_diagram};

    #[test]
    fn windows_are_numbered_without_gap_or_clash() {
        let mut pictures: Vec<_> = LineWindow::all().map(|window| window.to_string()).collect();
        pictures.sort();
        pictures.dedup();
        assert_eq!(pictures.len(), LineWindow::COUNT);
        for window in LineWindow::all().step_by(7) {
            assert_eq!(window.swapped().swapped(), window);
        }
    }

    #[test]
    fn a_window_is_read_as_it_lies_on_the_board() {
        let board = parse_diagram(
            ". . . . . . .\n. . . . . . .\n. . X O . . X\n. . . . # . .\n. . . . . X .\n. . . . . . .\n. . . . . . .",
            Rule::Freestyle,
        )
        .unwrap();
        let read =
            |direction| LineWindow::read(&board, parse_comma("4,2").unwrap(), direction, Color::Black).to_string();
        assert_eq!(read(Direction::Horizontal), "|..XO*.X|||");
        assert_eq!(read(Direction::Vertical), "|||..*|||||");
        assert_eq!(read(Direction::Diagonal), "|||..*..|||");
        assert_eq!(read(Direction::Antidiagonal), "|....*..|||");
    }
}
