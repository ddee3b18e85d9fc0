//! [`ReplayMemory`]: a memory of games, bounded in bytes, from which positions are drawn.

use std::collections::VecDeque;
use std::mem::size_of;

use super::episode::Episode;
use crate::board::{Color, Point};
use crate::files::take_first;
use crate::rng::Rng;
use crate::tune::network::{read_numbers, write_numbers};

/// A game in two bytes a stone.
struct Kept {
    moves: Box<[u16]>,
    opening: u8,
    winner: Option<Color>,
}

impl Kept {
    /// The bytes of a game: its entry, and the block of its moves with the allocator's share.
    fn bytes(&self) -> usize {
        size_of::<Self>() + 2 * self.moves.len() + ALLOCATION
    }

    fn episode(&self) -> Episode {
        let moves = self.moves.iter().filter_map(|&index| Point::from_index(index.into())).collect();
        Episode { moves, opening: self.opening.into(), winner: self.winner }
    }
}

/// Bytes that an allocator adds to a block, rounded up.
const ALLOCATION: usize = 24;

/// The games played last.
pub(super) struct ReplayMemory {
    games: VecDeque<Kept>,
    bytes: usize,
    capacity: usize,
    /// The number of moves in all games that can be drawn.
    moves: usize,
}

impl ReplayMemory {
    /// An empty memory of at most this number of bytes.
    pub(super) fn new(capacity: usize) -> Self {
        Self { games: VecDeque::new(), bytes: 0, capacity, moves: 0 }
    }

    /// The number of moves that can be drawn.
    pub(super) const fn moves(&self) -> usize {
        self.moves
    }

    /// Adds a game, and removes the oldest ones beyond the capacity.
    pub(super) fn add(&mut self, episode: &Episode) {
        let moves = episode.moves.iter().map(|point| point.index() as u16).collect();
        self.keep(Kept { moves, opening: episode.opening as u8, winner: episode.winner });
    }

    fn keep(&mut self, game: Kept) {
        self.bytes += game.bytes();
        self.moves += chosen(&game);
        self.games.push_back(game);
        while self.bytes > self.capacity {
            let Some(oldest) = self.games.pop_front() else { break };
            self.bytes -= oldest.bytes();
            self.moves -= chosen(&oldest);
        }
    }

    /// A random move of all games: its game, and the number of stones before it. `None` without games.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<(Episode, usize)> {
        if self.moves == 0 {
            return None;
        }
        loop {
            // A longer game is drawn more often, so that all moves of all games have the same chance.
            let game = &self.games[rng.below(self.games.len())];
            let number = rng.below(LONGEST);
            if number < chosen(game) {
                return Some((game.episode(), usize::from(game.opening) + number));
            }
        }
    }

    /// Appends the games.
    pub(super) fn save(&self, content: &mut Vec<u8>) {
        content.extend((self.games.len() as u64).to_ne_bytes());
        for game in &self.games {
            let winner = game.winner.map_or(Color::ALL.len(), Color::index) as u8;
            content.extend([game.opening, winner]);
            write_numbers(content, &game.moves);
        }
    }

    /// Reads the games; `None` if they are damaged.
    pub(super) fn load(capacity: usize, rest: &mut &[u8]) -> Option<Self> {
        let mut replay = Self::new(capacity);
        for _ in 0..u64::from_ne_bytes(take_first(rest)?) {
            let [opening, winner] = take_first(rest)?;
            let moves: Vec<u16> = read_numbers(rest)?;
            replay.keep(Kept { moves: moves.into(), opening, winner: Color::ALL.get(usize::from(winner)).copied() });
        }
        Some(replay)
    }
}

/// The number of moves of a game that can be drawn.
fn chosen(game: &Kept) -> usize {
    game.moves.len() - usize::from(game.opening)
}

/// More moves than a game has on the largest board of a learner.
const LONGEST: usize = 1 << 9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn episode(length: usize, winner: Option<Color>) -> Episode {
        Episode { moves: Size::new(9).unwrap().points().take(length).collect(), opening: 2, winner }
    }

    #[test]
    fn the_memory_is_bounded_and_the_oldest_games_leave() {
        let capacity = 10_000;
        let mut replay = ReplayMemory::new(capacity);
        for length in (10..80).cycle().take(500) {
            replay.add(&episode(length, None));
            assert!(replay.bytes <= capacity);
            assert_eq!(replay.bytes, replay.games.iter().map(Kept::bytes).sum::<usize>());
            assert_eq!(replay.moves(), replay.games.iter().map(|game| game.moves.len() - 2).sum::<usize>());
        }
        assert!(replay.games.len() > 40, "{} games", replay.games.len());
        assert_eq!(replay.games.back().unwrap().moves.len(), 10 + 499 % 70);
    }

    #[test]
    fn every_move_is_drawn_as_often_as_any_other() {
        let mut replay = ReplayMemory::new(1 << 20);
        replay.add(&episode(4, Some(Color::Black)));
        replay.add(&episode(22, Some(Color::White)));
        let mut rng = Rng::new(7);
        let drawn: Vec<_> = (0..2200).map(|_| replay.draw(&mut rng).unwrap()).collect();
        let short = drawn.iter().filter(|(episode, _)| episode.moves.len() == 4).count();
        assert!((150..250).contains(&short), "{short} of 2200, expected 200");
        assert!(drawn.iter().all(|(episode, ply)| (2..episode.moves.len()).contains(ply)));
        assert!(ReplayMemory::new(100).draw(&mut rng).is_none());
    }

    #[test]
    fn a_memory_survives_its_file() {
        let mut replay = ReplayMemory::new(1 << 16);
        for (length, winner) in [(9, None), (30, Some(Color::White)), (12, Some(Color::Black))] {
            replay.add(&episode(length, winner));
        }
        let mut bytes = Vec::new();
        replay.save(&mut bytes);
        let mut rest = &bytes[..];
        let loaded = ReplayMemory::load(1 << 16, &mut rest).unwrap();
        assert!(rest.is_empty() && loaded.bytes == replay.bytes);
        let episodes = |replay: &ReplayMemory| replay.games.iter().map(Kept::episode).collect::<Vec<_>>();
        assert_eq!(episodes(&loaded), episodes(&replay));
        assert!(ReplayMemory::load(1 << 16, &mut &bytes[..bytes.len() - 1]).is_none());
    }
}
