//! [`Candidates`]: random openings in the order of their numbers, each position once.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::{Numbers, OpeningsConfig};
use crate::board::{Board, Color, Point, Symmetry};
use crate::fnv::Fnv1a;
use crate::rng::Rng;
use crate::tune::selfplay::{first_near_centre, first_near_edge, random_near};

/// The number of stones. Hand-set: fewer stones have too few positions, and with more the fight is decided.
const STONES: RangeInclusive<usize> = 3..=8;

/// The first stone of one opening in this number lies near an edge. Hand-set.
const EDGE_EVERY: usize = 3;

/// A random opening.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Twice the number of the draw, and one more in the odd half.
    pub(super) number: u64,
    /// The stones in playing order.
    pub(super) moves: Vec<Point>,
    /// The board with these stones.
    pub(super) board: Board,
}

impl Candidate {
    /// The half of an opening with this number.
    const fn numbers(number: u64) -> Numbers {
        if number % 2 == 0 { Numbers::Even } else { Numbers::Odd }
    }
}

/// The openings of a seed that belong to a half and a shard and are no image of an earlier one.
pub(super) struct Candidates<'a> {
    config: &'a OpeningsConfig,
    /// The number of the next draw.
    draw: u64,
    /// The classes drawn so far.
    seen: HashSet<u64>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(config: &'a OpeningsConfig) -> Self {
        Self { config, draw: 0, seen: HashSet::new() }
    }

    /// Draws the openings up to this number, so that their images do not come again.
    pub(super) fn skip_past(&mut self, number: u64) {
        while self.draw <= number / 2 {
            self.draw_next();
        }
    }

    /// The next draw, if it belongs to the half and the shard and is new.
    fn draw_next(&mut self) -> Option<Candidate> {
        let OpeningsConfig { rule, size, seed, numbers, shard, .. } = *self.config;
        let mut rng = Rng::numbered(seed, self.draw);
        let draw = self.draw;
        self.draw += 1;
        let first = if rng.below(EDGE_EVERY) == 0 { first_near_edge } else { first_near_centre };
        let mut moves = vec![first(size, &mut rng)];
        let stones = STONES.start() + rng.below(STONES.count());
        let mut board = Board::new(size, rule);
        board.play(moves[0]);
        while moves.len() < stones {
            let point = random_near(&board, &mut rng)?;
            if board.outcome_of(point, board.turn()).is_some() {
                return None;
            }
            board.play(point);
            moves.push(point);
        }
        let class = symmetry_class(&board);
        let number = 2 * draw + class % 2;
        let is_wanted = Candidate::numbers(number) == numbers && shard.has((class >> 1) as usize % shard.count);
        (self.seen.insert(class) && is_wanted).then_some(Candidate { number, moves, board })
    }
}

/// Never ends.
impl Iterator for Candidates<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            if let Some(candidate) = self.draw_next() {
                return Some(candidate);
            }
        }
    }
}

/// A hash that is the same for all eight images of a position. The side to move follows from the stones.
pub(in crate::tune) fn symmetry_class(board: &Board) -> u64 {
    let size = board.size();
    let image = |symmetry: Symmetry| {
        let images = |color: Color| {
            let mut points: Vec<_> =
                board.stones(color).iter().map(|point| symmetry.apply(point, size).index() as u64).collect();
            points.sort_unstable();
            points
        };
        [images(Color::Black), images(Color::White)]
    };
    let mut sum = Fnv1a::default();
    let canonical = Symmetry::all().map(image).min().unwrap_or_default();
    canonical.iter().for_each(|points| points.iter().chain([&u64::MAX]).for_each(|&word| sum.add_word(word)));
    // The low bits of the checksum depend on low bits of the points alone.
    Rng::new(sum.get()).next_u64()
}

#[cfg(test)]
mod tests {
    use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

    use super::*;
    use crate::board::{Rule, Size};
    use crate::shard::Shard;
    use crate::tune::ChanceRange;

    fn config(rule: Rule, numbers: Numbers, shard: Shard) -> OpeningsConfig {
        OpeningsConfig {
            rule,
            size: Size::FIFTEEN,
            seed: 7,
            numbers,
            shard,
            nodes: NonZeroU64::MIN,
            chance: ChanceRange::default(),
            pair_nodes: NonZeroU64::MIN,
            count: NonZeroU32::MIN,
            threads: NonZeroUsize::MIN,
        }
    }

    /// All images of a position, each as a sorted list of its stones.
    fn images(board: &Board) -> Vec<Vec<(usize, usize)>> {
        let turned = |symmetry: Symmetry| {
            let stones = [Color::Black, Color::White]
                .into_iter()
                .flat_map(|color| board.stones(color).iter().map(move |point| (point, color)));
            let mut image: Vec<_> =
                stones.map(|(point, color)| (symmetry.apply(point, board.size()).index(), color as usize)).collect();
            image.sort_unstable();
            image
        };
        Symmetry::all().map(turned).collect()
    }

    #[test]
    fn halves_and_shards_part_the_openings_and_none_is_the_image_of_another() {
        let shards: Vec<Shard> = ["1/2", "2/2"].map(|text| text.parse().unwrap()).to_vec();
        let mut seen = HashSet::new();
        let mut numbers = HashSet::new();
        for (half, rest) in [(Numbers::Even, 0), (Numbers::Odd, 1)] {
            for &shard in &shards {
                let config = config(Rule::Renju, half, shard);
                for candidate in Candidates::new(&config).take(2_000) {
                    assert_eq!(candidate.number % 2, rest);
                    assert!(numbers.insert(candidate.number), "{}", candidate.number);
                    let images = images(&candidate.board);
                    assert!(!images.iter().any(|image| seen.contains(image)), "{}", candidate.number);
                    seen.insert(images[0].clone());
                }
            }
        }
    }

    #[test]
    fn images_of_drawn_openings_are_dropped() {
        let config =
            OpeningsConfig { size: Size::new(5).unwrap(), ..config(Rule::Freestyle, Numbers::Even, Shard::WHOLE) };
        let mut candidates = Candidates::new(&config);
        let drawn: Vec<_> = candidates.by_ref().take(500).collect();
        assert!(drawn.is_sorted_by_key(|candidate| candidate.number));
        let repeats = candidates.draw as usize - candidates.seen.len();
        assert!(repeats > 20, "{repeats} of {} draws are images: too few to test anything", candidates.draw);
        let classes: HashSet<_> = drawn.iter().map(|candidate| images(&candidate.board).into_iter().min()).collect();
        assert_eq!(classes.len(), drawn.len());
    }

    #[test]
    fn a_resumed_run_draws_what_a_whole_run_draws() {
        for half in [Numbers::Even, Numbers::Odd] {
            let config = config(Rule::Standard, half, Shard::WHOLE);
            let whole: Vec<_> = Candidates::new(&config).take(300).map(|candidate| candidate.number).collect();
            let mut resumed = Candidates::new(&config);
            resumed.skip_past(whole[99]);
            let rest: Vec<_> = resumed.take(200).map(|candidate| candidate.number).collect();
            assert_eq!(rest, whole[100..], "{half}");
        }
    }
}
