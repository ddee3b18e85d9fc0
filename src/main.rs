//! pbrain-tengen: the greedy engine as a manager starts it.

mod engine;

fn main() {
    engine::main(tengen::picker::PickerName::Greedy)
}
