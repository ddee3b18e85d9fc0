//! [`Pattern`]: what a line becomes once a side plays the middle of a window, and the tables window → pattern.

use std::fmt;
use std::sync::OnceLock;

use super::window::LineWindow;
use crate::board::{ByColor, Color, RowRule, Rule};

/// What the line becomes when a side plays the empty middle `*` of its window; the greatest that holds.
///
/// Every name below [`Four`](Self::Four) is defined by what one more stone of the side could make:
///
/// ```text
/// Five        ..XX*XX..    a row that wins
/// OpenFour    ..XX*X...    two ways to five, and no single stone stops both (straight four, 活四)
/// DoubleFour  X.X*X.X..    the same, but two fours in one line
/// Four        OXX*X....    a way to five that one stone stops (冲四)
/// OpenThree   ..XX*....    one more stone makes an open four (活三)
/// Three       O.XX*....    one more stone makes a four, none an open four (眠三)
/// OpenTwo     ...X*....    one more stone makes an open three (活二)
/// Two         O..X*....    one more stone makes a three (眠二)
/// OpenOne     ....*....    one more stone makes an open two
/// One         O...*....    one more stone makes a two
/// Overline    .XXX*XX..    six or more where only five wins, and no four beside
/// Dead        O.X*.O...    nothing of these
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// Nothing.
    Dead,
    /// Six or more in a row where only five wins.
    Overline,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One more stone makes an open three.
    OpenTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone makes an open four.
    OpenThree,
    /// One way to five.
    Four,
    /// Two fours in one line.
    DoubleFour,
    /// Two ways to five from one row of four.
    OpenFour,
    /// A row that wins.
    Five,
}

impl Pattern {
    /// All patterns, from the least to the greatest.
    pub const ALL: [Self; 12] = [
        Self::Dead,
        Self::Overline,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::Three,
        Self::OpenThree,
        Self::Four,
        Self::DoubleFour,
        Self::OpenFour,
        Self::Five,
    ];

    /// The pattern with this number; numbers past the last mean the last.
    pub const fn from_index(index: usize) -> Self {
        let last = Self::ALL.len() - 1;
        Self::ALL[if index > last { last } else { index }]
    }

    /// 0..=11.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The name in words: `open four`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dead => "dead",
            Self::Overline => "overline",
            Self::One => "one",
            Self::OpenOne => "open one",
            Self::Two => "two",
            Self::OpenTwo => "open two",
            Self::Three => "three",
            Self::OpenThree => "open three",
            Self::Four => "four",
            Self::DoubleFour => "double four",
            Self::OpenFour => "open four",
            Self::Five => "five",
        })
    }
}

/// The patterns of all windows for both colors under one rule, as black sees the windows.
///
/// One byte each, black's pattern in the low half and white's in the high: 132 KB, which stay in the second-level cache.
pub struct PatternTable(Box<[u8; LineWindow::COUNT]>);

/// Bits of a pattern's number.
const PATTERN_BITS: usize = 4;

impl PatternTable {
    /// The table of a rule, filled at its first use (some milliseconds) and kept.
    pub fn of(rule: Rule) -> &'static Self {
        static TABLES: [OnceLock<PatternTable>; Rule::ALL.len()] = [const { OnceLock::new() }; Rule::ALL.len()];
        TABLES[rule.index()].get_or_init(|| {
            let [black, white] = Color::ALL.map(|color| row_table(rule.row(color)));
            let both = |window: LineWindow| {
                let [black, white] = [black[window.index()], white[window.swapped().index()]].map(Pattern::index);
                (black | white << PATTERN_BITS) as u8
            };
            let mut table = Box::new([0; LineWindow::COUNT]);
            table.iter_mut().zip(LineWindow::all()).for_each(|(slot, window)| *slot = both(window));
            Self(table)
        })
    }

    /// What the line becomes when black and when white plays the middle of this window, as black sees it.
    #[inline]
    pub fn get(&self, window: LineWindow) -> ByColor<Pattern> {
        let both = usize::from(self.bits(window));
        ByColor([both & 0xF, both >> PATTERN_BITS].map(Pattern::from_index))
    }

    /// The same as numbers: black's in the low four bits, white's in the high four.
    #[inline]
    pub(super) fn bits(&self, window: LineWindow) -> u8 {
        self.0[window.index()]
    }
}

/// The pattern of every window for the side that sees it, filled at its first use and kept.
fn row_table(rule: RowRule) -> &'static [Pattern] {
    static TABLES: [OnceLock<Box<[Pattern]>>; RowRule::ALL.len()] = [const { OnceLock::new() }; RowRule::ALL.len()];
    TABLES[rule as usize].get_or_init(|| {
        let mut table = vec![Pattern::Dead; LineWindow::COUNT].into_boxed_slice();
        // One more stone makes a greater number: counting down, what a stone could make is known already, and so is the
        // mirrored window where its number is greater.
        for window in LineWindow::all().rev() {
            let mirrored = window.mirrored();
            let is_known = mirrored.index() > window.index();
            table[window.index()] = if is_known { table[mirrored.index()] } else { classify(&table, rule, window) };
        }
        table
    })
}

/// The definition of [`Pattern`], given the patterns of all windows with one more stone.
fn classify(table: &[Pattern], rule: RowRule, window: LineWindow) -> Pattern {
    let (length, held_ends) = window.row();
    if rule.wins(length, held_ends) {
        return Pattern::Five;
    }
    let (mut fives, mut greatest) = (0, Pattern::Dead);
    for place in window.empty_places() {
        let next = table[window.plus(place).index()];
        fives += usize::from(next == Pattern::Five);
        greatest = greatest.max(next);
    }
    match fives {
        0 => {}
        1 => return Pattern::Four,
        _ if can_be_blocked(table, window) => return Pattern::Four,
        _ if length == 4 => return Pattern::OpenFour,
        _ => return Pattern::DoubleFour,
    }
    if length > 5 {
        return Pattern::Overline;
    }
    match greatest {
        Pattern::OpenFour => Pattern::OpenThree,
        Pattern::Four | Pattern::DoubleFour => Pattern::Three,
        Pattern::OpenThree => Pattern::OpenTwo,
        Pattern::Three => Pattern::Two,
        Pattern::OpenTwo => Pattern::OpenOne,
        Pattern::Two => Pattern::One,
        _ => Pattern::Dead,
    }
}

/// Whether one stone of the other side leaves no five beside the middle.
fn can_be_blocked(table: &[Pattern], window: LineWindow) -> bool {
    // An opposing stone adds twice what an own one adds.
    let mut blocked = window.empty_places().map(|place| window.plus(2 * place));
    blocked.any(|window| {
        let mut next = window.empty_places().map(|place| table[window.plus(place).index()]);
        next.all(|pattern| pattern != Pattern::Five)
    })
}
