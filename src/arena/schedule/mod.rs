//! [`Schedule`]: which games are to be played, and with which opening. It knows no clock: the same match gives the
//! same games in the same order, wherever and in how many parts it is played.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::config::{Format, MatchConfig};
use super::knockout;
use super::record::{GameId, GameRecord, Leg, Winner};
use crate::board::{Size, Symmetry};
use crate::opening::lists::Opening;
use crate::rng::Rng;

/// What a worker that asks for a game gets.
#[derive(Debug)]
pub(super) enum Take {
    /// A game to play.
    Game(GameId, Opening),
    /// Nothing yet: it depends on games in play.
    Wait,
    /// All games are given out.
    Done,
}

/// The points of a pairing's first engine in each game that is known: 2 for a win, 1 for a draw.
pub(super) type Played = BTreeMap<GameId, u32>;

/// The games that are left to play.
#[derive(Debug)]
pub(super) struct Schedule {
    config: MatchConfig,
    order: OpeningOrder,
    queue: VecDeque<GameId>,
    given: BTreeSet<GameId>,
    played: Played,
}

impl Schedule {
    /// The games of a match but those that are on record.
    pub(super) fn new(config: &MatchConfig, openings: Vec<Opening>, records: &[GameRecord]) -> Self {
        let order = OpeningOrder::new(openings, config);
        let mut schedule = Self {
            config: config.clone(),
            order,
            queue: VecDeque::new(),
            given: records.iter().map(|record| record.game).collect(),
            played: records.iter().map(|record| (record.game, points_of_first(config, record))).collect(),
        };
        schedule.refill();
        schedule
    }

    /// The number of games of the whole match in this shard, as far as it is known beforehand.
    pub(super) fn total(config: &MatchConfig) -> Option<usize> {
        (config.format != Format::Knockout).then(|| fixed_games(config).len())
    }

    /// The next game.
    pub(super) fn take(&mut self) -> Take {
        match self.queue.pop_front() {
            Some(id) => {
                self.given.insert(id);
                Take::Game(id, self.order.opening(id.opening))
            }
            None if self.config.format == Format::Knockout && self.played.len() < self.given.len() => Take::Wait,
            None => Take::Done,
        }
    }

    /// Notes a result, on which further games may depend.
    pub(super) fn finished(&mut self, record: &GameRecord) {
        self.played.insert(record.game, points_of_first(&self.config, record));
        if self.config.format == Format::Knockout {
            self.refill();
        }
    }

    fn refill(&mut self) {
        let games = match self.config.format {
            Format::Knockout => knockout::bracket(self.config.engines.len(), self.config.games, &self.played).open,
            _ => fixed_games(&self.config),
        };
        let queued: BTreeSet<_> = self.queue.iter().copied().collect();
        self.queue.extend(games.into_iter().filter(|id| !self.given.contains(id) && !queued.contains(id)));
    }
}

/// All games of a format whose games do not depend on results: opening by opening, so that a part of the match says
/// as much of every pairing.
fn fixed_games(config: &MatchConfig) -> Vec<GameId> {
    let count = config.engines.len();
    let pairings = match config.format {
        Format::Match | Format::Gauntlet => (1..count).map(|second| (0, second)).collect(),
        Format::RoundRobin | Format::Knockout => all_pairs(count),
    };
    let mut games = Vec::new();
    for opening in (0..config.games / 2).filter(|&opening| config.shard.has(opening)) {
        for &(first, second) in &pairings {
            games.extend(Leg::ALL.map(|leg| GameId { first, second, opening, leg }));
        }
    }
    games
}

fn all_pairs(count: usize) -> Vec<(usize, usize)> {
    (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))).collect()
}

/// Points of the pairing's first engine by the documents' scoring.
fn points_of_first(config: &MatchConfig, record: &GameRecord) -> u32 {
    let black_is_first = config.engines.get(record.game.first).is_some_and(|engine| engine.name == record.black);
    points(record.winner, black_is_first)
}

/// 2 for a win, 1 for a draw (胜积2分,和积1分,负积0分).
pub(super) const fn points(winner: Winner, as_black: bool) -> u32 {
    match winner {
        Winner::Draw => 1,
        Winner::Black if as_black => 2,
        Winner::White if !as_black => 2,
        Winner::Black | Winner::White => 0,
    }
}

/// The openings in the order of the match.
#[derive(Debug)]
struct OpeningOrder {
    openings: Vec<Opening>,
    order: Vec<usize>,
    size: Size,
    transform: bool,
}

impl OpeningOrder {
    fn new(openings: Vec<Opening>, config: &MatchConfig) -> Self {
        let mut order: Vec<_> = (0..openings.len()).collect();
        if let Some(seed) = config.seed {
            Rng::new(seed).shuffle(&mut order);
        }
        Self { openings, order, size: config.conduct.size, transform: config.transform }
    }

    /// The opening with this number in the match. Where they are used up they come again in the same order; if so
    /// wanted, turned and mirrored.
    fn opening(&self, number: usize) -> Opening {
        let opening = &self.openings[self.order[number % self.order.len()]];
        let pass = number / self.order.len();
        let symmetry = Symmetry::all().nth(if self.transform { pass % 8 } else { 0 });
        opening.iter().map(|&point| symmetry.map_or(point, |symmetry| symmetry.apply(point, self.size))).collect()
    }
}

/// The points of the games on record, for the bracket.
pub(super) fn played(played: &super::stats::results::Played) -> Played {
    played.games.iter().map(|(&id, record)| (id, points_of_first(&played.config, record))).collect()
}
