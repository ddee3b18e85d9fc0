//! [`EnginePool`]: the engines of one worker. The engines used last keep running.

use std::collections::VecDeque;
use std::sync::Arc;

use super::RunOptions;
use crate::arena::config::MatchConfig;
use crate::arena::game::{Engine, EngineOptions};

/// Idle engines that a worker keeps running between its games.
const KEPT: usize = 8;

/// The engines that one worker has started.
pub(super) struct EnginePool<'a> {
    worker: usize,
    config: &'a MatchConfig,
    options: &'a RunOptions,
    /// The engines by their numbers, the one used last at the back.
    engines: VecDeque<(usize, Engine)>,
}

impl<'a> EnginePool<'a> {
    pub(super) fn new(worker: usize, config: &'a MatchConfig, options: &'a RunOptions) -> Self {
        Self { worker, config, options, engines: VecDeque::new() }
    }

    /// The engine with this number, running if it was put back before.
    pub(super) fn take(&mut self, number: usize) -> Engine {
        let running = self.engines.iter().position(|(other, _)| *other == number);
        if let Some((_, engine)) = running.and_then(|place| self.engines.remove(place)) {
            return engine;
        }
        let spec = self.config.engines[number].clone();
        let file = format!("{}.{}.log", spec.name.replace(['/', '\\'], "_"), self.worker);
        let transcripts = self.options.transcripts.as_ref().map(|folder| folder.join(file));
        let (supervisor, halt) = (self.options.supervisor.clone(), Arc::clone(&self.options.halt));
        Engine::new(spec, self.config.game, EngineOptions { supervisor, transcripts, halt, continuous: false })
    }

    /// Keeps an engine for later games. If there are too many, the one that was idle longest ends.
    pub(super) fn put_back(&mut self, number: usize, engine: Engine) {
        self.engines.push_back((number, engine));
        if self.engines.len() > KEPT {
            if let Some((_, mut engine)) = self.engines.pop_front() {
                engine.end();
            }
        }
    }

    /// Ends all engines, in the time that one of them may take.
    pub(super) fn end(mut self) {
        self.engines.iter_mut().for_each(|(_, engine)| engine.ask_to_end());
        for (_, mut engine) in self.engines {
            engine.end();
        }
    }
}
