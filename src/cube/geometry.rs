//! [`Cell`], [`CellSet`] and the 76 lines of the cube.
//!
//! ```text
//! bit of a cell = x + 4 y + 16 z            level z, as it is drawn
//!
//!        x 0  1  2  3
//!     y 0  0  1  2  3     a step along x is 1, along y 4, along z 16;
//!       1  4  5  6  7     a line is a first cell, a step of these and their sums
//!       2  8  9 10 11     and differences, and four cells
//!       3 12 13 14 15
//! ```

use std::fmt;
use std::str::FromStr;

/// The cells along one side.
pub const SIDE: usize = 4;

/// The cells of the cube.
pub const CELLS: usize = SIDE * SIDE * SIDE;

/// The columns of the cube.
pub const COLUMNS: usize = SIDE * SIDE;

/// The lines of four: 48 along the axes, 24 plane diagonals, 4 space diagonals.
pub const LINES: usize = 76;

/// A cell of the cube, with its bit x + 4 y + 16 z.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell at these coordinates, each 0 to 3.
    pub const fn new(x: usize, y: usize, z: usize) -> Option<Self> {
        if x < SIDE && y < SIDE && z < SIDE { Some(Self((x + SIDE * y + COLUMNS * z) as u8)) } else { None }
    }

    /// The cell with this bit.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < CELLS { Some(Self(index as u8)) } else { None }
    }

    /// The bit of the cell, 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column from the left, 0 to 3.
    pub const fn x(self) -> usize {
        self.index() % SIDE
    }

    /// The row, 0 to 3.
    pub const fn y(self) -> usize {
        self.index() / SIDE % SIDE
    }

    /// The level, 0 at the bottom.
    pub const fn z(self) -> usize {
        self.index() / COLUMNS
    }

    /// The cell as a set of one.
    pub const fn set(self) -> CellSet {
        CellSet(1 << self.0)
    }

    /// Every cell by increasing bit.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CELLS).filter_map(Self::from_index)
    }

    /// Reads the numbers of `x,y` or `x,y,z`. Blanks may stand around them.
    fn numbers(text: &str) -> Result<Vec<usize>, CellError> {
        let number = |part: &str| {
            let part = part.trim();
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { Ok(part.parse().unwrap_or(usize::MAX)) } else { Err(CellError::Syntax) }
        };
        text.split(',').map(number).collect()
    }

    /// Reads a column, `x,y`, as its lowest cell.
    ///
    /// # Errors
    /// When the text is not a pair of numbers from 0 to 3.
    pub fn parse_column(text: &str) -> Result<Self, CellError> {
        match Self::numbers(text)?[..] {
            [x, y] => Self::new(x, y, 0).ok_or(CellError::Outside),
            _ => Err(CellError::Syntax),
        }
    }
}

/// Reads `x,y,z`.
impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        match Self::numbers(text)?[..] {
            [x, y, z] => Self::new(x, y, z).ok_or(CellError::Outside),
            _ => Err(CellError::Syntax),
        }
    }
}

/// `x,y,z`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.x(), self.y(), self.z())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error returned when a cell or a column fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    /// The text is not a list of two or three numbers.
    #[error("expected a column such as 1,2, or without gravity a cell such as 1,2,3")]
    Syntax,
    /// A number is above 3.
    #[error("the cell lies outside the cube")]
    Outside,
}

/// A set of cells. Bit i is the cell with index i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet(pub u64);

impl CellSet {
    /// No cell.
    pub const EMPTY: Self = Self(0);
    /// Every cell.
    pub const ALL: Self = Self(u64::MAX);
    /// The lowest level.
    pub const BOTTOM: Self = Self((1 << COLUMNS) - 1);

    /// Whether it has the cell.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 > 0
    }

    /// Whether it has no cell.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The cells of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cells of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cells that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The cells one level above those of the set.
    #[must_use]
    pub const fn raised(self) -> Self {
        Self(self.0 << COLUMNS)
    }

    /// The cell with the least index.
    pub const fn first(self) -> Option<Cell> {
        Cell::from_index(self.0.trailing_zeros() as usize)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, cell| set.or(cell.set()))
    }
}

/// The cells by increasing index.
impl Iterator for CellSet {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.first()?;
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

/// A set of lines. Bit i is the line `LINE_CELLS[i]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineSet(pub u128);

impl LineSet {
    /// Whether it has no line.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has the line.
    pub const fn contains(self, line: usize) -> bool {
        self.0 >> line & 1 > 0
    }

    /// The number of lines.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// The lines by increasing number.
impl Iterator for LineSet {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let line = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(line)
    }
}

/// The cells of each line.
pub static LINE_CELLS: [CellSet; LINES] = line_cells();

/// The lines through each cell: seven through each corner and each inner cell, four through any other cell.
pub static LINES_THROUGH: [LineSet; CELLS] = lines_through();

/// Walks from every cell in every direction in which the index grows. A walk whose four cells lie in the cube is a line.
const fn line_cells() -> [CellSet; LINES] {
    let mut lines = [CellSet::EMPTY; LINES];
    let (mut count, mut first) = (0, 0);
    while first < CELLS as i32 {
        // Of the 27 directions number 13 stands still, and the index grows in those after it.
        let mut direction = 14;
        while direction < 27 {
            let (dx, dy, dz) = (direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1);
            let end = (first % 4 + 3 * dx, first / 4 % 4 + 3 * dy, first / 16 + 3 * dz);
            if let (0..4, 0..4, 0..4) = end {
                let step = dx + 4 * dy + 16 * dz;
                lines[count] = CellSet((1 | 1 << step | 1 << (2 * step) | 1 << (3 * step)) << first);
                count += 1;
            }
            direction += 1;
        }
        first += 1;
    }
    assert!(count == LINES);
    lines
}

const fn lines_through() -> [LineSet; CELLS] {
    let lines = line_cells();
    let mut through = [LineSet(0); CELLS];
    let mut line = 0;
    while line < LINES {
        let mut cell = 0;
        while cell < CELLS {
            if lines[line].0 >> cell & 1 > 0 {
                through[cell].0 |= 1 << line;
            }
            cell += 1;
        }
        line += 1;
    }
    through
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_48_lines_along_the_axes_24_plane_diagonals_and_4_space_diagonals() {
        let mut kinds = [0; 4];
        for line in LINE_CELLS {
            assert_eq!(line.len(), SIDE);
            let cells: Vec<_> = line.collect();
            let moves = [Cell::x, Cell::y, Cell::z].map(|axis| axis(cells[0]) != axis(cells[3]));
            kinds[moves.into_iter().filter(|moves| *moves).count()] += 1;
        }
        assert_eq!(kinds, [0, 48, 24, 4]);
    }

    #[test]
    fn seven_lines_meet_in_a_corner_and_in_an_inner_cell_and_four_elsewhere() {
        let mut sevens = 0;
        for cell in Cell::all() {
            let is_end = |axis: usize| axis == 0 || axis == 3;
            let ends = [cell.x(), cell.y(), cell.z()].map(is_end);
            let expected = if ends == [true; 3] || ends == [false; 3] { 7 } else { 4 };
            sevens += usize::from(expected == 7);
            assert_eq!(LINES_THROUGH[cell.index()].len(), expected, "{cell}");
        }
        assert_eq!(sevens, 16);
    }

    #[test]
    fn cells_are_read_as_they_are_written() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(
                Cell::parse_column(&format!(" {} , {}", cell.x(), cell.y())),
                Ok(Cell::new(cell.x(), cell.y(), 0).unwrap())
            );
        }
        for text in ["", "1", "1,2", "1,2,", "1,2,3,0", "a,b,c", "-1,0,0", "1 2 3", "+1,0,0"] {
            assert_eq!(text.parse::<Cell>(), Err(CellError::Syntax), "{text}");
        }
        for text in ["4,0,0", "0,99999999999999999999999,0"] {
            assert_eq!(text.parse::<Cell>(), Err(CellError::Outside), "{text}");
        }
        assert_eq!(Cell::parse_column("0,4"), Err(CellError::Outside));
        assert_eq!(Cell::parse_column("0,0,0"), Err(CellError::Syntax));
    }
}
