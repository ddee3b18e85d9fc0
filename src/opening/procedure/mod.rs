//! [`Procedure`]: the procedures by which two players agree on an opening and on the colors, one file each.
//!
//! A procedure is a pure function of the answers so far: [`Course::step`] returns the next question and the player it
//! goes to, or the end. [`ProcedureQuestion`](super::ProcedureQuestion) decides which answers are legal, and
//! [`Negotiation`] keeps the stones. A new procedure is one file here, its `mod` line, and one variant of
//! [`Procedure`], which the compiler follows to its course.

mod plain;
mod rif;
mod soosorv;
mod swap;
mod swap2;
mod taraguchi;
mod three_swap;
mod yamaguchi;

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use super::{Negotiation, Step};
use crate::board::Size;
use crate::text::UnknownName;

/// The definition of a procedure.
#[derive(Debug)]
struct Course {
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
/// assert_eq!("Soosorv-8".parse(), Ok(Procedure::Soosorv8));
/// assert!("soosorv-9".parse::<Procedure>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_procedure)]
pub enum Procedure {
    /// No procedure: the opener is black.
    Plain,
    /// Three stones anywhere; the other player takes a color.
    Swap,
    /// Three stones anywhere; the other player takes a color, or puts two more and leaves the choice.
    Swap2,
    /// Both players put the first three stones in turn; white may swap.
    ThreeSwap,
    /// The rule of the Renju International Federation of 1996: one of the 26, a swap, two fifth moves.
    Rif,
    /// Yamaguchi's rule: one of the 26 with a number of fifth moves, a swap.
    Yamaguchi,
    /// Soosõrv's rule with up to four fifth moves: white says how many with the fourth stone, a swap before and after.
    #[strum(to_string = "soosorv-4")]
    Soosorv4,
    /// The same with up to eight.
    #[strum(to_string = "soosorv-8")]
    Soosorv8,
    /// Taraguchi's rule: a swap after each of the first stones, or ten fifth moves.
    #[strum(to_string = "taraguchi-10")]
    Taraguchi10,
}

fn unknown_procedure(_: &str) -> UnknownName {
    UnknownName::of::<Procedure>("procedure")
}

impl Procedure {
    /// All of them.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The names of all procedures.
    pub const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;

    const fn course(self) -> Course {
        match self {
            Self::Plain => plain::PLAIN,
            Self::Swap => swap::SWAP,
            Self::Swap2 => swap2::SWAP2,
            Self::ThreeSwap => three_swap::THREE_SWAP,
            Self::Rif => rif::RIF,
            Self::Yamaguchi => yamaguchi::YAMAGUCHI,
            Self::Soosorv4 => soosorv::SOOSORV_4,
            Self::Soosorv8 => soosorv::SOOSORV_8,
            Self::Taraguchi10 => taraguchi::TARAGUCHI_10,
        }
    }

    /// The name, as the protocol and the command line have it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The least side of its board.
    pub const fn least_side(self) -> u8 {
        self.course().least_side
    }

    /// Whether it can be played on a board of this size.
    pub const fn fits(self, size: Size) -> bool {
        size.side() >= self.least_side()
    }

    pub(super) fn step(self, so_far: &Negotiation) -> Step {
        (self.course().step)(so_far)
    }
}
