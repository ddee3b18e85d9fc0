//! PROOFS: whether the side to move wins against every defence, to the end of the game.
//!
//! The attacker moves first and has a few candidate moves in each position; the defender has every legal move. The
//! positions form an and-or tree:
//!
//! ```text
//! attacker to move      a forced sequence of threes wins      proved
//! (one move suffices)   else                                  the most promising quiet moves are tried
//! defender to move      the defender has a forced sequence    disproved
//! (all moves count)     the attacker threatens one            only defences that no known sequence refutes are left
//! ```
//!
//! Patashnik proved Qubic a win for the first player in this way (1980: 2,929 quiet moves chosen by hand, 1,500 hours for
//! the sequences), and Allis did so automatically (1994: proof-number search over quiet moves). This solver uses
//! depth-first proof-number search (df-pn, Nagai 2002) with a table in which symmetric positions share an entry.
//!
//! "Proved" is final, and [`Solver::check`] verifies it on a separate board. "Disproved" only means that none of the
//! candidate moves wins.

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

/// Infinite proof or disproof number. No sum reaches it.
const INFINITE: u32 = u32::MAX - 1;

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Limits of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Size of the table in bytes.
    pub table_bytes: usize,
    /// Number of candidate moves of the attacker in a position.
    pub width: usize,
    /// Number of stones at which an undecided position counts as disproved.
    pub deepest: usize,
    /// Maximum number of positions evaluated.
    pub evaluations: u64,
}

impl Bounds {
    /// The limits that prove the game without gravity in the shortest time (docs/lab/cube.md).
    pub const DEFAULT: Self = Self { table_bytes: 512 << 20, width: 12, deepest: 40, evaluations: u64::MAX };

    /// The default limits under this gravity. With gravity every move is tried to the last cell, so a disproof holds
    /// for the game.
    pub const fn of(gravity: Gravity) -> Self {
        match gravity {
            Gravity::On => Self { width: COLUMNS, deepest: CELLS, ..Self::DEFAULT },
            Gravity::Off => Self::DEFAULT,
        }
    }
}

/// The result of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker wins.
    Proved,
    /// None of the attacker's candidate moves wins. Another move might.
    Disproved,
    /// The proof was stopped.
    Open,
}

/// Progress of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Proof number and disproof number of the root.
    pub root: (u32, u32),
    /// Number of positions evaluated.
    pub evaluated: u64,
    /// Number of positions whose moves were generated.
    pub expanded: u64,
    /// Nodes of the searches for sequences of threes.
    pub threes: u64,
    /// Number of positions in the table.
    pub table_used: usize,
    /// Number of positions that were overwritten in the table.
    pub table_lost: u64,
    /// Size of the table in bytes.
    pub table_bytes: usize,
    /// Greatest number of stones of an expanded position.
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
/// let stones = [black, white].map(CellSet::from_iter);
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
    /// The node of the empty cube, which the table cannot hold.
    empty_cube: Option<Node>,
    threes: Threes,
    control: Arc<SearchControl>,
    started: Instant,
    reported: Instant,
    is_stopped: bool,
    /// Number of evaluations at which the clock is read next.
    clock_at: u64,
    evaluated: u64,
    expanded: u64,
    deepest: usize,
}

impl Solver {
    /// A solver for the side to move of a position in which nobody has won. `control` can stop it.
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

    /// Runs the proof. Reports the progress every ten seconds and at the end.
    pub fn prove(&mut self, report: &mut dyn FnMut(&Progress)) -> Verdict {
        let verdict = self.prove_position(&self.root.clone(), report);
        report(&self.progress());
        verdict
    }

    /// The move that begins the win; `None` if the position is not proved.
    pub fn winning_move(&mut self) -> Option<Cell> {
        let root = self.root;
        match self.claim(&root, &[])? {
            Claim::Sequence(sequence) => sequence.first().copied(),
            Claim::Move(cell) => Some(cell),
        }
    }

    /// The progress of the proof.
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

    /// The representative of a position and its images.
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

    /// The node of a position, from the table or by evaluation.
    fn look_up(&mut self, folded: &Position) -> Node {
        if let Some(node) = self.get(folded) {
            return node;
        }
        let node = self.evaluate(folded);
        self.put(folded, node);
        node
    }
}

/// The attacker's way to win, as the proof claims.
enum Claim {
    /// This sequence of threes.
    Sequence(Sequence),
    /// This move, after which every answer loses.
    Move(Cell),
}

impl Solver {
    /// The claim about a position of the attacker; `None` if it is not proved. The known sequences are tried first. A
    /// position that was overwritten in the table is proved again.
    fn claim(&mut self, position: &Position, known: &[Sequence]) -> Option<Claim> {
        if let Some(sequence) = known.iter().rev().find(|sequence| holds(position, sequence)) {
            return Some(Claim::Sequence(sequence.clone()));
        }
        let (stones, number) = canonical(position.both(), self.gravity);
        let folded = Position::with(stones, position.turn(), self.gravity);
        let mut node = self.get(&folded);
        if node.is_none_or(|node| node.proof == 0 && node.moves.is_empty()) {
            // The table does not hold forced sequences.
            if let Some(sequence) = self.threes.search(position, evaluate::CLAIM_NODES) {
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
