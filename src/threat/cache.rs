//! [`ThreatCache`]: windows and patterns of every point, direction and color, moved by play and undo.

use arrayvec::ArrayVec;

use super::pattern::{Pattern, PatternTable};
use super::window::{Cell, LineWindow, REACH};
use crate::board::{Board, ByDirection, Color, Direction, Occupant, POINT_SLOTS, Point, Rule, STRIDE};

/// The patterns of one point for one color in the four directions, four bits each.
///
/// The bits number all combinations below 65,536, so they can index a table of what the four lines make together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Patterns(u16);

/// Bits of one direction.
const PATTERN_BITS: usize = 4;

impl Patterns {
    /// The patterns in the order of [`Direction::ALL`].
    pub fn new(patterns: ByDirection<Pattern>) -> Self {
        let mut set = Self::default();
        for direction in Direction::ALL {
            set.put(direction, patterns[direction]);
        }
        set
    }

    /// The patterns with these [`bits`](Self::bits).
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The pattern in one direction.
    #[inline]
    pub const fn get(self, direction: Direction) -> Pattern {
        Pattern::from_index((self.0 >> (PATTERN_BITS * direction.index()) & 0xF) as usize)
    }

    /// The same with another pattern in one direction.
    #[inline]
    #[must_use]
    pub const fn with(self, direction: Direction, pattern: Pattern) -> Self {
        let mut patterns = self;
        patterns.put(direction, pattern);
        patterns
    }

    /// All four bits of the four directions as one number.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The number of directions with this pattern.
    pub fn count(self, pattern: Pattern) -> usize {
        Direction::ALL.into_iter().filter(|&direction| self.get(direction) == pattern).count()
    }

    #[inline]
    const fn put(&mut self, direction: Direction, pattern: Pattern) {
        let shift = PATTERN_BITS * direction.index();
        self.0 = self.0 & !(0xF << shift) | (pattern.index() as u16) << shift;
    }
}

/// The patterns of one point for both colors in one word, so that both change at once: black's are the low half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternPair(u32);

impl PatternPair {
    /// What the four lines would become for this color.
    #[inline]
    pub const fn of(self, color: Color) -> Patterns {
        Patterns((self.0 >> (u16::BITS as usize * color.index())) as u16)
    }

    /// Whether some line would become an open three or more for either color.
    #[inline]
    pub const fn is_sharp(self) -> bool {
        const { assert!(Pattern::OpenThree.index() == 0b0111 && Pattern::ALL.len() < 0b1111) };
        // One more carries from an open three on into the top bit of the four, and no further.
        (self.0 + 0x1111_1111) & 0x8888_8888 != 0
    }

    /// [`is_sharp`](Self::is_sharp) of one direction alone.
    #[inline]
    const fn is_sharp_along(self, direction: Direction) -> bool {
        let shift = PATTERN_BITS * direction.index();
        (self.0 + (0x0001_0001 << shift)) & 0x0008_0008 << shift != 0
    }

    #[inline]
    const fn with(self, direction: Direction, bits: u8) -> Self {
        let (shift, bits) = (PATTERN_BITS * direction.index(), bits as u32);
        let both = (bits | bits << (u16::BITS - PATTERN_BITS as u32)) & 0x000F_000F;
        Self(self.0 & !(0x000F_000F << shift) | both << shift)
    }
}

/// One window that a stone or a wall has changed, as black sees it.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The point in the middle of the window.
    pub point: Point,
    /// The direction of the window.
    pub direction: Direction,
    /// The window before.
    pub old: LineWindow,
    /// The window after.
    pub new: LineWindow,
    /// What the four lines through the point would have become before.
    pub old_patterns: PatternPair,
    /// What they would become after.
    pub new_patterns: PatternPair,
}

impl Change {
    /// What the change makes of the four lines through the point.
    #[inline]
    pub const fn patterns(&self) -> PatternChange {
        let &Self { point, direction, old_patterns: old, new_patterns: new, .. } = self;
        PatternChange { point, is_sharp: old.is_sharp_along(direction) | new.is_sharp_along(direction), old, new }
    }
}

/// What a stone makes of the four lines through a point that sees it.
#[derive(Clone, Copy, Debug)]
pub struct PatternChange {
    /// The point.
    pub point: Point,
    /// Whether the line that has changed would have become, or would become, an open three or more for either color.
    pub is_sharp: bool,
    /// What the lines would have become before.
    pub old: PatternPair,
    /// What they would become after.
    pub new: PatternPair,
}

/// The most windows that one stone changes: ten in each direction.
pub const CHANGES: usize = 4 * 2 * REACH as usize;

/// The windows that one stone has changed.
pub type Changes = ArrayVec<Change, CHANGES>;

/// Whether a stone is put down or taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Put down.
    Play,
    /// Taken up.
    Undo,
}

/// The window and the patterns of every point in every direction, for both colors.
///
/// Derived from a board and moved with it: a stone changes the at most forty windows that see it, ten in each
/// direction, and nothing else is touched. What stands on a point itself does not matter to its windows: they tell what
/// its lines would become, and stay right under a stone until it is taken up.
#[derive(Clone)]
pub struct ThreatCache {
    rule: Rule,
    table: &'static PatternTable,
    windows: Box<[ByDirection<LineWindow>; POINT_SLOTS]>,
    patterns: Box<[PatternPair; POINT_SLOTS]>,
}

impl ThreatCache {
    /// The cache of a board, from scratch. Fills the tables of the rule at their first use (some milliseconds).
    pub fn new(board: &Board) -> Self {
        let outside = ByDirection([OUTSIDE; 4]);
        let mut cache = Self {
            rule: board.rule(),
            table: PatternTable::of(board.rule()),
            windows: Box::new([outside; POINT_SLOTS]),
            patterns: Box::new([PatternPair::default(); POINT_SLOTS]),
        };
        for point in board.size().points() {
            for direction in Direction::ALL {
                cache.put(point, direction, read(board, point, direction));
            }
        }
        cache
    }

    /// The rule whose patterns are cached.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The window of a point in a direction, as black sees it.
    #[inline]
    pub fn window(&self, point: Point, direction: Direction) -> LineWindow {
        self.windows[point.index()][direction]
    }

    /// The windows of a point in all directions, as black sees them.
    #[inline]
    pub fn windows(&self, point: Point) -> ByDirection<LineWindow> {
        self.windows[point.index()]
    }

    /// What the four lines through a point would become if this color played there.
    #[inline]
    pub fn patterns(&self, point: Point, color: Color) -> Patterns {
        self.patterns[point.index()].of(color)
    }

    /// What the four lines through a point would become, for both colors.
    #[inline]
    pub fn both_patterns(&self, point: Point) -> PatternPair {
        self.patterns[point.index()]
    }

    /// Moves the cache with a stone that is put on or taken from a point. `observe` is told each changed window.
    #[inline]
    pub fn stone(&mut self, point: Point, color: Color, step: Step, mut observe: impl FnMut(Change)) {
        self.each_window(point, color, step, |cache, seer, direction, places| {
            observe(cache.shift(seer, direction, places));
        });
    }

    /// Moves the windows alone with a stone that is taken from a point; whoever calls it [restores](Self::restore) every
    /// pattern that had changed when the stone was put down.
    #[inline]
    pub fn lift(&mut self, point: Point, color: Color) {
        self.each_window(point, color, Step::Undo, |cache, seer, direction, places| {
            let window = &mut cache.windows[seer.index()][direction];
            *window = window.plus(places);
        });
    }

    /// Puts back the patterns of a point as they were. Returns those that they replace.
    #[inline]
    pub fn restore(&mut self, point: Point, patterns: PatternPair) -> PatternPair {
        std::mem::replace(&mut self.patterns[point.index()], patterns)
    }

    /// Calls `visit` with each window that sees a stone, and with what the stone adds to its number.
    #[inline]
    fn each_window(
        &mut self,
        point: Point,
        color: Color,
        step: Step,
        mut visit: impl FnMut(&mut Self, Point, Direction, u32),
    ) {
        let digit = LineWindow::digit(match color {
            Color::Black => Cell::Own,
            Color::White => Cell::Opponent,
        });
        let digit = match step {
            Step::Play => digit,
            Step::Undo => digit.wrapping_neg(),
        };
        for direction in Direction::ALL {
            let (before, after) = self.windows[point.index()][direction].reach();
            let stride = stride(direction);
            // Who lies before the stone sees it after himself, and the other way round.
            for (seer, place) in ray(point, stride.wrapping_neg()).zip(LineWindow::AFTER).take(before.into()) {
                visit(self, seer, direction, digit.wrapping_mul(place));
            }
            for (seer, place) in ray(point, stride).zip(LineWindow::BEFORE).take(after.into()) {
                visit(self, seer, direction, digit.wrapping_mul(place));
            }
        }
    }

    /// Adds to the number of a window.
    #[inline]
    fn shift(&mut self, point: Point, direction: Direction, places: u32) -> Change {
        self.put(point, direction, self.windows[point.index()][direction].plus(places))
    }

    /// Reads the windows round a new wall anew. `observe` is told each changed window.
    pub fn wall(&mut self, board: &Board, point: Point, mut observe: impl FnMut(Change)) {
        for direction in Direction::ALL {
            let around = -(REACH as i8)..=REACH as i8;
            for seer in around.filter_map(|distance| point.step(direction, distance, board.size())) {
                let old = self.windows[seer.index()][direction];
                let new = read(board, seer, direction);
                if new != old {
                    observe(self.put(seer, direction, new));
                }
            }
        }
    }

    #[inline]
    fn put(&mut self, point: Point, direction: Direction, new: LineWindow) -> Change {
        let old = std::mem::replace(&mut self.windows[point.index()][direction], new);
        let old_patterns = self.patterns[point.index()];
        let new_patterns = old_patterns.with(direction, self.table.bits(new));
        self.patterns[point.index()] = new_patterns;
        Change { point, direction, old, new, old_patterns, new_patterns }
    }

    /// Whether the cache is what [`new`](Self::new) would make of the board; slow, for tests and debug builds.
    pub fn agrees_with(&self, board: &Board) -> bool {
        let fresh = Self::new(board);
        self.rule == fresh.rule && self.windows == fresh.windows && self.patterns == fresh.patterns
    }

    /// Whether a point would make this color a fork that renju may forbid to black: two fours, two open threes, or an
    /// overline. A point that fails this test is legal.
    pub fn may_be_forbidden(&self, board: &Board, point: Point, color: Color) -> bool {
        if !self.rule.forbids(color) || board.at(point) != Occupant::Empty {
            return false;
        }
        let patterns = self.patterns(point, color);
        let fours = [Pattern::Four, Pattern::OpenFour].map(|pattern| patterns.count(pattern)).iter().sum::<usize>();
        patterns.count(Pattern::OpenThree) >= 2
            || fours >= 2
            || patterns.count(Pattern::DoubleFour) >= 1
            || patterns.count(Pattern::Overline) >= 1
    }
}

/// The window of points that nobody can play: outside the board, or a wall. No stone is seen from there.
const OUTSIDE: LineWindow = LineWindow::empty(0, 0);

/// The window of a point from scratch.
fn read(board: &Board, point: Point, direction: Direction) -> LineWindow {
    match board.at(point) {
        Occupant::Wall => OUTSIDE,
        Occupant::Empty | Occupant::Stone(_) => LineWindow::read(board, point, direction, Color::Black),
    }
}

/// The distance in an array between a point and the next along a direction; adding it may wrap round.
const fn stride(direction: Direction) -> usize {
    let (dx, dy) = direction.delta();
    (dy as isize * STRIDE as isize + dx as isize) as usize
}

/// The points that follow this one at such distances, which never end: the caller knows how many lie on the board.
#[inline]
fn ray(point: Point, stride: usize) -> impl Iterator<Item = Point> {
    let mut index = point.index();
    std::iter::from_fn(move || {
        index = index.wrapping_add(stride) % POINT_SLOTS;
        Point::from_index(index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_sharp_from_an_open_three_on() {
        for direction in Direction::ALL {
            for (black, white) in Pattern::ALL.into_iter().flat_map(|black| Pattern::ALL.map(|white| (black, white))) {
                let pair =
                    PatternPair::default().with(direction, (black.index() | white.index() << PATTERN_BITS) as u8);
                assert_eq!(pair.of(Color::Black), Patterns::default().with(direction, black));
                assert_eq!(pair.of(Color::White), Patterns::default().with(direction, white));
                let is_sharp = black >= Pattern::OpenThree || white >= Pattern::OpenThree;
                assert_eq!(pair.is_sharp(), is_sharp, "{black} {white}");
                for line in Direction::ALL {
                    assert_eq!(pair.is_sharp_along(line), is_sharp && line == direction, "{black} {white}");
                }
            }
        }
    }
}
