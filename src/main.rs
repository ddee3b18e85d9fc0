//! pbrain-tengen: the greedy engine.

use tengen::cli;

fn main() {
    cli::main(&cli::Program::GREEDY)
}
