//! The lists of commands such as BOARD, each ended by DONE.

use super::command::{Command, SoosorvStep};
use super::database::DeleteFilter;
use crate::board::{Point, PointSet, Rule, Size};
use crate::library::format::rapfi::RapfiChange;
use crate::library::{Cursor, Move};
use crate::notation::{PointError, parse_comma};
use crate::opening::{Item, Procedure};

/// The list of a command while its lines are read.
#[derive(Debug)]
pub(super) enum List {
    /// Stones with their owners: BOARD, YXBOARD.
    Stones(fn(StoneList) -> Command, StoneList),
    /// Points: SWAP2BOARD, YXBLOCK, YXBLOCKUNDO.
    Points(fn(PointList) -> Command, PointList),
    /// The answers of OPENBOARD.
    Opening(OpeningList),
    /// The stones of a step of Soosõrv.
    Soosorv(SoosorvStep, PointList),
    /// The moves to a position of a library.
    Moves(MovesOf, MoveList),
    /// Skipped lines.
    Skipped,
}

impl List {
    /// Takes a line.
    pub(super) fn read(&mut self, line: &str) {
        match self {
            Self::Stones(_, list) => list.read(line),
            Self::Points(_, list) | Self::Soosorv(_, list) => list.read(line),
            Self::Moves(_, list) => list.read(line),
            Self::Opening(list) => list.read(line),
            Self::Skipped => {}
        }
    }

    /// Closes the list at DONE and returns the command with its list.
    pub(super) fn close(self) -> Option<Command> {
        match self {
            Self::Stones(command, list) => Some(command(list)),
            Self::Points(command, list) => Some(command(list)),
            Self::Opening(list) => Some(Command::OpenBoard(list)),
            Self::Soosorv(step, list) => Some(Command::SoosorvStep(step, list)),
            Self::Moves(command, list) => Some(command.with(list)),
            Self::Skipped => None,
        }
    }
}

/// A command about a position of a library, while the moves to the position are read.
#[derive(Debug)]
pub(super) enum MovesOf {
    /// A command without arguments.
    Plain(fn(MoveList) -> Command),
    /// YXEDITTVDDATABASE.
    Numbers(RapfiChange),
    /// YXEDITTEXTDATABASE.
    Comment(String),
    /// YXEDITLABELDATABASE.
    Label(Point, String),
    /// YXDELETEDATABASEALL.
    Delete(DeleteFilter),
}

impl MovesOf {
    fn with(self, moves: MoveList) -> Command {
        match self {
            Self::Plain(command) => command(moves),
            Self::Numbers(change) => Command::DatabaseEditNumbers(change, moves),
            Self::Comment(text) => Command::DatabaseEditComment(text, moves),
            Self::Label(point, text) => Command::DatabaseEditLabel(point, text, moves),
            Self::Delete(filter) => Command::DatabaseDeleteAll(filter, moves),
        }
    }
}

/// The owner of a stone of a list. The protocol names owners; the game has black and white stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Field 1: the engine's.
    Own,
    /// Field 2: the opponent's.
    Opponent,
    /// Field 3: a wall. The point cannot be played.
    Wall,
}

/// The stones of BOARD in the order of the list, each point once.
///
/// Invalid lines are skipped, and the first error is kept. The list holds at most one stone per point of the largest
/// board, however many lines it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoneList {
    /// The stones with their owners.
    pub stones: Vec<(Point, Owner)>,
    /// The error of the first invalid line.
    pub error: Option<ListError>,
    seen: PointSet,
}

/// The points of SWAP2BOARD in the order of the list, each point once. Invalid lines are skipped as in a [`StoneList`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointList {
    /// The points: black, white, black, …
    pub points: Vec<Point>,
    /// The error of the first invalid line.
    pub error: Option<ListError>,
    seen: PointSet,
}

/// The moves from the empty board to a position of a library.
///
/// One invalid line makes the whole list invalid: the position cannot be guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveList {
    /// The moves; black begins.
    pub moves: Vec<Move>,
    /// The error of the first invalid line.
    pub error: Option<ListError>,
}

/// A pass in a [`MoveList`].
const PASS: [&str; 2] = ["-1", "-1"];

/// Maximum number of moves read of a [`MoveList`]: the largest board, and as many passes.
const MOST_MOVES: usize = 2 * Size::MAX as usize * Size::MAX as usize;

/// The lines of OPENBOARD: the answers given so far. Each line is a stone, SWAP, KEEP or a number of fifth moves.
///
/// One invalid line makes the whole list invalid, because the state of a procedure cannot be guessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningList {
    /// The name of the procedure.
    pub procedure: String,
    /// The items up to the first invalid line.
    pub items: Vec<Item>,
    /// The number of the first invalid line, counted from 1.
    pub invalid: Option<usize>,
}

/// Maximum number of OPENBOARD lines read. Every procedure needs fewer.
const MOST_ITEMS: usize = 64;

impl OpeningList {
    /// An empty list.
    pub(super) fn new(procedure: &str) -> Self {
        Self { procedure: procedure.to_owned(), ..Self::default() }
    }

    /// Whether a procedure has this name.
    pub(super) fn is_of_a_procedure(&self) -> bool {
        self.procedure.parse::<Procedure>().is_ok()
    }

    /// Takes a line.
    pub(super) fn read(&mut self, line: &str) {
        if self.invalid.is_some() {
            return;
        }
        match Item::parse(line).filter(|_| self.items.len() < MOST_ITEMS) {
            Some(item) => self.items.push(item),
            None => self.invalid = Some(self.items.len() + 1),
        }
    }
}

/// Error returned when a line of a list is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The line does not begin with a point.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The third field is not 1, 2 or 3.
    #[error("expected 1, 2 or 3 for the owner of a stone")]
    Field,
    /// An earlier line has the same point.
    #[error("the point is in the list already")]
    Repeated,
    /// The list has more lines than a game has moves.
    #[error("the list is too long")]
    TooLong,
}

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

impl MoveList {
    /// Takes a line `x,y`, or `-1,-1` for a pass.
    pub(super) fn read(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        let is_pass = line.split(',').map(str::trim).eq(PASS);
        let played = if is_pass { Ok(None) } else { split(line).map(|(point, _)| Some(point)) };
        match played {
            Ok(_) if self.moves.len() == MOST_MOVES => self.error = Some(ListError::TooLong),
            Ok(played) => self.moves.push(played),
            Err(error) => self.error = Some(error),
        }
    }

    /// The position after the moves.
    ///
    /// # Errors
    /// When a line is invalid, or a point lies outside the board or is occupied.
    pub(super) fn position(&self, rule: Rule, size: Size) -> Result<Cursor, ListError> {
        self.error.map_or(Ok(()), Err)?;
        let mut cursor = Cursor::new(rule, size);
        let mut seen = PointSet::EMPTY;
        for &played in &self.moves {
            if let Some(point) = played {
                if !size.contains(point) {
                    return Err(PointError::OffBoard.into());
                }
                fresh(point, &mut seen)?;
            }
            cursor.play(played);
        }
        Ok(cursor)
    }
}

/// The point of a line, and the text of its third field.
fn split(line: &str) -> Result<(Point, &str), ListError> {
    let (point, field) = match line.match_indices(',').nth(1) {
        Some((comma, _)) => line.split_at(comma),
        None => (line, ""),
    };
    Ok((parse_comma(point)?, field.trim_start_matches(',').trim()))
}

fn owner(field: &str) -> Result<Owner, ListError> {
    match field {
        "1" => Ok(Owner::Own),
        "2" => Ok(Owner::Opponent),
        "3" => Ok(Owner::Wall),
        _ => Err(ListError::Field),
    }
}

/// Adds the point to `seen`, or fails if the list already has it.
fn fresh(point: Point, seen: &mut PointSet) -> Result<Point, ListError> {
    if seen.contains(point) {
        return Err(ListError::Repeated);
    }
    seen.insert(point);
    Ok(point)
}
