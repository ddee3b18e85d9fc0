//! The library: the database against a naive map, what flows back, files after faults, and books.

pub(crate) mod book;
mod commands;
mod expansion;
pub(crate) mod faults;
mod flow;
mod games;
mod imports;
mod memory;
mod schema;
mod speed;
mod twin;
