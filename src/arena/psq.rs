//! Piskvork's record of a game, PSQ, which the field's viewers open.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0     width × height, the players' levels (11: an engine), who began
//! 8,8,0                         x, y from 1, milliseconds; the opening's stones took none
//! 9,9,103
//! shapes                        the first player
//! decimal
//! 0                             0: played out, 9: time, −1: another end (Piskvork's "not available")
//! ```

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use super::record::{End, GameRecord};
use crate::board::Size;

/// Writes the file under another name first, so that it is whole wherever it exists.
pub(super) fn write(path: &Path, game: &GameRecord, size: Size) -> io::Result<()> {
    let unfinished = path.with_extension("psq.part");
    fs::write(&unfinished, text(game, size))?;
    fs::rename(&unfinished, path)
}

fn text(game: &GameRecord, size: Size) -> String {
    let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    let times = game.opening.0.iter().map(|_| &0).chain(&game.times);
    for (point, time) in game.opening.0.iter().chain(&game.moves.0).zip(times) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{},{time}", point.x() + 1, point.y() + 1);
    }
    let code = match game.end {
        End::Row | End::Foul | End::Draw => 0,
        End::Time => 9,
        _ => -1,
    };
    let _ = writeln!(text, "{}\n{}\n{code}", game.black, game.white);
    text
}
