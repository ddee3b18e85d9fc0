//! The engine of the page without a server: what `page/worker.js` calls.
//!
//! ```text
//! page ── line ─► worker.js ── line ─► InlineSession ─► tasks        as on the server, where these are threads
//!   ▲               ▲  │                                  │
//!   │               │  └────────────── run_task ─────────►│ a search ── pause ─► worker.js reads its messages
//!   └──── line ─────┴── send ◄── InlineSession ◄── turn ◄─┘                      and calls line and turn
//! ```

// wasm-bindgen marks the attributes for suspended calls (JSPI) as deprecated, because they are experimental.
#![allow(deprecated)]

use std::cell::RefCell;
use std::sync::Arc;

use tengen::bench::{self, Extent};
use tengen::board::Rule;
use tengen::eval::Networks;
use tengen::eval::network::Weights;
use tengen::picker::{Evaluation, PickerName};
use tengen::platform;
use tengen::web::{InlineSession, SessionConfig};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_namespace = host)]
extern "C" {
    /// Sends a line to the page.
    fn send(line: &str);

    /// Suspends the running task until the worker has read its messages. Where the browser cannot suspend it, the worker
    /// only sends what the task has found.
    #[wasm_bindgen(suspending)]
    fn pause();
}

thread_local! {
    static SESSION: RefCell<InlineSession> = RefCell::new(InlineSession::new(
        Arc::new(SessionConfig::default()),
        Arc::new(|line: String| {
            send(&line);
            true
        }),
    ));
}

/// Lets tasks pause.
#[wasm_bindgen]
pub fn allow_pauses() {
    platform::on_pause(pause);
}

/// Handles a line of the page.
#[wasm_bindgen]
pub fn line(text: &str) {
    SESSION.with_borrow_mut(|session| session.line(text));
}

/// Sends what the running task has found.
#[wasm_bindgen]
pub fn turn() {
    SESSION.with_borrow_mut(InlineSession::turn);
}

/// Runs the next task to its end; false if the queue is empty. Only one call may run at a time.
#[wasm_bindgen(jspi)]
pub fn run_task() -> bool {
    platform::run_task()
}

/// Adds a network, given as its file.
///
/// # Errors
/// When the bytes are not a valid network.
#[wasm_bindgen]
pub fn supply_network(bytes: &[u8]) -> Result<(), JsError> {
    Networks::built_in().supply(Weights::from_bytes(bytes)?);
    Ok(())
}

/// Whether the rule of this name has a network.
#[wasm_bindgen]
pub fn has_network(rule: &str) -> bool {
    rule.parse::<Rule>().is_ok_and(|rule| Networks::built_in().has(rule))
}

/// Measures a picker as `pbrain-tengen-search bench` does: signatures and speed.
///
/// # Errors
/// When the name of the picker is unknown.
#[wasm_bindgen]
pub fn measure(picker: &str, is_short: bool) -> Result<String, JsError> {
    let extent = if is_short { Extent::Short } else { Extent::Full };
    Ok(bench::run(picker.parse::<PickerName>()?, extent, Evaluation::default()).to_string())
}
