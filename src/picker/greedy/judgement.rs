//! Answers to opening procedures by the weights, and by the document's table of the 26 openings where it has a verdict.

use crate::board::{Color, Point};
use crate::opening::{
    Ahead, Answer, NamedOpening, Opening, Question, Square, StoneSymmetries, Stones, Verdict, three_stones,
};
use crate::weights::{Weight, WeightedPosition};

/// The number of fifth moves assumed if none was announced.
const SOME_FIFTHS: u8 = 4;

/// Answers a question about the stones on the board; `None` if no point is left.
pub(super) fn answer(question: Question, position: &WeightedPosition) -> Option<Answer> {
    let board = position.board();
    let size = board.size();
    match question {
        Question::Open(Opening::Any) => three_stones::anywhere(size).map(Answer::Stones),
        Question::Open(Opening::Named(fifths)) => {
            let is_even = |opening: &&NamedOpening| opening.verdict(fifths.unwrap_or(SOME_FIFTHS)) == Verdict::Even;
            let opening = NamedOpening::all().iter().find(is_even)?;
            Some(Answer::Stones(opening.stones(size).into_iter().collect()))
        }
        Question::Open(Opening::Announced { most }) => {
            let (opening, (from, to)) = NamedOpening::all().iter().filter_map(|o| Some((o, even(o)?))).max_by_key(
                // The widest range; the first one of equals.
                |(_, (from, to))| (to - from, std::cmp::Reverse(*from)),
            )?;
            let stones = opening.stones(size).into_iter().collect();
            Some(Answer::Announce(stones, from.midpoint(to).min(most)))
        }
        Question::Swap(ahead) => Some(if is_behind(position, ahead) { Answer::Swap } else { Answer::Keep }),
        Question::Stone(square) | Question::StoneBeforeSwap(square) => {
            greatest(position, square).map(Answer::stone).or_else(|| question.any_answer(board))
        }
        Question::FourthFor { .. } => greatest(position, Square::ANYWHERE).map(Answer::stone),
        Question::Fourth { most } => {
            let fourth = greatest(position, Square::ANYWHERE)?;
            let number = NamedOpening::of_board(board).and_then(even).map_or(1, |(from, to)| from.midpoint(to));
            Some(Answer::Announce([fourth].into_iter().collect(), number.clamp(1, most)))
        }
        Question::Choose | Question::Decide if is_behind(position, Ahead::Game) => Some(Answer::Swap),
        Question::Choose | Question::Decide => greatest(position, Square::ANYWHERE).map(Answer::stone),
        Question::FifthOrOffer(..) if is_behind(position, Ahead::Game) => Some(Answer::Swap),
        Question::FifthOrOffer(square, _) => greatest(position, square).map(Answer::stone),
        Question::Offer(count) => {
            let distinct = StoneSymmetries::of(board).distinct(position.ranking());
            let offered: Stones = distinct.into_iter().take(count.into()).collect();
            (offered.len() == usize::from(count)).then_some(Answer::Stones(offered))
        }
        // Black is to move: it keeps the fifth move that is worth least to it.
        Question::Pick(offered) => {
            let worth = |point: &Point| position.weights(*point).map(|weights| weights.total);
            offered.iter().min_by_key(worth).map(Answer::stone)
        }
    }
}

/// The numbers of fifth moves for which the document calls an opening even.
fn even(opening: &NamedOpening) -> Option<(u8, u8)> {
    opening.fifths(Verdict::Even).map(|(from, to)| (from, to.unwrap_or(from)))
}

/// Whether the side to move is worse: by the document if it lists the opening, else by the greatest attack weights.
fn is_behind(position: &WeightedPosition, ahead: Ahead) -> bool {
    let (board, mover) = (position.board(), position.board().turn());
    let opening = NamedOpening::of_board(board);
    let by_weights = || greatest_attack(position, !mover) > greatest_attack(position, mover);
    match (ahead, opening) {
        (Ahead::Fifths(fifths), Some(opening)) => {
            opening.verdict(fifths).favors().map_or_else(by_weights, |color| color != mover)
        }
        // White keeps its color only if some allowed number of fifth moves makes the opening even.
        (Ahead::Fourth { most }, Some(opening)) => even(opening).is_none_or(|(from, _)| from > most),
        (Ahead::Game | Ahead::Fifths(_) | Ahead::Fourth { .. }, _) => by_weights(),
    }
}

/// The point of the greatest weight in a square.
fn greatest(position: &WeightedPosition, square: Square) -> Option<Point> {
    let size = position.board().size();
    position.ranking().into_iter().find(|&point| square.contains(point, size))
}

/// The greatest attack weight of a side on its allowed points.
fn greatest_attack(position: &WeightedPosition, side: Color) -> Option<Weight> {
    let points = position.board().empty_points();
    let allowed = points.iter().filter(|point| !position.is_forbidden(*point, side));
    allowed.filter_map(|point| Some(position.weights_for(point, side)?.attack)).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Size};
    use crate::weights::Weighting;

    fn on(opening: &NamedOpening) -> WeightedPosition {
        WeightedPosition::new(opening.board(Size::FIFTEEN, Rule::Renju), Weighting::default())
    }

    #[test]
    fn a_swap_follows_the_document_where_it_speaks() {
        for opening in NamedOpening::all() {
            for fifths in 1..=12 {
                let answered = answer(Question::Swap(Ahead::Fifths(fifths)), &on(opening)).unwrap();
                // White is to move.
                match opening.verdict(fifths).favors() {
                    Some(Color::Black) => assert_eq!(answered, Answer::Swap, "{opening} {fifths}"),
                    Some(Color::White) => assert_eq!(answered, Answer::Keep, "{opening} {fifths}"),
                    None => {}
                }
            }
        }
    }

    #[test]
    fn what_is_announced_is_even_by_the_document() {
        let empty = WeightedPosition::new(crate::board::Board::new(Size::FIFTEEN, Rule::Renju), Weighting::default());
        let question = Question::Open(Opening::Announced { most: 12 });
        let Some(Answer::Announce(stones, number)) = answer(question, &empty) else { panic!("an opening") };
        let opening = NamedOpening::of_moves(&stones.iter().collect::<Vec<_>>(), Size::FIFTEEN).unwrap();
        assert_eq!(opening.verdict(number), Verdict::Even);
        for most in [4, 8] {
            for opening in NamedOpening::all() {
                let answered = answer(Question::Fourth { most }, &on(opening)).unwrap();
                let Answer::Announce(_, number) = answered else { panic!("{answered}") };
                assert!((1..=most).contains(&number));
                let can_be_even =
                    opening.fifths(Verdict::Even).is_some_and(|(from, to)| from.midpoint(to.unwrap()) <= most);
                assert!(!can_be_even || opening.verdict(number) == Verdict::Even, "{opening} {number}");
            }
        }
    }
}
