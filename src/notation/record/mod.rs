//! The record of a match: a heading, and one line of JSON for each finished game.
//!
//! ```text
//! format 1   {"match":{…}}               {…,"opening":"h8 i9","moves":"a1 o15",…}        ranks from the top
//! format 2   {"format":2,"match":{…}}    {…,"opening":"7,7 8,8","moves":"0,0 14,14",…}   x,y as in the protocol
//! ```
//!
//! A match that began in format 1 continues in the same file: the heading stays, and the new games hold `x,y`.
//!
//! Owns the fields of a game and both formats. The heading holds the configuration of the match, whose type is the
//! caller's `C`: the arena's `MatchConfig`.

mod game;
mod id;

pub use game::{EngineLine, GameEnd, GameRecord, Winner};
pub use id::{GameId, GameIdError, Leg};

use serde::de::{DeserializeOwned, Error, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Moves;

/// The format in which records are written.
const FORMAT: u32 = 2;

/// The first line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordHeading<C> {
    #[serde(default = "first_format")]
    format: u32,
    /// The match.
    #[serde(rename = "match")]
    pub config: C,
}

/// The format of a heading without one.
const fn first_format() -> u32 {
    1
}

impl<C> RecordHeading<C> {
    /// The heading of a new record.
    pub const fn new(config: C) -> Self {
        Self { format: FORMAT, config }
    }
}

/// A line of a record.
#[derive(Clone, Debug)]
pub enum RecordLine<C> {
    /// The match.
    Match(Box<C>),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// The lines of a record that are not blank, with their numbers from 1. A last line that a kill has cut is left out: it
/// has no line end and is not JSON. One line alone is kept, whatever it is. A resumed match drops any last line without
/// a line end and plays its game again.
pub fn record_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    // Windows editors put a byte order mark before the first line.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let last = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let is_cut = last > 0 && serde_json::from_slice::<IgnoredAny>(&bytes[last..]).is_err();
    let lines = if is_cut { &bytes[..last] } else { bytes }.split(|&byte| byte == b'\n');
    (1..).zip(lines).filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// Reads the lines of a record in their order. Without a heading, the form of a game's points tells its format.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordReader {
    format: Option<u32>,
}

impl RecordReader {
    /// Reads a line.
    ///
    /// # Errors
    /// When the line is neither a match nor a game, or this program does not know its format.
    pub fn read<C: DeserializeOwned>(&mut self, line: &[u8]) -> Result<RecordLine<C>, serde_json::Error> {
        let is_new = self.format == Some(FORMAT);
        if let Some(game) = is_new.then(|| serde_json::from_slice(line).ok()).flatten() {
            return Ok(RecordLine::Game(Box::new(game)));
        }
        let value: Value = serde_json::from_slice(line)?;
        if value.get("match").is_some() {
            let RecordHeading { format, config } = serde_json::from_value(value)?;
            if format > FORMAT {
                let newest = format!("record format {format} is newer than this program's, {FORMAT}");
                return Err(serde_json::Error::custom(newest));
            }
            self.format = Some(format);
            return Ok(RecordLine::Match(Box::new(config)));
        }
        let value = if is_new { value } else { from_letters(value)? };
        serde_json::from_value(value).map(|game| RecordLine::Game(Box::new(game)))
    }
}

/// A game of format 1 as one of format 2.
fn from_letters(mut game: Value) -> Result<Value, serde_json::Error> {
    for key in ["opening", "moves"] {
        if let Some(Value::String(text)) = game.get_mut(key) {
            *text = Moves::parse_earlier(text).map_err(serde_json::Error::custom)?.to_string();
        }
    }
    let names = ["black", "white"].map(|key| game.get(key).and_then(Value::as_str).unwrap_or_default().to_owned());
    let Some(Value::Array(answers)) = game.get_mut("negotiation").filter(|answers| answers.is_array()) else {
        return Ok(game);
    };
    for answer in answers {
        let Value::String(text) = answer else { continue };
        let name = names.iter().find(|name| text.strip_prefix(&***name).is_some_and(|rest| rest.starts_with(' ')));
        let (name, words) = text.split_at(name.map_or(0, String::len));
        let words = words.split_whitespace().map(|word| match Moves::parse_earlier(word) {
            Ok(point) => point.to_string(),
            Err(_) => word.to_owned(),
        });
        *text = std::iter::once(name.to_owned()).chain(words).collect::<Vec<_>>().join(" ").trim_start().to_owned();
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r#"{"game":"0-1.0a","black":"h8","white":"b","winner":"black","end":"row","detail":"",
        "opening":"h8 i9","negotiation":["h8 h9 m13 2","b swap"],"moves":"a1 o15","times":[1,2],"said":[],"wall":3}"#;

    fn game(reader: &mut RecordReader, line: &str) -> GameRecord {
        match reader.read::<Value>(line.as_bytes()).unwrap() {
            RecordLine::Game(game) => *game,
            RecordLine::Match(_) => panic!("a match"),
        }
    }

    #[test]
    fn only_a_last_line_that_is_not_whole_is_left_out() {
        for (text, kept) in [
            ("{}\n{\"a\":", &[(1, "{}")][..]),
            ("{}\r\n \n{}", &[(1, "{}\r"), (3, "{}")]),
            ("\u{feff}{}\n", &[(1, "{}")]),
            ("{\"a\":", &[(1, "{\"a\":")]),
            ("", &[]),
        ] {
            let lines: Vec<_> = record_lines(text.as_bytes()).collect();
            assert_eq!(
                lines,
                kept.iter().map(|&(number, line)| (number, line.as_bytes())).collect::<Vec<_>>(),
                "{text:?}"
            );
        }
    }

    fn heading(format: u32) -> String {
        serde_json::to_string(&RecordHeading { format, config: Value::Null }).unwrap()
    }

    #[test]
    fn a_game_of_format_1_counts_ranks_from_the_top() {
        let mut reader = RecordReader::default();
        reader.read::<Value>(heading(1).as_bytes()).unwrap();
        for reader in [&mut reader, &mut RecordReader::default()] {
            let game = game(reader, &GAME.replace('\n', ""));
            assert_eq!(game.opening.to_string(), "7,7 8,8");
            assert_eq!(game.moves.to_string(), "0,0 14,14");
            assert_eq!(game.negotiation, ["h8 7,8 12,12 2", "b swap"]);
        }
    }

    #[test]
    fn a_game_is_read_as_it_is_written() {
        let mut reader = RecordReader::default();
        let old = game(&mut reader, GAME);
        let line = serde_json::to_string(&old).unwrap();
        let heading = serde_json::to_string(&RecordHeading::new(Value::Null)).unwrap();
        assert_eq!(heading, r#"{"format":2,"match":null}"#);
        for heading in [None, Some(heading)] {
            let mut reader = RecordReader::default();
            heading.map(|heading| reader.read::<Value>(heading.as_bytes()).unwrap());
            assert_eq!(game(&mut reader, &line), old);
        }
    }

    #[test]
    fn letters_in_a_record_of_format_2_and_newer_formats_are_refused() {
        let mut reader = RecordReader::default();
        reader.read::<Value>(heading(2).as_bytes()).unwrap();
        assert!(reader.read::<Value>(GAME.as_bytes()).is_err());
        let error = reader.read::<Value>(heading(3).as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "record format 3 is newer than this program's, 2");
    }
}
