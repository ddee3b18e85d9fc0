//! Answers to opening procedures by the weights, and by the document's table of the 26 openings where it has a verdict.

use crate::board::{Color, Point};
use crate::opening::{
    Ahead, NamedOpening, ProcedureAnswer, ProcedureQuestion, Square, StoneSymmetries, Stones, ThreeStones, Verdict,
    three_stones,
};
use crate::weights::{Weight, WeightedPosition};

/// The number of fifth moves assumed if none was announced.
const SOME_FIFTHS: u8 = 4;

/// Answers a question about the stones on the board; `None` if no point is left.
pub(super) fn answer(question: ProcedureQuestion, position: &WeightedPosition) -> Option<ProcedureAnswer> {
    let board = position.board();
    let size = board.size();
    match question {
        ProcedureQuestion::Open(ThreeStones::Any) => three_stones::anywhere(size).map(ProcedureAnswer::Stones),
        ProcedureQuestion::Open(ThreeStones::Named(fifths)) => {
            let is_even = |opening: &&NamedOpening| opening.verdict(fifths.unwrap_or(SOME_FIFTHS)) == Verdict::Even;
            let opening = NamedOpening::all().iter().find(is_even)?;
            Some(ProcedureAnswer::Stones(opening.stones(size).into_iter().collect()))
        }
        ProcedureQuestion::Open(ThreeStones::Announced { most }) => {
            let (opening, (from, to)) = NamedOpening::all().iter().filter_map(|o| Some((o, even(o)?))).max_by_key(
                // The widest range; the first one of equals.
                |(_, (from, to))| (to - from, std::cmp::Reverse(*from)),
            )?;
            let stones = opening.stones(size).into_iter().collect();
            Some(ProcedureAnswer::Announce(stones, from.midpoint(to).min(most)))
        }
        ProcedureQuestion::Swap(ahead) => {
            Some(if is_behind(position, ahead) { ProcedureAnswer::Swap } else { ProcedureAnswer::Keep })
        }
        ProcedureQuestion::Stone(square) | ProcedureQuestion::StoneBeforeSwap(square) => {
            greatest(position, square).map(ProcedureAnswer::stone).or_else(|| question.any_answer(board))
        }
        ProcedureQuestion::FourthFor { .. } => greatest(position, Square::ANYWHERE).map(ProcedureAnswer::stone),
        ProcedureQuestion::Fourth { most } => {
            let fourth = greatest(position, Square::ANYWHERE)?;
            let number = NamedOpening::of_board(board).and_then(even).map_or(1, |(from, to)| from.midpoint(to));
            Some(ProcedureAnswer::Announce([fourth].into_iter().collect(), number.clamp(1, most)))
        }
        ProcedureQuestion::Choose | ProcedureQuestion::Decide if is_behind(position, Ahead::Game) => {
            Some(ProcedureAnswer::Swap)
        }
        ProcedureQuestion::Choose | ProcedureQuestion::Decide => {
            greatest(position, Square::ANYWHERE).map(ProcedureAnswer::stone)
        }
        ProcedureQuestion::FifthOrOffer(..) if is_behind(position, Ahead::Game) => Some(ProcedureAnswer::Swap),
        ProcedureQuestion::FifthOrOffer(square, _) => greatest(position, square).map(ProcedureAnswer::stone),
        ProcedureQuestion::Offer(count) => {
            let distinct = StoneSymmetries::of(board).distinct(position.ranking());
            let offered: Stones = distinct.into_iter().take(count.into()).collect();
            (offered.len() == usize::from(count)).then_some(ProcedureAnswer::Stones(offered))
        }
        // Black is to move. White keeps the fifth move that is worth least to black.
        ProcedureQuestion::Pick(offered) => {
            let worth = |point: &Point| position.weights(*point).map(|weights| weights.total);
            offered.iter().min_by_key(worth).map(ProcedureAnswer::stone)
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
                let answered = answer(ProcedureQuestion::Swap(Ahead::Fifths(fifths)), &on(opening)).unwrap();
                // White is to move.
                match opening.verdict(fifths).favors() {
                    Some(Color::Black) => assert_eq!(answered, ProcedureAnswer::Swap, "{opening} {fifths}"),
                    Some(Color::White) => assert_eq!(answered, ProcedureAnswer::Keep, "{opening} {fifths}"),
                    None => {}
                }
            }
        }
    }

    #[test]
    fn what_is_announced_is_even_by_the_document() {
        let empty = WeightedPosition::new(crate::board::Board::new(Size::FIFTEEN, Rule::Renju), Weighting::default());
        let question = ProcedureQuestion::Open(ThreeStones::Announced { most: 12 });
        let Some(ProcedureAnswer::Announce(stones, number)) = answer(question, &empty) else { panic!("an opening") };
        let opening = NamedOpening::of_moves(&stones.iter().collect::<Vec<_>>(), Size::FIFTEEN).unwrap();
        assert_eq!(opening.verdict(number), Verdict::Even);
        for most in [4, 8] {
            for opening in NamedOpening::all() {
                let answered = answer(ProcedureQuestion::Fourth { most }, &on(opening)).unwrap();
                let ProcedureAnswer::Announce(_, number) = answered else { panic!("{answered}") };
                assert!((1..=most).contains(&number));
                let can_be_even =
                    opening.fifths(Verdict::Even).is_some_and(|(from, to)| from.midpoint(to.unwrap()) <= most);
                assert!(!can_be_even || opening.verdict(number) == Verdict::Even, "{opening} {number}");
            }
        }
    }
}
