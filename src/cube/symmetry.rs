//! [`Symmetry`]: the 192 renumberings of the cells that map every line to a line.
//!
//! ```text
//! 48 of the cube      3! orders of the axes × 2³ reflections
//!  × 4 of the numbers 0 1 2 3 → 0123, 1032 (inside out), 0213 (middle changed), 1302 (both), on all axes alike
//! ```
//!
//! Along a line each axis counts 0123 or 3210 or stays the same, so a renumbering that commutes with the reflection
//! i → 3 − i keeps lines (Silver, "The group of automorphisms of the game of 3-dimensional ticktacktoe", American
//! Mathematical Monthly 74, 1967). With gravity only the eight symmetries of the square of columns are left.

use std::sync::OnceLock;

use super::board::Gravity;
use super::geometry::{CELLS, Cell, CellSet};

/// The symmetries without gravity.
pub const SYMMETRIES: usize = 192;

/// The number of symmetries with gravity. They come first in the list of all symmetries.
const UPRIGHT: usize = 8;

/// The renumberings of one axis, up to reflection.
const NUMBERINGS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3], [1, 3, 0, 2]];

/// The orders of the axes. The first two keep z in its place.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// One renumbering of the cells.
#[derive(Clone, Debug)]
pub struct Symmetry {
    image: [Cell; CELLS],
    /// The images of the 256 subsets of each eight cells.
    bytes: Box<[[u64; 256]; 8]>,
}

impl Symmetry {
    /// The 8 or 192 symmetries under this gravity. The first is the identity.
    pub fn all(gravity: Gravity) -> &'static [Self] {
        static ALL: OnceLock<Vec<Symmetry>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            // The upright ones come first: no renumbering, no reflection of z, z in its place.
            let upright = (0..UPRIGHT).map(|index| (NUMBERINGS[0], index % 4, ORDERS[index / 4]));
            let every = NUMBERINGS.into_iter().flat_map(|numbering| {
                (0..8).flat_map(move |flips| ORDERS.into_iter().map(move |order| (numbering, flips, order)))
            });
            let is_upright = |&(numbering, flips, order): &([usize; 4], usize, [usize; 3])| {
                numbering == NUMBERINGS[0] && flips < 4 && order[2] == 2
            };
            let rest = every.filter(|parts| !is_upright(parts));
            upright.chain(rest).map(|(numbering, flips, order)| Self::new(numbering, flips, order)).collect()
        });
        match gravity {
            Gravity::On => &all[..UPRIGHT],
            Gravity::Off => all,
        }
    }

    fn new(numbering: [usize; 4], flips: usize, order: [usize; 3]) -> Self {
        let mut image = [Cell::from_index(0).unwrap_or_else(|| unreachable!()); CELLS];
        for cell in Cell::all() {
            let axes = [cell.x(), cell.y(), cell.z()];
            let moved: [usize; 3] = std::array::from_fn(|axis| {
                let number = numbering[axes[order[axis]]];
                if flips >> axis & 1 > 0 { 3 - number } else { number }
            });
            image[cell.index()] = Cell::new(moved[0], moved[1], moved[2]).unwrap_or(cell);
        }
        let mut bytes = Box::new([[0; 256]; 8]);
        for (byte, images) in bytes.iter_mut().enumerate() {
            for (subset, bits) in images.iter_mut().enumerate() {
                let cells = CellSet((subset as u64) << (8 * byte));
                *bits = cells.fold(0, |bits, cell| bits | image[cell.index()].set().0);
            }
        }
        Self { image, bytes }
    }

    /// The image of a cell.
    pub fn cell(&self, cell: Cell) -> Cell {
        self.image[cell.index()]
    }

    /// The images of the cells of a set. Cost: eight loads.
    #[must_use]
    pub fn cells(&self, cells: CellSet) -> CellSet {
        let parts = cells.0.to_le_bytes();
        CellSet(
            std::iter::zip(self.bytes.iter(), parts).fold(0, |bits, (images, part)| bits | images[usize::from(part)]),
        )
    }

    /// The cell whose image is this cell.
    pub fn inverse_cell(&self, cell: Cell) -> Cell {
        Cell::all().find(|&other| self.cell(other) == cell).unwrap_or(cell)
    }
}

/// The representative of a position among its images, which is the least pair of sets, and the number of a symmetry that
/// maps the position to it. Two positions have the same representative if and only if they are images of each other.
///
/// Cost: 16 loads a symmetry. The tables take 3 MiB without gravity.
pub fn canonical(stones: [CellSet; 2], gravity: Gravity) -> ([CellSet; 2], usize) {
    let mut least = (stones, 0);
    for (number, symmetry) in Symmetry::all(gravity).iter().enumerate().skip(1) {
        let first = symmetry.cells(stones[0]);
        if first > least.0[0] {
            continue;
        }
        let image = [first, symmetry.cells(stones[1])];
        if image < least.0 {
            least = (image, number);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cube::geometry::LINE_CELLS;
    use crate::rng::Rng;

    #[test]
    fn each_of_the_192_symmetries_is_another_one_and_keeps_every_line() {
        let lines: HashSet<_> = LINE_CELLS.into_iter().collect();
        let mut images = HashSet::new();
        for symmetry in Symmetry::all(Gravity::Off) {
            assert!(images.insert(symmetry.image));
            assert!(LINE_CELLS.into_iter().all(|line| lines.contains(&symmetry.cells(line))));
            assert!(Cell::all().all(|cell| symmetry.inverse_cell(symmetry.cell(cell)) == cell));
        }
        assert_eq!(images.len(), SYMMETRIES);
        assert!(Cell::all().all(|cell| Symmetry::all(Gravity::Off)[0].cell(cell) == cell));
    }

    #[test]
    fn the_eight_symmetries_of_the_columns_keep_every_level() {
        let upright = Symmetry::all(Gravity::On);
        assert_eq!(upright.len(), UPRIGHT);
        assert!(upright.iter().all(|symmetry| Cell::all().all(|cell| symmetry.cell(cell).z() == cell.z())));
        let levels_kept = |symmetry: &&Symmetry| Cell::all().all(|cell| symmetry.cell(cell).z() == cell.z());
        // Turning the numbers of all axes inside out moves levels; no further symmetry keeps them.
        assert_eq!(Symmetry::all(Gravity::Off).iter().filter(levels_kept).count(), UPRIGHT);
    }

    #[test]
    fn images_of_a_position_have_one_representative_and_other_positions_another() {
        let mut rng = Rng::new(13);
        for gravity in [Gravity::On, Gravity::Off] {
            for _ in 0..200 {
                let black = CellSet(rng.next_u64() & rng.next_u64() & rng.next_u64());
                let white = CellSet(rng.next_u64() & rng.next_u64() & rng.next_u64()).without(black);
                let (least, number) = canonical([black, white], gravity);
                let symmetries = Symmetry::all(gravity);
                let images: Vec<_> =
                    symmetries.iter().map(|symmetry| [black, white].map(|cells| symmetry.cells(cells))).collect();
                assert_eq!(images[number], least);
                assert_eq!(images.iter().min(), Some(&least), "no other image is less");
                assert!(images.iter().all(|&image| canonical(image, gravity).0 == least));
                // A position with a stone more has no image in common.
                let more = white.or(CellSet(!(black.0 | white.0)).first().unwrap().set());
                assert_ne!(canonical([black, more], gravity).0, least);
            }
        }
    }

    #[test]
    fn the_first_stones_that_differ_are_few() {
        let classes = |gravity| {
            let cells = if gravity == Gravity::On { CellSet::BOTTOM } else { CellSet::ALL };
            cells.map(|cell| canonical([cell.set(), CellSet::EMPTY], gravity).0).collect::<HashSet<_>>().len()
        };
        assert_eq!(classes(Gravity::Off), 2, "on seven lines or on four");
        assert_eq!(classes(Gravity::On), 3, "corner, edge, centre");
    }
}
