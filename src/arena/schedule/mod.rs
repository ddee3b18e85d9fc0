//! WHICH GAME NEXT: [`Schedule`], the games of a match in their order, each with its opening.
//!
//! Owns the formats' pairings, the order of the openings and the bracket of a knockout. Uses the configuration, records
//! and the seeded generator. Must never know a clock, a thread or a process: a match has the same games in the same order
//! on every machine, in one part or in many.

pub(super) mod knockout;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::config::{Format, MatchConfig};
use super::journal::MatchRecord;
use crate::board::{Size, Symmetry};
use crate::notation::record::{GameId, GameRecord, Leg};
use crate::opening::lists::Opening;
use crate::rng::Rng;

/// The answer to a worker without a game.
#[derive(Debug)]
pub(super) enum NextGame {
    /// A game to play.
    Play(GameId, Opening),
    /// Wait: the next games depend on games in play.
    Wait,
    /// All games are played or in play.
    Done,
}

/// The games that are known.
pub(super) type Known = BTreeMap<GameId, KnownGame>;

/// A game that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownGame {
    /// The points of the pairing's first engine: 2 for a win, 1 for a draw.
    points: u32,
    /// A hash of what was played and by whom; `None` for a forfeit, because games that end before their first stone look alike.
    play: Option<u64>,
}

impl KnownGame {
    fn new(config: &MatchConfig, record: &GameRecord) -> Self {
        let points = record.winner.points(config.color_of(record.game.first, record));
        let hash = || {
            let mut hasher = DefaultHasher::new();
            (&record.black, &record.white, record.play()).hash(&mut hasher);
            hasher.finish()
        };
        Self { points, play: (!record.end.is_forfeit()).then(hash) }
    }
}

/// The games that are left to play. They are generated one by one, so a match of 10⁹ games takes no more memory than its
/// finished games.
pub(super) struct Schedule {
    config: MatchConfig,
    order: OpeningOrder,
    source: Source,
    given: BTreeSet<GameId>,
    known: Known,
}

/// The source of the next game.
enum Source {
    /// The list of all games, which does not depend on results.
    Fixed(Box<dyn Iterator<Item = GameId> + Send>),
    /// The bracket, as far as it is known.
    Bracket(VecDeque<GameId>),
}

impl Schedule {
    /// The games of a match without those on record.
    pub(super) fn new<'a>(
        config: &MatchConfig,
        openings: Vec<Opening>,
        records: impl Iterator<Item = &'a GameRecord> + Clone,
    ) -> Self {
        let mut schedule = Self {
            config: config.clone(),
            order: OpeningOrder::new(openings, config),
            source: match config.format {
                Format::Knockout => Source::Bracket(VecDeque::new()),
                _ => Source::Fixed(Box::new(fixed_games(config))),
            },
            given: records.clone().map(|record| record.game).collect(),
            known: records.map(|record| (record.game, KnownGame::new(config, record))).collect(),
        };
        schedule.refill();
        schedule
    }

    /// The number of games of this shard; `None` for a knockout, where it depends on results.
    pub(super) fn total(config: &MatchConfig) -> Option<usize> {
        let openings = config.shard.openings(config.games / 2).len();
        let games = openings.saturating_mul(pairings(config).len()).saturating_mul(Leg::ALL.len());
        (config.format != Format::Knockout).then_some(games)
    }

    /// The next game.
    pub(super) fn next(&mut self) -> NextGame {
        let next = match &mut self.source {
            Source::Fixed(games) => games.find(|id| !self.given.contains(id)),
            Source::Bracket(queue) => queue.pop_front(),
        };
        match next {
            Some(id) => {
                self.given.insert(id);
                NextGame::Play(id, self.order.opening(id.opening))
            }
            None if self.config.format == Format::Knockout && self.known.len() < self.given.len() => NextGame::Wait,
            None => NextGame::Done,
        }
    }

    /// Adds a result. Further games may depend on it.
    pub(super) fn finished(&mut self, record: &GameRecord) {
        self.known.insert(record.game, KnownGame::new(&self.config, record));
        self.refill();
    }

    fn refill(&mut self) {
        let Source::Bracket(queue) = &mut self.source else { return };
        let games = knockout::bracket(self.config.engines.len(), self.config.games, &self.known).open;
        let queued: BTreeSet<_> = queue.iter().copied().collect();
        queue.extend(games.into_iter().filter(|id| !self.given.contains(id) && !queued.contains(id)));
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
        Self { openings, order, size: config.game.size, transform: config.transform }
    }

    /// The opening with this number in the match. After the last one the list begins again in the same order, turned and
    /// mirrored if the match asks for it.
    fn opening(&self, number: usize) -> Opening {
        let opening = &self.openings[self.order[number % self.order.len()]];
        let pass = number / self.order.len();
        let symmetry = Symmetry::all().nth(if self.transform { pass % 8 } else { 0 });
        opening.iter().map(|&point| symmetry.map_or(point, |symmetry| symmetry.apply(point, self.size))).collect()
    }
}

/// All games of a format whose games do not depend on results. They go opening by opening, so that a part of the match holds
/// the same number of games of every pairing.
fn fixed_games(config: &MatchConfig) -> impl Iterator<Item = GameId> + Send + use<> {
    let pairings = pairings(config);
    config.shard.openings(config.games / 2).flat_map(move |opening| {
        let legs = move |(first, second)| Leg::ALL.map(|leg| GameId { first, second, opening, leg });
        pairings.clone().into_iter().flat_map(legs)
    })
}

/// The pairings that can occur.
fn pairings(config: &MatchConfig) -> Vec<(usize, usize)> {
    let count = config.engines.len();
    match config.format {
        Format::Match | Format::Gauntlet => (1..count).map(|second| (0, second)).collect(),
        Format::RoundRobin | Format::Knockout => {
            (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))).collect()
        }
    }
}

/// The games on record, for the bracket.
pub(super) fn known_games(played: &MatchRecord) -> Known {
    played.games.iter().map(|(&id, record)| (id, KnownGame::new(&played.config, record))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::sample::config;
    use crate::shard::Shard;

    fn all(config: &MatchConfig) -> Vec<String> {
        let mut schedule = Schedule::new(config, vec![Opening::new()], [].iter());
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
    fn a_match_of_many_games_is_not_laid_out_in_memory() {
        let shard = Shard { index: 999_999, count: 1_000_000 };
        let large = MatchConfig { games: 1_000_000_000, ..config(Format::RoundRobin, 8) };
        assert_eq!(Schedule::total(&large), Some(28_000_000_000));
        assert_eq!(Schedule::total(&MatchConfig { shard, ..large.clone() }), Some(28_000));
        let mut schedule = Schedule::new(&MatchConfig { shard, ..large }, vec![Opening::new()], [].iter());
        assert!(matches!(schedule.next(), NextGame::Play(id, _) if id.opening == 999_999));
    }

    #[test]
    fn a_shard_has_its_openings_and_no_others() {
        let shard = Shard { index: 1, count: 2 };
        assert_eq!(all(&MatchConfig { shard, ..config(Format::Match, 2) }), ["0-1.1a", "0-1.1b"]);
    }
}
