//! The integration tests, one binary; each module says what it holds.

/// The signature of the fixed work: a new one is the notice that some move has changed.
mod bench;
/// What `explain` shows: golden texts, JSON, and that it agrees with the picker.
mod explain;
