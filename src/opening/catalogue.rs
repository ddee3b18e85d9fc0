//! [`Catalogue`]: the 26 named openings as a text with pictures, and as JSON.

use std::fmt;

use serde_json::{Value, json};

use super::named::{NamedOpening, Verdict};
use crate::board::{Rule, Size};
use crate::notation::Moves;

/// How far the pictures reach from the centre.
const REACH: u8 = 3;

/// All of the 26: [`Display`](fmt::Display) draws them one below the other.
///
/// ```text
/// 4D Kagetsu (Flower Moon)   花月 花月   h8 h9 i9
///
///    e f g h i j k
///  5 . . . . . . .     black wins        1-3
///  6 . . . . . . .     black is better   4-5
///  7 . . . . . . .     even              6-8
///  8 . . . X . . .     white is better   9-
///  9 . . . O X . .     white wins        -
/// 10 . . . . . . .
/// 11 . . . . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalogue;

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "The 26 openings of renju. X black, O white; ranks count upwards. At the right the numbers of fifth"
        )?;
        write!(f, "moves with which the document of the rules gives each verdict.")?;
        NamedOpening::all().iter().try_for_each(|opening| {
            write!(f, "\n\n{opening}   {} {}   {}\n", opening.zh, opening.ja, moves(opening))?;
            draw(f, opening)
        })
    }
}

impl Catalogue {
    /// The same for scripts: an array of 26. A range of fifth moves is `[from, to]`, without an end `[from, null]`, and
    /// `null` where no number has the verdict.
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
                "moves": moves(opening).0.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "fifths": verdicts(opening),
            })
        };
        NamedOpening::all().iter().map(row).collect()
    }
}

fn moves(opening: &NamedOpening) -> Moves {
    Moves(opening.stones(Size::FIFTEEN).to_vec())
}

/// The middle of the board, and the verdicts beside it.
fn draw(f: &mut fmt::Formatter<'_>, opening: &NamedOpening) -> fmt::Result {
    let board = opening.board(Size::FIFTEEN, Rule::Renju);
    let centre = board.size().centre();
    let mut verdicts = Verdict::ALL.into_iter();
    write!(f, "\n  ")?;
    let files = (centre.x() - REACH..=centre.x() + REACH).filter_map(|x| board.size().point(x, 0));
    files.into_iter().try_for_each(|point| write!(f, " {}", point.to_string().trim_end_matches('1')))?;
    for y in centre.y() - REACH..=centre.y() + REACH {
        write!(f, "\n{:>2}", y + 1)?;
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
