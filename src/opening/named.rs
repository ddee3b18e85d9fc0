//! The 26 named openings of renju: [`NamedOpening`].
//!
//! The first stone is black's, on the centre. White's second stands beside it, in a row or column (*direct*, 直指) or on
//! a diagonal (*indirect*, 斜指). Black's third lies in the central 5 × 5. Turned and mirrored, each family has 13
//! patterns:
//!
//! Steps count to the right and upwards, like ranks.
//!
//! ```text
//!   direct, 1D to 13D            indirect, 1I to 13I
//!   . .  1  2  3                 .  .  .  .  1
//!   . .  O  4  5                 .  .  .  O  2
//!   . .  X  6  7                 .  .  X  6  3      O the second stone, X the first,
//!   . .  8  9 10                 . 11  9  7  4      a number the third
//!   . . 11 12 13                13 12 10  8  5
//! ```
//!
//! The names and numbers are those of the Renju International Federation. The verdicts by the number of fifth moves
//! (五手N打) are one author's estimates, from the document "五子棋26个职业开局山口规则打点".

use std::fmt;

use strum::Display;

use super::stone_symmetries::{self as symmetries, Step};
use crate::board::{Board, Color, Point, Rule, Size, Symmetry};

/// The two families of named openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The second stone stands beside the first in a row or column: D.
    Direct,
    /// The second stone stands beside the first on a diagonal: I.
    Indirect,
}

impl Family {
    /// The step from the first stone to the second, to the right and up, before it is turned.
    const fn second(self) -> Step {
        match self {
            Self::Direct => (0, 1),
            Self::Indirect => (1, 1),
        }
    }
}

/// The document's verdict on an opening with a number of fifth moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum Verdict {
    /// 黑必胜: black wins.
    #[strum(to_string = "black wins")]
    BlackWins,
    /// 黑优: black is better.
    #[strum(to_string = "black is better")]
    BlackBetter,
    /// 平衡: even.
    #[strum(to_string = "even")]
    Even,
    /// 白优: white is better.
    #[strum(to_string = "white is better")]
    WhiteBetter,
    /// 白必胜: white wins.
    #[strum(to_string = "white wins")]
    WhiteWins,
}

impl Verdict {
    /// All five, from black's best to white's best.
    pub const ALL: [Self; 5] = [Self::BlackWins, Self::BlackBetter, Self::Even, Self::WhiteBetter, Self::WhiteWins];

    /// The favored side.
    pub const fn favors(self) -> Option<Color> {
        match self {
            Self::BlackWins | Self::BlackBetter => Some(Color::Black),
            Self::Even => None,
            Self::WhiteBetter | Self::WhiteWins => Some(Color::White),
        }
    }
}

/// One of the 26 openings.
///
/// ```
/// use tengen::board::Size;
/// use tengen::notation::Letters;
/// use tengen::opening::{NamedOpening, Verdict};
///
/// let stones = Letters::new(Size::FIFTEEN).parse_moves("h8 g8 g9")?;
/// let opening = NamedOpening::of_moves(&stones, Size::FIFTEEN).unwrap();
/// assert_eq!((opening.to_string().as_str(), opening.zh), ("4D Kagetsu (Flower Moon)", "花月"));
/// assert_eq!(opening.verdict(6), Verdict::Even);
/// # Ok::<(), tengen::notation::MovesError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Direct or indirect.
    pub family: Family,
    /// Its number in the family, 1 to 13.
    pub number: u8,
    /// The step from the first stone to the third, to the right and up, before it is turned.
    third: Step,
    /// The Chinese name.
    pub zh: &'static str,
    /// The Japanese name.
    pub ja: &'static str,
    /// The Japanese name in Latin letters.
    pub romaji: &'static str,
    /// The meaning of the name.
    pub english: &'static str,
    /// The greatest number of fifth moves with each of the first four verdicts.
    last: [u8; 4],
}

/// No limit on the number of fifth moves.
const ANY: u8 = u8::MAX;

macro_rules! openings {
    ($($family:ident $number:literal ($x:literal, $y:literal) $zh:literal $ja:literal $romaji:literal $english:literal
       [$a:expr, $b:expr, $c:expr, $d:expr])+) => {
        [$(NamedOpening {
            family: Family::$family,
            number: $number,
            third: ($x, $y),
            zh: $zh,
            ja: $ja,
            romaji: $romaji,
            english: $english,
            last: [$a, $b, $c, $d],
        }),+]
    };
}

/// All 26, 1D to 13D and 1I to 13I. For 4D the document lacks the number from which white wins.
static ALL: [NamedOpening; 26] = openings! {
    Direct    1 ( 0,  2) "寒星" "寒星" "Kansei"    "Cold Star"       [2, 3, 6, 9]
    Direct    2 ( 1,  2) "溪月" "渓月" "Keigetsu"  "Valley Moon"     [3, 5, 10, 13]
    Direct    3 ( 2,  2) "疏星" "疎星" "Sosei"     "Sparse Star"     [0, 0, 7, 7]
    Direct    4 ( 1,  1) "花月" "花月" "Kagetsu"   "Flower Moon"     [3, 5, 8, ANY]
    Direct    5 ( 2,  1) "残月" "残月" "Zangetsu"  "Remaining Moon"  [1, 5, 8, 9]
    Direct    6 ( 1,  0) "雨月" "雨月" "Ugetsu"    "Rain Moon"       [2, 3, 6, 8]
    Direct    7 ( 2,  0) "金星" "金星" "Kinsei"    "Golden Star"     [2, 4, 6, 8]
    Direct    8 ( 0, -1) "松月" "松月" "Shogetsu"  "Pine Moon"       [1, 3, 5, 6]
    Direct    9 ( 1, -1) "丘月" "丘月" "Kyugetsu"  "Hill Moon"       [0, 1, 3, 4]
    Direct   10 ( 2, -1) "新月" "新月" "Shingetsu" "New Moon"        [1, 2, 2, 2]
    Direct   11 ( 0, -2) "瑞星" "瑞星" "Zuisei"    "Auspicious Star" [1, 1, 2, 2]
    Direct   12 ( 1, -2) "山月" "山月" "Sangetsu"  "Mountain Moon"   [1, 2, 2, 2]
    Direct   13 ( 2, -2) "游星" "遊星" "Yusei"     "Wandering Star"  [0, 0, 0, 0]
    Indirect  1 ( 2,  2) "长星" "長星" "Chosei"    "Long Star"       [0, 0, 1, 2]
    Indirect  2 ( 2,  1) "峡月" "峡月" "Kyogetsu"  "Gorge Moon"      [3, 5, 10, 13]
    Indirect  3 ( 2,  0) "恒星" "恒星" "Kosei"     "Fixed Star"      [2, 3, 6, 9]
    Indirect  4 ( 2, -1) "水月" "水月" "Suigetsu"  "Water Moon"      [2, 5, 7, 8]
    Indirect  5 ( 2, -2) "流星" "流星" "Ryusei"    "Meteor"          [0, 0, 2, 3]
    Indirect  6 ( 1,  0) "云月" "雲月" "Ungetsu"   "Cloud Moon"      [2, 3, 6, 8]
    Indirect  7 ( 1, -1) "蒲月" "浦月" "Hogetsu"   "Shore Moon"      [3, 6, 8, 10]
    Indirect  8 ( 1, -2) "岚月" "嵐月" "Rangetsu"  "Mist Moon"       [2, 2, 6, 10]
    Indirect  9 ( 0, -1) "银月" "銀月" "Gingetsu"  "Silver Moon"     [1, 3, 5, 6]
    Indirect 10 ( 0, -2) "明星" "明星" "Myojo"     "Bright Star"     [2, 3, 6, 7]
    Indirect 11 (-1, -1) "斜月" "斜月" "Shagetsu"  "Slanting Moon"   [0, 1, 3, 4]
    Indirect 12 (-1, -2) "名月" "名月" "Meigetsu"  "Famous Moon"     [1, 2, 3, 4]
    Indirect 13 (-2, -2) "彗星" "彗星" "Suisei"    "Comet"           [0, 0, 0, 0]
};

impl NamedOpening {
    /// All 26, in the order of their numbers: direct, then indirect.
    pub fn all() -> &'static [Self; 26] {
        &ALL
    }

    /// The opening of three stones (black, white, black) in any orientation, or `None` if they are not one of the 26.
    /// The pattern must lie on the centre; on a board of even size that is the point (side / 2, side / 2).
    pub fn of([one, white, three]: [Point; 3], size: Size) -> Option<&'static Self> {
        let centre = size.centre();
        let third = if one == centre { three } else { one };
        if one != centre && three != centre {
            return None;
        }
        let (second, third) = (symmetries::step(centre, white), symmetries::step(centre, third));
        let is = |opening: &&Self| {
            Symmetry::all().any(|symmetry| {
                (symmetry.apply_to_step(second), symmetry.apply_to_step(third))
                    == (opening.family.second(), opening.third)
            })
        };
        ALL.iter().find(is)
    }

    /// The opening of a game, by its first three moves.
    pub fn of_moves(moves: &[Point], size: Size) -> Option<&'static Self> {
        Self::of(moves.get(..3)?.try_into().ok()?, size)
    }

    /// The opening on a board with exactly three stones.
    pub fn of_board(board: &Board) -> Option<&'static Self> {
        let (black, white) = (board.stones(Color::Black), board.stones(Color::White));
        let mut black = black.iter();
        let stones = [black.next()?, white.iter().next()?, black.next()?];
        let has_no_more = board.stone_count() == stones.len() && !board.has_walls();
        Self::of(stones, board.size()).filter(|_| has_no_more)
    }

    /// The three stones in the usual orientation: the second above the centre (direct), or above and to the right of it
    /// (indirect); h9 or i9 on a 15 × 15 board.
    pub fn stones(&self, size: Size) -> [Point; 3] {
        self.turned(Symmetry::all().next(), size)
    }

    /// The three stones in all eight orientations. Some coincide.
    pub fn images(&self, size: Size) -> impl Iterator<Item = [Point; 3]> + '_ {
        Symmetry::all().map(move |symmetry| self.turned(Some(symmetry), size))
    }

    fn turned(&self, symmetry: Option<Symmetry>, size: Size) -> [Point; 3] {
        let centre = size.centre();
        // Even the smallest board has two points on each side of its centre.
        let down = |(right, up): Step| (right, -up);
        let image = |symmetry: Symmetry, step| symmetries::after(centre, down(symmetry.apply_to_step(step)), size);
        let put = |step| symmetry.and_then(|symmetry| image(symmetry, step)).unwrap_or(centre);
        [centre, put(self.family.second()), put(self.third)]
    }

    /// The document's verdict with this number of fifth moves, from 1.
    pub fn verdict(&self, fifths: u8) -> Verdict {
        let place = self.last.iter().take_while(|&&last| last < fifths).count();
        Verdict::ALL[place]
    }

    /// The range of fifth moves with this verdict, with an open end as `None`. `None` if no number has the verdict.
    pub fn fifths(&self, verdict: Verdict) -> Option<(u8, Option<u8>)> {
        let place = Verdict::ALL.iter().position(|&other| other == verdict)?;
        let from = 1 + place.checked_sub(1).map_or(0, |before| self.last[before].min(ANY - 1));
        match self.last.get(place) {
            Some(&ANY) => Some((from, None)),
            Some(&to) => (from <= to).then_some((from, Some(to))),
            None => (self.last[place - 1] < ANY).then_some((from, None)),
        }
    }

    /// The number and family, `4D` or `11I`.
    pub fn code(&self) -> String {
        format!("{}{}", self.number, if self.family == Family::Direct { 'D' } else { 'I' })
    }

    /// The board with the three stones.
    pub fn board(&self, size: Size, rule: Rule) -> Board {
        super::board(size, rule, self.stones(size))
    }
}

/// `4D Kagetsu (Flower Moon)`.
impl fmt::Display for NamedOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.code(), self.romaji, self.english)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_is_the_thirteen_patterns_of_the_central_square() {
        let size = Size::FIFTEEN;
        let centre = size.centre();
        let near = |reach: u8| size.points().filter(move |p| *p != centre && p.distance(centre) <= reach);
        let mut counts = std::collections::BTreeMap::new();
        for white in near(1) {
            for third in near(2).filter(|third| *third != white) {
                let opening = NamedOpening::of([centre, white, third], size).expect("one of the 26");
                assert_eq!(
                    NamedOpening::of([third, white, centre], size),
                    Some(opening),
                    "the order of black's stones"
                );
                *counts.entry(opening.code()).or_insert(0) += 1;
            }
        }
        assert_eq!(counts.len(), 26);
        assert_eq!(counts.values().sum::<i32>(), 8 * 23);
    }

    #[test]
    fn a_pattern_has_its_name_in_every_symmetry_of_every_board_and_none_where_it_is_shifted() {
        for side in [5, 6, 15, 20, 32] {
            let size = Size::new(side).unwrap();
            for opening in NamedOpening::all() {
                let stones = opening.stones(size);
                for image in opening.images(size) {
                    assert_eq!(NamedOpening::of(image, size), Some(opening));
                    assert_eq!(NamedOpening::of_board(&super::super::board(size, Rule::Renju, image)), Some(opening));
                }
                if side % 2 == 1 {
                    let turned = |symmetry: Symmetry| stones.map(|stone| symmetry.apply(stone, size));
                    assert!(
                        Symmetry::all().all(|symmetry| opening.images(size).any(|image| image == turned(symmetry)))
                    );
                }
                // Shifted by one the other black stone may come to lie on the centre.
                let shifted = stones.map(|stone| size.point(stone.x() + 1, stone.y()));
                if let [Some(one), Some(two), Some(three)] = shifted {
                    assert!(three == size.centre() || NamedOpening::of([one, two, three], size).is_none());
                }
            }
        }
    }

    #[test]
    fn verdicts_and_their_ranges_agree() {
        for opening in NamedOpening::all() {
            for fifths in 1..=20 {
                let verdict = opening.verdict(fifths);
                for other in Verdict::ALL {
                    let is_in = opening
                        .fifths(other)
                        .is_some_and(|(from, to)| from <= fifths && to.is_none_or(|to| fifths <= to));
                    assert_eq!(is_in, other == verdict, "{opening} {fifths} {other}");
                }
            }
        }
    }
}
