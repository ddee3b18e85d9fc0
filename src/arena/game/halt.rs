//! [`Halt`]: the request that a match ends before its last game.

use std::sync::atomic::{AtomicU8, Ordering};

/// The match goes on.
const NONE: u8 = 0;

/// No game begins or goes on; engines are asked to end.
const REQUESTED: u8 = 1;

/// Engines are killed without being asked.
const URGENT: u8 = 2;

/// A request that a match ends early, shared by its threads. It is never taken back.
#[derive(Debug, Default)]
pub struct Halt(AtomicU8);

impl Halt {
    /// Drops the games in play; their engines get `END` and the time that the protocol gives them to exit.
    pub fn request(&self) {
        self.0.fetch_max(REQUESTED, Ordering::Relaxed);
    }

    /// Drops the games in play and kills their engines.
    pub fn request_at_once(&self) {
        self.0.fetch_max(URGENT, Ordering::Relaxed);
    }

    /// Whether the match has to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) > NONE
    }

    /// Whether engines are killed without being asked.
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= URGENT
    }
}
