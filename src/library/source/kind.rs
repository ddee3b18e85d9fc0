//! [`SourceKind`] and [`LibraryKind`]: the form of a file.

use serde_json::Value;
use strum::Display;

use crate::board::Size;
use crate::library::format::{rapfi, renlib};
use crate::notation::{GameMoves, Letters, opening_lines, read_pos};
use crate::text::{lines, without_mark};

/// Bytes of a file in which its form is looked for.
const HEAD: usize = 1 << 16;

/// Lines of a file before the first move of a list of numbered moves.
const HEADER_LINES: usize = 100;

/// The form of a file of games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
pub enum SourceKind {
    /// Games with variations.
    #[strum(serialize = "SGF")]
    Sgf,
    /// A saved game of Piskvork or of the Gomocup judge.
    #[strum(serialize = "PSQ")]
    Psq,
    /// A saved game of Gomotur.
    #[strum(serialize = "REC")]
    Rec,
    /// A game of RenLib.
    #[strum(serialize = "POS")]
    Pos,
    /// The record of a match of `tengen-arena`.
    #[strum(serialize = "a match record")]
    Record,
    /// A game a line, `h8i9j10`.
    #[strum(serialize = "a list of moves")]
    Moves,
    /// Numbered moves, `1. h8 i9`.
    #[strum(serialize = "a list of numbered moves")]
    Numbered,
    /// Positions as lines of JSON, see [`JsonPosition`](crate::library::JsonPosition).
    #[strum(serialize = "positions in JSON")]
    Json,
    /// A library of another program.
    #[strum(transparent)]
    Library(LibraryKind),
}

/// The form of a library of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
pub enum LibraryKind {
    /// A library of RenLib.
    #[strum(serialize = "a RenLib library")]
    RenLib,
    /// A database of Yixin or Rapfi.
    #[strum(serialize = "a Yixin or Rapfi database")]
    Rapfi,
    /// A database of Rapfi as text.
    #[strum(serialize = "a CSV of Rapfi")]
    Csv,
}

impl SourceKind {
    /// Recognises the form of a file by its contents, or else by the ending of its name. `None` if neither is known.
    ///
    /// ```
    /// use tengen::library::source::{LibraryKind, SourceKind};
    ///
    /// assert_eq!(SourceKind::detect("a.txt", b"(;GM[4]SZ[15])"), Some(SourceKind::Sgf));
    /// assert_eq!(SourceKind::detect("a.txt", b"h8i9j10"), Some(SourceKind::Moves));
    /// assert_eq!(SourceKind::detect("a.lib", b"\x78\x00"), Some(SourceKind::Library(LibraryKind::RenLib)));
    /// ```
    pub fn detect(name: &str, bytes: &[u8]) -> Option<Self> {
        let ending = ending(name);
        // A byte for each move has no mark of its own.
        if ending == "pos" && read_pos(bytes).is_ok() {
            return Some(Self::Pos);
        }
        let library = LibraryKind::of_bytes(bytes).map(Self::Library);
        library.or_else(|| of_text(bytes)).or_else(|| match ending.as_str() {
            "sgf" => Some(Self::Sgf),
            "psq" => Some(Self::Psq),
            "rec" => Some(Self::Rec),
            "pos" => Some(Self::Pos),
            ending => LibraryKind::of_ending(ending).map(Self::Library),
        })
    }
}

impl LibraryKind {
    /// Recognises the form of a library of another program as [`SourceKind::detect`] does.
    pub fn detect(name: &str, bytes: &[u8]) -> Option<Self> {
        Self::of_bytes(bytes).or_else(|| Self::of_ending(&ending(name)))
    }

    /// The form that begins with these bytes: RenLib's mark, an LZ4 frame, the metadata of a database after its count, or
    /// the first columns of a table.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            _ if bytes.starts_with(renlib::MAGIC) => Some(Self::RenLib),
            _ if bytes.starts_with(&rapfi::LZ4_MAGIC) => Some(Self::Rapfi),
            [_, _, _, _, 3, 0, 0, 0, 0, ..] => Some(Self::Rapfi),
            _ => {
                let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
                text.starts_with(b"index,key,label").then_some(Self::Csv)
            }
        }
    }

    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "lib" => Some(Self::RenLib),
            "db" => Some(Self::Rapfi),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// The letters after the last point of a name, in lower case.
fn ending(name: &str) -> String {
    name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default()
}

/// The form of a text.
fn of_text(bytes: &[u8]) -> Option<SourceKind> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let text = without_mark(&head).trim_start();
    if text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';')) {
        Some(SourceKind::Sgf)
    } else if GameMoves::is_psq(text) {
        Some(SourceKind::Psq)
    } else if text.starts_with('{') {
        // The first line of a record can be longer than the head: it describes all engines.
        let line = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        let value: Value = serde_json::from_slice(line).ok()?;
        if value.get("turn").is_some() && value.get("black").is_some() {
            Some(SourceKind::Json)
        } else {
            (value.get("match").is_some() || value.get("moves").is_some()).then_some(SourceKind::Record)
        }
    } else if is_rec(&head) {
        Some(SourceKind::Rec)
    } else {
        of_moves(&head)
    }
}

/// Whether a text has two lines of any text, then a line of three numbers.
fn is_rec(text: &str) -> bool {
    let is_number = |field: &str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    lines(text).nth(2).is_some_and(|line| {
        let fields: Vec<_> = line.trim().split(',').collect();
        fields.len() == 3 && fields.into_iter().all(is_number)
    })
}

fn of_moves(text: &str) -> Option<SourceKind> {
    let largest = Letters::new(Size::new(Size::MAX)?);
    let are_moves = |line: &str| !line.contains(',') && largest.parse_moves_and_passes(line).is_ok();
    let first_of_numbered = |line: &str| {
        let rest = line.trim().strip_prefix("1.")?;
        let word = rest.split_whitespace().next()?;
        are_moves(word).then_some(SourceKind::Numbered)
    };
    let numbered = lines(text).take(HEADER_LINES).find_map(first_of_numbered);
    let first = || opening_lines(text).map(|(_, line)| line).next().filter(|line| are_moves(line));
    numbered.or_else(|| first().map(|_| SourceKind::Moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_tell_the_form_whatever_the_name_says() {
        for (bytes, kind) in [
            (&b" \n( ;SZ[15])"[..], SourceKind::Sgf),
            ("\u{feff}(;)".as_bytes(), SourceKind::Sgf),
            (b"Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n", SourceKind::Psq),
            (b"A.zip\r\nB.zip\r\n9,9,0\r\n", SourceKind::Rec),
            (b"\n\n9,9,0\n", SourceKind::Rec),
            (b"{\"format\":2,\"match\":{}}\n", SourceKind::Record),
            (b"{\"moves\":\"7,7\"}", SourceKind::Record),
            (b"# two games\n\nh8i9j10\n", SourceKind::Moves),
            (b"H8 I9 -- J10", SourceKind::Moves),
            (b"[Black \"1.\"]\n\n1. h8 i9 2. j10", SourceKind::Numbered),
            (b"Event x\n1.h8 i9", SourceKind::Numbered),
            (b"\xffRenLib\xff\x03\x04", SourceKind::Library(LibraryKind::RenLib)),
            (b"\x04\x22\x4d\x18", SourceKind::Library(LibraryKind::Rapfi)),
            (b"\x0f\0\0\0\x03\0\0\0\0\x14\0", SourceKind::Library(LibraryKind::Rapfi)),
            (b"index,key,label,value,depth,bound,text\n", SourceKind::Library(LibraryKind::Csv)),
        ] {
            assert_eq!(SourceKind::detect("a.xyz", bytes), Some(kind), "{kind}");
            assert_eq!(SourceKind::detect("a.sgf", bytes), Some(kind), "{kind}");
        }
    }

    #[test]
    fn a_name_tells_the_form_of_unknown_contents() {
        for (name, kind) in [
            ("a.SGF", Some(SourceKind::Sgf)),
            ("a.lib", Some(SourceKind::Library(LibraryKind::RenLib))),
            ("folder.lib/a.db", Some(SourceKind::Library(LibraryKind::Rapfi))),
            ("a.csv", Some(SourceKind::Library(LibraryKind::Csv))),
            ("a.txt", None),
            ("lib", None),
        ] {
            assert_eq!(SourceKind::detect(name, b"x\0 y"), kind, "{name}");
        }
        assert_eq!(SourceKind::detect("a.txt", b"{\"rule\":\"renju\"}"), None);
        assert_eq!(SourceKind::detect("a.txt", b""), None);
        // Ten moves whose bytes are also a list: the ending decides.
        assert_eq!(SourceKind::detect("a.pos", b"\nh8i9j10k11"), Some(SourceKind::Pos));
        assert_eq!(SourceKind::detect("a.txt", b"\nh8i9j10k11"), Some(SourceKind::Moves));
        assert_eq!(SourceKind::detect("a.pos", b"(;SZ[15])"), Some(SourceKind::Sgf));
    }
}
