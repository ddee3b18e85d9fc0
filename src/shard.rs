//! [`Shard`]: the part of a match, or of self-play, that one machine plays.

use std::fmt;

use thiserror::Error;

/// The greatest number of shards.
const MOST_SHARDS: usize = 1_000_000;

/// The share of the work that this machine does: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    pub index: usize,
    /// The number of shards.
    pub count: usize,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Whether the games of this opening, or the game with this number, belong to the shard.
    pub const fn has(self, number: usize) -> bool {
        number % self.count == self.index
    }

    /// Whether these are all shards of the work. Their counts are the same.
    pub fn are_all(shards: &[Self]) -> bool {
        let count = shards.iter().map(|shard| shard.count).max();
        count.is_some_and(|count| (0..count).all(|number| shards.iter().any(|shard| shard.has(number))))
    }

    /// The shard's openings among the first `openings` of the match, in ascending order.
    pub fn openings(self, openings: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
        (self.index..openings.max(self.index)).step_by(self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// Error returned when a shard fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected K/N with K from 1 to N, and N at most {MOST_SHARDS}")]
pub struct ShardError;

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, count) = text.split_once('/').ok_or(ShardError)?;
        let parse = |text: &str| text.parse::<usize>().map_err(|_| ShardError);
        let (number, count) = (parse(number)?, parse(count)?);
        let is_valid = count <= MOST_SHARDS && (1..=count).contains(&number);
        is_valid.then(|| Self { index: number - 1, count }).ok_or(ShardError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_part_the_numbers_and_are_read_as_written() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        assert!((0..20).all(|number| shards.iter().filter(|shard| shard.has(number)).count() == 1));
        assert!(Shard::are_all(&shards) && !Shard::are_all(&shards[1..]) && Shard::are_all(&[Shard::WHOLE]));
        assert_eq!(shards[1].to_string(), "2/3");
        assert_eq!(shards[1].openings(9).collect::<Vec<_>>(), [1, 4, 7]);
        assert_eq!(shards[2].openings(2).len(), 0);
        for text in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/1000001"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }
}
