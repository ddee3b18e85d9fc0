//! [`Network`]: the learned evaluation. Windows index a codebook; the points are pooled.
//!
//! ```text
//! windows of an empty point ─► rows of the codebook ─► sum ─► lanes above 0 ─┬─► squares, pooled over points ─► value
//!                                                                            └─► query of the node ─► prior
//! ```
//!
//! A square makes products of the rows of different directions, so what a point adds depends on which windows meet
//! there.
//!
//! All arithmetic is in integers, so every machine computes the same numbers. [`Scale`] defines their scales;
//! `tune::network` trains them.

pub mod codebook;
pub mod file;
pub mod head;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::OnceLock;

use multiversion::multiversion;

pub use file::{NetworkError, ViewWeights, Weights};
pub use head::{Head, Scale};

use self::codebook::{BOTH, Codebook, Row};
use self::head::{First, Pooled, Query, dot};
use super::classical::ByPatterns;
use super::{Evaluator, MovePriors};
use crate::board::{ByColor, Color, POINT_SLOTS, Point, Rule};
use crate::fnv::Fnv1a;
use crate::position::{Accumulator, ThreatBoard};
use crate::score::Score;
use crate::threat::{Delta, PatternChange, ThreatSets};

/// The sums of the four rows of a point, black's view first; lanes below 0 count as 0.
///
/// Sums of lanes use wrapping operations. None of them wraps, but overflow checks would keep debug builds from vector
/// instructions.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lanes([i16; BOTH]);

impl Lanes {
    const ZERO: Self = Self([0; BOTH]);

    #[inline]
    fn add(&mut self, row: &Row) {
        self.0.iter_mut().zip(&row.0).for_each(|(lane, &number)| *lane = lane.wrapping_add(number.into()));
    }

    /// Replaces one window by another.
    #[inline]
    fn shift(&mut self, old: &Row, new: &Row) {
        for lane in 0..BOTH {
            self.0[lane] = self.0[lane].wrapping_add(difference(old.0[lane], new.0[lane]));
        }
    }

    /// The lanes above 0.
    #[inline(always)]
    fn active(&self) -> [i16; BOTH] {
        // A loop, because the compiler does not vectorise `map`.
        let mut active = self.0;
        for lane in &mut active {
            *lane = (*lane).max(0);
        }
        active
    }

    /// The squares of the lanes above 0.
    #[inline(always)]
    fn squares(&self) -> [i16; BOTH] {
        let mut squares = self.0;
        for lane in &mut squares {
            *lane = square(*lane);
        }
        squares
    }
}

/// The square of a lane above 0, in the unit of [`Scale::SQUARE`]: at most 4,032.
#[inline(always)]
const fn square(lane: i16) -> i16 {
    // lane² / 64 as the upper half of a product of 16 bits: one instruction for 16 lanes.
    let lane = if lane > 0 { (lane as u16) << 5 } else { 0 } as u32;
    ((lane * lane) >> 16) as i16
}

/// The network of one rule in the form that a search reads.
struct Table {
    codebook: Codebook,
    heads: ByColor<Head>,
    /// For each mover the priors by its combination at the point, and by that of the other side.
    priors: ByColor<[ByPatterns<i16>; 2]>,
}

impl Table {
    /// Fills the codebook: some 20 ms.
    fn new(weights: &Weights) -> Self {
        let views = Color::ALL.map(|color| weights.view(color));
        let [black, white] = Color::ALL.map(|color| weights.view(color).rows(weights.rule, color));
        let heads = ByColor(views.map(|view| view.head.clone()));
        let prior = |color, side: usize| {
            let priors = &weights.view(color).head.priors;
            ByPatterns::new(|combination| priors[combination.index()][side])
        };
        let priors = ByColor(Color::ALL.map(|color| [prior(color, 0), prior(color, 1)]));
        Self { codebook: Codebook::new([&black, &white]), heads, priors }
    }
}

/// The networks of a search, at most one for each rule.
pub struct Networks {
    sources: [Source; Rule::ALL.len()],
    /// Filled at the first use. Boxed, so that moving this value does not touch the pages of absent tables.
    tables: [OnceLock<Box<Table>>; Rule::ALL.len()],
}

/// The source of the network of a rule.
enum Source {
    /// A file in the program.
    #[cfg_attr(not(feature = "networks"), expect(dead_code, reason = "the feature `networks` adds the files"))]
    BuiltIn(&'static [u8]),
    /// A network of the user, or an empty slot.
    Given(OnceLock<Box<Weights>>),
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = Rule::ALL.into_iter().filter(|&rule| self.has(rule));
        f.debug_tuple("Networks").field(&rules.collect::<Vec<_>>()).finish()
    }
}

impl Source {
    /// An empty slot.
    const fn none() -> Self {
        Self::Given(OnceLock::new())
    }

    fn is_given(&self) -> bool {
        matches!(self, Self::Given(weights) if weights.get().is_some())
    }
}

/// The files in the program; `tengen-tune train` writes them.
#[cfg(feature = "networks")]
const fn built_in(rule: Rule) -> Source {
    match rule {
        Rule::Freestyle => Source::BuiltIn(include_bytes!("../networks/freestyle.net")),
        Rule::Standard => Source::BuiltIn(include_bytes!("../networks/standard.net")),
        Rule::Renju => Source::BuiltIn(include_bytes!("../networks/renju.net")),
        Rule::CaroOverline | Rule::Caro => Source::none(),
    }
}

/// Empty slots: the caller [supplies](Networks::supply) the networks.
#[cfg(not(feature = "networks"))]
const fn built_in(_: Rule) -> Source {
    Source::none()
}

impl Networks {
    /// No networks.
    pub fn none() -> Self {
        Self { sources: [const { Source::none() }; Rule::ALL.len()], tables: Default::default() }
    }

    /// The built-in networks, the default.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Networks> = OnceLock::new();
        BUILT_IN.get_or_init(Self::of_the_program)
    }

    /// The built-in networks, for a caller that replaces some.
    pub fn of_the_program() -> Self {
        Self { sources: Rule::ALL.map(built_in), tables: Default::default() }
    }

    /// Replaces the network of a rule.
    pub fn insert(&mut self, weights: Weights) {
        let slot = weights.rule.index();
        self.sources[slot] = Source::Given(OnceLock::from(Box::new(weights)));
        self.tables[slot] = OnceLock::new();
    }

    /// Adds the network of a rule with an empty slot. Pages load networks when they are needed. An existing network stays.
    pub fn supply(&self, weights: Weights) {
        if let Source::Given(slot) = &self.sources[weights.rule.index()] {
            slot.get_or_init(|| Box::new(weights));
        }
    }

    /// Whether networks were [inserted](Self::insert) or [supplied](Self::supply), but only for other rules.
    pub(crate) fn is_given_only_for_other_rules(&self, rule: Rule) -> bool {
        self.sources.iter().any(Source::is_given) && !self.sources[rule.index()].is_given()
    }

    /// Whether there is a network for this rule.
    pub fn has(&self, rule: Rule) -> bool {
        let source = &self.sources[rule.index()];
        matches!(source, Source::BuiltIn(_)) || source.is_given()
    }

    /// The file of the network of a rule; `None` without a network. An inserted network is compressed for it.
    pub fn file(&self, rule: Rule) -> Option<Cow<'static, [u8]>> {
        match &self.sources[rule.index()] {
            Source::BuiltIn(bytes) => Some(Cow::Borrowed(bytes)),
            Source::Given(weights) => weights.get().map(|weights| Cow::Owned(weights.to_bytes())),
        }
    }

    /// The checksum of the [file](Self::file) of a rule.
    pub fn checksum(&self, rule: Rule) -> Option<u64> {
        self.file(rule).map(|file| Fnv1a::of(&file))
    }

    /// The table of a rule, filled at its first use (some tens of milliseconds).
    ///
    /// # Panics
    /// When the rule has no network.
    fn table(&self, rule: Rule) -> &Table {
        let fill = || match &self.sources[rule.index()] {
            Source::BuiltIn(bytes) => {
                let weights = Weights::from_bytes(bytes);
                Table::new(&weights.unwrap_or_else(|error| panic!("built-in network of {rule}: {error}")))
            }
            Source::Given(weights) => Table::new(weights.get().unwrap_or_else(|| panic!("{rule} has no network"))),
        };
        self.tables[rule.index()].get_or_init(|| Box::new(fill()))
    }
}

/// The accumulator of the learned evaluation: the lanes of every empty point, and the sum of their squares.
pub struct Network {
    networks: &'static Networks,
    table: &'static Table,
    /// Lanes by point. A point under a stone has those from before the stone.
    lanes: Box<[Lanes; POINT_SLOTS]>,
    /// The sum over the empty points.
    pooled: Pooled,
    /// The sum before each stone pushed.
    before: Vec<Pooled>,
    /// The first hidden layer of the last score, with its color, until a stone changes the sums. A node of a search
    /// evaluates its position and then rates its moves.
    first_hidden: Cell<Option<(Color, First)>>,
}

/// Equal if the sums are.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.pooled == other.pooled
    }
}

impl Accumulator for Network {
    type Sets = ThreatSets;
    type Config = &'static Networks;

    const IS_LAZY: bool = true;

    /// Fills the tables of the rule at the first use (some 20 ms).
    fn new(networks: &'static Networks, threats: &ThreatBoard) -> Self {
        let table = networks.table(threats.board().rule());
        let mut lanes = Box::new([Lanes::ZERO; POINT_SLOTS]);
        let mut pooled = Pooled([0; BOTH]);
        for point in threats.board().empty_points().iter() {
            let lanes = &mut lanes[point.index()];
            threats.cache().windows(point).0.iter().for_each(|&window| lanes.add(table.codebook.row(window)));
            pooled.add(&lanes.squares());
        }
        Self { networks, table, lanes, pooled, before: Vec::new(), first_hidden: Cell::new(None) }
    }

    fn config(&self) -> &'static Networks {
        self.networks
    }

    #[inline]
    fn push(&mut self, delta: Delta<'_>, _: &[PatternChange]) {
        self.first_hidden.set(None);
        self.before.push(self.pooled);
        push_lanes(&self.table.codebook, &mut self.lanes, &mut self.pooled, &delta);
    }

    #[inline]
    fn pop(&mut self, delta: Delta<'_>) {
        let Some(pooled) = self.before.pop() else { return };
        self.first_hidden.set(None);
        self.pooled = pooled;
        pop_lanes(&self.table.codebook, &mut self.lanes, &delta);
    }
}

/// Greatest square of a lane, which is the sum of four rows.
const GREATEST_SQUARE: i16 = square(4 * codebook::GREATEST as i16);

/// Number of points whose gains are summed in 16 bits: 8.
const POINTS_PER_SUM: usize = (i16::MAX / GREATEST_SQUARE) as usize;

/// Adds a stone.
#[multiversion(targets("x86_64+avx2"))]
fn push_lanes(codebook: &Codebook, lanes: &mut [Lanes; POINT_SLOTS], pooled: &mut Pooled, delta: &Delta) {
    pooled.subtract(&lanes[delta.point.index()].squares());
    for changes in delta.windows.chunks(POINTS_PER_SUM) {
        let mut gain = [0_i16; BOTH];
        for change in changes {
            let lanes = &mut lanes[change.point.index()];
            let (old, new) = (codebook.row(change.old), codebook.row(change.new));
            let rows = old.0.iter().zip(&new.0);
            for ((lane, gain), (&old, &new)) in lanes.0.iter_mut().zip(&mut gain).zip(rows) {
                let before = *lane;
                *lane = lane.wrapping_add(difference(old, new));
                *gain = gain.wrapping_add(square(*lane).wrapping_sub(square(before)));
            }
        }
        pooled.add(&gain);
    }
}

/// What a lane gains when a number of its row replaces another.
#[inline(always)]
fn difference(old: i8, new: i8) -> i16 {
    i16::from(new).wrapping_sub(i16::from(old))
}

/// Removes a stone.
#[multiversion(targets("x86_64+avx2"))]
fn pop_lanes(codebook: &Codebook, lanes: &mut [Lanes; POINT_SLOTS], delta: &Delta) {
    for change in delta.windows {
        lanes[change.point.index()].shift(codebook.row(change.new), codebook.row(change.old));
    }
}

impl Network {
    /// The first hidden layer of the position for this color, which [`score`](Evaluator::score) may have computed.
    #[inline]
    fn first_hidden(&self, sets: &ThreatSets, mover: Color) -> First {
        let compute = || self.table.heads[mover].first(&self.pooled, sets, mover).0;
        let known = self.first_hidden.get().filter(|&(color, _)| color == mover).map(|(_, first)| first);
        debug_assert!(known.is_none_or(|known| known == compute()));
        known.unwrap_or_else(compute)
    }
}

impl Evaluator for Network {
    #[inline]
    fn score(&self, sets: &ThreatSets, mover: Color) -> Score {
        let head = &self.table.heads[mover];
        let (first, x) = head.first(&self.pooled, sets, mover);
        self.first_hidden.set(Some((mover, first)));
        Score::from_eval(head.value(&first, &x))
    }

    #[inline]
    fn move_priors(&self, sets: &ThreatSets, mover: Color) -> impl MovePriors {
        let query = self.table.heads[mover].query(&self.first_hidden(sets, mover), mover);
        Priors { by_combination: &self.table.priors[mover], sets, mover, lanes: &self.lanes, query }
    }
}

/// The move priors of the network.
struct Priors<'a, 's> {
    by_combination: &'a [ByPatterns<i16>; 2],
    sets: &'s ThreatSets,
    mover: Color,
    lanes: &'a [Lanes; POINT_SLOTS],
    query: Query,
}

impl MovePriors for Priors<'_, '_> {
    // The loop over the moves uses AVX2. The compiler does not inline a closure of this length into it.
    #[inline(always)]
    fn of(&self, point: Point) -> i32 {
        let patterns = self.sets.pattern_pair(point);
        let [own, other] = self.by_combination;
        let sum = i32::from(own.of(patterns.of(self.mover))) + i32::from(other.of(patterns.of(!self.mover)));
        sum + Scale::prior(dot(&self.lanes[point.index()].active(), &self.query.0))
    }
}
