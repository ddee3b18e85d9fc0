//! The library: the database against a naive map, what flows back, and files after faults.

mod commands;
mod expansion;
mod faults;
mod flow;
mod memory;
mod speed;
mod twin;
