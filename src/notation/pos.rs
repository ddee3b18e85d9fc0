//! [`read_pos`]: RenLib's form of a game, POS, a byte for each move.
//!
//! ```text
//! 05 70 71 6f f0 72      five moves: h8 i8 g8, a pass, j8
//! ```
//!
//! The first byte is the number of moves. A move is 15 · y + x with y from the top; F0 is a pass. The board is 15 x 15.

use thiserror::Error;

use crate::board::{Point, Size};

/// The byte of a pass.
const PASS: u8 = 0xf0;

/// Error returned when bytes are not a game in this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PosError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The number of moves that the first byte states, and the number of bytes after it.
    #[error("byte 0: {0} moves, but {1} bytes follow")]
    Length(u8, usize),
    /// The place of a byte, counted from 0, and its value, which is neither a point nor a pass.
    #[error("byte {0}: {1:#04x} is neither a point nor a pass")]
    Move(usize, u8),
}

/// Reads the moves of a game; `None` is a pass. The caller checks whether they can be played.
///
/// # Errors
/// When the number of bytes is not the number of moves, or a byte is neither a point nor a pass.
pub fn read_pos(bytes: &[u8]) -> Result<Vec<Option<Point>>, PosError> {
    let (&count, moves) = bytes.split_first().ok_or(PosError::Empty)?;
    if moves.len() != usize::from(count) {
        return Err(PosError::Length(count, moves.len()));
    }
    let side = Size::FIFTEEN.side();
    let read = |(at, &byte): (usize, &u8)| match byte {
        PASS => Ok(None),
        _ => Size::FIFTEEN.point(byte % side, byte / side).map(Some).ok_or(PosError::Move(at, byte)),
    };
    (1..).zip(moves).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Letters;

    #[test]
    fn a_byte_is_a_point_from_the_top_left_or_a_pass() {
        let read = |bytes: &[u8]| {
            let name = |played: Option<Point>| {
                played.map_or("pass".to_owned(), |point| Letters::new(Size::FIFTEEN).point(point).to_string())
            };
            read_pos(bytes).map(|moves| moves.into_iter().map(name).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read(b"\x05\x70\x71\x6f\xf0\x72").as_deref(), Ok("h8 i8 g8 pass j8"));
        assert_eq!(read(b"\x03\x00\x0e\xe0").as_deref(), Ok("a15 o15 o1"));
        assert_eq!(read(b"\0").as_deref(), Ok(""));
        assert_eq!(read(b""), Err(PosError::Empty));
        assert_eq!(read(b"\x02\x70"), Err(PosError::Length(2, 1)));
        assert_eq!(read(b"\x01\x70\x71"), Err(PosError::Length(1, 2)));
        assert_eq!(read(b"\x02\x70\xe1").unwrap_err().to_string(), "byte 2: 0xe1 is neither a point nor a pass");
        assert_eq!(read(b"\x01\xf1"), Err(PosError::Move(1, 0xf1)));
    }
}
