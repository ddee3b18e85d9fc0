//! pbrain-tengen-search: the same engine, with the search as its default picker.

#[path = "../engine/mod.rs"]
mod engine;

fn main() {
    engine::main(tengen::picker::PickerName::Search)
}
