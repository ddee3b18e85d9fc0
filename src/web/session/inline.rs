//! [`InlineSession`]: a session on the thread of its caller.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use super::{Input, SessionConfig, Sink, Worker};
use crate::platform::Instant;

/// A session that a worker in a browser runs. It has no thread of its own: the caller hands it the lines of the page, and
/// turns while a search or a proof runs.
pub struct InlineSession {
    worker: Worker,
    inputs: Receiver<Input>,
}

impl InlineSession {
    /// A session whose lines go to the sink, during [`line`](Self::line) and [`turn`](Self::turn) alone.
    pub fn new(config: Arc<SessionConfig>, sink: Sink) -> Self {
        let (inbox, inputs) = mpsc::channel();
        Self { worker: Worker::new(config, sink, inbox), inputs }
    }

    /// Handles a line of the page.
    pub fn line(&mut self, line: &str) {
        self.worker.line(line);
        self.worker.advance();
        self.turn();
    }

    /// Handles what searches and proofs have sent, and reports their progress when that is due.
    pub fn turn(&mut self) {
        while let Ok(input) = self.inputs.try_recv() {
            self.worker.handle(input);
            self.worker.advance();
        }
        if self.worker.wake_at().is_some_and(|at| at <= Instant::now()) {
            self.worker.wake();
            self.worker.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_session_without_a_thread_answers_by_turns() {
        let told: Arc<Mutex<Vec<Value>>> = Arc::default();
        let sink = Arc::clone(&told);
        let sink = Arc::new(move |line: String| {
            sink.lock().unwrap().push(serde_json::from_str(&line).unwrap());
            true
        });
        let mut session = InlineSession::new(Arc::default(), sink);
        let game = json!({ "size": 15, "rule": "freestyle", "moves": "7,7 8,8" });
        let who = json!({ "picker": ["search", "shapes"] });
        let think = json!({ "id": 1, "do": "think", "game": game, "who": who, "effort": { "time": 60_000 } });
        session.line(&think.to_string());
        let end = Instant::now() + Duration::from_secs(20);
        let wait_for = |kind: &str, session: &mut InlineSession| {
            while !told.lock().unwrap().iter().any(|line| line["kind"] == kind) {
                assert!(Instant::now() < end, "no {kind}");
                session.turn();
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        wait_for("tick", &mut session);
        session.line(&json!({ "id": 2, "do": "stop" }).to_string());
        wait_for("move", &mut session);
        let told = told.lock().unwrap();
        assert_eq!(told.last().map(|line| &line["kind"]), Some(&json!("move")), "{told:?}");
        assert!(told.iter().any(|line| line["kind"] == "stopped" && line["id"] == 2));
    }
}
