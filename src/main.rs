//! pbrain-tengen: the greedy engine as a manager starts it.

mod cli;

fn main() {
    cli::main(tengen::picker::PickerName::Greedy)
}
