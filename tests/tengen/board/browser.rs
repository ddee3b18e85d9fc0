//! The page in a real browser: runs `tests/browser`, which needs Chromium and Node.

use std::num::NonZero;
use std::process::Command;
use std::thread;

#[test]
#[ignore = "needs Chromium, Node and `npm ci` in tests/browser; .ci/run installs them where it may and runs it"]
fn the_page_works_in_a_browser() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");
    let mut command = Command::new("node");
    // Each file of tests has a server and a browser of its own.
    let files = thread::available_parallelism().map_or(1, NonZero::get) + 1;
    command.args(["--test", &format!("--test-concurrency={files}")]).current_dir(folder);
    command.env("TENGEN_BOARD", env!("CARGO_BIN_EXE_tengen-board"));
    command.env("TENGEN_ENGINE", env!("CARGO_BIN_EXE_pbrain-tengen"));
    command.env("TENGEN_ARENA", env!("CARGO_BIN_EXE_tengen-arena"));
    let status = command.status().expect("node");
    assert!(status.success());
}
