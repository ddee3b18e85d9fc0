//! Renju's forbidden points: double three, double four and overline, decided exactly by recursion.
//!
//! The terms are those of the Renju International Federation, read as Piskvork and the Gomocup judge read them. With
//! black's stone on the point, and for each of the four lines through it:
//!
//! ```text
//! five      a run of exactly five: legal and a win, whatever else the stone makes
//! overline  a run of six or more
//! four      four stones in five cells, the fifth empty, no black stone directly outside:   X.XXX  .XXXX  …
//!           each set of four stones counts once: the open four .XXXX. once, X.XXX.X twice
//! three     some empty point makes an open four .XXXX. with it (the Federation's "straight four"), and black may
//!           play there: it makes no five and is not forbidden itself, which is decided in the same way
//! ```
//!
//! Forbidden: an overline, two fours or more, or threes on two lines or more.

use std::fmt;

use super::bits::{self, Rows};
use super::{Direction, Point, Size};

/// The reasons for which a point is forbidden to black. Several may hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foul {
    /// Threes on two lines or more.
    pub double_three: bool,
    /// Two fours or more.
    pub double_four: bool,
    /// A row of six or more.
    pub overline: bool,
}

/// The field's short names joined by `+`: `33`, `44`, `6`.
impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [(self.double_three, "33"), (self.double_four, "44"), (self.overline, "6")];
        let mut separator = "";
        for (_, kind) in kinds.into_iter().filter(|(holds, _)| *holds) {
            write!(f, "{separator}{kind}")?;
            separator = "+";
        }
        Ok(())
    }
}

/// The reasons for which an empty point is forbidden to black, or `None` if it is legal.
///
/// Cost: some tens of nanoseconds; a few microseconds if threes on two lines must be proved.
pub(super) fn foul(black: &Rows, empty: &Rows, size: Size, point: Point) -> Option<Foul> {
    let lines = Direction::ALL.map(|direction| Line::with_stone(black, empty, point, direction));
    if lines.iter().any(|line| line.run() == 5) {
        return None;
    }
    let foul = Foul {
        overline: lines.iter().any(|line| line.run() > 5),
        double_four: lines.iter().map(Line::fours).sum::<usize>() >= 2,
        double_three: double_three(black, empty, size, point, &lines),
    };
    (foul != Foul::default()).then_some(foul)
}

/// Whether an empty point is forbidden to black. Stops at the first reason.
pub(super) fn is_forbidden(black: &Rows, empty: &Rows, size: Size, point: Point) -> bool {
    let lines = Direction::ALL.map(|direction| Line::with_stone(black, empty, point, direction));
    let mut runs = lines.iter().map(Line::run);
    if runs.clone().any(|run| run == 5) {
        return false;
    }
    runs.any(|run| run > 5)
        || lines.iter().map(Line::fours).sum::<usize>() >= 2
        || double_three(black, empty, size, point, &lines)
}

/// Whether a black stone on the point makes threes on two lines.
fn double_three(black: &Rows, empty: &Rows, size: Size, point: Point, lines: &[Line; 4]) -> bool {
    if lines.iter().filter(|line| line.extensions() != 0).count() < 2 {
        return false;
    }
    let (black, empty) = with_stone(black, empty, point);
    let is_three = |(line, direction): (&Line, Direction)| {
        legal_extensions(&black, &empty, size, point, line, direction).next().is_some()
    };
    lines.iter().zip(Direction::ALL).filter(|&line| is_three(line)).take(2).count() == 2
}

/// The stones and the empty points after black has played the point.
pub(super) fn with_stone(black: &Rows, empty: &Rows, point: Point) -> (Rows, Rows) {
    let (mut black, mut empty) = (black.clone(), empty.clone());
    black.insert(point);
    empty.remove(point);
    (black, empty)
}

/// The points of a line that make an open four with the stone on `point` and that black may play: they make no five and
/// are not forbidden. The line makes a three if there is one. `black` holds the stone, `empty` does not.
pub(super) fn legal_extensions(
    black: &Rows,
    empty: &Rows,
    size: Size,
    point: Point,
    line: &Line,
    direction: Direction,
) -> impl Iterator<Item = Point> {
    let is_legal = move |extension: &Point| {
        let fives = |direction| Line::with_stone(black, empty, *extension, direction).run() == 5;
        !Direction::ALL.into_iter().any(fives) && !is_forbidden(black, empty, size, *extension)
    };
    line.points(line.extensions(), point, direction, size).filter(is_legal)
}

/// The number of unused bits below the first point of a line. Windows may begin there.
const PAD: u32 = 8;

/// One line through a point with black's stone on it: bit `PAD + i` is the i-th point of the line.
pub(super) struct Line {
    black: u64,
    empty: u64,
    /// The number of the point in the line.
    centre: i8,
}

impl Line {
    pub(super) fn with_stone(black: &Rows, empty: &Rows, point: Point, direction: Direction) -> Self {
        let centre = bits::bit(point, direction);
        let stone = 1u64 << (PAD + centre);
        Self {
            black: u64::from(black.line(point, direction)) << PAD | stone,
            empty: u64::from(empty.line(point, direction)) << PAD & !stone,
            centre: centre as i8,
        }
    }

    fn stone(&self) -> u32 {
        PAD + self.centre as u32
    }

    /// The points of some bits of the line, which passes through `point` in `direction`.
    pub(super) fn points(
        &self,
        mut bits: u64,
        point: Point,
        direction: Direction,
        size: Size,
    ) -> impl Iterator<Item = Point> {
        let centre = self.stone() as i8;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (bit < u64::BITS).then_some(bit as i8 - centre)
        })
        .filter_map(move |distance| point.step(direction, distance, size))
    }

    /// The length of the unbroken run through the stone.
    pub(super) fn run(&self) -> u32 {
        let above = (!(self.black >> self.stone())).trailing_zeros();
        let below = (!(self.black << (u64::BITS - self.stone()))).leading_zeros();
        above + below
    }

    /// The bits of the unbroken run through the stone.
    pub(super) fn run_bits(&self) -> u64 {
        let below = (!(self.black << (u64::BITS - self.stone()))).leading_zeros();
        ((1 << self.run()) - 1) << (self.stone() - below)
    }

    /// The number of fours through the stone.
    fn fours(&self) -> usize {
        let mut last = 0;
        let mut count = 0;
        for (four, _) in self.four_windows() {
            // The two windows of an open four hold the same stones and follow each other.
            if four != last {
                count += 1;
                last = four;
            }
        }
        count
    }

    /// The windows of five points that hold a four through the stone: the bits of its four stones and of the fifth
    /// point. An open four has two windows, which follow each other.
    pub(super) fn four_windows(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (self.stone() - 4..=self.stone()).filter_map(|start| {
            let window = 0b11111 << start;
            let flanks = 1 << (start - 1) | 1 << (start + 5);
            let four = self.black & window;
            let is_four = four.count_ones() == 4 && self.empty & window != 0 && self.black & flanks == 0;
            is_four.then_some((four, self.empty & window))
        })
    }

    /// The empty points that complete an open four with the stone, as bits.
    fn extensions(&self) -> u64 {
        self.extension_windows().fold(0, |extensions, (_, missing)| extensions | missing)
    }

    /// The windows of four points that one more stone turns into an open four with the stone: the bits of their three
    /// stones and of the missing point. All windows of a line hold the same three stones.
    pub(super) fn extension_windows(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (self.stone() - 3..=self.stone()).filter_map(|start| {
            let window = 0b1111 << start;
            let (ends, flanks) = (1 << (start - 1) | 1 << (start + 4), 1 << (start - 2) | 1 << (start + 5));
            let missing = window & !self.black;
            let is_three = missing.count_ones() == 1
                && self.empty & missing != 0
                && self.empty & ends == ends
                && self.black & flanks == 0;
            is_three.then_some((self.black & window, missing))
        })
    }
}
