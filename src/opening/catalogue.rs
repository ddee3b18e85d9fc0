//! [`Catalogue`]: the 26 named openings as a text with pictures, and as JSON.

use std::fmt;

use serde_json::{Value, json};

use super::named::{NamedOpening, Verdict};
use crate::board::{Point, Rule, Size};
use crate::notation::{Comma, Letters};

/// The board of the pictures.
const LETTERS: Letters = Letters::new(Size::FIFTEEN);

/// The reach of the pictures from the centre.
const REACH: u8 = 3;

/// All 26 openings. [`Display`](fmt::Display) draws them one below the other.
///
/// ```text
/// 4D Kagetsu (Flower Moon)   花月 花月   h8 h9 i9
///
///    e f g h i j k
/// 11 . . . . . . .     black wins        1-3
/// 10 . . . . . . .     black is better   4-5
///  9 . . . O X . .     even              6-8
///  8 . . . X . . .     white is better   9-
///  7 . . . . . . .     white wins        -
///  6 . . . . . . .
///  5 . . . . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalogue;

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "The 26 openings of renju. X black, O white. At the right the numbers of fifth moves with which the"
        )?;
        write!(f, "document of the rules gives each verdict.")?;
        NamedOpening::all().iter().try_for_each(|opening| {
            write!(f, "\n\n{opening}   {} {}   {}\n", opening.zh, opening.ja, LETTERS.moves(&moves(opening)))?;
            draw(f, opening)
        })
    }
}

impl Catalogue {
    /// The same for scripts: an array of 26. Points are written `x,y`. A range of fifth moves is `[from, to]`, an open
    /// one `[from, null]`, and `null` means that no number has the verdict.
    pub fn to_json(&self) -> Value {
        let verdicts = |opening: &NamedOpening| {
            let range = |verdict: Verdict| {
                let key = verdict.to_string().replace("is ", "").replace(' ', "_");
                (key, opening.fifths(verdict).map_or(Value::Null, |(from, to)| json!([from, to])))
            };
            Value::Object(Verdict::ALL.into_iter().map(range).collect())
        };
        let row = |opening: &NamedOpening| {
            json!({
                "code": opening.code(),
                "zh": opening.zh,
                "ja": opening.ja,
                "romaji": opening.romaji,
                "english": opening.english,
                "moves": moves(opening).map(|point| Comma(point).to_string()),
                "fifths": verdicts(opening),
            })
        };
        NamedOpening::all().iter().map(row).collect()
    }
}

fn moves(opening: &NamedOpening) -> [Point; 3] {
    opening.stones(LETTERS.size())
}

/// Draws the middle of the board with the verdicts beside it.
fn draw(f: &mut fmt::Formatter<'_>, opening: &NamedOpening) -> fmt::Result {
    let board = opening.board(LETTERS.size(), Rule::Renju);
    let centre = board.size().centre();
    let mut verdicts = Verdict::ALL.into_iter();
    write!(f, "\n  ")?;
    (centre.x() - REACH..=centre.x() + REACH).try_for_each(|x| write!(f, " {}", LETTERS.file(x)))?;
    for y in centre.y() - REACH..=centre.y() + REACH {
        write!(f, "\n{:>2}", LETTERS.rank(y))?;
        for point in (centre.x() - REACH..=centre.x() + REACH).filter_map(|x| board.size().point(x, y)) {
            write!(f, " {}", board.at(point).sign())?;
        }
        if let Some(verdict) = verdicts.next() {
            write!(f, "     {verdict:<18}{}", range(opening.fifths(verdict)))?;
        }
    }
    Ok(())
}

/// `4-5`, `3`, `9-` or `-`.
fn range(fifths: Option<(u8, Option<u8>)>) -> String {
    match fifths {
        None => "-".to_owned(),
        Some((from, None)) => format!("{from}-"),
        Some((from, Some(to))) if from == to => from.to_string(),
        Some((from, Some(to))) => format!("{from}-{to}"),
    }
}
