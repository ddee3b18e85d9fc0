//! `runs`: "五子棋简易AI算法". Each of the eight rays adds by the unbroken run of the side's stones that begins beside
//! the point: live where the cell behind it is empty, dead where it is blocked.

use super::Term;
use crate::threat::{Cell, LineWindow};

/// By the length of the run; longer runs add nothing.
const LIVE: [u32; 5] = [0, 50, 150, 500, 3000];
const DEAD: [u32; 5] = [0, 30, 90, 300, 3000];

pub(super) fn term(window: LineWindow) -> Term {
    let ray = |sign: i8| {
        let length = (1..=5).take_while(|distance| window.cell(sign * distance) == Cell::Own).count();
        if length >= LIVE.len() {
            return 0;
        }
        let behind = window.cell(sign * (length as i8 + 1));
        if behind == Cell::Empty { LIVE[length] } else { DEAD[length] }
    };
    let weight = ray(-1) + ray(1);
    Term { own: weight, their: weight }
}
