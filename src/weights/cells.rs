//! [`Rays`]: the cells of a window as bit sets, read from both ends.

use crate::threat::{Cell, LineWindow};

/// The eleven cells along a line through a point, as one side sees them.
///
/// Three sets of sixteen bits lie side by side: own stones, opposing stones, blocked cells. In each, bit 5 + distance
/// is the cell at that distance:
///
/// ```text
///   distance  -5 -4 -3 -2 -1  0  1  2  3  4  5
///   bit        0  1  2  3  4  5  6  7  8  9 10
///   cell       |  .  .  X  O  *  .  X  .  .  |
///   own        0  0  0  1  0  0  0  1  0  0  0
///   opponent   0  0  0  0  1  0  0  0  0  0  0
///   blocked    1  0  0  0  1  0  0  0  0  0  1      an opposing stone, or off the board
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells(u64);

const OPPONENT: u32 = 16;
const BLOCKED: u32 = 32;

/// The bit of the point itself.
const POINT: i8 = 5;

/// The bits of the cells at these distances, the last included.
const fn span(first: i8, last: i8) -> u64 {
    ((1 << (last - first + 1)) - 1) << (first + POINT)
}

/// The number of stones among five cells, by their bits.
const STONES: [u8; 32] = {
    let mut stones = [0; 32];
    let mut bits = 0_u8;
    while bits < 32 {
        stones[bits as usize] = bits.count_ones() as u8;
        bits += 1;
    }
    stones
};

impl Cells {
    const fn at(distance: i8, cell: Cell) -> Self {
        let bit = span(distance, distance);
        Self(match cell {
            Cell::Empty => 0,
            Cell::Own => bit,
            Cell::Opponent => bit << OPPONENT | bit << BLOCKED,
            Cell::Off => bit << BLOCKED,
        })
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every cell of a span holds a stone of the side.
    #[inline]
    pub(super) const fn all_own(self, first: i8, last: i8) -> bool {
        self.0 & span(first, last) == span(first, last)
    }

    /// Whether a cell holds a stone of the side.
    #[inline]
    pub(super) const fn own(self, distance: i8) -> bool {
        self.all_own(distance, distance)
    }

    /// Whether a cell holds a stone of the other side.
    #[inline]
    pub(super) const fn opponent(self, distance: i8) -> bool {
        self.any_of(OPPONENT, distance, distance)
    }

    /// Whether a cell holds a stone of the other side or is off the board.
    #[inline]
    pub(super) const fn blocked(self, distance: i8) -> bool {
        self.any_of(BLOCKED, distance, distance)
    }

    /// Whether a cell is an empty point of the board.
    #[inline]
    pub(super) const fn empty(self, distance: i8) -> bool {
        !self.own(distance) && !self.blocked(distance)
    }

    /// The number of the side's stones in the five cells that begin at this distance; `None` if one of them is blocked.
    #[inline]
    pub(super) const fn open_span(self, first: i8) -> Option<usize> {
        let last = first + 4;
        if self.any_of(BLOCKED, first, last) {
            None
        } else {
            Some(STONES[(self.0 >> (first + POINT)) as usize % STONES.len()] as usize)
        }
    }

    /// The length of the unbroken run of the side's stones that begins at distance 1, 0 to 5.
    #[inline]
    pub(super) const fn run(self) -> u32 {
        ((self.0 & span(1, 5)) >> (POINT + 1)).trailing_ones()
    }

    /// Whether the cell after a [`run`](Self::run) is empty. A run of five ends outside the window and counts as
    /// closed.
    #[inline]
    pub(super) const fn is_open_behind(self, run: u32) -> bool {
        run < 5 && self.empty(run as i8 + 1)
    }

    #[inline]
    const fn any_of(self, set: u32, first: i8, last: i8) -> bool {
        self.0 >> set & span(first, last) != 0
    }
}

/// A window read along both rays of its line. Each ray sees the cells after the point on its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rays {
    /// The cells in the order of the window's number.
    pub(super) forward: Cells,
    /// The same cells from the other end.
    pub(super) backward: Cells,
}

impl Rays {
    /// The unbroken row through the point once the side has played there.
    #[inline]
    pub(super) const fn row_after(self) -> Row {
        let (before, after) = (self.backward.run(), self.forward.run());
        let open_ends = self.backward.is_open_behind(before) as u32 + self.forward.is_open_behind(after) as u32;
        Row { length: 1 + before + after, open_ends }
    }
}

/// An unbroken row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Stones, at most eleven.
    pub(super) length: u32,
    /// Number of ends next to an empty cell, 0 to 2.
    pub(super) open_ends: u32,
}

/// The number of halves. The number of a window is 364 · before + after.
pub(super) const HALVES: usize = LineWindow::COUNT.isqrt();

/// The cells of every half by its number. With them a window is read in a nanosecond.
pub(super) struct Halves(Box<[Half]>);

struct Half {
    /// Its cells if it lies before the point.
    before: Cells,
    /// Its cells if it lies after the point.
    after: Cells,
    /// The number of the same half as the other side sees it.
    swapped: usize,
}

impl Halves {
    /// Reads every half: some microseconds.
    pub(super) fn new() -> Self {
        // In the first windows no cell lies before the point, so their numbers are the numbers of their halves.
        let half = |window: LineWindow| {
            let cells = |sign: i8| {
                let cell = |distance| Cells::at(sign * distance, window.cell(distance));
                (1..=POINT).map(cell).fold(Cells::default(), Cells::and)
            };
            Half { before: cells(-1), after: cells(1), swapped: window.swapped().index() }
        };
        Self(LineWindow::all().take(HALVES).map(half).collect())
    }

    /// The rays of the window that is made of two halves.
    #[inline]
    pub(super) fn rays(&self, before: usize, after: usize) -> Rays {
        let (before, after) = (&self.0[before], &self.0[after]);
        Rays { forward: before.before.and(after.after), backward: after.before.and(before.after) }
    }

    /// The rays of a window.
    #[cfg(test)]
    pub(super) fn rays_of(&self, window: LineWindow) -> Rays {
        self.rays(window.index() / HALVES, window.index() % HALVES)
    }

    /// The number of the same half from the other side's view.
    #[inline]
    pub(super) fn swapped(&self, half: usize) -> usize {
        self.0[half].swapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_are_the_cells_of_the_window_from_both_ends() {
        let halves = Halves::new();
        for window in LineWindow::all() {
            let [before, after] = [window.index() / HALVES, window.index() % HALVES].map(|half| halves.swapped(half));
            assert_eq!(before * HALVES + after, window.swapped().index());
            let cells = |sign: i8| {
                let cell = |distance| Cells::at(distance, window.cell(sign * distance));
                (-POINT..=POINT).map(cell).fold(Cells::default(), Cells::and)
            };
            let rays = Rays { forward: cells(1), backward: cells(-1) };
            assert_eq!(halves.rays_of(window), rays, "{window}");
        }
    }

    #[test]
    fn rows_and_spans_are_read_off_the_sets() {
        let halves = Halves::new();
        let read = |text: &str| halves.rays_of(LineWindow::all().find(|window| window.to_string() == text).unwrap());
        let rays = read("|.XXX*X.OX|");
        assert_eq!(rays.row_after(), Row { length: 5, open_ends: 2 });
        assert_eq!(
            [-4, -3, -2, -1, 0].map(|first| rays.forward.open_span(first)),
            [Some(3), Some(4), Some(3), None, None]
        );
        assert!(rays.forward.opponent(3) && rays.forward.own(4) && rays.forward.blocked(5) && rays.forward.empty(2));
        assert_eq!(read("XXXXX*XXXXX").row_after(), Row { length: 11, open_ends: 0 });
        assert_eq!(read("|||||*OOOOO").row_after(), Row { length: 1, open_ends: 0 });
    }
}
