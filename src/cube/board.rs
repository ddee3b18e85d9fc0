//! [`Position`]: the stones of a cube and the lines that they fill. [`Board`]: a position with its moves.

use arrayvec::ArrayVec;
use strum::{Display, EnumString, VariantNames};

use super::geometry::{CELLS, COLUMNS, Cell, CellError, CellSet, LINE_CELLS, LINES, LINES_THROUGH, LineSet};
use crate::board::{ByColor, Color, Outcome};
use crate::text::UnknownName;

/// Whether stones drop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_gravity)]
pub enum Gravity {
    /// A stone lands on the lowest empty level of its column.
    #[default]
    On,
    /// A stone stays on any empty cell. This game is Qubic.
    Off,
}

/// The error for an unknown name of a gravity.
fn unknown_gravity(_: &str) -> UnknownName {
    UnknownName::of::<Gravity>("gravity")
}

impl Gravity {
    /// A move as the protocol writes it: the column `x,y` with gravity, the cell `x,y,z` without.
    pub fn name(self, cell: Cell) -> String {
        match self {
            Self::On => format!("{},{}", cell.x(), cell.y()),
            Self::Off => cell.to_string(),
        }
    }

    /// Reads a move as the protocol writes it. A column reads as its lowest cell.
    ///
    /// # Errors
    /// When the text is not a column, or without gravity not a cell.
    pub fn parse_move(self, text: &str) -> Result<Cell, CellError> {
        match self {
            Self::On => Cell::parse_column(text),
            Self::Off => text.parse(),
        }
    }
}

/// The stones on the cube and the lines that they fill. It has 160 bytes, and a search copies it instead of undoing moves.
///
/// Each color has four sets of lines: those with at least one, two, three and four of its stones. A stone moves the four
/// or seven lines through its cell up by one set:
///
/// ```text
/// at least k + 1 becomes (at least k + 1) or ((at least k) and (through the cell))
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: ByColor<CellSet>,
    /// `at_least[color][k]`: the lines with more than k of its stones.
    at_least: ByColor<[LineSet; 4]>,
    turn: Color,
    gravity: Gravity,
}

impl Position {
    /// The empty cube. Black is to move.
    pub const fn new(gravity: Gravity) -> Self {
        let (stones, at_least) = (ByColor([CellSet::EMPTY; 2]), ByColor([[LineSet(0); 4]; 2]));
        Self { stones, at_least, turn: Color::Black, gravity }
    }

    /// The position with these stones, which must not overlap.
    pub fn with(stones: [CellSet; 2], turn: Color, gravity: Gravity) -> Self {
        let mut position = Self { turn, ..Self::new(gravity) };
        for color in Color::ALL {
            for cell in stones[color.index()] {
                position.add(cell, color);
            }
        }
        position
    }

    /// Whether stones drop.
    pub const fn gravity(&self) -> Gravity {
        self.gravity
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The stones of a color.
    pub fn stones(&self, color: Color) -> CellSet {
        self.stones[color]
    }

    /// The stones of black and of white.
    pub const fn both(&self) -> [CellSet; 2] {
        self.stones.0
    }

    /// The cells with a stone.
    pub fn occupied(&self) -> CellSet {
        self.stones[Color::Black].or(self.stones[Color::White])
    }

    /// The number of stones.
    pub fn stone_count(&self) -> usize {
        self.occupied().len()
    }

    /// The color of the stone on a cell.
    pub fn occupant(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.stones[color].contains(cell))
    }

    /// The cells that may be played: with gravity the lowest empty one of each column.
    pub fn playable(&self) -> CellSet {
        let occupied = self.occupied();
        match self.gravity {
            Gravity::On => CellSet::BOTTOM.or(occupied.raised()).without(occupied),
            Gravity::Off => CellSet::ALL.without(occupied),
        }
    }

    /// The cell where a stone lands if it is dropped into the column of this cell. Without gravity it is the cell
    /// itself. `None` if the column is full, or without gravity the cell.
    pub fn landing(&self, cell: Cell) -> Option<Cell> {
        let playable = self.playable();
        match self.gravity {
            Gravity::Off => playable.contains(cell).then_some(cell),
            Gravity::On => playable.and(column(cell)).first(),
        }
    }

    /// The highest stone in the column of this cell. Without gravity it is the stone on the cell itself.
    pub fn top(&self, cell: Cell) -> Option<Cell> {
        let occupied = self.occupied();
        match self.gravity {
            Gravity::Off => occupied.contains(cell).then_some(cell),
            Gravity::On => occupied.and(column(cell)).last(),
        }
    }

    /// The position without the stone on this cell. The color of the stone is to move. An empty cell changes nothing.
    #[must_use]
    pub fn without(&self, cell: Cell) -> Self {
        let stones = self.both().map(|cells| cells.without(cell.set()));
        Self::with(stones, self.occupant(cell).unwrap_or(self.turn), self.gravity)
    }

    /// Plays a stone of the side to move on a playable cell.
    pub fn play(&mut self, cell: Cell) {
        self.add(cell, self.turn);
        self.turn = !self.turn;
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, cell: Cell) -> Self {
        let mut position = *self;
        position.play(cell);
        position
    }

    /// The same stones with the other side to move.
    #[must_use]
    pub fn passed(&self) -> Self {
        Self { turn: !self.turn, ..*self }
    }

    fn add(&mut self, cell: Cell, color: Color) {
        let lines = LINES_THROUGH[cell.index()].0;
        let [one, two, three, four] = &mut self.at_least[color];
        four.0 |= three.0 & lines;
        three.0 |= two.0 & lines;
        two.0 |= one.0 & lines;
        one.0 |= lines;
        self.stones[color].0 |= cell.set().0;
    }

    /// Undoes a move of the side that is not to move.
    fn undo(&mut self, cell: Cell) {
        self.turn = !self.turn;
        let lines = LINES_THROUGH[cell.index()].0;
        let [one, two, three, four] = &mut self.at_least[self.turn];
        one.0 = (one.0 & !lines) | (two.0 & lines);
        two.0 = (two.0 & !lines) | (three.0 & lines);
        three.0 = (three.0 & !lines) | (four.0 & lines);
        four.0 &= !lines;
        self.stones[self.turn].0 &= !cell.set().0;
    }

    /// The lines with exactly this number of stones of a color, 0 to 4, and no stone of the other color.
    pub fn lines_of(&self, color: Color, stones: usize) -> LineSet {
        let own = &self.at_least[color];
        let exactly = match stones {
            0 => !own[0].0 & ((1 << LINES) - 1),
            4 => own[3].0,
            _ => own[stones - 1].0 & !own[stones].0,
        };
        LineSet(exactly & !self.at_least[!color][0].0)
    }

    /// Whether a color has four in a line.
    pub fn has_four(&self, color: Color) -> bool {
        !self.at_least[color][3].is_empty()
    }

    /// The empty cells where a stone of this color makes four in a line, whether or not they can be played now.
    pub fn fours(&self, color: Color) -> CellSet {
        let stones = self.stones[color].0;
        CellSet(self.lines_of(color, 3).fold(0, |cells, line| cells | (LINE_CELLS[line].0 & !stones)))
    }

    /// The playable cells where a stone of this color makes four in a line.
    pub fn winning_cells(&self, color: Color) -> CellSet {
        let fours = self.fours(color);
        if fours.is_empty() { fours } else { fours.and(self.playable()) }
    }

    /// How the game has ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = Color::ALL.into_iter().find(|&color| self.has_four(color));
        match winner {
            Some(winner) => Some(Outcome::Row { winner }),
            None => (self.occupied() == CellSet::ALL).then_some(Outcome::Draw),
        }
    }
}

/// The four cells of the column of a cell.
fn column(cell: Cell) -> CellSet {
    CellSet(0x0001_0001_0001_0001 << (cell.index() % COLUMNS))
}

/// A [`Position`] with its moves, which can be undone.
///
/// ```
/// use tengen::cube::{Board, Cell, Gravity};
///
/// let mut board = Board::new(Gravity::On);
/// for column in ["0,0", "1,0", "0,0", "1,0", "0,0", "1,0", "0,0"] {
///     let column = Cell::parse_column(column)?;
///     board.play(board.position().landing(column).expect("a column with room"));
/// }
/// assert_eq!(board.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("black has a winning row"));
/// # Ok::<(), tengen::cube::CellError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    position: Position,
    moves: ArrayVec<Cell, CELLS>,
}

impl Board {
    /// The empty cube.
    pub fn new(gravity: Gravity) -> Self {
        Self { position: Position::new(gravity), moves: ArrayVec::new() }
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves, oldest first.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Plays on a playable cell.
    pub fn play(&mut self, cell: Cell) {
        debug_assert!(self.position.playable().contains(cell), "{cell}");
        self.moves.push(cell);
        self.position.play(cell);
    }

    /// Undoes the last move and returns its cell.
    pub fn undo(&mut self) -> Option<Cell> {
        let cell = self.moves.pop()?;
        self.position.undo(cell);
        Some(cell)
    }

    /// How the game has ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
}
