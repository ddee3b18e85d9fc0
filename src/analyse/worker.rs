//! [`Worker`]: answers one position after another.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::queue::{Job, Queue};
use super::{Analyst, DEFAULT_TIME, answer};
use crate::explain::proof;
use crate::picker::{Deadlines, Limits, PickerName, Question, Report, SearchControl};
use crate::player::{Player, Request};
use crate::weights::{WeightedPosition, Weighting};

/// The longest time of a proof by threats.
const LONGEST_PROOF: Duration = Duration::from_secs(20);

/// Receives an answer, the number of its position, and whether it is the position's last one.
pub(super) type Answers<'a> = &'a mut dyn FnMut(Value, u64, bool);

/// A player with the settings of the analyst.
pub(super) struct Worker {
    player: Player,
    picker: PickerName,
    weighting: Weighting,
    limits: Limits,
    time: Option<Duration>,
}

impl Worker {
    pub(super) fn new(analyst: &Analyst) -> Self {
        let picker = analyst.picker;
        Self {
            picker,
            player: Player::inline(Box::new(move || picker.build()), DEFAULT_TIME),
            weighting: analyst.weighting,
            limits: analyst.limits.clone(),
            time: analyst.time,
        }
    }

    /// Answers positions of the queue until it is closed and empty.
    pub(super) fn work(&mut self, queue: &Queue, answers: Answers<'_>) {
        while let Some((job, control)) = queue.next() {
            let mut value = match job.outcome {
                Some(outcome) => answer::over(&job, outcome),
                None => self.answer(&job, &control, &mut |value| answers(value, job.number, false)),
            };
            if queue.finish(&job) {
                value["cancelled"] = true.into();
            }
            answers(value, job.number, true);
        }
    }

    /// Answers one position.
    fn answer(&mut self, job: &Job, control: &Arc<SearchControl>, report: &mut dyn FnMut(Value)) -> Value {
        let query = &job.query;
        let position = WeightedPosition::new(job.board.clone(), self.weighting);
        let own = self.limits.clone();
        let is_limited = self.picker.has_work_limit(query.nodes, query.depth) || query.time.is_some();
        let limits = Limits {
            nodes: if is_limited { query.nodes } else { own.nodes },
            depth: self.picker.depth_limit(if is_limited { query.depth } else { own.depth }),
            left_out: query.left_out,
            control: Arc::clone(control),
            ..own
        };
        let time = if is_limited { query.time } else { self.time };
        let deadlines = match time {
            Some(time) => Deadlines::within(time),
            None if limits.has_work_limit() => Deadlines::NONE,
            None => Deadlines::within(DEFAULT_TIME),
        };
        let (mut last, mut reported) = (None, Instant::now());
        self.player.clear();
        let question = Question::Move { lines: query.lines };
        let request = Request { question, position: position.clone(), limits, deadlines };
        self.player.ask(request, &mut |progress: Report| {
            let is_due = query.report_every.is_some_and(|time| reported.elapsed() >= time);
            if let Some(value) = is_due.then(|| answer::progress(job, &progress)).flatten() {
                report(value);
                reported = Instant::now();
            }
            last = Some(progress);
        });
        let choice = self.player.take_answered().and_then(|answered| answered.answer.choice());
        let mut value = answer::chosen(job, choice, last.as_ref());
        if query.with_weights {
            value["weights"] = answer::weights(job, &position);
        }
        if query.with_forbidden {
            value["forbidden"] = answer::forbidden(job, &job.board);
        }
        if let Some(kind) = query.proof {
            let started = Instant::now();
            let must_stop = || control.stopped() || started.elapsed() > LONGEST_PROOF;
            value["proof"] = answer::proof(job, kind, proof::seek(&job.board, kind, &must_stop));
        }
        value
    }
}
