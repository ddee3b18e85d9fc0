//! PLATFORM: the clock and the threads that a program runs on, and the signals that end it.
//!
//! ```text
//!                 system                       worker: a page without a server
//! Instant         std::time::Instant           performance.now()
//! spawn           a thread                     a task, which the worker runs when it is idle
//! pause           nothing                      reads the messages of the page every 20 ms
//! on_interrupt    Ctrl-C, SIGTERM, SIGHUP      unavailable
//! ```
//!
//! A search calls [`pause`] wherever it checks for a stop. A worker in a browser has one thread, and reads its
//! messages only between two calls of the program: the pause lets it read a stop while a search runs.
//!
//! Owns what differs between systems, and between a system and a browser. Must never know what runs.

#[cfg(feature = "programs")]
mod interrupt;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod system;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod worker;

#[cfg(feature = "programs")]
pub use interrupt::on_interrupt;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use system::{Instant, most_threads, pause, spawn};
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use worker::{Instant, most_threads, on_pause, pause, run_task, spawn};

/// The work of a thread or of a task.
pub type Work = Box<dyn FnOnce() + Send>;
