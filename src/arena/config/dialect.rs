//! [`EngineDialect`]: the words of an opening procedure's questions.

use serde::{Deserialize, Serialize};

use crate::opening::Procedure;

/// The words in which an engine is asked what an opening procedure asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineDialect {
    /// Gomocup's `SWAP2BOARD`, and `OPENBOARD`, which is made after it, for every other procedure.
    #[default]
    Gomocup,
    /// Yixin-Board's commands for Swap2 and Soosõrv's rule with eight fifth moves.
    Yixin,
}

impl EngineDialect {
    /// The dialect of this name, if there is one.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "gomocup" => Some(Self::Gomocup),
            "yixin" => Some(Self::Yixin),
            _ => None,
        }
    }

    /// Whether it is the one that engines are asked in unless they say otherwise.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it has words for what the procedure asks.
    pub fn speaks(self, procedure: Procedure) -> bool {
        let asks_in_yixin = [Procedure::PLAIN, Procedure::SWAP2, Procedure::SOOSORV_8];
        self == Self::Gomocup || asks_in_yixin.contains(&procedure)
    }
}
