//! Labels and numbers as the boards show them.

use super::{LEAST_MATE, MATE, RapfiLabel, RapfiNumbers};
use crate::library::Bound;
use crate::score::Score;

impl RapfiNumbers {
    /// The text on the point of the move that leads to the position, for the side that plays it; empty without one.
    ///
    /// ```text
    /// w11    wins with the 11th ply, counted from the move     l8    loses
    /// w*     wins; the plies are not known                     35%   the chance to win by the score of a search
    /// ```
    ///
    /// ```
    /// use tengen::library::Bound;
    /// use tengen::library::format::rapfi::{RapfiLabel, RapfiNumbers};
    ///
    /// let won = RapfiNumbers { label: RapfiLabel::Character('w'), value: -29_990, ..RapfiNumbers::default() };
    /// assert_eq!(won.display(), "w11");
    /// let searched = RapfiNumbers { label: RapfiLabel::None, value: 120, depth: 12, bound: Bound::Exact };
    /// assert_eq!(searched.display(), "35%");
    /// ```
    pub fn display(self) -> String {
        match self.label {
            RapfiLabel::Character(character) if self.label.wins().is_some() => match self.steps() {
                Some(steps) => format!("{character}{steps}"),
                None => format!("{character}*"),
            },
            RapfiLabel::Character(character) => character.to_string(),
            RapfiLabel::None if self.bound == Bound::Exact => {
                let chance = Score::from_eval(-i32::from(self.value)).win_chance();
                format!("{}%", ((chance * 100.0) as u8).min(99))
            }
            RapfiLabel::Null | RapfiLabel::None => String::new(),
        }
    }

    /// The plies to the end from the position before the last move, if the record holds a result and its plies.
    pub fn steps(self) -> Option<u32> {
        let is_win = self.label.wins()?;
        let distance = i32::from(self.value).abs();
        let is_mate = distance > LEAST_MATE && (self.value > 0) == is_win;
        is_mate.then(|| u32::try_from(MATE + 1 - distance).ok()).flatten()
    }

    /// The number of the label: 0 for a null record, -1 without a label, else the character's.
    pub const fn label_code(self) -> i8 {
        self.label.to_byte() as i8
    }

    /// The number of the bound: 0 none, 1 upper, 2 lower, 3 exact.
    pub const fn bound_code(self) -> i16 {
        self.bound_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(label: RapfiLabel, value: i16, bound: Bound) -> String {
        RapfiNumbers { label, value, depth: 0, bound }.display()
    }

    #[test]
    fn labels_are_for_the_side_that_plays_the_move() {
        let (win, loss) = (RapfiLabel::Character('w'), RapfiLabel::Character('l'));
        assert_eq!(shown(win, -29_990, Bound::Exact), "w11");
        assert_eq!(shown(loss, 29_993, Bound::None), "l8");
        assert_eq!(shown(win, 29_990, Bound::Exact), "w*", "the value is for the other side");
        assert_eq!(shown(win, 0, Bound::None), "w*");
        assert_eq!(shown(win, -29_500, Bound::Exact), "w*");
        assert_eq!(shown(RapfiLabel::Character('x'), -29_990, Bound::Exact), "x");
        assert_eq!(shown(RapfiLabel::Null, 120, Bound::Exact), "");
    }

    #[test]
    fn a_chance_needs_an_exact_value() {
        assert_eq!(shown(RapfiLabel::None, 0, Bound::Exact), "50%");
        assert_eq!(shown(RapfiLabel::None, -20_000, Bound::Exact), "99%");
        assert_eq!(shown(RapfiLabel::None, i16::MIN, Bound::Exact), "99%");
        assert_eq!(shown(RapfiLabel::None, 20_000, Bound::Exact), "0%");
        assert_eq!(shown(RapfiLabel::None, 120, Bound::Lower), "");
    }
}
