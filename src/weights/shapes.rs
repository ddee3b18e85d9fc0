//! `shapes`: the complete code at the end of "五子棋估值算法" (maxuewei2, cnblogs, 2015-09-21).
//!
//! Each axis is looked at along both of its rays. `at(j)` is the cell `j` steps along the ray, `S` the side's stone.
//! On each ray the first case that holds counts:
//!
//! ```text
//!  1  .SSSS*     300000        5  SSS*     750 if at(1) is empty, 3150 more if at(-4) is too;
//!  2  #SSSS*     250000                    500 if at(1) is blocked and at(-4) empty
//!  3  SSS*S      240000        6  SSS.*    350
//!  4  SS*SS      230000        7  SS*S     600, and 3150 more with both ends empty, 700 more with one not blocked
//!  8  SS*, neither end the other side's: a two, and goes on to
//!  9  15 for each stone in each five-cell span without a blocked cell
//! ```
//!
//! Two twos or more add 3000. Defence differs: cases 1 to 4 are worth 500 less, the bonus of 3150 in case 5 becomes
//! 2850, and the bonus of 3000 for twos becomes 2900. Both rays of an axis see case 4, so it adds 460000: that is the
//! document's arithmetic.

use super::cells::{Cells, Rays};
use super::document::{Document, Term};

/// A sum of terms is 16 · weight + the number of twos: eight rays have at most eight.
const WEIGHT_SHIFT: u32 = 4;
const TWOS_MASK: u32 = (1 << WEIGHT_SHIFT) - 1;

/// What two twos or more add to attack.
const TWOS: u32 = 3000;
/// What two twos or more add to defence.
const TWOS_DEFENCE: u32 = TWOS - 100;

/// What one ray adds: its weight for attack and for defence, and the number of twos.
#[derive(Clone, Copy, Default)]
struct Ray {
    own: u32,
    their: u32,
    twos: u32,
}

impl Ray {
    const fn new(own: u32, their: u32) -> Self {
        Self { own, their, twos: 0 }
    }
}

/// The weighting `shapes`.
pub(super) struct Shapes;

impl Document for Shapes {
    const TITLE: &'static str = "五子棋估值算法 (maxuewei2, 2015)";

    #[inline]
    fn term(rays: Rays) -> Term {
        // The five-cell spans through the point are the same from both ends.
        let stones: usize = (-4..=0).filter_map(|first| rays.forward.open_span(first)).sum();
        let scattered = 15 * stones as u32;
        let (one, two) = (ray(rays.forward, scattered), ray(rays.backward, scattered));
        let twos = one.twos + two.twos;
        let code = |weight: u32| (weight << WEIGHT_SHIFT) + twos;
        Term { own: code(one.own + two.own), their: code(one.their + two.their) }
    }

    #[inline]
    fn attack(sum: u32) -> u32 {
        weight(sum, TWOS)
    }

    #[inline]
    fn defence(sum: u32) -> u32 {
        weight(sum, TWOS_DEFENCE)
    }
}

#[inline]
fn weight(sum: u32, twos: u32) -> u32 {
    (sum >> WEIGHT_SHIFT) + if sum & TWOS_MASK >= 2 { twos } else { 0 }
}

/// What one ray adds; `scattered` is case 9.
#[inline]
fn ray(at: Cells, scattered: u32) -> Ray {
    if at.all_own(-4, -1) {
        if at.empty(-5) {
            return Ray::new(300_000, 299_500);
        }
        if at.blocked(-5) {
            return Ray::new(250_000, 249_500);
        }
    }
    if at.all_own(-3, -1) && at.own(1) {
        return Ray::new(240_000, 239_500);
    }
    if at.all_own(-2, -1) && at.all_own(1, 2) {
        return Ray::new(230_000, 229_500);
    }
    if at.all_own(-3, -1) {
        return match (at.empty(1), at.empty(-4)) {
            (true, true) => Ray::new(750 + 3150, 750 + 3150 - 300),
            (true, false) => Ray::new(750, 750),
            (false, true) if at.blocked(1) => Ray::new(500, 500),
            (false, _) => Ray::default(),
        };
    }
    if at.empty(-1) && at.all_own(-4, -2) {
        return Ray::new(350, 350);
    }
    if at.all_own(-2, -1) && at.own(1) {
        let more = match ((at.empty(-3), at.empty(2)), (at.blocked(-3), at.blocked(2))) {
            ((true, true), _) => 3150,
            (_, (true, true)) => 0,
            _ => 700,
        };
        return Ray::new(600 + more, 600 + more);
    }
    let is_two = at.all_own(-2, -1) && !at.opponent(-3) && !at.opponent(1);
    Ray { own: scattered, their: scattered, twos: u32::from(is_two) }
}
