//! [`Table`]: the transposition table. Symmetric positions share an entry early in the game.

use crate::cube::board::Position;
use crate::cube::geometry::{Cell, CellSet};
use crate::cube::symmetry::{Symmetry, canonical};
use crate::score::Score;

/// Maximum number of stones at which symmetric positions share an entry. Later positions rarely have an image in the
/// same game, and finding the representative costs a microsecond or two.
const FOLDED_STONES: usize = 8;

/// The kind of a score: exact, or a bound from a search that was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

impl Bound {
    /// The kind of a score that was searched with this window.
    pub(super) fn of(score: Score, alpha: Score, beta: Score) -> Self {
        match score {
            _ if score >= beta => Self::Lower,
            _ if score > alpha => Self::Exact,
            _ => Self::Upper,
        }
    }
}

/// The result of the search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The stones of the side to move and of the other side, in the representative of the position.
    stones: [CellSet; 2],
    score: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move in the representative.
    best: Cell,
}

impl Entry {
    /// The score relative to the root, for a node at this ply.
    pub(super) fn score(&self, ply: u32) -> Score {
        Score::from_value(self.score.into()).relative_to_root(ply)
    }
}

/// The representative of a position and the symmetry that leads to it. The entry knows the side to move and the other side,
/// so that positions with the colors exchanged share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    stones: [CellSet; 2],
    /// `None` if the position is not mapped.
    symmetry: Option<&'static Symmetry>,
}

impl Key {
    pub(super) fn of(position: &Position) -> Self {
        let stones = [position.stones(position.turn()), position.stones(!position.turn())];
        if position.stone_count() > FOLDED_STONES {
            return Self { stones, symmetry: None };
        }
        let (stones, number) = canonical(stones, position.gravity());
        Self { stones, symmetry: Some(&Symmetry::all(position.gravity())[number]) }
    }

    fn slot(&self, slots: usize) -> usize {
        let [own, other] = self.stones.map(|cells| cells.0);
        let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ other.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(32);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((u128::from(mixed ^ (mixed >> 32)) * slots as u128) >> 64) as usize
    }
}

/// A table of a fixed size whose key is the whole position. A new entry replaces the old one, unless that is deeper and of
/// the same position and the new score is a bound. A table holds positions of one gravity only, because the same stones
/// score otherwise under the other.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
}

impl Table {
    /// An empty table of at most this number of bytes and at least one entry.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        Self { entries: vec![None; Self::slots(bytes)] }
    }

    /// Whether a table of this number of bytes would have another size.
    pub(super) fn needs_resize(&self, bytes: usize) -> bool {
        self.entries.len() != Self::slots(bytes)
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(None);
    }

    fn slots(bytes: usize) -> usize {
        (bytes / size_of::<Option<Entry>>()).max(1)
    }

    pub(super) fn get(&self, key: &Key) -> Option<Entry> {
        self.entries[key.slot(self.entries.len())].filter(|entry| entry.stones == key.stones)
    }

    /// The best move of an entry, mapped back to the position of the key.
    pub(super) fn best(&self, key: &Key) -> Option<Cell> {
        let best = self.get(key)?.best;
        Some(key.symmetry.map_or(best, |symmetry| symmetry.inverse_cell(best)))
    }

    pub(super) fn put(&mut self, key: &Key, ply: u32, score: Score, depth: u8, bound: Bound, best: Cell) {
        let best = key.symmetry.map_or(best, |symmetry| symmetry.cell(best));
        let slots = self.entries.len();
        let slot = &mut self.entries[key.slot(slots)];
        let is_deeper = slot.is_some_and(|entry| entry.stones == key.stones && entry.depth > depth);
        if !is_deeper || bound == Bound::Exact {
            let score = score.relative_to_node(ply).value() as i16;
            *slot = Some(Entry { stones: key.stones, score, depth, bound, best });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::cube::board::Gravity;

    fn set(cells: &str) -> CellSet {
        cells.split_whitespace().map(|cell| cell.parse::<Cell>().unwrap()).collect()
    }

    #[test]
    fn an_image_of_a_position_has_its_entry_and_the_image_of_its_move() {
        let mut table = Table::with_bytes(1 << 16);
        let (black, white, best) = (set("0,0,0 1,0,0"), set("0,1,0"), "2,0,0".parse::<Cell>().unwrap());
        for gravity in [Gravity::On, Gravity::Off] {
            table.clear();
            let key = Key::of(&Position::with([black, white], Color::White, gravity));
            table.put(&key, 3, Score::win_at(8), 5, Bound::Lower, best);
            for symmetry in Symmetry::all(gravity) {
                let image = Position::with([black, white].map(|cells| symmetry.cells(cells)), Color::White, gravity);
                let key = Key::of(&image);
                let entry = table.get(&key).unwrap();
                assert_eq!((entry.score(1), entry.depth, entry.bound), (Score::win_at(6), 5, Bound::Lower));
                let best = table.best(&key).unwrap();
                // Some symmetry takes the position with the move into this one with its move.
                let with_move =
                    |stones: [CellSet; 2], cell: Cell| canonical([stones[0].or(cell.set()), stones[1]], gravity).0;
                assert_eq!(with_move(image.both(), best), with_move([black, white], "2,0,0".parse().unwrap()));
            }
        }
    }

    #[test]
    fn a_deeper_entry_of_the_same_position_stays() {
        let mut table = Table::with_bytes(0);
        let best = "2,0,0".parse::<Cell>().unwrap();
        let key = |stones: &str| Key::of(&Position::with([set(stones), CellSet::EMPTY], Color::White, Gravity::Off));
        table.put(&key("0,0,0"), 0, Score::ZERO, 5, Bound::Lower, best);
        table.put(&key("3,3,3"), 0, Score::ZERO, 4, Bound::Lower, best);
        assert_eq!(table.get(&key("0,0,3")).map(|entry| entry.depth), Some(5));
        table.put(&key("3,3,3"), 0, Score::ZERO, 4, Bound::Exact, best);
        assert_eq!(table.get(&key("0,0,3")).map(|entry| entry.depth), Some(4));
        table.put(&key("0,1,0"), 0, Score::ZERO, 1, Bound::Lower, best);
        assert_eq!(table.get(&key("0,0,0")), None, "another position takes the slot");
    }
}
