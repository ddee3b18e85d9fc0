//! The clock and the tasks of a worker in a browser, which has one thread.
//!
//! ```text
//! spawn ─► queue ─► run_task ─► a search ─► pause ─► the function given to on_pause: the worker reads its messages
//!                                  ▲                    │
//!                                  └────────────────────┘
//! ```
//!
//! One task runs at a time. What the worker calls while a task pauses must not run a task itself.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

pub use web_time::Instant;

use super::Work;

/// The time between two pauses. Less would cost speed, more would delay a stop; docs/web.md has the numbers.
const SLICE: Duration = Duration::from_millis(20);

thread_local! {
    static TASKS: RefCell<VecDeque<Work>> = const { RefCell::new(VecDeque::new()) };
    static READ_MESSAGES: Cell<Option<fn()>> = const { Cell::new(None) };
    /// The next pause of the running task. `None` while no task runs, or while it pauses.
    static NEXT_PAUSE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Puts work at the end of the queue.
///
/// # Errors
/// Never; a system can refuse a thread.
pub fn spawn(_name: &str, work: Work) -> io::Result<()> {
    TASKS.with_borrow_mut(|tasks| tasks.push_back(work));
    Ok(())
}

/// The number of threads that run at the same time.
pub const fn most_threads() -> usize {
    1
}

/// Sets the function that lets the worker read its messages. Without one a task runs to its end.
pub fn on_pause(read_messages: fn()) {
    READ_MESSAGES.set(Some(read_messages));
}

/// Runs the first task of the queue; false if the queue is empty.
pub fn run_task() -> bool {
    let Some(task) = TASKS.with_borrow_mut(VecDeque::pop_front) else { return false };
    NEXT_PAUSE.set(READ_MESSAGES.get().map(|_| Instant::now() + SLICE));
    task();
    NEXT_PAUSE.set(None);
    true
}

/// Lets the worker read its messages, at most once in a time slice. Does nothing outside a task.
pub fn pause() {
    let Some(due) = NEXT_PAUSE.get() else { return };
    if Instant::now() < due {
        return;
    }
    NEXT_PAUSE.set(None);
    if let Some(read_messages) = READ_MESSAGES.get() {
        read_messages();
    }
    NEXT_PAUSE.set(Some(Instant::now() + SLICE));
}
