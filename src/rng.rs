//! A small seeded generator. Openings, keys and random play are reproducible from their seed.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator of the item with this number, such as a game, out of many with one seed.
    ///
    /// The state of a generator grows by a constant with each number, so that nearby states yield the same numbers. The
    /// number of the item is therefore hashed by a step of the generator before it is combined with the seed.
    pub const fn numbered(seed: u64, number: u64) -> Self {
        Self(seed ^ Self(number).next_u64())
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which must not be 0. The bias of at most bound / 2^64 is negligible.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to 1, exclusive, with 53 random bits.
    pub const fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws an index with these chances, which add up to about 1. An index of chance 0 is never drawn, unless all are 0.
    pub fn weighted(&mut self, chances: &[f32]) -> usize {
        let mut left = self.fraction() as f32;
        let drawn = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        // Rounding may leave a rest above the sum of the chances.
        drawn.or_else(|| chances.iter().rposition(|&chance| chance > 0.0)).unwrap_or(0)
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn fractions_lie_from_0_to_1_and_about_the_middle() {
        let mut rng = Rng::new(3);
        let fractions: Vec<_> = (0..1000).map(|_| rng.fraction()).collect();
        assert!(fractions.iter().all(|fraction| (0.0..1.0).contains(fraction)));
        assert!((fractions.iter().sum::<f64>() / 1000.0 - 0.5).abs() < 0.05);
    }

    #[test]
    fn weighted_draws_follow_the_chances() {
        let mut rng = Rng::new(3);
        let mut counts = [0; 4];
        (0..10_000).for_each(|_| counts[rng.weighted(&[0.5, 0.0, 0.3, 0.2])] += 1);
        assert!(counts[1] == 0 && (4800..5200).contains(&counts[0]) && (2800..3200).contains(&counts[2]), "{counts:?}");
        assert_eq!(rng.weighted(&[0.0, 0.0]), 0);
        assert!((0..1000).all(|_| rng.weighted(&[0.1, 0.0]) == 0));
    }

    #[test]
    fn the_items_of_a_seed_share_no_random_numbers() {
        for seed in [0, 1, 43, u64::MAX] {
            let mut seen = BTreeSet::new();
            for number in 0..1_000 {
                let mut rng = Rng::numbered(seed, number);
                assert!((0..30).all(|_| seen.insert(rng.next_u64())), "seed {seed}, item {number}");
            }
        }
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<_> = (0..100).collect();
        Rng::new(7).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
