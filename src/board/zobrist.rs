//! [`Key`]: the incremental hash of a position.

use super::{Color, POINT_SLOTS, Point};
use crate::rng::Rng;

/// Seed of the table. The value is arbitrary, and fixed so that every build has the same keys.
const SEED: u64 = 0x5445_4E47_454E_0001;

/// Rows of the table: black stone, white stone, wall.
const KINDS: usize = 3;

static STONES: [[u64; POINT_SLOTS]; KINDS] = {
    let mut rng = Rng::new(SEED);
    let mut table = [[0; POINT_SLOTS]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut slot = 0;
        while slot < POINT_SLOTS {
            table[kind][slot] = rng.next_u64();
            slot += 1;
        }
        kind += 1;
    }
    table
};

const TURN: u64 = Rng::new(!SEED).next_u64();

/// A 64-bit hash of the stones, the walls and the side to move (Zobrist, 1970). Each change is one exclusive or.
///
/// The size and the rule are not hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    /// The key with these [`bits`](Self::bits).
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Adds or removes a stone.
    pub(super) fn toggle_stone(&mut self, point: Point, color: Color) {
        self.0 ^= STONES[color.index()][point.index()];
    }

    /// Adds a wall.
    pub(super) fn toggle_wall(&mut self, point: Point) {
        self.0 ^= STONES[KINDS - 1][point.index()];
    }

    /// Changes the side to move.
    pub(super) fn toggle_turn(&mut self) {
        self.0 ^= TURN;
    }
}
