//! [`OpeningOrder`]: the openings in the order of the match.

use crate::arena::config::MatchConfig;
use crate::board::{Size, Symmetry};
use crate::opening::lists::Opening;
use crate::rng::Rng;

/// The openings in the order of the match.
#[derive(Debug)]
pub(super) struct OpeningOrder {
    openings: Vec<Opening>,
    order: Vec<usize>,
    size: Size,
    transform: bool,
}

impl OpeningOrder {
    pub(super) fn new(openings: Vec<Opening>, config: &MatchConfig) -> Self {
        let mut order: Vec<_> = (0..openings.len()).collect();
        if let Some(seed) = config.seed {
            Rng::new(seed).shuffle(&mut order);
        }
        Self { openings, order, size: config.game.size, transform: config.transform }
    }

    /// The opening with this number in the match. After the last one the list begins again in the same order, turned
    /// and mirrored where the match asks for it.
    pub(super) fn opening(&self, number: usize) -> Opening {
        let opening = &self.openings[self.order[number % self.order.len()]];
        let pass = number / self.order.len();
        let symmetry = Symmetry::all().nth(if self.transform { pass % 8 } else { 0 });
        opening.iter().map(|&point| symmetry.map_or(point, |symmetry| symmetry.apply(point, self.size))).collect()
    }
}
