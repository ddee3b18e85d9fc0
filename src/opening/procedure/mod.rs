//! [`Procedure`]: the procedures by which two players agree on an opening and on the colors, one file each.
//!
//! A procedure is a pure function of the answers so far: [`Course::step`] returns the next question and the player it
//! goes to, or the end. [`ProcedureQuestion`](super::ProcedureQuestion) decides which answers are legal, and
//! [`Negotiation`] keeps the stones. A new procedure is one file here and one line in [`Procedure::ALL`].

mod plain;
mod rif;
mod soosorv;
mod swap;
mod swap2;
mod taraguchi;
mod three_swap;
mod yamaguchi;

use std::fmt;
use std::str::FromStr;

use super::{Negotiation, Step};
use crate::board::Size;
use crate::text::UnknownName;

/// The definition of a procedure.
#[derive(Debug)]
struct Course {
    /// Its name in the protocol and on the command line.
    name: &'static str,
    /// The smallest side of a board on which every question has a legal answer.
    least_side: u8,
    /// The next step after the answers so far.
    step: fn(&Negotiation) -> Step,
}

/// The smallest side of a board on which twelve distinct fifth moves exist, and which holds Taraguchi's 9 × 9.
const FIFTHS_SIDE: u8 = 9;

/// A procedure by its name.
///
/// ```
/// use tengen::opening::Procedure;
///
/// assert_eq!("Soosorv-8".parse(), Ok(Procedure::SOOSORV_8));
/// assert!("soosorv-9".parse::<Procedure>().is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Procedure(&'static Course);

impl Procedure {
    /// Nothing is asked: the opener is black.
    pub const PLAIN: Self = Self(&plain::PLAIN);
    /// Three stones anywhere; the other player takes a color.
    pub const SWAP: Self = Self(&swap::SWAP);
    /// Three stones anywhere; the other player takes a color, or puts two more and leaves the choice.
    pub const SWAP2: Self = Self(&swap2::SWAP2);
    /// Both players put the first three stones in turn; white may swap.
    pub const THREE_SWAP: Self = Self(&three_swap::THREE_SWAP);
    /// The rule of the Renju International Federation of 1996: one of the 26, a swap, two fifth moves.
    pub const RIF: Self = Self(&rif::RIF);
    /// Yamaguchi's rule: one of the 26 with a number of fifth moves, a swap.
    pub const YAMAGUCHI: Self = Self(&yamaguchi::YAMAGUCHI);
    /// Soosõrv's rule with up to four fifth moves: white says how many with the fourth stone, a swap before and after.
    pub const SOOSORV_4: Self = Self(&soosorv::SOOSORV_4);
    /// The same with up to eight.
    pub const SOOSORV_8: Self = Self(&soosorv::SOOSORV_8);
    /// Taraguchi's rule: a swap after each of the first stones, or ten fifth moves.
    pub const TARAGUCHI_10: Self = Self(&taraguchi::TARAGUCHI_10);

    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::PLAIN,
        Self::SWAP,
        Self::SWAP2,
        Self::THREE_SWAP,
        Self::RIF,
        Self::YAMAGUCHI,
        Self::SOOSORV_4,
        Self::SOOSORV_8,
        Self::TARAGUCHI_10,
    ];

    /// The name, as the protocol and the command line have it.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The names of all procedures.
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Self::ALL[place].name();
            place += 1;
        }
        names
    };

    /// The error for an unknown name.
    pub const UNKNOWN: UnknownName = UnknownName::new("procedure", &Self::NAMES);

    /// The least side of its board.
    pub const fn least_side(self) -> u8 {
        self.0.least_side
    }

    /// Whether it can be played on a board of this size.
    pub const fn fits(self, size: Size) -> bool {
        size.side() >= self.0.least_side
    }

    pub(super) fn step(self, so_far: &Negotiation) -> Step {
        (self.0.step)(so_far)
    }
}

impl PartialEq for Procedure {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Procedure {}

impl fmt::Debug for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Procedure {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = |procedure: &Self| procedure.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or(Self::UNKNOWN)
    }
}
