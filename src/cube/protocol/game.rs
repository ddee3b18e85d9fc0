//! [`Game`]: the position of a game and the color of the engine.

use super::Refusal;
use crate::board::Color;
use crate::cube::board::{Gravity, Position};
use crate::cube::geometry::{Cell, CellError, CellSet};
use crate::protocol::{Owner, engine_color};

/// The position of a game and the engine's color: the color for which it was last asked, or none in an empty cube.
pub(super) struct Game {
    position: Position,
    engine: Option<Color>,
}

impl Game {
    /// An empty cube. Black is to move.
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

    /// Reads a move as the cell where the stone lands.
    pub(super) fn read_move(&self, text: &str) -> Result<Cell, Refusal> {
        let named = self.position.gravity().parse_move(text)?;
        self.position.landing(named).ok_or(Refusal::Occupied)
    }

    /// Plays a stone of the opponent.
    pub(super) fn opponent_plays(&mut self, text: &str) -> Result<(), Refusal> {
        let cell = self.read_move(text)?;
        let turn = self.position.turn();
        self.play(cell, self.engine.map_or(turn, |engine| !engine));
        Ok(())
    }

    /// Plays a stone of the side to move, which becomes the engine's color.
    pub(super) fn engine_plays(&mut self, cell: Cell) -> Result<(), Refusal> {
        if !self.position.playable().contains(cell) {
            return Err(Refusal::Occupied);
        }
        self.take_side_to_move();
        self.play(cell, self.position.turn());
        Ok(())
    }

    /// Plays a stone of either color. The other color is then to move.
    fn play(&mut self, cell: Cell, color: Color) {
        if self.position.turn() != color {
            self.position = self.position.passed();
        }
        self.position.play(cell);
    }

    /// Removes the highest stone of a column, or without gravity the stone on a cell. Its color is then to move.
    pub(super) fn take_back(&mut self, text: &str) -> Result<(), Refusal> {
        let named = self.position.gravity().parse_move(text)?;
        let cell = self.position.top(named).ok_or(Refusal::Empty)?;
        self.position = self.position.without(cell);
        if self.position.occupied().is_empty() {
            *self = Self::new(self.position.gravity());
        }
        Ok(())
    }

    /// The game of a list in which the engine is to move, and the first error. A line with an error is skipped. With
    /// gravity the stones drop in the order of the list.
    pub(super) fn set_up(lines: &[String], gravity: Gravity) -> (Self, Option<Refusal>) {
        let mut dropped = Position::new(gravity);
        let (mut error, mut stones) = (None, Vec::new());
        let mut read = |line: &str| -> Result<(), Refusal> {
            let (place, owner) = line.rsplit_once(',').ok_or(CellError::Syntax)?;
            let named = gravity.parse_move(place);
            let owner = match owner.trim() {
                "1" => Owner::Own,
                "2" => Owner::Opponent,
                // A list with a number too few is an error of the cell.
                _ => return Err(named.map_or_else(Refusal::from, |_| Refusal::Owner)),
            };
            let cell = dropped.landing(named?).ok_or(Refusal::Occupied)?;
            dropped.play(cell);
            stones.push((cell, owner));
            Ok(())
        };
        for line in lines {
            if let Err(problem) = read(line) {
                error.get_or_insert(problem);
            }
        }
        let engine = engine_color(&stones.iter().map(|(_, owner)| *owner).collect::<Vec<_>>());
        let sets = Color::ALL.map(|color| {
            let of_color = |owner| (owner == Owner::Own) == (color == engine);
            stones.iter().filter(|&&(_, owner)| of_color(owner)).map(|&(cell, _)| cell).collect::<CellSet>()
        });
        (Self { position: Position::with(sets, engine, gravity), engine: Some(engine) }, error)
    }
}
