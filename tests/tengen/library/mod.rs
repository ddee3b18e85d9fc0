//! The library: the database against a naive map, what flows back, and files after faults.

mod commands;
mod expansion;
mod faults;
mod flow;
mod games;
mod imports;
mod memory;
mod schema;
mod speed;
mod twin;
