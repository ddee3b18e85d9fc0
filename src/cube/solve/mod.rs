//! PROOFS of whole games: does the side to move win, whatever the other side plays?
//!
//! The attacker, who moves first, is given a few moves in each position, the defender every one. A position is a node of
//! an and-or tree:
//!
//! ```text
//! attacker to move      won by a forced sequence of threes? proved
//!   (one move is enough)  else the most promising quiet moves are tried
//! defender to move      he has a forced sequence? disproved
//!   (every move counts)   would the attacker, if the defender passed, win by a forced sequence? Then only the moves
//!                         after which neither this sequence nor another one wins are left to answer: often a handful
//! ```
//!
//! That is how Patashnik proved Qubic a win of the first player (1980: 2,929 quiet moves chosen by hand, 1,500 hours for
//! the sequences), and Allis again without a hand (1994: proof-number search over quiet moves). Here it is depth-first
//! proof-number search (Nagai's df-pn, 2002) with a table of positions folded by symmetry.
//!
//! "Disproved" is no loss of the attacker: only the moves that were given to him do not win. "Proved" is final, and
//! [`Solver::check`] walks the proof once more on a board of its own.

mod check;
mod evaluate;
mod search;
mod table;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use check::{CheckError, Checked};

use super::board::{Gravity, Position};
use super::geometry::{CELLS, COLUMNS, Cell};
use super::symmetry::{Symmetry, canonical};
use super::threes::{Sequence, Threes, holds};
use crate::board::Color;
use crate::picker::SearchControl;
use table::{Node, ProofTable};

/// Proof and disproof numbers that no sum reaches.
const INFINITE: u32 = u32::MAX - 1;

/// The time between two reports of the progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// What a proof may cost, and which moves it tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of the table of positions.
    pub table_bytes: usize,
    /// The quiet moves that the attacker is given in a position, the most promising ones.
    pub width: usize,
    /// The stones at which an undecided position counts as disproved.
    pub deepest: usize,
    /// The most positions that are evaluated.
    pub evaluations: u64,
}

impl Bounds {
    /// The bounds with which the game without gravity is proved in the least time (docs/cube.md has others).
    pub const DEFAULT: Self = Self { table_bytes: 512 << 20, width: 12, deepest: 40, evaluations: u64::MAX };

    /// The bounds of a proof under this gravity. Where pieces drop every move is tried, to the last cell, so that a
    /// disproof is one of the game.
    pub const fn of(gravity: Gravity) -> Self {
        match gravity {
            Gravity::On => Self { width: COLUMNS, deepest: CELLS, ..Self::DEFAULT },
            Gravity::Off => Self::DEFAULT,
        }
    }
}

/// How a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker wins.
    Proved,
    /// None of the moves that the attacker was given wins; another might.
    Disproved,
    /// The proof was stopped.
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Disproved => "disproved",
            Self::Open => "open",
        })
    }
}

/// How far a proof has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The time since the start.
    pub elapsed: Duration,
    /// The proof and the disproof number of the root.
    pub root: (u32, u32),
    /// Positions that were looked at once: sequences of threes, moves left to answer.
    pub evaluated: u64,
    /// Positions whose moves were looked at.
    pub expanded: u64,
    /// Nodes of the searches of sequences of threes.
    pub threes: u64,
    /// Positions in the table.
    pub table_used: usize,
    /// Positions that the table has lost for want of room.
    pub table_lost: u64,
    /// Bytes of the table.
    pub table_bytes: usize,
    /// The most stones of a position that was expanded.
    pub deepest: usize,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elapsed, root: (proof, disproof), evaluated, expanded, threes, .. } = self;
        write!(
            f,
            "{:.1} s: {evaluated} positions evaluated, {expanded} expanded, {threes} nodes of threes, \
             table of {} MiB: {} entries",
            elapsed.as_secs_f64(),
            self.table_bytes >> 20,
            self.table_used,
        )?;
        if self.table_lost > 0 {
            write!(f, " and {} lost", self.table_lost)?;
        }
        let number = |number: &u32| if *number >= INFINITE { "∞".to_owned() } else { number.to_string() };
        write!(f, ", deepest {} stones, proof numbers {} / {}", self.deepest, number(proof), number(disproof))
    }
}

/// Proves that the side to move wins.
///
/// ```
/// use std::sync::Arc;
///
/// use tengen::cube::solve::{Bounds, Solver, Verdict};
/// use tengen::cube::{CellSet, Gravity, Position};
/// use tengen::board::Color;
///
/// // Two lines of two black stones that meet in a corner: a three on one, and then on both.
/// let black = ["1,0,0", "2,0,0", "0,1,0", "0,2,0"].map(|cell| cell.parse::<tengen::cube::Cell>().unwrap());
/// let white = ["3,3,3", "2,3,1", "1,2,3", "3,1,2"].map(|cell| cell.parse::<tengen::cube::Cell>().unwrap());
/// let stones = [black, white].map(|cells| cells.into_iter().fold(CellSet::EMPTY, |set, cell| set.or(cell.set())));
/// let position = Position::with(stones, Color::Black, Gravity::Off);
/// let mut solver = Solver::new(&position, Bounds { table_bytes: 1 << 20, ..Bounds::DEFAULT }, Arc::default());
/// assert_eq!(solver.prove(&mut |_| {}), Verdict::Proved);
/// assert!(solver.check(&mut |_| {}).is_ok());
/// ```
pub struct Solver {
    root: Position,
    attacker: Color,
    gravity: Gravity,
    bounds: Bounds,
    table: ProofTable,
    /// The empty cube, which the table cannot hold.
    empty_cube: Option<Node>,
    threes: Threes,
    control: Arc<SearchControl>,
    started: Instant,
    reported: Instant,
    is_stopped: bool,
    /// The evaluations at which the clock is read again.
    clock_at: u64,
    evaluated: u64,
    expanded: u64,
    deepest: usize,
}

impl Solver {
    /// A solver for the side to move of this position, in which nobody has won. It ends by itself, or when the control
    /// stops it.
    pub fn new(position: &Position, bounds: Bounds, control: Arc<SearchControl>) -> Self {
        let now = Instant::now();
        Self {
            root: *position,
            attacker: position.turn(),
            gravity: position.gravity(),
            bounds,
            table: ProofTable::with_bytes(bounds.table_bytes),
            empty_cube: None,
            threes: Threes::default(),
            control,
            started: now,
            reported: now,
            is_stopped: false,
            clock_at: 0,
            evaluated: 0,
            expanded: 0,
            deepest: 0,
        }
    }

    /// Proves, and reports the progress every ten seconds and at the end.
    pub fn prove(&mut self, report: &mut dyn FnMut(&Progress)) -> Verdict {
        let verdict = self.prove_position(&self.root.clone(), report);
        report(&self.progress());
        verdict
    }

    /// The move that begins the win; `None` where the position is not proved.
    pub fn winning_move(&mut self) -> Option<Cell> {
        let root = self.root;
        match self.claim(&root, &[])? {
            Claim::Sequence(sequence) => sequence.first().copied(),
            Claim::Move(cell) => Some(cell),
        }
    }

    /// How far the proof has come.
    pub fn progress(&self) -> Progress {
        let root = self.get(&self.folded(&self.root));
        let (table_used, table_lost) = self.table.usage();
        Progress {
            elapsed: self.started.elapsed(),
            root: root.map_or((1, 1), |node| (node.proof, node.disproof)),
            evaluated: self.evaluated,
            expanded: self.expanded,
            threes: self.threes.nodes(),
            table_used,
            table_lost,
            table_bytes: self.table.bytes(),
            deepest: self.deepest,
        }
    }

    fn prove_position(&mut self, position: &Position, report: &mut dyn FnMut(&Progress)) -> Verdict {
        let root = self.folded(position);
        let node = self.look_up(&root);
        if !node.is_settled() {
            self.search(&root, INFINITE, INFINITE, report);
        }
        match self.get(&root) {
            Some(Node { proof: 0, .. }) => Verdict::Proved,
            Some(Node { disproof: 0, .. }) => Verdict::Disproved,
            _ => Verdict::Open,
        }
    }

    /// The position that stands for all its images in the table.
    fn folded(&self, position: &Position) -> Position {
        let (stones, _) = canonical(position.both(), self.gravity);
        Position::with(stones, position.turn(), self.gravity)
    }

    fn get(&self, folded: &Position) -> Option<Node> {
        if folded.occupied().is_empty() { self.empty_cube } else { self.table.get(folded.both()) }
    }

    fn put(&mut self, folded: &Position, node: Node) {
        if folded.occupied().is_empty() {
            self.empty_cube = Some(node);
        } else {
            self.table.put(folded.both(), node);
        }
    }

    /// What is known of a position, or can be seen at once.
    fn look_up(&mut self, folded: &Position) -> Node {
        if let Some(node) = self.get(folded) {
            return node;
        }
        let node = self.evaluate(folded);
        self.put(folded, node);
        node
    }
}

/// How the attacker wins, as the proof claims.
enum Claim {
    /// By these threes.
    Sequence(Sequence),
    /// By this move, after which every answer loses.
    Move(Cell),
}

impl Solver {
    /// The claim about a position of the attacker; `None` where it is not proved. The sequences are tried first.
    ///
    /// A position that the table has lost is proved anew.
    fn claim(&mut self, position: &Position, known: &[Sequence]) -> Option<Claim> {
        if let Some(sequence) = known.iter().rev().find(|sequence| holds(position, sequence)) {
            return Some(Claim::Sequence(sequence.clone()));
        }
        let (stones, number) = canonical(position.both(), self.gravity);
        let folded = Position::with(stones, position.turn(), self.gravity);
        let mut node = self.get(&folded);
        if node.is_none_or(|node| node.proof == 0 && node.moves.is_empty()) {
            // A forced sequence is not kept: it is found again.
            if let Some(sequence) = self.threes.search(position, evaluate::CLAIM_NODES).sequence() {
                return Some(Claim::Sequence(sequence));
            }
        }
        if node.is_none_or(|node| node.proof > 0) {
            self.prove_position(position, &mut |_| {});
            node = self.get(&folded);
        }
        let node = node.filter(|node| node.proof == 0)?;
        let image = node.moves.first()?;
        Some(Claim::Move(Symmetry::all(self.gravity)[number].inverse_cell(image)))
    }
}
