//! The bracket of a knockout: a pure function of the games played so far.
//!
//! The engines are seeded in the order in which they are named: the first meets the last, the second the last but one. If
//! their number is not a power of two, the first ones skip the first round.

use std::collections::BTreeSet;

use super::{Known, KnownGame};
use crate::notation::record::{GameId, Leg};

/// The greatest number of further openings of an even encounter. After them the engine named first wins it.
const EXTRA_OPENINGS: usize = 10;

/// Games of an encounter that are open at once, more than the number of workers.
const OPEN_AT_ONCE: usize = 2048;

/// The state of a knockout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::arena) struct Bracket {
    /// The encounters of each round.
    pub(in crate::arena) rounds: Vec<Vec<Encounter>>,
    /// Games that can be played now and are not on record. Further ones open once these are played.
    pub(in crate::arena) open: Vec<GameId>,
    /// The winner, once it is known.
    pub(in crate::arena) winner: Option<usize>,
}

/// Two engines. One of them reaches the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arena) struct Encounter {
    /// Both engines, in the order in which they are named.
    pub(in crate::arena) engines: (usize, usize),
    /// Their points so far.
    pub(in crate::arena) points: (u32, u32),
    /// The winner of the encounter, once it is known.
    pub(in crate::arena) winner: Option<usize>,
}

/// The bracket of this number of engines, with `games` games in each encounter.
pub(in crate::arena) fn bracket(engines: usize, games: usize, played: &Known) -> Bracket {
    let mut bracket = Bracket::default();
    let mut left: Vec<Option<usize>> = (0..engines.next_power_of_two()).map(|n| (n < engines).then_some(n)).collect();
    while left.len() > 1 {
        let half = left.len() / 2;
        let mut round = Vec::new();
        let mut winners = Vec::new();
        for place in 0..half {
            match (left[place], left[left.len() - 1 - place]) {
                (Some(one), Some(two)) => {
                    let engines = (one.min(two), one.max(two));
                    let encounter = encounter(engines, games, played, &mut bracket.open);
                    winners.push(encounter.winner);
                    round.push(encounter);
                }
                (one, two) => winners.push(one.or(two)),
            }
        }
        let known = round.iter().all(|encounter| encounter.winner.is_some());
        bracket.rounds.push(round);
        if !known {
            return bracket;
        }
        left = winners;
    }
    bracket.winner = left[0];
    bracket
}

/// The state of an encounter. Its missing games are added to `open`. A pair that repeats another does not count:
/// once all openings are played, deterministic engines would play an earlier pair again, which would decide an even
/// encounter.
fn encounter(engines: (usize, usize), games: usize, played: &Known, open: &mut Vec<GameId>) -> Encounter {
    let (first, second) = engines;
    let mut encounter = Encounter { engines, points: (0, 0), winner: None };
    // The regular openings can be played at the same time. A further one is played only while the points are even.
    let mut stage = 0..games / 2;
    let mut seen = BTreeSet::new();
    while !stage.is_empty() {
        let mut missing = Vec::new();
        for opening in stage.clone() {
            let ids = Leg::ALL.map(|leg| GameId { first, second, opening, leg });
            let known = ids.map(|id| played.get(&id));
            if let [Some(KnownGame { play: Some(one), .. }), Some(KnownGame { play: Some(other), .. })] = known {
                if !seen.insert((one, other)) {
                    continue;
                }
            }
            for (id, known) in ids.into_iter().zip(known) {
                match known {
                    Some(known) => {
                        encounter.points.0 += known.points;
                        encounter.points.1 += 2 - known.points;
                    }
                    None => missing.push(id),
                }
            }
        }
        if !missing.is_empty() {
            open.extend(missing.into_iter().take(OPEN_AT_ONCE));
            return encounter;
        }
        let even = encounter.points.0 == encounter.points.1;
        let next = stage.end;
        stage = if even && next < games / 2 + EXTRA_OPENINGS { next..next + 1 } else { next..next };
    }
    encounter.winner = Some(if encounter.points.1 > encounter.points.0 { second } else { first });
    encounter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays all open games until the bracket has a winner; `points` returns the points of the first engine of a
    /// pairing.
    fn run(engines: usize, known: impl Fn(GameId) -> KnownGame) -> (Bracket, usize) {
        let mut played = Known::new();
        loop {
            let bracket = bracket(engines, 4, &played);
            if bracket.winner.is_some() {
                return (bracket, played.len());
            }
            assert!(!bracket.open.is_empty());
            for id in bracket.open {
                played.insert(id, known(id));
            }
        }
    }

    /// A game that differs from all others.
    fn distinct(id: GameId, points: u32) -> KnownGame {
        KnownGame { points, play: Some(id.opening as u64) }
    }

    #[test]
    fn the_stronger_goes_on_and_the_first_ones_have_a_round_off() {
        // The higher the number, the stronger.
        let (bracket, games) = run(5, |id| distinct(id, 0));
        let pairings = |round: &Vec<Encounter>| round.iter().map(|e| e.engines).collect::<Vec<_>>();
        let rounds: Vec<_> = bracket.rounds.iter().map(pairings).collect();
        assert_eq!(rounds, [vec![(3, 4)], vec![(0, 4), (1, 2)], vec![(2, 4)]]);
        assert_eq!((bracket.winner, games), (Some(4), 16));
    }

    #[test]
    fn an_even_encounter_goes_on_until_somebody_leads() {
        let decided_by_the_third_opening = |id: GameId| distinct(id, if id.opening < 2 { 1 } else { 0 });
        let (bracket, games) = run(2, decided_by_the_third_opening);
        assert_eq!((bracket.winner, games), (Some(1), 6));
        let (bracket, games) = run(2, |id| distinct(id, 1));
        assert_eq!((bracket.winner, games), (Some(0), 2 * (2 + EXTRA_OPENINGS)));
    }

    #[test]
    fn a_repeated_pair_decides_no_encounter() {
        // The second engine wins the first opening, the first engine the second one. Then they come again.
        let again = |id: GameId| KnownGame {
            points: if id.opening % 2 == 0 { 0 } else { 2 },
            play: Some(id.opening as u64 % 2),
        };
        let (bracket, games) = run(2, again);
        assert_eq!((bracket.winner, games), (Some(0), 2 * (2 + EXTRA_OPENINGS)));
        assert_eq!(bracket.rounds[0][0].points, (4, 4));
        // Games that were not played to their end count each time.
        let forfeit = |id: GameId| KnownGame { play: None, ..again(id) };
        assert_eq!(run(2, forfeit).0.winner, Some(1));
    }
}
