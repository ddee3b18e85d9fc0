//! FILES OF GAMES: games of self-play, each appended as it ends.
//!
//! Owns the format, the writer and the readers. Must never play a game.
//!
//! ```text
//! file      "tengames" │ version u16 │ block of the header │ block of a game │ block of a game │ …
//! block     length u16 │ length inverted u16 │ payload │ CRC-32 of the payload u32
//! header    rule u8 │ nodes u64 │ seed u64 │ shard, counted from 0, u64 │ shards u64 │ engine u32
//!           │ shares of the boards with sides 5 to 32, 28 × u8
//! game      number u32 │ side u8 │ result u8: 0 black won, 1 white won, 2 drawn
//!           │ opening u8: 0 random, 1 near an edge, 2 of a list │ plies of the opening u16 │ ply │ ply │ …
//! ply       u16: bits 0–9 point, 32 · y + x; bit 10 searched, 11 quiet, 12 another move was best, 13 stray,
//!           14 visits, 15 visits of the stray
//!           │ score i16                          if searched
//!           │ best u16                           if another move was best
//!           │ visits                             where there are some
//!           │ point u16 │ best u16 │ score i16   if stray
//!           │ visits                             where there are some
//! visits    moves u8, 1 to 8 │ point u16, share u8 │ point u16, share u8 │ …      shares in 255ths
//! ```
//!
//! Version 1 had no visits and is also read. Numbers are little-endian. A searched ply takes 4 bytes, one with a stray 10,
//! and each list of visits up to 25 more. A game takes another 17.
//!
//! A block is written in one piece. A killed process leaves at most one unfinished block at the end, which readers ignore
//! and [`GameWriter::resume`] cuts off. A changed byte anywhere else is an error. Games are stored in the order in which they
//! ended. They are read in the order of their numbers, so the result does not depend on threads.

mod block;
mod encoding;
mod error;
mod game;
mod header;
mod reader;
mod store;
mod summary;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{Damage, GameFileError};
pub use game::{Found, OpeningKind, Ply, SelfPlayGame, Stray, VisitShares};
pub use header::{EngineSignature, GameSettings, Header};
pub use reader::{GameReader, Games, read_games};
pub use store::{GameSource, GameStore};
pub use summary::Summary;
pub use writer::GameWriter;

/// The signature of the engine that played these games: the checksum of their bytes.
pub(super) fn signature(games: &[SelfPlayGame]) -> EngineSignature {
    let bytes: Vec<_> = games.iter().flat_map(encoding::encode_game).collect();
    EngineSignature(block::checksum(&bytes))
}
