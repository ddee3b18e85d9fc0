//! pbrain-tengen: the greedy engine as a manager starts it.

mod cli;

fn main() {
    cli::main(&cli::Program { file: "pbrain-tengen", name: "Tengen", picker: tengen::picker::PickerName::Greedy })
}
