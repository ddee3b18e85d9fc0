//! No procedure: black begins, and the players alternate.

use super::Course;
use crate::board::Size;
use crate::opening::Negotiation;

pub(super) const PLAIN: Course = Course { least_side: Size::MIN, step: Negotiation::agreed };
