//! A fixed piece of work: games of a picker against itself, the same in every build and on every machine.
//!
//! [`run`] returns a signature of all choices, and the speed. If a change keeps the signature, the engine plays these games
//! as before. The signature says nothing about strength. Uses the pickers and the layers below them. Must never touch a
//! stream: the measurement is a value.

use std::fmt;
use std::time::Duration;

use crate::board::{Board, Point, Rule, Size};
use crate::fnv::Fnv1a;
use crate::picker::{Choice, Evaluation, Limits, Picker, PickerName, Reason};
use crate::platform::Instant;
use crate::rng::Rng;
use crate::weights::{WeightedPosition, Weighting};

/// The sizes of the leagues.
const SIZES: [Size; 2] = [Size::FIFTEEN, Size::TWENTY];

/// Seed of the games.
const SEED: u64 = 0x5445_4E47_454E_0002;

/// Greatest distance of the first stones from the centre, in king's moves.
const OPENING_REACH: u8 = 4;

/// The amount of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Enough to measure the speed of a picker in games: some seconds.
    #[default]
    Full,
    /// Enough for the signature that the tests pin: within a second.
    Short,
}

/// The work of a picker on each size under each rule.
struct Work {
    weightings: &'static [Weighting],
    /// Number of stones scattered round the centre before the first choice, one game each.
    stones: Vec<usize>,
    /// Most moves of a game.
    moves: usize,
    limits: Limits,
    /// Whether the picker is cleared before each game.
    clears: bool,
}

impl Work {
    fn of(picker: PickerName, extent: Extent) -> Self {
        let (depth, nodes) = match (picker, extent) {
            (PickerName::Greedy, _) => {
                return Self {
                    weightings: Weighting::ALL,
                    stones: (0..8).flat_map(|_| 0..16).collect(),
                    moves: usize::MAX,
                    limits: Limits::default(),
                    clears: true,
                };
            }
            (PickerName::Search, Extent::Short) => (Some(SHORT_DEPTH), None),
            (PickerName::Search, Extent::Full) => (None, Some(FULL_NODES)),
            (PickerName::Policy, _) => (None, None),
            (PickerName::Mcts, Extent::Short) => (None, Some(SHORT_PLAYOUTS)),
            (PickerName::Mcts, Extent::Full) => (None, Some(FULL_PLAYOUTS)),
        };
        let (stones, memory, clears) = match extent {
            Extent::Short => ((0..16).collect(), SHORT_MEMORY, true),
            Extent::Full => (vec![3, 6, 9, 12], FULL_MEMORY, false),
        };
        let limits = Limits { depth, nodes, memory: Some(memory), ..Limits::default() };
        Self { weightings: &[Weighting::Shapes], stones, moves: 1, limits, clears }
    }
}

/// Playouts of a tree search of the short extent.
const SHORT_PLAYOUTS: u64 = 60;

/// Playouts of a tree search of the full extent: 200,000 in all.
const FULL_PLAYOUTS: u64 = 5000;

/// Plies of a search of the short extent.
const SHORT_DEPTH: u32 = 4;

/// Bytes of its table, which each game clears: no more than it needs.
const SHORT_MEMORY: usize = 4 << 20;

/// Nodes of a search of the full extent: two millions in all.
const FULL_NODES: u64 = 50_000;

/// Bytes of its table: more than the games of a rule and size fill.
const FULL_MEMORY: usize = 16 << 20;

/// The measurement of one rule on one board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// The size.
    pub size: Size,
    /// The signature of the choices.
    pub signature: Signature,
    /// Nodes of the searches; the greedy picker counts a decision as one node.
    pub nodes: u64,
    /// Time of choosing and playing.
    pub time: Duration,
}

/// A checksum of all choices, with scores and nodes, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signature(Fnv1a);

impl Signature {
    fn add(&mut self, bits: u64) {
        self.0.add_bytes(&bits.to_le_bytes());
    }

    fn add_choice(&mut self, choice: &Choice) {
        self.add(choice.point.index() as u64);
        match choice.reason {
            Reason::Centre | Reason::Rule | Reason::Book(_) | Reason::Unfinished => {}
            Reason::Weights(weights) => self.add(weights.total.0 as u64),
            Reason::Prior(share) => self.add(share.into()),
            Reason::Search { score, .. } => {
                self.add(score.value() as u64);
                self.add(choice.nodes);
            }
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0.get())
    }
}

/// The measurement of a run.
///
/// The last line of its text is `<N> nodes <M> nps`, which frameworks for distributed engine tests look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// One row for each rule and size.
    pub rows: Vec<Row>,
}

impl Measurement {
    /// The signature of all rows.
    pub fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        self.rows.iter().for_each(|row| signature.add(row.signature.0.get()));
        signature
    }

    /// The nodes of all rows.
    pub fn nodes(&self) -> u64 {
        self.rows.iter().map(|row| row.nodes).sum()
    }

    /// The time of all rows.
    pub fn time(&self) -> Duration {
        self.rows.iter().map(|row| row.time).sum()
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Row { rule, size, signature, nodes, time } in &self.rows {
            writeln!(f, "{rule:<14}{size}x{size}  {signature}  {nodes:>8} nodes {:>9} nps", speed(*nodes, *time))?;
        }
        writeln!(f, "signature {}", self.signature())?;
        writeln!(f, "time {:.3} s", self.time().as_secs_f64())?;
        write!(f, "{} nodes {} nps", self.nodes(), speed(self.nodes(), self.time()))
    }
}

/// Nodes per second.
fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE)) as u64
}

/// Plays the games of the bench: all rules, the sizes 15 and 20, and all weightings for the greedy picker.
pub fn run(picker: PickerName, extent: Extent, evaluation: Evaluation) -> Measurement {
    let work = Work::of(picker, extent);
    let work = Work { limits: Limits { evaluation, ..work.limits }, ..work };
    let pairs = Rule::ALL.into_iter().flat_map(|rule| SIZES.map(|size| (rule, size)));
    Measurement { rows: pairs.map(|(rule, size)| row(picker.build().as_mut(), &work, rule, size)).collect() }
}

fn row(picker: &mut dyn Picker, work: &Work, rule: Rule, size: Size) -> Row {
    let mut row = Row { rule, size, signature: Signature::default(), nodes: 0, time: Duration::ZERO };
    let mut rng = Rng::new(SEED);
    for &weighting in work.weightings {
        if !work.clears {
            // Fills the tables of the rule and of the search.
            let mut position = WeightedPosition::new(opening(&mut Rng::new(SEED), rule, size, 1), weighting);
            picker.pick(&mut position, &Limits { depth: Some(1), ..work.limits.clone() });
        }
        for &stones in &work.stones {
            if work.clears {
                picker.clear();
            }
            let mut position = WeightedPosition::new(opening(&mut rng, rule, size, stones), weighting);
            let start = Instant::now();
            play(picker, work, &mut position, &mut row);
            row.time += start.elapsed();
        }
    }
    row
}

/// A board with stones scattered round the centre.
fn opening(rng: &mut Rng, rule: Rule, size: Size, stones: usize) -> Board {
    let is_near = |point: &Point| point.distance(size.centre()) <= OPENING_REACH;
    let mut near: Vec<_> = size.points().filter(is_near).collect();
    rng.shuffle(&mut near);
    let mut board = Board::new(size, rule);
    near.into_iter().take(stones).for_each(|point| board.play(point));
    board
}

/// Plays a game to its end or to the limit of moves, and adds every choice to the row.
fn play(picker: &mut dyn Picker, work: &Work, position: &mut WeightedPosition, row: &mut Row) {
    for _ in 0..work.moves {
        let Some(choice) = picker.pick(position, &work.limits) else { return };
        row.signature.add_choice(&choice);
        row.nodes += choice.nodes;
        let outcome = position.board().outcome_of(choice.point, position.board().turn());
        position.play(choice.point);
        if outcome.is_some() {
            return;
        }
    }
}
