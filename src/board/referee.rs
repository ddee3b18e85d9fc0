//! [`Referee`]: the board of one game, and the end of that game.

use super::{Board, Color, DrawRule, Outcome, PlayError, Point, Rule, Size};

/// Puts the stones of a game on the board and reports its end.
#[derive(Clone, Debug)]
pub struct Referee {
    board: Board,
    draws: DrawRule,
}

impl Referee {
    /// An empty board. The game is a draw by the rules of the Gomocup judge, or at `draw_after` stones if that is earlier.
    pub fn new(size: Size, rule: Rule, draw_after: Option<usize>) -> Self {
        Self::on(Board::new(size, rule), draw_after)
    }

    /// A game that starts from a board.
    pub fn on(board: Board, draw_after: Option<usize>) -> Self {
        let judge = DrawRule::gomocup(board.rule(), board.size());
        Self { board, draws: draw_after.map_or(judge, |stones| judge.at_most(stones)) }
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.board.turn()
    }

    /// Plays a point for the side to move. Returns the outcome if this ends the game.
    ///
    /// # Errors
    /// When no stone can be placed there. The board is unchanged then.
    pub fn play(&mut self, point: Point) -> Result<Option<Outcome>, PlayError> {
        self.board.check_empty(point)?;
        let outcome = self.draws.outcome_of(&self.board, point);
        self.board.play(point);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        let (x, y) = name.split_once(',').unwrap();
        Point::new(x.parse().unwrap(), y.parse().unwrap()).unwrap()
    }

    fn play(referee: &mut Referee, text: &str) -> Option<Outcome> {
        let mut outcome = None;
        for name in text.split_whitespace() {
            assert_eq!(outcome, None, "{name}");
            outcome = referee.play(point(name)).unwrap();
        }
        outcome
    }

    #[test]
    fn a_row_of_five_ends_the_game() {
        let mut referee = Referee::new(Size::FIFTEEN, Rule::Freestyle, None);
        let outcome = play(&mut referee, "0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3 0,4");
        assert_eq!(outcome, Some(Outcome::Row { winner: Color::Black }));
    }

    #[test]
    fn black_loses_by_a_forbidden_point() {
        let mut referee = Referee::new(Size::FIFTEEN, Rule::Renju, None);
        let outcome = play(&mut referee, "6,7 0,0 8,7 0,2 7,6 0,4 7,8 0,6 7,7").unwrap();
        assert!(matches!(outcome, Outcome::Foul { .. }), "{outcome}");
        assert_eq!(outcome.winner(), Some(Color::White));
    }

    /// Fills the board row by row so that no row of five comes about: the colors change every two points, and the
    /// rows are shifted by one point.
    fn stones_until_the_draw(mut referee: Referee) -> usize {
        let size = referee.board().size();
        let black = |point: &Point| (point.x() / 2 + point.y()) % 2 == 0;
        let (blacks, whites): (Vec<_>, Vec<_>) = size.points().partition(black);
        let (mut blacks, mut whites) = (blacks.into_iter(), whites.into_iter());
        loop {
            let own = if referee.turn() == Color::Black { &mut blacks } else { &mut whites };
            let point = own.next().unwrap_or_else(|| size.points().find(|&p| referee.board().is_empty(p)).unwrap());
            match referee.play(point).unwrap() {
                None => {}
                Some(Outcome::Draw) => return referee.board().stone_count(),
                Some(outcome) => panic!("{outcome} by {point:?}\n{}", referee.board()),
            }
        }
    }

    #[test]
    fn draws_come_as_the_judge_has_them() {
        let stones = |rule, after| stones_until_the_draw(Referee::new(Size::FIFTEEN, rule, after));
        assert_eq!(stones(Rule::Freestyle, None), 225);
        assert_eq!(stones(Rule::Renju, None), 200);
        assert_eq!(stones(Rule::Renju, Some(220)), 200);
        assert_eq!(stones(Rule::Caro, Some(60)), 60);
    }

    #[test]
    fn a_stone_on_a_stone_changes_nothing() {
        let mut referee = Referee::new(Size::FIFTEEN, Rule::Freestyle, None);
        play(&mut referee, "7,7");
        assert_eq!(referee.play(point("7,7")), Err(PlayError::Occupied));
        assert_eq!(referee.play(point("15,0")), Err(PlayError::OffBoard));
        assert_eq!((referee.turn(), referee.board().stone_count()), (Color::White, 1));
    }
}
