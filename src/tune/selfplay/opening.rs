//! [`Start`]: the stones with which a game of self-play begins.

use crate::board::{Board, Point, Rule, Size, Symmetry};
use crate::notation::{Letters, opening_lines};
use crate::opening::lists::{builtin, parse};
use crate::rng::Rng;
use crate::tune::record::OpeningKind;

/// [`LIST_GAMES`] and [`EDGE_GAMES`] count games out of this number. The others begin with random stones.
const GAMES: usize = 30;

/// Games out of [`GAMES`] that begin with an opening of the built-in list, if the rule and the board have one. Hand-set, so
/// that the evaluation also learns the openings of matches.
const LIST_GAMES: usize = 10;

/// Games out of [`GAMES`] whose first stone lies near an edge. Hand-set, because rows that the edge cuts are rare in other
/// games.
const EDGE_GAMES: usize = 3;

/// Maximum number of stones of a random opening. Hand-set.
const OPENING_STONES: usize = 9;

/// Maximum number of random stones after an opening of the list. Hand-set.
const LIST_STONES: usize = 2;

/// Least reach of the first stone: its greatest distance from the centre along each axis. On larger boards the reach is
/// drawn from this up to less than half the side. Hand-set.
const FIRST_STONE_REACH: usize = 2;

/// Number of lines that count as near an edge. A window reaches five points to each side, so that it includes the edge.
/// Hand-set.
const EDGE_REACH: u8 = 4;

/// The stones with which a game begins.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) kind: OpeningKind,
    /// The stones in playing order. There is at least one.
    pub(super) moves: Vec<Point>,
    /// The board with these stones.
    pub(super) board: Board,
}

impl Start {
    /// A random opening that leaves the game undecided by the rules.
    pub(super) fn random(rule: Rule, size: Size, rng: &mut Rng) -> Self {
        let drawn = rng.below(GAMES);
        let list = if drawn < LIST_GAMES { from_list(rule, size, rng) } else { None };
        let (kind, moves, more) = match list {
            Some(moves) => (OpeningKind::List, moves, 1 + rng.below(LIST_STONES)),
            None if (LIST_GAMES..LIST_GAMES + EDGE_GAMES).contains(&drawn) => {
                (OpeningKind::Edge, vec![first_near_edge(size, rng)], rng.below(OPENING_STONES))
            }
            None => (OpeningKind::Random, vec![first_near_centre(size, rng)], rng.below(OPENING_STONES)),
        };
        let mut board = Board::new(size, rule);
        moves.iter().for_each(|&point| board.play(point));
        let mut opening = Self { kind, moves, board };
        opening.add_random(more, rng);
        opening
    }

    /// Adds up to this number of random stones near the others. None of them ends the game.
    fn add_random(&mut self, stones: usize, rng: &mut Rng) {
        for _ in 0..stones {
            let Some(point) = random_near(&self.board, rng) else { break };
            if self.board.outcome_of(point, self.board.turn()).is_none() {
                self.board.play(point);
                self.moves.push(point);
            }
        }
    }
}

/// An opening of the built-in list under a random symmetry; `None` without such a list.
fn from_list(rule: Rule, size: Size, rng: &mut Rng) -> Option<Vec<Point>> {
    let lines: Vec<_> = opening_lines(builtin(rule, size)?).collect();
    let (_, line) = lines[rng.below(lines.len())];
    let symmetry = Symmetry::all().nth(rng.below(Symmetry::all().count()))?;
    let moves = parse(line, rule, Letters::new(size)).ok()?;
    Some(moves.into_iter().map(|point| symmetry.apply(point, size)).collect())
}

/// A random point around the centre. If it lies off the board, it is the centre.
pub(in crate::tune) fn first_near_centre(size: Size, rng: &mut Rng) -> Point {
    let half = usize::from(size.side()) / 2;
    let reach = FIRST_STONE_REACH + rng.below((half - FIRST_STONE_REACH).max(1));
    let mut offset = || rng.below(2 * reach + 1) as i8 - reach as i8;
    let (dx, dy) = (offset(), offset());
    let centre = size.centre();
    let point = centre.x().checked_add_signed(dx).zip(centre.y().checked_add_signed(dy));
    point.and_then(|(x, y)| size.point(x, y)).unwrap_or(centre)
}

/// A random point near an edge.
pub(in crate::tune) fn first_near_edge(size: Size, rng: &mut Rng) -> Point {
    let near: Vec<_> = size.points().filter(|&point| is_near_edge(point, size)).collect();
    near[rng.below(near.len())]
}

fn is_near_edge(point: Point, size: Size) -> bool {
    let is_outer = |line: u8| line.min(size.side() - 1 - line) < EDGE_REACH;
    is_outer(point.x()) || is_outer(point.y())
}

/// A random empty point near the stones, if any.
pub(in crate::tune) fn random_near(board: &Board, rng: &mut Rng) -> Option<Point> {
    let near: Vec<_> = board.near_stones().iter().collect();
    if near.is_empty() { None } else { Some(near[rng.below(near.len())]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::lists::parse_list;

    /// Openings drawn for a rule and a size.
    fn openings(rule: Rule, size: Size, count: usize) -> Vec<Start> {
        let mut rng = Rng::new(9);
        (0..count).map(|_| Start::random(rule, size, &mut rng)).collect()
    }

    #[test]
    fn a_third_of_the_openings_is_of_the_list_and_a_tenth_begins_near_an_edge() {
        let openings = openings(Rule::Renju, Size::FIFTEEN, 3_000);
        let of_kind = |kind| openings.iter().filter(|opening| opening.kind == kind).count();
        // Five standard deviations: 130 and 82.
        assert!(of_kind(OpeningKind::List).abs_diff(1_000) < 130, "{}", of_kind(OpeningKind::List));
        assert!(of_kind(OpeningKind::Edge).abs_diff(300) < 82, "{}", of_kind(OpeningKind::Edge));
        let edges = openings.iter().filter(|opening| opening.kind == OpeningKind::Edge);
        assert!(edges.clone().all(|opening| is_near_edge(opening.moves[0], Size::FIFTEEN)));
        let corners = edges.filter(|opening| opening.moves[0].x().min(opening.moves[0].y()) > 3).count();
        assert!(corners > 0, "the far edges are near too");
    }

    #[test]
    fn an_opening_of_the_list_is_one_of_its_images_and_one_or_two_stones_more() {
        for (rule, size) in [(Rule::Freestyle, Size::TWENTY), (Rule::Caro, Size::FIFTEEN)] {
            let list = parse_list(builtin(rule, size).unwrap(), rule, Letters::new(size)).unwrap();
            let image = |opening: &[Point], symmetry: Symmetry| {
                opening.iter().map(|&point| symmetry.apply(point, size)).collect::<Vec<_>>()
            };
            let images: Vec<_> =
                Symmetry::all().flat_map(|symmetry| list.iter().map(move |opening| image(opening, symmetry))).collect();
            for opening in openings(rule, size, 300).iter().filter(|opening| opening.kind == OpeningKind::List) {
                let is_image = |more| {
                    let stones = opening.moves.len().checked_sub(more);
                    stones.is_some_and(|stones| images.iter().any(|image| image[..] == opening.moves[..stones]))
                };
                assert!(is_image(1) || is_image(2), "{:?}", opening.moves);
            }
        }
    }

    #[test]
    fn openings_fit_every_board_and_leave_the_game_open() {
        for side in Size::MIN..=Size::MAX {
            let size = Size::new(side).unwrap();
            for opening in openings(Rule::Renju, size, 30) {
                let mut board = Board::new(size, Rule::Renju);
                for &point in &opening.moves {
                    assert!(size.contains(point) && board.outcome_of(point, board.turn()).is_none());
                    board.try_play(point).unwrap();
                }
                assert_eq!(board, opening.board);
                let has_list = builtin(Rule::Renju, size).is_some();
                assert!(has_list || opening.kind != OpeningKind::List);
            }
        }
    }
}
