//! Negotiations in which the pickers answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen::board::{Board, Rule, Size};
use tengen::notation::parse_comma;
use tengen::opening::{Negotiation, Procedure, ProcedureAnswer, ProcedureQuestion, Step};
use tengen::picker::{Deadlines, Decision, Limits, Picker, PickerName, Question as Asked, SearchControl};
use tengen::rng::Rng;
use tengen::weights::{WeightedPosition, Weighting};

/// The maximum overrun of an answer: half of the grace after which the player gives up on a picker.
const GRACE: Duration = Duration::from_millis(8);

/// Counts over a number of negotiations.
#[derive(Debug, Default)]
struct Seen {
    questions: u32,
    /// Unusable answers that the player replaced.
    unanswered: u32,
    late: u32,
    longest: Duration,
    swaps: u32,
}

/// One negotiation. Each question is answered by the picker or, one time in three, at random.
fn negotiate(picker: &mut dyn Picker, procedure: Procedure, rng: &mut Rng, time: Duration, seen: &mut Seen) {
    let rule = [Rule::Renju, Rule::Renju, Rule::Standard, Rule::Freestyle][rng.below(4)];
    let mut negotiation = Negotiation::new(procedure, Size::FIFTEEN, rule);
    while let Step::Ask(_, question) = negotiation.step() {
        let mut position = WeightedPosition::new(negotiation.board().clone(), Weighting::default());
        let control = Arc::new(SearchControl::since(Instant::now()));
        control.set_deadlines(Deadlines::within(time));
        let limits = Limits { control, ..Limits::default() };
        let began = Instant::now();
        let answer = picker.answer(Asked::Opening(question), &mut position, &limits, &mut |_| {});
        let taken = began.elapsed();
        seen.questions += 1;
        seen.late += u32::from(taken > time + GRACE);
        seen.longest = seen.longest.max(taken);
        let any = question.any_answer(negotiation.board()).unwrap();
        let answer = match answer.map(|answer| answer.decision) {
            Some(Decision::Opening(answer)) => answer,
            Some(decision) => panic!("{procedure}: {decision:?} to {question:?}"),
            None => {
                seen.unanswered += 1;
                any
            }
        };
        seen.swaps += u32::from(answer == ProcedureAnswer::Swap);
        assert_eq!(question.check(negotiation.board(), &answer), Ok(()), "{procedure}: {question:?}");
        let random = random_answer(question, rng).filter(|_| rng.below(3) == 0);
        let random = random.filter(|answer| question.check(negotiation.board(), answer).is_ok());
        negotiation.answer(random.unwrap_or(answer)).unwrap();
    }
}

/// An answer chosen to reach every branch, if it is legal.
fn random_answer(question: ProcedureQuestion, rng: &mut Rng) -> Option<ProcedureAnswer> {
    let point = Size::FIFTEEN.point(5 + rng.below(5) as u8, 5 + rng.below(5) as u8)?;
    Some(match (question, rng.below(2)) {
        (ProcedureQuestion::Fourth { most }, _) => {
            ProcedureAnswer::Announce([point].into_iter().collect(), 1 + rng.below(most.into()) as u8)
        }
        (ProcedureQuestion::Swap(_), 0) => ProcedureAnswer::Keep,
        (_, 0) => ProcedureAnswer::Swap,
        _ => ProcedureAnswer::stone(point),
    })
}

#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn negotiations(name: PickerName, games: u32, time: Duration) {
    let mut rng = Rng::new(10);
    for &procedure in Procedure::ALL {
        let mut picker = name.build();
        let mut seen = Seen::default();
        (0..games).for_each(|_| negotiate(picker.as_mut(), procedure, &mut rng, time, &mut seen));
        println!("{name} {procedure}: {games} negotiations, {seen:?}");
        if procedure != Procedure::Plain {
            assert!(seen.questions >= 2 * games);
        }
        assert_eq!(seen.unanswered, 0, "{name} {procedure}");
    }
}

#[test]
fn the_pickers_answer_every_question_within_the_rules() {
    negotiations(PickerName::Greedy, 30, Duration::from_millis(10));
    negotiations(PickerName::Search, 4, Duration::from_millis(10));
}

#[test]
fn the_better_color_is_taken() {
    // Two black stones in the middle against one white stone in a corner, and with colors reversed.
    for (stones, answer) in
        [(["7,7", "0,0", "7,8"], ProcedureAnswer::Swap), (["0,0", "7,7", "14,14"], ProcedureAnswer::Keep)]
    {
        for name in [PickerName::Greedy, PickerName::Search] {
            let mut negotiation = Negotiation::new(Procedure::Swap, Size::FIFTEEN, Rule::Freestyle);
            let opening = stones.iter().map(|name| parse_comma(name).unwrap()).collect();
            negotiation.answer(ProcedureAnswer::Stones(opening)).unwrap();
            let Step::Ask(_, question) = negotiation.step() else { panic!("{:?}", negotiation.step()) };
            let mut position = WeightedPosition::new(negotiation.board().clone(), Weighting::default());
            let limits = Limits { nodes: Some(3_000), ..Limits::default() };
            let chosen = name.build().answer(Asked::Opening(question), &mut position, &limits, &mut |_| {}).unwrap();
            assert_eq!(chosen.decision, Decision::Opening(answer), "{name}");
        }
    }
}

#[test]
fn white_leaves_black_the_worst_fifth_move() {
    let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
    // An open three for black, and one stone in a corner.
    ["7,7", "7,8", "8,7", "6,9"].into_iter().for_each(|name| board.play(parse_comma(name).unwrap()));
    let fifths = ["9,7", "0,14"].map(|name| parse_comma(name).unwrap());
    let question = Asked::Opening(ProcedureQuestion::Pick(fifths.into_iter().collect()));
    for name in [PickerName::Greedy, PickerName::Search] {
        let mut position = WeightedPosition::new(board.clone(), Weighting::default());
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let chosen = name.build().answer(question, &mut position, &limits, &mut |_| {}).unwrap();
        assert_eq!(chosen.decision, Decision::Opening(ProcedureAnswer::stone(fifths[1])), "{name}");
    }
}

#[test]
fn every_answer_is_legal_without_any_time() {
    negotiations(PickerName::Search, 2, Duration::ZERO);
}

/// `cargo test --release --test tengen a_thousand_negotiations -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_negotiations_at_ten_milliseconds() {
    negotiations(PickerName::Greedy, 1000, Duration::from_millis(10));
    negotiations(PickerName::Search, 1000, Duration::from_millis(10));
}
