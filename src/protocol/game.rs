//! [`Game`]: the position of a game, and the color of the engine in it.

use super::list::{ListError, Owner, StoneList};
use crate::board::{Board, Color, PlayError, Point, PointSet, Rule, Size};
use crate::notation::PointError;
use crate::protocol::rule_number::RuleInfo;
use crate::weights::{WeightedPosition, Weighting};

/// The position of a game and the engine's color in it.
///
/// The protocol distinguishes the engine's stones from the opponent's. The rules distinguish black from white. The
/// commands connect the two: the engine has the color of its last question, and no color on an empty board.
pub(super) struct Game {
    position: WeightedPosition,
    engine: Option<Color>,
    /// Whether the game continues after a five. The stones of the five then become walls.
    continuous: bool,
}

impl Game {
    /// An empty board with black to move.
    pub(super) fn new(size: Size, rule: RuleInfo, weighting: Weighting) -> Self {
        let position = WeightedPosition::new(Board::new(size, rule.rule), weighting);
        Self { position, engine: None, continuous: rule.continuous }
    }

    pub(super) fn position(&self) -> &WeightedPosition {
        &self.position
    }

    pub(super) fn size(&self) -> Size {
        self.position.board().size()
    }

    pub(super) fn rule(&self) -> Rule {
        self.position.board().rule()
    }

    pub(super) fn set_rule(&mut self, rule: RuleInfo) {
        self.position.set_rule(rule.rule);
        self.continuous = rule.continuous;
    }

    pub(super) fn set_weighting(&mut self, weighting: Weighting) {
        self.position.set_weighting(weighting);
    }

    /// Gives the engine the color of the side to move.
    pub(super) fn take_side_to_move(&mut self) {
        self.engine = Some(self.position.board().turn());
    }

    /// Plays a stone of the opponent.
    pub(super) fn opponent_plays(&mut self, point: Point) -> Result<(), PlayError> {
        self.position.board().check_empty(point)?;
        let turn = self.position.board().turn();
        self.put(point, self.engine.map_or(turn, |engine| !engine));
        Ok(())
    }

    /// Plays a stone of the side to move. The engine takes this color.
    pub(super) fn engine_plays(&mut self, point: Point) -> Result<(), PlayError> {
        self.position.board().check_empty(point)?;
        self.take_side_to_move();
        self.put(point, self.position.board().turn());
        Ok(())
    }

    fn put(&mut self, point: Point, color: Color) {
        let walls = if self.continuous { self.position.board().walls_after(point, color) } else { PointSet::EMPTY };
        self.position.place(point, color);
        walls.iter().for_each(|wall| self.position.wall(wall));
    }

    /// Removes any stone of the board. Its color is then to move.
    pub(super) fn take_back(&mut self, point: Point) -> Result<(), PlayError> {
        self.position.try_remove(point)?;
        let board = self.position.board();
        if board.stone_count() == 0 && !board.has_walls() {
            self.engine = None;
            self.position.set_turn(Color::Black);
        }
        Ok(())
    }

    /// Replaces the position by a list. The engine is to move, whatever the numbers of stones. Stones outside the board
    /// are skipped. Returns the first error of the list.
    pub(super) fn set_up(&mut self, list: &StoneList) -> Option<ListError> {
        let size = self.size();
        let mut board = Board::new(size, self.rule());
        let (fitting, outside): (Vec<_>, Vec<_>) = list.stones.iter().partition(|(point, _)| size.contains(*point));
        let owners: Vec<_> = fitting.iter().map(|(_, owner)| *owner).collect();
        let mover = if self.continuous { mover_of(&owners) } else { None };
        let engine = mover.unwrap_or_else(|| engine_color(&owners));
        for (point, owner) in fitting {
            match owner {
                Owner::Own => board.place(point, engine),
                Owner::Opponent => board.place(point, !engine),
                Owner::Wall => board.wall(point),
            }
        }
        board.set_turn(engine);
        let position = WeightedPosition::new(board, self.position.weighting());
        *self = Self { position, engine: Some(engine), continuous: self.continuous };
        list.error.or((!outside.is_empty()).then_some(ListError::Point(PointError::OffBoard)))
    }
}

/// The engine's color in a list. If the owners alternate, the first owner is black. Otherwise the numbers of stones
/// decide: black has as many stones as white, or one more. If the numbers fit neither color, the first owner is black.
pub(crate) fn engine_color(owners: &[Owner]) -> Color {
    let owners: Vec<_> = owners.iter().copied().filter(|owner| *owner != Owner::Wall).collect();
    let own = owners.iter().filter(|owner| **owner == Owner::Own).count();
    let opponent = owners.len() - own;
    let alternate = owners.iter().zip(owners.iter().skip(1)).all(|(one, next)| one != next);
    let own_is_black = match owners.first() {
        None => true,
        Some(_) if !alternate && own == opponent => true,
        Some(_) if !alternate && own + 1 == opponent => false,
        Some(first) => *first == Owner::Own,
    };
    if own_is_black { Color::Black } else { Color::White }
}

/// The side to move after a list of a continuous game. Piskvork sends every stone in playing order, including stones
/// that became walls. `None` if the list has no walls or is not in playing order. The numbers of stones cannot decide
/// here, because a five removes stones of one side only.
fn mover_of(owners: &[Owner]) -> Option<Color> {
    let is_even = |number: usize| number % 2 == 0;
    let fits = |(number, owner): (usize, &Owner)| match owner {
        Owner::Own => is_even(number) == is_even(owners.len()),
        Owner::Opponent => is_even(number) != is_even(owners.len()),
        Owner::Wall => true,
    };
    let is_ordered = owners.contains(&Owner::Wall) && owners.iter().enumerate().all(fits);
    is_ordered.then_some(if is_even(owners.len()) { Color::Black } else { Color::White })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_comma;

    fn owners(fields: &str) -> Vec<Owner> {
        let owner = |field| match field {
            '1' => Owner::Own,
            '2' => Owner::Opponent,
            _ => Owner::Wall,
        };
        fields.chars().map(owner).collect()
    }

    #[test]
    fn the_engine_is_black_or_white_by_order_then_by_numbers() {
        for fields in ["", "12", "1", "121", "1122", "2211", "112", "11", "333", "3132"] {
            assert_eq!(engine_color(&owners(fields)), Color::Black, "{fields}");
        }
        for fields in ["2", "212", "21", "221", "122", "22", "2221", "21212", "323"] {
            assert_eq!(engine_color(&owners(fields)), Color::White, "{fields}");
        }
    }

    #[test]
    fn walls_in_playing_order_tell_the_side_to_move() {
        for fields in ["33", "3232", "1233", "32323232", "13131313"] {
            assert_eq!(mover_of(&owners(fields)), Some(Color::Black), "{fields}");
        }
        for fields in ["333", "313", "313131313", "2131313"] {
            assert_eq!(mover_of(&owners(fields)), Some(Color::White), "{fields}");
        }
        for fields in ["", "12", "1", "323", "3132", "3122", "33311"] {
            assert_eq!(mover_of(&owners(fields)), None, "{fields}");
        }
    }

    #[test]
    fn a_board_of_walls_keeps_its_turn_when_the_last_stone_is_taken_back() {
        let mut list = StoneList::default();
        list.read("0,0,3");
        let continuous = RuleInfo { rule: Rule::Renju, continuous: true };
        let mut game = Game::new(Size::FIFTEEN, continuous, Weighting::default());
        assert_eq!(game.set_up(&list), None);
        let point = parse_comma("7,7").unwrap();
        game.engine_plays(point).unwrap();
        game.take_back(point).unwrap();
        assert_eq!((game.engine, game.position.board().turn()), (Some(Color::White), Color::White));
    }

    #[test]
    fn only_a_continuous_game_reads_walls_as_stones_that_were_played() {
        let mut list = StoneList::default();
        list.read("0,0,3");
        list.read("7,7,2");
        for (continuous, color) in [(true, Color::Black), (false, Color::White)] {
            let mut game = Game::new(Size::FIFTEEN, RuleInfo { rule: Rule::Renju, continuous }, Weighting::default());
            assert_eq!(game.set_up(&list), None);
            assert_eq!(game.engine, Some(color), "{continuous}");
        }
    }
}
