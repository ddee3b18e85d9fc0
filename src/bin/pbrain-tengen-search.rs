//! pbrain-tengen-search: the same engine, with the search as its default picker.

#[path = "../cli/mod.rs"]
mod cli;

fn main() {
    cli::main(tengen::picker::PickerName::Search)
}
