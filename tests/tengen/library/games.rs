//! Random games for libraries.

use tengen::board::{Board, Point, Rule, Size};
use tengen::notation::Letters;
use tengen::rng::Rng;

/// A random game near the centre, as games of engines are: the first moves repeat, later ones seldom do.
pub(crate) fn random_game(rng: &mut Rng, plies: usize) -> Vec<Point> {
    let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    let mut moves = vec![Size::FIFTEEN.centre()];
    board.play(moves[0]);
    while moves.len() < plies {
        let near: Vec<_> = board.near_stones().iter().collect();
        // The square makes the first points of the list likelier.
        let share = rng.fraction() * rng.fraction();
        let point = near[(share * near.len() as f64) as usize];
        board.play(point);
        moves.push(point);
    }
    moves
}

/// A list of random games, one a line.
pub(crate) fn random_list(rng: &mut Rng, games: usize, plies: usize) -> String {
    let letters = Letters::new(Size::FIFTEEN);
    let line = |moves: Vec<Point>| moves.iter().map(|&point| letters.point(point).to_string()).collect::<String>();
    (0..games).map(|_| line(random_game(rng, plies)) + "\n").collect()
}
