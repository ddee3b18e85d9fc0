//! [`Referee`]: the board, and when a game is over. The rules themselves are `board`'s.

use std::fmt;

use crate::board::{Board, Color, Foul, PlayError, Point, Rule, Size, Verdict};

/// How a game that was played by the rules ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The last stone made a winning row.
    Row(Color),
    /// Black's last stone stands on a forbidden point; white has won.
    Foul(Foul),
    /// No empty point is left, or the number of stones is reached at which the match calls a draw.
    Draw,
}

impl Ending {
    /// Who has won, `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Row(color) => Some(color),
            Self::Foul(_) => Some(Color::White),
            Self::Draw => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(color) => write!(f, "{color} has a winning row"),
            Self::Foul(foul) => write!(f, "black played a forbidden point: {foul}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// How many points the Gomocup judge leaves empty when it calls a renju game a draw: 200 stones on 15 × 15.
const RENJU_LEFT_EMPTY: usize = 25;

/// Who watches a game: puts the stones on the board and says when it is over.
#[derive(Clone, Debug)]
pub struct Referee {
    board: Board,
    draw_at: usize,
}

impl Referee {
    /// An empty board. The game is a draw at `draw_after` stones, in renju at 25 empty points as the Gomocup judge
    /// has it, and on a full board, whatever comes first.
    pub fn new(size: Size, rule: Rule, draw_after: Option<usize>) -> Self {
        Self::on(Board::new(size, rule), draw_after)
    }

    /// A game that goes on from a board.
    pub fn on(board: Board, draw_after: Option<usize>) -> Self {
        let left_empty = if board.rule() == Rule::Renju { RENJU_LEFT_EMPTY } else { 0 };
        let judge = board.size().area().saturating_sub(left_empty).max(1);
        Self { board, draw_at: draw_after.map_or(judge, |stones| stones.min(judge)) }
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.board.turn()
    }

    /// Plays a point for the side to move; the ending if the game is over by it.
    ///
    /// # Errors
    /// When no stone can be put there; nothing has changed then.
    pub fn play(&mut self, point: Point) -> Result<Option<Ending>, PlayError> {
        self.board.check_empty(point)?;
        let color = self.board.turn();
        let verdict = self.board.judge(point, color);
        self.board.play(point);
        Ok(match verdict {
            Verdict::Win => Some(Ending::Row(color)),
            Verdict::Foul(foul) => Some(Ending::Foul(foul)),
            Verdict::Nothing if self.board.is_full() || self.board.stone_count() >= self.draw_at => Some(Ending::Draw),
            Verdict::Nothing => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(referee: &mut Referee, text: &str) -> Option<Ending> {
        let mut ending = None;
        for name in text.split_whitespace() {
            assert_eq!(ending, None, "{name}");
            ending = referee.play(name.parse().unwrap()).unwrap();
        }
        ending
    }

    #[test]
    fn a_row_of_five_ends_the_game() {
        let mut referee = Referee::new(Size::FIFTEEN, Rule::Freestyle, None);
        let ending = play(&mut referee, "a1 b1 a2 b2 a3 b3 a4 b4 a5");
        assert_eq!(ending, Some(Ending::Row(Color::Black)));
    }

    #[test]
    fn black_loses_by_a_forbidden_point() {
        let mut referee = Referee::new(Size::FIFTEEN, Rule::Renju, None);
        let ending = play(&mut referee, "g8 a1 i8 a3 h7 a5 h9 a7 h8").unwrap();
        assert!(matches!(ending, Ending::Foul(_)), "{ending}");
        assert_eq!(ending.winner(), Some(Color::White));
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
                Some(Ending::Draw) => return referee.board().stone_count(),
                Some(ending) => panic!("{ending} by {point}\n{}", referee.board()),
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
        play(&mut referee, "h8");
        assert_eq!(referee.play("h8".parse().unwrap()), Err(PlayError::Occupied));
        assert_eq!(referee.play("p1".parse().unwrap()), Err(PlayError::OffBoard));
        assert_eq!((referee.turn(), referee.board().stone_count()), (Color::White, 1));
    }
}
