//! pbrain-tengen-search: the same engine, with the search as its default picker.

#[path = "../cli/mod.rs"]
mod cli;

fn main() {
    cli::main(&cli::Program {
        file: "pbrain-tengen-search",
        name: "TengenSearch",
        picker: tengen::picker::PickerName::Search,
    })
}
