//! [`ContinuousGame`]: a game that continues after a five.

use super::{Board, ByColor, Color, Outcome, PlayError, Point, PointSet, Rule, Size};

/// A game in Piskvork's continuous mode. A row that would win another game scores, and its stones turn into walls. The
/// game ends when the board is full.
///
/// A stone scores once, even if it completes several rows; all of them turn into walls. A foul scores for the other
/// side, and the stone turns into a wall. Piskvork turns only one row into walls, and stops 25 points before the board
/// is full.
///
/// ```
/// use tengen::board::{Color, ContinuousGame, Occupant, Rule, Size};
///
/// let mut game = ContinuousGame::new(Size::FIFTEEN, Rule::Freestyle);
/// let point = |x, y| Size::FIFTEEN.point(x, y).unwrap();
/// for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4)] {
///     game.play(point(x, y))?;
/// }
/// assert_eq!((game.fives(Color::Black), game.fives(Color::White)), (1, 1));
/// assert_eq!(game.board().at(point(0, 2)), Occupant::Wall);
/// assert!(!game.is_over());
/// # Ok::<(), tengen::board::PlayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContinuousGame {
    board: Board,
    fives: ByColor<u32>,
}

/// A five or a foul in a continuous game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The side that scores: the color of the stone for a winning row, the other color for a foul.
    pub winner: Color,
    /// The points that have turned into walls.
    pub walls: PointSet,
}

impl ContinuousGame {
    /// An empty board; black is to move.
    pub fn new(size: Size, rule: Rule) -> Self {
        Self { board: Board::new(size, rule), fives: ByColor([0, 0]) }
    }

    /// The board, with its walls.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The score of a side: its fives, and the fouls of the other side.
    pub fn fives(&self, color: Color) -> u32 {
        self.fives[color]
    }

    /// Plays a point for the side to move. Returns the score if the move made one.
    ///
    /// # Errors
    /// When the point is off the board or occupied. The game is unchanged.
    pub fn play(&mut self, point: Point) -> Result<Option<Scored>, PlayError> {
        self.board.check_empty(point)?;
        let color = self.board.turn();
        let winner = self.board.outcome_of(point, color).and_then(Outcome::winner);
        let walls = self.board.walls_after(point, color);
        self.board.play(point);
        walls.iter().for_each(|wall| self.board.wall(wall));
        Ok(winner.map(|winner| {
            self.fives[winner] += 1;
            Scored { winner, walls }
        }))
    }

    /// Whether the board is full.
    pub const fn is_over(&self) -> bool {
        self.board.is_full()
    }

    /// The side with the greater score; `None` if they are equal.
    pub fn leader(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.fives[color] > self.fives[!color])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut ContinuousGame, moves: &[(u8, u8)]) -> Option<Scored> {
        moves.iter().map(|&(x, y)| game.play(Point::new(x, y).unwrap()).unwrap()).last().flatten()
    }

    fn points(coordinates: &[(u8, u8)]) -> PointSet {
        coordinates.iter().map(|&(x, y)| Point::new(x, y).unwrap()).collect()
    }

    #[test]
    fn a_five_counts_and_its_stones_are_walls_for_both_sides() {
        let mut game = ContinuousGame::new(Size::FIFTEEN, Rule::Freestyle);
        let scored =
            play(&mut game, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4)]).unwrap();
        assert_eq!(scored, Scored { winner: Color::Black, walls: points(&[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]) });
        assert_eq!((game.leader(), game.board().turn()), (Some(Color::Black), Color::White));
        assert_eq!(game.play(Point::new(0, 2).unwrap()), Err(PlayError::Occupied));
        // A sixth stone at the end of the row has nothing to join.
        assert_eq!(play(&mut game, &[(7, 7), (0, 5)]), None);
        assert_eq!((game.board().walls(), game.board().stone_count()), (scored.walls, 6));
    }

    #[test]
    fn a_stone_of_two_rows_scores_once_and_takes_both_away() {
        let mut game = ContinuousGame::new(Size::FIFTEEN, Rule::Freestyle);
        let scored = play(
            &mut game,
            &[
                (0, 0),
                (14, 0),
                (0, 1),
                (14, 1),
                (0, 2),
                (12, 2),
                (0, 3),
                (13, 3),
                (1, 4),
                (10, 4),
                (2, 4),
                (10, 6),
                (3, 4),
                (10, 8),
                (4, 4),
                (10, 10),
                (0, 4),
            ],
        )
        .unwrap();
        assert_eq!(scored.walls, points(&[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]));
        assert_eq!(game.fives(Color::Black), 1);
    }

    #[test]
    fn a_foul_counts_for_white_and_leaves_a_wall() {
        let mut game = ContinuousGame::new(Size::FIFTEEN, Rule::Renju);
        let scored =
            play(&mut game, &[(6, 7), (0, 0), (8, 7), (0, 2), (7, 6), (0, 4), (7, 8), (0, 6), (7, 7)]).unwrap();
        assert_eq!(scored, Scored { winner: Color::White, walls: points(&[(7, 7)]) });
        assert_eq!((game.fives(Color::White), game.board().stone_count()), (1, 8));
    }

    #[test]
    fn the_game_is_over_when_the_board_is_full() {
        let mut game = ContinuousGame::new(Size::new(5).unwrap(), Rule::Freestyle);
        // Columns in turn: black takes 0, 2 and 4, white 1 and 3; black has the last point.
        let columns = (0..5).flat_map(|row| [(0, row), (1, row)]).chain((0..5).flat_map(|row| [(2, row), (3, row)]));
        let last = (0..4).flat_map(|row| [(4, row)]).chain([(4, 4)]);
        let mut fives = 0;
        for (column, row) in columns.chain(last) {
            assert!(!game.is_over());
            fives += u32::from(game.play(Point::new(column, row).unwrap()).unwrap().is_some());
        }
        assert!(game.is_over());
        assert_eq!((fives, game.fives(Color::Black), game.fives(Color::White)), (4, 2, 2));
        assert_eq!(game.leader(), None);
    }
}
