//! WHICH GAME NEXT: [`Schedule`], the games of a match in their order, each with its opening.
//!
//! Owns the formats' pairings, the order of the openings and the bracket of a knockout. Uses the configuration, records
//! and the seeded generator. Must never know a clock, a thread or a process: the same match gives the same games in the
//! same order, on whatever machine and in however many parts it is played.

pub(super) mod knockout;
mod order;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use order::OpeningOrder;

use super::config::{Format, MatchConfig};
use super::record::{GameId, GameRecord, Leg, Played};
use crate::board::Color;
use crate::opening::lists::Opening;

/// The answer to a worker without a game.
#[derive(Debug)]
pub(super) enum NextGame {
    /// A game to play.
    Play(GameId, Opening),
    /// None yet: the next games depend on games in play.
    Wait,
    /// None: all games are played or in play.
    Done,
}

/// The points of a pairing's first engine in each game that is known: 2 for a win, 1 for a draw.
pub(super) type Points = BTreeMap<GameId, u32>;

/// The games that are left to play.
#[derive(Debug)]
pub(super) struct Schedule {
    config: MatchConfig,
    order: OpeningOrder,
    queue: VecDeque<GameId>,
    given: BTreeSet<GameId>,
    points: Points,
}

impl Schedule {
    /// The games of a match without those on record.
    pub(super) fn new(config: &MatchConfig, openings: Vec<Opening>, records: &[GameRecord]) -> Self {
        let order = OpeningOrder::new(openings, config);
        let mut schedule = Self {
            config: config.clone(),
            order,
            queue: VecDeque::new(),
            given: records.iter().map(|record| record.game).collect(),
            points: records.iter().map(|record| (record.game, points_of_first(config, record))).collect(),
        };
        schedule.refill();
        schedule
    }

    /// The number of games of this shard; `None` for a knockout, where it depends on results.
    pub(super) fn total(config: &MatchConfig) -> Option<usize> {
        (config.format != Format::Knockout).then(|| fixed_games(config).len())
    }

    /// The next game.
    pub(super) fn next(&mut self) -> NextGame {
        match self.queue.pop_front() {
            Some(id) => {
                self.given.insert(id);
                NextGame::Play(id, self.order.opening(id.opening))
            }
            None if self.config.format == Format::Knockout && self.points.len() < self.given.len() => NextGame::Wait,
            None => NextGame::Done,
        }
    }

    /// Adds a result, on which further games may depend.
    pub(super) fn finished(&mut self, record: &GameRecord) {
        self.points.insert(record.game, points_of_first(&self.config, record));
        if self.config.format == Format::Knockout {
            self.refill();
        }
    }

    fn refill(&mut self) {
        let games = match self.config.format {
            Format::Knockout => knockout::bracket(self.config.engines.len(), self.config.games, &self.points).open,
            _ => fixed_games(&self.config),
        };
        let queued: BTreeSet<_> = self.queue.iter().copied().collect();
        self.queue.extend(games.into_iter().filter(|id| !self.given.contains(id) && !queued.contains(id)));
    }
}

/// All games of a format whose games do not depend on results: opening by opening, so that a part of the match holds
/// the same number of games of every pairing.
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

/// Points of the pairing's first engine.
fn points_of_first(config: &MatchConfig, record: &GameRecord) -> u32 {
    let is_black = config.engines.get(record.game.first).is_some_and(|engine| engine.name == record.black);
    record.winner.points(if is_black { Color::Black } else { Color::White })
}

/// The points of the games on record, for the bracket.
pub(super) fn points_of(played: &Played) -> Points {
    played.games.iter().map(|(&id, record)| (id, points_of_first(&played.config, record))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::Shard;
    use crate::arena::config::sample::config;

    fn all(config: &MatchConfig) -> Vec<String> {
        let mut schedule = Schedule::new(config, vec![Opening::new()], &[]);
        let mut games = Vec::new();
        while let NextGame::Play(id, _) = schedule.next() {
            games.push(id.to_string());
        }
        games
    }

    #[test]
    fn games_go_opening_by_opening_with_colors_changed() {
        assert_eq!(all(&config(Format::Match, 2)), ["0-1.0a", "0-1.0b", "0-1.1a", "0-1.1b"]);
        assert_eq!(all(&config(Format::Gauntlet, 3))[..4], ["0-1.0a", "0-1.0b", "0-2.0a", "0-2.0b"]);
        assert_eq!(Schedule::total(&config(Format::RoundRobin, 4)), Some(24));
        assert_eq!(Schedule::total(&config(Format::Knockout, 4)), None);
        // The first round of a knockout: the first meets the last.
        assert_eq!(all(&config(Format::Knockout, 4)).len(), 8);
    }

    #[test]
    fn a_shard_has_its_openings_and_no_others() {
        let shard = Shard { index: 1, count: 2 };
        assert_eq!(all(&MatchConfig { shard, ..config(Format::Match, 2) }), ["0-1.1a", "0-1.1b"]);
    }
}
