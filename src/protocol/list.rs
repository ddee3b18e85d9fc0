//! The lists between BOARD, YXBOARD, SWAP2BOARD or OPENBOARD and DONE.

use std::fmt;

use crate::board::{Point, PointSet};
use crate::notation::{PointError, parse_comma};
use crate::opening::Item;

/// The owner of a stone of a list. The protocol knows owners, the game black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Field 1: the engine's.
    Own,
    /// Field 2: the opponent's.
    Opponent,
    /// Field 3: nobody's; the point cannot be played.
    Wall,
}

/// The stones of BOARD in the order of the list, no point twice.
///
/// An invalid line is skipped, and the first error kept. However long the list is, it holds at most one stone for each
/// point of the largest board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoneList {
    /// The stones with their owners.
    pub stones: Vec<(Point, Owner)>,
    /// The error of the first line that was skipped.
    pub error: Option<ListError>,
    seen: PointSet,
}

/// The points of SWAP2BOARD in the order of the list, no point twice; kept as a [`StoneList`] is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointList {
    /// The points: black, white, black, …
    pub points: Vec<Point>,
    /// The error of the first line that was skipped.
    pub error: Option<ListError>,
    seen: PointSet,
}

/// The lines of OPENBOARD: the answers so far, a stone, SWAP, KEEP or a number of fifth moves a line.
///
/// An invalid line makes the whole list invalid: the state of a procedure cannot be guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningList {
    /// The name of the procedure.
    pub procedure: String,
    /// The items up to the first invalid line.
    pub items: Vec<Item>,
    /// The number of the first line that is none, counted from 1.
    pub invalid: Option<usize>,
}

/// The most lines of a list that are read; no procedure has as many.
const MOST_ITEMS: usize = 64;

impl OpeningList {
    /// An empty list.
    pub(super) fn new(procedure: &str) -> Self {
        Self { procedure: procedure.to_owned(), ..Self::default() }
    }

    /// Takes a line.
    pub(super) fn read(&mut self, line: &str) {
        if self.invalid.is_some() {
            return;
        }
        match item(line).filter(|_| self.items.len() < MOST_ITEMS) {
            Some(item) => self.items.push(item),
            None => self.invalid = Some(self.items.len() + 1),
        }
    }
}

fn item(line: &str) -> Option<Item> {
    match line.to_ascii_uppercase().as_str() {
        "SWAP" => Some(Item::Swap),
        "KEEP" => Some(Item::Keep),
        text => match text.parse() {
            Ok(number) => Some(Item::Number(number)),
            Err(_) => parse_comma(text).ok().map(Item::Stone),
        },
    }
}

/// Why a line of a list was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListError {
    /// It does not begin with a point.
    Point(PointError),
    /// Its third field is not 1, 2 or 3.
    Field,
    /// A line before it has the same point.
    Repeated,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(error) => error.fmt(f),
            Self::Field => f.write_str("expected 1, 2 or 3 for the owner of a stone"),
            Self::Repeated => f.write_str("the point is in the list already"),
        }
    }
}

impl std::error::Error for ListError {}

impl StoneList {
    /// Takes a line `x,y,field`.
    pub(super) fn read(&mut self, line: &str) {
        let stone = split(line).and_then(|(point, field)| {
            let owner = owner(field)?;
            Ok((fresh(point, &mut self.seen)?, owner))
        });
        match stone {
            Ok(stone) => self.stones.push(stone),
            Err(error) => _ = self.error.get_or_insert(error),
        }
    }
}

impl PointList {
    /// Takes a line `x,y`; a third field is ignored.
    pub(super) fn read(&mut self, line: &str) {
        match split(line).and_then(|(point, _)| fresh(point, &mut self.seen)) {
            Ok(point) => self.points.push(point),
            Err(error) => _ = self.error.get_or_insert(error),
        }
    }
}

/// The point of a line and what stands behind it.
fn split(line: &str) -> Result<(Point, &str), ListError> {
    let (point, field) = match line.match_indices(',').nth(1) {
        Some((comma, _)) => line.split_at(comma),
        None => (line, ""),
    };
    let point = parse_comma(point).map_err(ListError::Point)?;
    Ok((point, field.trim_start_matches(',').trim()))
}

fn owner(field: &str) -> Result<Owner, ListError> {
    match field {
        "1" => Ok(Owner::Own),
        "2" => Ok(Owner::Opponent),
        "3" => Ok(Owner::Wall),
        _ => Err(ListError::Field),
    }
}

/// The point, if it is new.
fn fresh(point: Point, seen: &mut PointSet) -> Result<Point, ListError> {
    if seen.contains(point) {
        return Err(ListError::Repeated);
    }
    seen.insert(point);
    Ok(point)
}
