//! [`Level`]: how strong the engine plays against people, and [`Leveled`], which makes a picker obey it.
//!
//! ```text
//! position ─► priors of the policy ─► some moves, drawn at a temperature ─► one: it is played
//!                ▲                                                      └─► several: the picker chooses among them, with few nodes
//!                └─ if a side can make a five: only the moves that make or block it
//! ```
//!
//! A weak level considers few moves and searches few nodes. No level misses a five or draws all moves with equal chances.

use std::fmt;
use std::io::{self, Write};

use super::policy::Look;
use super::{
    Answer, Choice, Evaluation, Limits, Picker, Question, Reason, Report, TableError, TableInput, book, tactics,
};
use crate::board::{PointSet, Rule, Size};
use crate::rng::Rng;
use crate::weights::WeightedPosition;

/// A level of play, from 1, a beginner, to 10, full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The limits of a level below 10.
struct Weakness {
    /// Number of moves that it considers, drawn by their priors.
    moves: usize,
    /// The temperature of the draws, in hundredths.
    temperature: u32,
    /// Nodes of the search that chooses among these moves. A search of a single move only gives its score.
    nodes: u64,
}

impl Level {
    /// Full strength, without any limit.
    pub const FULL: Self = Self(10);

    /// The levels from the weakest on.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::FULL.0).map(Self)
    }

    /// A level by its number; `None` if it is not 1 to 10.
    pub fn new(number: u64) -> Option<Self> {
        let number = u8::try_from(number).ok()?;
        (1..=Self::FULL.0).contains(&number).then_some(Self(number))
    }

    /// The level of a strength of 0 to 100, as some managers name it: 100 is full strength.
    pub fn of_strength(strength: u64) -> Self {
        let number = 1 + strength.min(100) * u64::from(Self::FULL.0 - 1) / 100;
        Self(number as u8)
    }

    /// The least strength of 0 to 100 that means this level.
    pub fn strength(self) -> u64 {
        (u64::from(self.0 - 1) * 100).div_ceil(u64::from(Self::FULL.0 - 1))
    }

    /// The limits of the level. `None` at full strength. Chosen for steps of 80 to 250 Elo; the measured steps of 100 games
    /// each are in `docs/lab/levels.md`.
    const fn weakness(self) -> Option<Weakness> {
        let (moves, temperature, nodes) = match self.0 {
            1 => (1, 200, 500),
            2 => (1, 145, 500),
            3 => (1, 105, 500),
            4 => (2, 140, 500),
            5 => (2, 110, 500),
            6 => (3, 100, 500),
            7 => (5, 100, 1_600),
            8 => (8, 100, 3_500),
            9 => (14, 100, 8_000),
            _ => return None,
        };
        Some(Weakness { moves, temperature, nodes })
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A picker that obeys the level of its limits.
#[derive(Debug, Default)]
pub(super) struct Leveled<P>(pub(super) P);

impl<P: Picker> Picker for Leveled<P> {
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let Some(weakness) = limits.level.weakness() else { return self.0.answer(question, position, limits, report) };
        let least = |nodes: u64| Some(limits.nodes.map_or(nodes, |own| own.min(nodes)));
        let lines = match question {
            Question::Move { lines } => lines,
            Question::Opening(_) => {
                let limits = Limits { nodes: least(weakness.nodes), threads: 1, ..limits.clone() };
                return self.0.answer(question, position, &limits, report);
            }
            // Analysis commands: a level limits only play.
            Question::Defend | Question::Balance(_) => return self.0.answer(question, position, limits, report),
        };
        if let Some(answer) = book::answer(question, position.board(), limits, report) {
            return Some(answer);
        }
        if let Some(choice) = tactics::first_move(position.board(), lines, limits, report) {
            return Some(choice.into());
        }
        let mut rng = Rng::numbered(limits.seed, position.board().key().bits());
        let look = Look::of(position, limits)?.keep_fives();
        let drawn = look.draw(&mut rng, weakness.temperature, weakness.moves);
        if let ([point], 0) = (&drawn[..], lines) {
            return Some(Choice { point: *point, reason: Reason::Prior(look.share(*point)), nodes: 1 }.into());
        }
        let drawn = PointSet::from_iter(drawn);
        let left_out = position.board().empty_points().iter().filter(|&point| !drawn.contains(point)).collect();
        let limits = Limits { nodes: least(weakness.nodes), threads: 1, left_out, ..limits.clone() };
        self.0.answer(question, position, &limits, report)
    }

    fn is_instant(&self) -> bool {
        self.0.is_instant()
    }

    fn preload(&self, position: &WeightedPosition, evaluation: Evaluation) {
        self.0.preload(position, evaluation);
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn table_usage(&self) -> Option<usize> {
        self.0.table_usage()
    }

    fn dump_table(&self, output: &mut dyn Write) -> io::Result<Option<u64>> {
        self.0.dump_table(output)
    }

    fn load_table(
        &mut self,
        rule: Rule,
        size: Size,
        limits: &Limits,
        input: &mut dyn TableInput,
    ) -> Option<Result<u64, TableError>> {
        self.0.load_table(rule, size, limits, input)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Board, Point};
    use crate::notation::parse_comma;
    use crate::picker::{AlphaBeta, Balance, BalanceStones, PickerName, Policy};
    use crate::weights::Weighting;

    fn position(rule: Rule, moves: &str) -> WeightedPosition {
        let mut board = Board::new(Size::FIFTEEN, rule);
        moves.split_whitespace().for_each(|point| board.play(parse_comma(point).unwrap()));
        WeightedPosition::new(board, Weighting::Shapes)
    }

    fn limits(level: Level, seed: u64) -> Limits {
        Limits { level, seed, ..Limits::default() }
    }

    fn below_full() -> impl Iterator<Item = Level> {
        Level::all().filter(|level| *level < Level::FULL)
    }

    #[test]
    fn a_level_is_a_number_from_1_to_10_and_a_strength_a_share_of_it() {
        assert!([0, 11, 266, u64::MAX].into_iter().all(|number| Level::new(number).is_none()));
        assert_eq!(Level::new(10), Some(Level::default()));
        let numbers = [0, 11, 12, 50, 99, 100, u64::MAX].map(|strength| Level::of_strength(strength).0);
        assert_eq!(numbers, [1, 1, 2, 5, 9, 10, 10]);
        assert!(Level::all().all(|level| Level::of_strength(level.strength()) == level));
        assert!(below_full().all(|level| level.weakness().is_some()) && Level::FULL.weakness().is_none());
    }

    #[test]
    fn a_five_is_played_and_blocked_at_every_level_by_every_picker() {
        for rule in Rule::ALL {
            let own = position(rule, "7,7 7,8 8,7 8,8 9,7 9,8 10,7 2,2");
            let other = position(rule, "7,7 6,7 8,7 2,2 9,7 2,12 10,7");
            for (mut position, is_own) in [(own, true), (other, false)] {
                for name in [PickerName::Search, PickerName::Mcts, PickerName::Policy] {
                    for (level, seed) in below_full().zip(0..) {
                        let choice = name.build().pick(&mut position, &limits(level, seed)).unwrap();
                        let mut board = position.board().clone();
                        board.play(choice.point);
                        let wins = |board: &Board, point: Point| {
                            let mut board = board.clone();
                            let mover = board.turn();
                            board.play(point);
                            board.wins(point, mover)
                        };
                        let is_right = if is_own {
                            wins(position.board(), choice.point)
                        } else {
                            !board.empty_points().iter().any(|point| wins(&board, point))
                        };
                        assert!(is_right, "{rule} {name} {level}: {choice:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_seed_repeats_its_moves_and_another_draws_others() {
        for name in [PickerName::Search, PickerName::Policy] {
            let points = |seed| {
                let mut position = position(Rule::Freestyle, "7,7 8,8 9,7");
                let point = name.build().pick(&mut position, &limits(Level(1), seed)).unwrap().point;
                assert_eq!(name.build().pick(&mut position, &limits(Level(1), seed)).unwrap().point, point);
                point.index()
            };
            assert!((0..20).map(points).collect::<BTreeSet<_>>().len() > 3, "{name}");
        }
    }

    #[test]
    fn a_level_obeys_its_limits() {
        let mut position = position(Rule::Freestyle, "7,7 8,8 9,7 6,7");
        // A search reads its limit of nodes now and then.
        const INTERVAL: u64 = 512;
        for level in below_full() {
            let choice = Leveled(AlphaBeta::default()).pick(&mut position, &limits(level, 1)).unwrap();
            assert!(choice.nodes <= level.weakness().unwrap().nodes + INTERVAL, "{level}: {choice:?}");
            let left_out = PointSet::from_iter([choice.point]);
            let again = Leveled(AlphaBeta::default()).pick(&mut position, &Limits { left_out, ..limits(level, 1) });
            assert_ne!(again.unwrap().point, choice.point, "{level}");
        }
    }

    #[test]
    fn full_strength_and_other_questions_are_those_of_the_picker() {
        let mut position = position(Rule::Freestyle, "7,7 8,8 9,7");
        let full = Leveled(Policy).pick(&mut position, &limits(Level::FULL, 5));
        assert_eq!(full, Policy.pick(&mut position, &limits(Level::FULL, 0)));
        let balance = Balance { stones: BalanceStones::One, bias: 0 };
        for question in [Question::Defend, Question::Balance(balance)] {
            let answer = |level| {
                let limits = Limits { nodes: Some(20_000), ..limits(level, 1) };
                let mut position = self::position(Rule::Freestyle, "7,7 8,8");
                Leveled(AlphaBeta::default()).answer(question, &mut position, &limits, &mut |_| {}).unwrap()
            };
            assert_eq!(answer(Level(1)), answer(Level::FULL), "{question:?}");
        }
    }
}
