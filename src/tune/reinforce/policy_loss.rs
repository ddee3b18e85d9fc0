//! [`PolicyExample`]: the loss that both policy gradients minimise.
//!
//! With π the chances of the legal moves, a the chosen move, A its advantage, H the entropy of π, and v = (1 + V) / 2:
//!
//! ```text
//! loss = −A ln π(a) − β H + cross entropy of v and (1 + R) / 2
//!
//! derivative by the logit of move i:  A (π(i) − [i = a]) + β π(i) (ln π(i) + H)
//! ```

use crate::tune::loss::{Loss, Losses};
use crate::tune::network::{Example, Features, Forward};

/// Weight β of the entropy, in returns for each nat. The bonus keeps rare moves in play. The papers use 0.01.
pub(super) const ENTROPY: f32 = 0.01;

/// The least chance in a logarithm.
const LEAST: f32 = 1e-9;

/// A position with the move that was chosen there, and what became of it.
pub(super) struct PolicyExample {
    pub(super) features: Features,
    /// The number of the chosen move.
    pub(super) chosen: usize,
    /// A: how much better than expected the move was, −2 to 2.
    pub(super) advantage: f32,
    /// R: the return that the value learns, −1 to 1.
    pub(super) target: f32,
}

impl PolicyExample {
    fn label(&self) -> f32 {
        (1.0 + self.target) / 2.0
    }
}

/// The entropy of some chances, in nats.
fn entropy(chances: &[f32]) -> f32 {
    -chances.iter().map(|&chance| chance * chance.max(LEAST).ln()).sum::<f32>()
}

impl Example for PolicyExample {
    fn features(&self) -> &Features {
        &self.features
    }

    fn losses(&self, forward: &Forward) -> Losses {
        let mut losses = Losses::default();
        losses[Loss::Chance] = Loss::Chance.value(self.label(), forward.chance());
        let chosen = forward.chances[self.chosen].max(LEAST);
        losses[Loss::Moves] = -self.advantage * chosen.ln() - ENTROPY * entropy(&forward.chances);
        losses
    }

    fn slopes(&self, forward: &Forward, by_moves: &mut [f32]) -> f32 {
        let entropy = entropy(&forward.chances);
        for (number, (slope, &chance)) in by_moves.iter_mut().zip(&forward.chances).enumerate() {
            let chosen = if number == self.chosen { 1.0 } else { 0.0 };
            let bonus = chance * (chance.max(LEAST).ln() + entropy);
            *slope = self.advantage * Loss::Moves.slope(chosen, chance) + ENTROPY * bonus;
        }
        Loss::Chance.slope(self.label(), forward.chance())
    }
}
