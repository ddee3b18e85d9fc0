//! [`Game`]: the position of a game, and the color of the engine in it.

use std::fmt;

use crate::board::Color;
use crate::cube::board::{Gravity, Position};
use crate::cube::geometry::{Cell, CellError};
use crate::protocol::{Owner, engine_color};

/// Why a stone cannot be put or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveError {
    /// The text is no column, or no cell.
    Text(CellError),
    /// The column has no room, or the cell has a stone.
    Occupied,
    /// No stone is there.
    Empty,
    /// The owner in a list is not 1 or 2.
    Owner,
}

impl From<CellError> for MoveError {
    fn from(error: CellError) -> Self {
        Self::Text(error)
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Occupied => f.write_str("no room for a stone there"),
            Self::Empty => f.write_str("no stone is there"),
            Self::Owner => f.write_str("expected 1 or 2 for the owner of a stone"),
        }
    }
}

/// The position of a game and the engine's color: the one for which it was last asked, none in an empty cube.
pub(super) struct Game {
    position: Position,
    engine: Option<Color>,
}

impl Game {
    /// An empty cube; black is to move.
    pub(super) const fn new(gravity: Gravity) -> Self {
        Self { position: Position::new(gravity), engine: None }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Gives the engine the color of the side to move.
    pub(super) fn take_side_to_move(&mut self) {
        self.engine = Some(self.position.turn());
    }

    /// The cell on which a stone comes to lie.
    pub(super) fn read_move(&self, text: &str) -> Result<Cell, MoveError> {
        let named = self.position.gravity().parse_move(text)?;
        self.position.landing(named).ok_or(MoveError::Occupied)
    }

    /// Puts a stone of the opponent.
    pub(super) fn opponent_plays(&mut self, text: &str) -> Result<(), MoveError> {
        let cell = self.read_move(text)?;
        let turn = self.position.turn();
        self.put(cell, self.engine.map_or(turn, |engine| !engine));
        Ok(())
    }

    /// Puts a stone of the side to move, which is the engine from then on.
    pub(super) fn engine_plays(&mut self, cell: Cell) -> Result<(), MoveError> {
        if !self.position.playable().contains(cell) {
            return Err(MoveError::Occupied);
        }
        self.take_side_to_move();
        self.put(cell, self.position.turn());
        Ok(())
    }

    /// Puts a stone of either side; the other is to move.
    fn put(&mut self, cell: Cell, color: Color) {
        if self.position.turn() != color {
            self.position = self.position.passed();
        }
        self.position.play(cell);
    }

    /// Removes the highest stone of a column, or that on a cell; the turn goes to its color.
    pub(super) fn take_back(&mut self, text: &str) -> Result<(), MoveError> {
        let named = self.position.gravity().parse_move(text)?;
        let cell = self.position.top(named).ok_or(MoveError::Empty)?;
        self.position = self.position.without(cell);
        if self.position.occupied().is_empty() {
            *self = Self::new(self.position.gravity());
        }
        Ok(())
    }

    /// The game of a list, with the first error in it; the engine is to move. A line that cannot be carried out is
    /// skipped. Where pieces drop, they do so in the order of the list.
    pub(super) fn set_up(&self, lines: &[String], gravity: Gravity) -> (Self, Option<MoveError>) {
        let mut game = Self::new(gravity);
        let (mut error, mut stones) = (None, Vec::new());
        let mut read = |line: &str| -> Result<(), MoveError> {
            let (place, owner) = line.rsplit_once(',').ok_or(CellError::Syntax)?;
            let owner = match owner.trim() {
                "1" => Owner::Own,
                "2" => Owner::Opponent,
                // A number too few is no owner.
                _ => {
                    return gravity.parse_move(place).map_or_else(|error| Err(error.into()), |_| Err(MoveError::Owner));
                }
            };
            let cell = game.read_move(place)?;
            game.put(cell, Color::Black);
            stones.push((cell, owner));
            Ok(())
        };
        for line in lines {
            if let Err(problem) = read(line) {
                error.get_or_insert(problem);
            }
        }
        let engine = engine_color(&stones.iter().map(|(_, owner)| *owner).collect::<Vec<_>>());
        let mut sets = [crate::cube::geometry::CellSet::EMPTY; 2];
        for (cell, owner) in stones {
            let color = if owner == Owner::Own { engine } else { !engine };
            if let Some(set) = sets.get_mut(color.index()) {
                *set = set.or(cell.set());
            }
        }
        (Self { position: Position::with(sets, engine, gravity), engine: Some(engine) }, error)
    }
}
