//! [`Pattern`]: the shape that a stone in the middle of a window makes. [`PatternTable`]: the pattern of every window.

use std::sync::OnceLock;

use strum::Display;

use super::window::LineWindow;
use crate::board::{ByColor, Color, RowRule, Rule};

/// The shape that a side makes by playing the empty middle `*` of its window. The greatest that holds counts.
///
/// Every pattern below [`Four`](Self::Four) is defined by the best pattern that one more stone of the side could make:
///
/// ```text
/// Five        ..XX*XX..    a row that wins
/// OpenFour    ..XX*X...    two ways to five, and no single stone stops both (straight four, 活四)
/// DoubleFour  X.X*X.X..    the same, but two fours in one line
/// Four        OXX*X....    a way to five that one stone stops (冲四)
/// OpenThree   ..XX*....    one more stone makes an open four (活三)
/// Three       OXX*.....    one more stone makes a four, none an open four (眠三)
/// OpenTwo     ...X*....    one more stone makes an open three (活二)
/// Two         OX*......    one more stone makes a three (眠二)
/// OpenOne     ....*....    one more stone makes an open two
/// One         O*.......    one more stone makes a two
/// Overline    .XXX*XX..    six or more where only five wins, without a four in the line
/// Dead        O.X*.O...    none of these
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Pattern {
    /// None of the other patterns.
    Dead,
    /// Six or more in a row where only five wins.
    Overline,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    #[strum(to_string = "open one")]
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One more stone makes an open three.
    #[strum(to_string = "open two")]
    OpenTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone makes an open four.
    #[strum(to_string = "open three")]
    OpenThree,
    /// One way to five.
    Four,
    /// Two fours in one line.
    #[strum(to_string = "double four")]
    DoubleFour,
    /// Two ways to five from one row of four.
    #[strum(to_string = "open four")]
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

    /// The pattern with this number. Numbers beyond the last give the last.
    pub const fn from_index(index: usize) -> Self {
        let last = Self::ALL.len() - 1;
        Self::ALL[if index > last { last } else { index }]
    }

    /// 0..=11.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The patterns of all windows for both colors under one rule. The windows are in black's view.
///
/// Each entry is a byte, black's pattern in the low half and white's in the high half. The 132 KB stay in the L2 cache.
pub struct PatternTable(Box<[u8; LineWindow::COUNT]>);

/// Bits of a pattern's number.
pub(super) const PATTERN_BITS: usize = 4;

impl PatternTable {
    /// The table of a rule. The first use fills it (some milliseconds).
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

    /// The patterns that black and white would make in the middle of this window, which is in black's view.
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

/// The pattern of every window for the side that sees it. The first use of a rule fills the table.
fn row_table(rule: RowRule) -> &'static [Pattern] {
    static TABLES: [OnceLock<Box<[Pattern]>>; RowRule::ALL.len()] = [const { OnceLock::new() }; RowRule::ALL.len()];
    TABLES[rule as usize].get_or_init(|| {
        let mut table = vec![Pattern::Dead; LineWindow::COUNT].into_boxed_slice();
        // A stone increases the number of a window. Counting down, the patterns with one more stone are already known,
        // and so is the mirrored window if its number is greater.
        for window in LineWindow::all().rev() {
            let mirrored = window.mirrored();
            let is_known = mirrored.index() > window.index();
            table[window.index()] = if is_known { table[mirrored.index()] } else { classify(&table, rule, window) };
        }
        table
    })
}

/// The definition of [`Pattern`]. The table already holds the patterns of all windows with one more stone.
fn classify(table: &[Pattern], rule: RowRule, window: LineWindow) -> Pattern {
    let (length, blocked_ends) = window.row();
    if rule.wins(length, blocked_ends) {
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

/// Whether a single stone of the other side prevents every five, once the middle is played.
fn can_be_blocked(table: &[Pattern], window: LineWindow) -> bool {
    // An opposing stone adds twice as much as an own stone.
    let mut blocked = window.empty_places().map(|place| window.plus(2 * place));
    blocked.any(|window| {
        let mut next = window.empty_places().map(|place| table[window.plus(place).index()]);
        next.all(|pattern| pattern != Pattern::Five)
    })
}

#[cfg(test)]
mod tests {
    use super::super::window::Cell;
    use super::*;

    #[test]
    fn the_pictures_of_the_patterns_are_right() {
        let pictures = include_str!("pattern.rs").lines().filter_map(|line| line.strip_prefix("/// ")?.split_once(' '));
        for pattern in Pattern::ALL {
            let name = format!("{pattern:?}");
            let (_, row) = pictures.clone().find(|(first, _)| *first == name).unwrap();
            let picture = row.split_whitespace().next().unwrap();
            let middle = picture.find('*').unwrap();
            let mut window = LineWindow::empty(5, 5);
            for (place, cell) in picture.bytes().enumerate() {
                let distance = place as i8 - middle as i8;
                match cell {
                    b'X' => window = window.with(distance, Cell::Own),
                    b'O' => window = window.with(distance, Cell::Opponent),
                    _ => {}
                }
            }
            let rule = if pattern == Pattern::Overline { Rule::Standard } else { Rule::Freestyle };
            assert_eq!(PatternTable::of(rule).get(window)[Color::Black], pattern, "{picture}");
        }
    }
}
