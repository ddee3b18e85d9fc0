//! [`Greedy`]: the point of the greatest weight, as the documents have it.

use super::{Choice, Limits, Picker, Reason, Report};
use crate::position::Position;

/// Plays the greatest total of the weighting in use. A winning move or a forced block has no special case: the weights
/// decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Picker for Greedy {
    /// `None` also for a position without a weighting.
    fn pick(&mut self, position: &mut Position, limits: &Limits, report: &mut dyn FnMut(Report)) -> Option<Choice> {
        let point = position.greatest()?;
        if limits.lines > 0 {
            let weighed = |point| Some((point, position.weights(point)?));
            report(Report::Weights(position.ranking().into_iter().filter_map(weighed).take(limits.lines).collect()));
        }
        let reason = match position.weights(point) {
            Some(weights) if position.board().stone_count() > 0 => Reason::Weights(weights),
            _ => Reason::Centre,
        };
        Some(Choice { point, reason, nodes: 1 })
    }

    fn is_instant(&self) -> bool {
        true
    }
}
