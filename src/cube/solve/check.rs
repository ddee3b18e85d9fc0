//! [`Solver::check`]: verifies a finished proof on a board that shares nothing with the solver's.
//!
//! The solver claims the attacker's next move. The walk plays it on 64 plain cells, tries every legal answer of the
//! defender, and continues until the attacker has four in a line. It relies on no proof number, mask of lines or forced
//! sequence.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::{Claim, Solver, Verdict};
use crate::board::Color;
use crate::cube::board::{Gravity, Position};
use crate::cube::geometry::{CELLS, Cell, CellSet, SIDE};
use crate::cube::symmetry::canonical;
use crate::cube::threes::Sequence;

/// Size of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of positions of the attacker without a forced sequence. Symmetric positions count once.
    pub quiet: u64,
    /// Number of forced sequences played.
    pub sequences: u64,
    /// Number of answers of the defender played.
    pub answers: u64,
    /// Greatest number of stones at the end of a game.
    pub longest: usize,
    /// Time of the walk.
    pub elapsed: Duration,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quiet, sequences, answers, longest, elapsed } = self;
        write!(
            f,
            "{quiet} quiet positions, {sequences} forced sequences, {answers} answers, games of at most {longest} \
             stones, {:.1} s",
            elapsed.as_secs_f64()
        )
    }
}

/// Error returned when a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The solver has not proved its position.
    #[error("the position is not proved")]
    NotProved,
    /// After these moves the solver claims no move.
    #[error("no move is known after {}", names(.0))]
    NoClaim(Vec<Cell>),
    /// After these moves the claimed move cannot be played.
    #[error("the move cannot be played after {}", names(.0))]
    Illegal(Vec<Cell>),
    /// After these moves the defender has won, the cube is full, or the claimed sequence ends without a win.
    #[error("the attacker does not win after {}", names(.0))]
    Lost(Vec<Cell>),
}

fn names(moves: &[Cell]) -> String {
    moves.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

impl Solver {
    /// Walks the proof from its root through every answer of the defender, down to four in a line. Reports every ten
    /// seconds.
    ///
    /// # Errors
    /// When a defence holds, or when the position is not proved.
    pub fn check(&mut self, report: &mut dyn FnMut(&Checked)) -> Result<Checked, CheckError> {
        if self.prove(&mut |_| {}) != Verdict::Proved {
            return Err(CheckError::NotProved);
        }
        // A check proves again what the table has lost, without the limits of the proof.
        self.control = Arc::default();
        self.bounds.evaluations = u64::MAX;
        (self.is_stopped, self.clock_at) = (false, 0);
        let now = Instant::now();
        let mut walk = Walk {
            board: PlainBoard::of(&self.root),
            attacker: self.attacker,
            moves: Vec::new(),
            walked: HashSet::new(),
            checked: Checked::default(),
            started: now,
            reported: now,
            report,
        };
        walk.attack(self, &mut Vec::new())?;
        Ok(Checked { elapsed: now.elapsed(), ..walk.checked })
    }
}

/// A cube of plain cells whose lines are found by walking from each cell in each direction.
struct PlainBoard {
    cells: [Option<Color>; CELLS],
    /// The lines through each cell, each as its other three cells.
    lines: Vec<Vec<[usize; 3]>>,
    gravity: Gravity,
}

impl PlainBoard {
    fn of(position: &Position) -> Self {
        let cells = std::array::from_fn(|index| position.occupant(Cell::from_index(index)?));
        Self { cells, lines: (0..CELLS).map(lines_through).collect(), gravity: position.gravity() }
    }

    fn is_legal(&self, cell: usize) -> bool {
        let floor = cell.checked_sub(SIDE * SIDE).is_none_or(|below| self.cells[below].is_some());
        self.cells[cell].is_none() && (self.gravity == Gravity::Off || floor)
    }

    fn legal(&self) -> Vec<usize> {
        (0..CELLS).filter(|&cell| self.is_legal(cell)).collect()
    }

    /// Whether a stone of this color on this cell makes four in a line.
    fn makes_four(&self, cell: usize, color: Color) -> bool {
        self.lines[cell].iter().any(|line| line.iter().all(|&other| self.cells[other] == Some(color)))
    }

    fn position(&self, turn: Color) -> Position {
        let stones = Color::ALL
            .map(|color| Cell::all().filter(|cell| self.cells[cell.index()] == Some(color)).collect::<CellSet>());
        Position::with(stones, turn, self.gravity)
    }
}

/// The lines of four through a cell: in each of the 26 directions the lines that begin up to three steps back.
fn lines_through(cell: usize) -> Vec<[usize; 3]> {
    let side = SIDE as isize;
    let index = cell as isize;
    let start = [index % side, index / side % side, index / side / side];
    let mut lines: Vec<[usize; 3]> = Vec::new();
    for direction in (0..27).filter(|&direction| direction != 13) {
        let step = [direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1];
        for back in 0..side {
            let cells: Option<Vec<usize>> = (0..side)
                .map(|along| {
                    let at = |axis: usize| start[axis] + step[axis] * (along - back);
                    let is_inside = (0..3).all(|axis| (0..side).contains(&at(axis)));
                    is_inside.then(|| (at(0) + side * at(1) + side * side * at(2)) as usize)
                })
                .collect();
            let Some(cells) = cells else { continue };
            let mut others: Vec<usize> = cells.into_iter().filter(|&other| other != cell).collect();
            others.sort_unstable();
            if let Ok(line) = others.try_into() {
                lines.push(line);
            }
        }
    }
    lines.sort_unstable();
    // Each line is found from both of its ends.
    lines.dedup();
    lines
}

struct Walk<'a> {
    board: PlainBoard,
    attacker: Color,
    /// The moves from the root.
    moves: Vec<Cell>,
    /// The representatives of the attacker's positions that were walked.
    walked: HashSet<[CellSet; 2]>,
    checked: Checked,
    started: Instant,
    reported: Instant,
    report: &'a mut dyn FnMut(&Checked),
}

impl Walk<'_> {
    /// Walks a position with the attacker to move. `known` holds the sequences that won in its siblings.
    fn attack(&mut self, solver: &mut Solver, known: &mut Vec<Sequence>) -> Result<(), CheckError> {
        let position = self.board.position(self.attacker);
        match solver.claim(&position, known) {
            None => Err(CheckError::NoClaim(self.moves.clone())),
            Some(Claim::Sequence(sequence)) => {
                self.checked.sequences += 1;
                self.play_out(&sequence)?;
                known.push(sequence);
                Ok(())
            }
            Some(Claim::Move(cell)) => {
                if !self.walked.insert(canonical(position.both(), position.gravity()).0) {
                    return Ok(());
                }
                self.checked.quiet += 1;
                self.report_now_and_then();
                if self.place(cell.index(), self.attacker)? {
                    self.remove();
                    return Ok(());
                }
                let mut known = Vec::new();
                self.answers(|walk| walk.attack(solver, &mut known))?;
                self.remove();
                Ok(())
            }
        }
    }

    /// Plays the moves of a sequence against every answer.
    fn play_out(&mut self, sequence: &[Cell]) -> Result<(), CheckError> {
        // A sequence ends with two winning cells, and one of them is left after the answer.
        let Some((&cell, rest)) = sequence.split_first() else { return Err(CheckError::Lost(self.moves.clone())) };
        if let Some(four) = self.winning_cell() {
            self.checked.longest = self.checked.longest.max(self.stones() + 1);
            debug_assert!(self.board.makes_four(four, self.attacker));
            return Ok(());
        }
        if !self.place(cell.index(), self.attacker)? {
            self.answers(|walk| walk.play_out(rest))?;
        }
        self.remove();
        Ok(())
    }

    /// Plays every answer of the defender. An answer that leaves the attacker a winning cell is refuted at once.
    fn answers(&mut self, mut attack: impl FnMut(&mut Self) -> Result<(), CheckError>) -> Result<(), CheckError> {
        let answers = self.board.legal();
        if answers.is_empty() {
            return Err(CheckError::Lost(self.moves.clone()));
        }
        let defender = !self.attacker;
        let four = self.winning_cell();
        for cell in answers {
            self.checked.answers += 1;
            if self.place(cell, defender)? {
                return Err(CheckError::Lost(self.moves.clone()));
            }
            // The winning cell from before the answer, unless the answer took it; else another one.
            let is_four = |cell: usize| self.board.is_legal(cell) && self.board.makes_four(cell, self.attacker);
            if four.is_some_and(is_four) || (four.is_some() && self.winning_cell().is_some()) {
                self.checked.longest = self.checked.longest.max(self.stones() + 1);
            } else {
                attack(self)?;
            }
            self.remove();
        }
        Ok(())
    }

    /// A cell where the attacker makes four now.
    fn winning_cell(&self) -> Option<usize> {
        (0..CELLS).find(|&cell| self.board.is_legal(cell) && self.board.makes_four(cell, self.attacker))
    }

    /// Places a stone and returns whether it makes four.
    fn place(&mut self, cell: usize, color: Color) -> Result<bool, CheckError> {
        let Some(played) = Cell::from_index(cell).filter(|_| self.board.is_legal(cell)) else {
            return Err(CheckError::Illegal(self.moves.clone()));
        };
        let makes_four = self.board.makes_four(cell, color);
        if makes_four {
            self.checked.longest = self.checked.longest.max(self.stones() + 1);
        }
        self.board.cells[cell] = Some(color);
        self.moves.push(played);
        Ok(makes_four)
    }

    fn remove(&mut self) {
        if let Some(cell) = self.moves.pop() {
            self.board.cells[cell.index()] = None;
        }
    }

    fn stones(&self) -> usize {
        self.board.cells.iter().flatten().count()
    }

    fn report_now_and_then(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.reported) >= super::REPORT_INTERVAL {
            self.reported = now;
            (self.report)(&Checked { elapsed: self.started.elapsed(), ..self.checked });
        }
    }
}
