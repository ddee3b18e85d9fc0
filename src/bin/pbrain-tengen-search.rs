//! pbrain-tengen-search: the same engine, which searches where nothing else is said.

#[path = "../engine/mod.rs"]
mod engine;

fn main() {
    engine::main(tengen::picker::PickerName::Search)
}
