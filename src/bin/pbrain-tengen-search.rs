//! pbrain-tengen-search: the same engine with the search as its default picker.

use tengen::cli;

fn main() {
    cli::main(&cli::Program::SEARCH)
}
