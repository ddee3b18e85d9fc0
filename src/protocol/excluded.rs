//! [`Excluded`]: the points that YXBLOCK and YXFORBID exclude from the engine's moves.

use crate::board::{Board, ByColor, Color, PointSet};

/// The points that the engine must not play, in this game and in later ones.
#[derive(Clone, Debug)]
pub(super) struct Excluded {
    /// The points of YXBLOCK.
    pub(super) blocked: PointSet,
    /// The points of YXFORBID, by the color of the engine.
    pub(super) forbidden: ByColor<PointSet>,
}

impl Excluded {
    /// No point is excluded.
    pub(super) const NONE: Self = Self { blocked: PointSet::EMPTY, forbidden: ByColor([PointSet::EMPTY; 2]) };

    /// The excluded points of the side to move. If no other point is empty, no point is excluded.
    pub(super) fn of(&self, board: &Board) -> PointSet {
        let turn: Color = board.turn();
        let excluded = self.blocked.union(&self.forbidden[turn]).intersection(&board.empty_points());
        if excluded == board.empty_points() { PointSet::EMPTY } else { excluded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Point, Rule, Size};

    #[test]
    fn if_every_point_is_excluded_none_is() {
        let mut excluded = Excluded::NONE;
        let five = Size::new(5).unwrap();
        let mut board = Board::new(five, Rule::Freestyle);
        excluded.blocked = PointSet::all(five);
        assert!(excluded.of(&board).is_empty());
        excluded.blocked.remove(five.centre());
        assert_eq!(excluded.of(&board).len(), 24);
        board.place(five.centre(), Color::Black);
        board.set_turn(Color::White);
        assert!(excluded.of(&board).is_empty(), "the last point is taken");
        excluded.blocked = PointSet::EMPTY;
        excluded.forbidden[Color::Black].insert(Point::new(0, 0).unwrap());
        assert!(excluded.of(&board).is_empty(), "white is to move");
    }
}
