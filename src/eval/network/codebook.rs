//! The codebook: the contribution of each window to the lanes of a point.

use crate::threat::LineWindow;

/// Lanes of a point in the view of one color.
pub const LANES: usize = 32;

/// Lanes of a point: black's view, then white's.
pub const BOTH: usize = 2 * LANES;

/// Greatest number of a row: the sum of four rows is at most 508.
pub const GREATEST: i8 = i8::MAX;

/// The contribution of a window to the lanes of a point, in the view of one color.
pub type ViewRow = [i8; LANES];

/// The contribution of a window to all lanes of a point: one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i8; BOTH]);

/// The rows of all windows: 8.5 MB. A search reads about 200 KB of them.
///
/// ```text
/// window as black sees it ─► | black's view, 32 lanes | white's view, 32 lanes |
/// ```
pub(super) struct Codebook(Box<[Row]>);

impl Codebook {
    /// The codebook from two views, black's first. A view holds the row of each folded window as its color sees it.
    pub(super) fn new(views: [&[ViewRow]; 2]) -> Self {
        let row = |window: LineWindow| {
            let mut row = [0; BOTH];
            row[..LANES].copy_from_slice(&views[0][folded(window)]);
            row[LANES..].copy_from_slice(&views[1][folded(window.swapped())]);
            Row(row)
        };
        Self(LineWindow::all().map(row).collect())
    }

    #[inline]
    pub(super) fn row(&self, window: LineWindow) -> &Row {
        &self.0[window.index()]
    }
}

/// Number of windows up to mirror images: 364 · 365 / 2.
pub const FOLDED_WINDOWS: usize = 66_430;

/// Number of halves of a window: 364.
const HALVES: usize = LineWindow::COUNT.isqrt();

/// The number of a window among [`FOLDED_WINDOWS`], the same for its mirror image.
#[inline]
pub fn folded(window: LineWindow) -> usize {
    let [low, high] = halves(window);
    low * (2 * HALVES + 1 - low) / 2 + high - low
}

/// The numbers of the two halves of a window, the lesser first, because a line has no direction.
#[inline]
pub fn halves(window: LineWindow) -> [usize; 2] {
    let (before, after) = (window.index() / HALVES, window.index() % HALVES);
    [before.min(after), before.max(after)]
}

/// Whether a window has no stone. Its row is zero, so that an empty board of any size has zero sums.
pub fn is_stoneless(window: LineWindow) -> bool {
    let (before, after) = window.reach();
    window == LineWindow::empty(before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_share_a_number_and_the_numbers_have_no_gap() {
        let mut seen = vec![0; FOLDED_WINDOWS];
        for window in LineWindow::all() {
            assert_eq!(folded(window), folded(window.mirrored()));
            seen[folded(window)] += 1;
        }
        assert!(seen.iter().all(|&count| count == 1 || count == 2));
        assert_eq!(LineWindow::all().filter(|&window| is_stoneless(window)).count(), 36);
    }
}
