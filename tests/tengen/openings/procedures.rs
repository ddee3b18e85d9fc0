//! Every procedure walked with random answers, compared with tables of questions.

use tengen::board::{Board, Color, PlayError, Point, Rule, Size};
use tengen::notation::parse_comma;
use tengen::opening::{
    AnswerError, Item, NamedOpening, Negotiation, Procedure, ProcedureAnswer, ProcedureQuestion, ReadError, Seat, Step,
    StoneSymmetries, Stones, ThreeStones,
};
use tengen::rng::Rng;

/// The color that a question is for, and the text of the question. The opener is black until a swap.
type Asked = (Color, &'static str);

const OPEN: Asked = (Color::Black, "three stones");
const SWAP: Asked = (Color::White, "SWAP or KEEP");
const FOURTH: Asked = (Color::White, "one stone");
const ANNOUNCED: Asked = (Color::White, "one stone and a number of fifth moves");
const PICK: Asked = (Color::White, "one of the offered fifth moves");

/// The twin: the next question of each procedure after these answers, copied from the rules. `None` means agreed.
fn expected(procedure: Procedure, answers: &[ProcedureAnswer]) -> Option<(Color, String)> {
    let black = |words| (Color::Black, words);
    let offer = |answers: &[ProcedureAnswer]| {
        let number = answers
            .iter()
            .find_map(|a| if let ProcedureAnswer::Announce(_, number) = a { Some(*number) } else { None });
        format!("{} fifth moves", number.unwrap_or(2))
    };
    let place = answers.len();
    let course: Vec<Asked> = match procedure.name() {
        "plain" => vec![],
        "swap" => vec![OPEN, SWAP],
        "swap2" => match answers.get(1).map_or(0, |answer| answer.stones().len()) {
            // After two stones the opener, as white, makes the choice.
            2 => vec![OPEN, (Color::White, "SWAP, one stone or two"), black("SWAP or one stone")],
            _ => vec![OPEN, (Color::White, "SWAP, one stone or two")],
        },
        "three-swap" => vec![black("one stone"), FOURTH, black("one stone"), SWAP],
        "rif" => vec![OPEN, SWAP, FOURTH, black("offer"), PICK],
        "yamaguchi" => {
            vec![black("three stones and a number of fifth moves"), SWAP, FOURTH, black("offer"), PICK]
        }
        "soosorv-4" | "soosorv-8" => {
            vec![OPEN, SWAP, ANNOUNCED, black("SWAP or KEEP"), black("offer"), PICK]
        }
        _ => {
            let mut course =
                vec![black("one stone"), SWAP, FOURTH, black("SWAP or KEEP"), black("one stone"), SWAP, FOURTH];
            course.push(black("SWAP, one stone or 10"));
            match answers.get(7) {
                Some(ProcedureAnswer::Swap) => course.extend([black("one stone"), SWAP]),
                Some(answer) if answer.stones().len() == 10 => course.push(PICK),
                Some(_) => course.push(SWAP),
                None => {}
            }
            course
        }
    };
    let &(color, words) = course.get(place)?;
    Some((color, if words == "offer" { offer(answers) } else { words.to_owned() }))
}

/// The player of a color. The opener is black before any swap.
fn player(color: Color, answers: &[ProcedureAnswer]) -> Seat {
    let swaps = answers.iter().filter(|answer| **answer == ProcedureAnswer::Swap).count();
    if (color == Color::Black) == (swaps % 2 == 0) { Seat::Opener } else { Seat::Other }
}

fn random_points(rng: &mut Rng, board: &Board, count: usize) -> Stones {
    let mut points: Vec<_> = board.empty_points().iter().collect();
    rng.shuffle(&mut points);
    points.into_iter().take(count).collect()
}

/// A legal answer, found by trial.
fn legal(rng: &mut Rng, question: ProcedureQuestion, board: &Board) -> ProcedureAnswer {
    let size = board.size();
    for _ in 0..10_000 {
        let count = [1, 2, 3, 10][rng.below(4)];
        let stones = match question {
            ProcedureQuestion::Open(ThreeStones::Named(_) | ThreeStones::Announced { .. }) => {
                let opening = &NamedOpening::all()[rng.below(26)];
                opening.images(size).nth(rng.below(8)).unwrap().into_iter().collect()
            }
            ProcedureQuestion::Pick(offered) => {
                [offered.iter().nth(rng.below(offered.len())).unwrap()].into_iter().collect()
            }
            // Many random points are rarely distinct under a symmetry.
            ProcedureQuestion::Offer(_) | ProcedureQuestion::FifthOrOffer(..) if rng.below(2) == 0 => {
                let many = if let ProcedureQuestion::Offer(count) = question { usize::from(count) } else { 10 };
                let near: Vec<_> = random_points(rng, board, 12).iter().collect();
                let rest = board.empty_points();
                let distinct = StoneSymmetries::of(board).distinct(near.into_iter().chain(rest.iter()));
                distinct.into_iter().take(many).collect()
            }
            ProcedureQuestion::Stone(square) | ProcedureQuestion::StoneBeforeSwap(square) => {
                let inside: Vec<_> = square.empty_points(board).iter().collect();
                [inside[rng.below(inside.len())]].into_iter().collect()
            }
            _ => random_points(rng, board, count),
        };
        let answer = match rng.below(4) {
            0 => ProcedureAnswer::Swap,
            1 => ProcedureAnswer::Keep,
            2 => ProcedureAnswer::Stones(stones),
            _ => ProcedureAnswer::Announce(stones, 1 + rng.below(12) as u8),
        };
        if question.check(board, &answer).is_ok() {
            return answer;
        }
    }
    panic!("no legal answer to {question:?}\n{board}");
}

/// Whether an answer was refused for the right reason.
type Expected = fn(AnswerError) -> bool;

/// Illegal answers, each with the reason for which it must be refused.
fn illegal(rng: &mut Rng, question: ProcedureQuestion, board: &Board) -> Vec<(ProcedureAnswer, Expected)> {
    let (size, taken) = (board.size(), board.stones(Color::Black).iter().next());
    let mut wrong: Vec<(ProcedureAnswer, Expected)> = Vec::new();
    let is_form: Expected = |error| matches!(error, AnswerError::Form(..));
    wrong.push((ProcedureAnswer::Stones(Stones::NONE), is_form));
    let many = if question == ProcedureQuestion::Offer(11) { 9 } else { 11 };
    wrong.push((ProcedureAnswer::Stones(random_points(rng, board, many)), is_form));
    if !question.allows_swap() {
        wrong.push((ProcedureAnswer::Swap, is_form));
    }
    if !matches!(question, ProcedureQuestion::Swap(_)) {
        wrong.push((ProcedureAnswer::Keep, is_form));
    }
    let legal = legal(rng, question, board);
    let stones: Vec<_> = legal.stones().iter().collect();
    let with = |stones: &[Point]| match legal {
        ProcedureAnswer::Announce(_, number) => ProcedureAnswer::Announce(stones.iter().copied().collect(), number),
        _ => ProcedureAnswer::Stones(stones.iter().copied().collect()),
    };
    if let ProcedureAnswer::Announce(stones, _) = legal {
        for number in [0, 13] {
            wrong.push((ProcedureAnswer::Announce(stones, number), |error| matches!(error, AnswerError::Number(..))));
        }
        wrong.push((ProcedureAnswer::Stones(stones), is_form));
    } else if !stones.is_empty() {
        wrong.push((ProcedureAnswer::Announce(legal.stones(), 1), is_form));
    }
    if let Some((_, rest)) = stones.split_last() {
        let replaced = |last: Point| with(&[rest, &[last]].concat());
        let off = Point::new(size.side(), 3).unwrap();
        wrong.push((replaced(off), |error| matches!(error, AnswerError::Play(_, PlayError::OffBoard))));
        if let Some(point) = taken.or(rest.first().copied()) {
            wrong.push((replaced(point), |error| matches!(error, AnswerError::Play(_, PlayError::Occupied))));
        }
        if let (ProcedureQuestion::Stone(square) | ProcedureQuestion::StoneBeforeSwap(square), 1) =
            (question, stones.len())
        {
            let is_outside: Expected = |error| matches!(error, AnswerError::Outside(..) | AnswerError::OffCentre(_));
            let outside = board.empty_points().iter().filter(|&point| !square.contains(point, size));
            wrong.extend(outside.take(3).map(|point| (ProcedureAnswer::stone(point), is_outside)));
        }
        if let ProcedureQuestion::Pick(offered) = question {
            let other = board.empty_points().iter().find(|point| !offered.contains(*point)).unwrap();
            wrong.push((ProcedureAnswer::stone(other), |error| matches!(error, AnswerError::NotOffered(_))));
        }
        if let ProcedureQuestion::Open(ThreeStones::Named(_) | ThreeStones::Announced { .. }) = question {
            let shifted: Vec<_> = stones.iter().map(|p| Point::new(p.x() + 1, p.y()).unwrap()).collect();
            wrong.push((with(&shifted), |error| error == AnswerError::NotNamed));
            // The same pattern with black's stones exchanged does not begin on the centre.
            wrong.push((with(&[stones[2], stones[1], stones[0]]), |error| error == AnswerError::NotNamed));
        }
        let symmetries = StoneSymmetries::of(board);
        let is_offer =
            matches!(question, ProcedureQuestion::Offer(_) | ProcedureQuestion::FifthOrOffer(..)) && stones.len() > 1;
        let image = symmetries.images(rest.first().copied().unwrap_or(stones[0])).find(|image| !stones.contains(image));
        if let Some(image) = image.filter(|image| is_offer && board.is_empty(*image)) {
            wrong.push((replaced(image), |error| matches!(error, AnswerError::Equivalent(..))));
        }
    }
    wrong
}

/// The answers as the lines of a list.
fn items(answers: &[ProcedureAnswer]) -> Vec<Item> {
    let items = answers.iter().flat_map(|answer| {
        let stones = answer.stones();
        let end = match answer {
            ProcedureAnswer::Swap => Some(Item::Swap),
            ProcedureAnswer::Keep => Some(Item::Keep),
            ProcedureAnswer::Announce(_, number) => Some(Item::Number(*number)),
            ProcedureAnswer::Stones(_) => None,
        };
        stones.iter().map(Item::Stone).chain(end).collect::<Vec<_>>()
    });
    items.collect()
}

#[test]
fn random_legal_answers_lead_to_an_ordinary_game_and_illegal_ones_are_refused() {
    let mut rng = Rng::new(12);
    let (mut equivalent, mut questions) = (0, 0);
    for &procedure in Procedure::ALL {
        for game in 0..120 {
            let size = [procedure.least_side(), 15, 20][game % 3];
            let size = Size::new(size).unwrap();
            let rule = Rule::ALL[game % 5];
            let mut negotiation = Negotiation::new(procedure, size, rule);
            // The stones of the game, reconstructed from the answers alone.
            let mut stones: Vec<Point> = Vec::new();
            while let Some((color, words)) = expected(procedure, negotiation.answers()) {
                let Step::Ask(asked, question) = negotiation.step() else { panic!("{procedure}: {words}") };
                assert_eq!((asked, question.to_string()), (player(color, negotiation.answers()), words), "{procedure}");
                questions += 1;
                let before = format!("{negotiation:?}");
                for (answer, is_expected) in illegal(&mut rng, question, negotiation.board()) {
                    let error = negotiation.answer(answer).expect_err(&format!("{procedure}: {question:?} {answer}"));
                    assert!(is_expected(error), "{procedure}: {question}: {answer}: {error}");
                    assert!(!error.to_string().is_empty());
                    equivalent += usize::from(matches!(error, AnswerError::Equivalent(..)));
                }
                assert_eq!(format!("{negotiation:?}"), before, "a refused answer changes nothing");
                let any = question.any_answer(negotiation.board()).unwrap();
                assert_eq!(question.check(negotiation.board(), &any), Ok(()), "{procedure}: {question:?}: {any}");
                let answer = legal(&mut rng, question, negotiation.board());
                let is_offer = matches!(question, ProcedureQuestion::Offer(_)) || answer.stones().len() == 10;
                stones.extend(answer.stones().iter().filter(|_| !is_offer));
                negotiation.answer(answer).unwrap();
                let read = Negotiation::read(procedure, size, rule, &items(negotiation.answers())).unwrap();
                assert_eq!(format!("{read:?}"), format!("{negotiation:?}"), "the same state by its list");
            }
            let Step::Agreed { black } = negotiation.step() else { panic!("{procedure}: not agreed") };
            // In Swap2 two more stones exchange the sides before the last choice.
            let is_second_choice =
                procedure == Procedure::Swap2 && (stones.len() > 4 || negotiation.answers().len() == 3);
            let by_swaps = player(Color::Black, negotiation.answers());
            assert_eq!(black, if is_second_choice { by_swaps.opponent() } else { by_swaps });
            assert_eq!(negotiation.stones(), stones);
            let board = negotiation.board();
            for (number, &stone) in stones.iter().enumerate() {
                let color = if number % 2 == 0 { Color::Black } else { Color::White };
                assert!(board.stones(color).contains(stone));
            }
            assert_eq!(board.stone_count(), stones.len());
            assert_eq!(board.turn() == Color::Black, stones.len() % 2 == 0);
            assert_eq!(negotiation.answer(ProcedureAnswer::Swap), Err(AnswerError::Agreed));
        }
    }
    assert!(equivalent > 3 && questions > 3000, "{equivalent} {questions}");
}

/// The side of the central square allowed for each stone by the rules; 15 means anywhere.
const SQUARES: [(&str, &[u8]); 2] = [("three-swap", &[1, 15, 15]), ("taraguchi-10", &[1, 3, 5, 7, 9])];

#[test]
fn each_stone_has_the_square_of_the_rules() {
    for (name, sides) in SQUARES {
        let mut negotiation = Negotiation::new(name.parse().unwrap(), Size::FIFTEEN, Rule::Renju);
        let mut sides = sides.iter();
        while let Step::Ask(_, question) = negotiation.step() {
            let board = negotiation.board();
            if question.check(board, &ProcedureAnswer::Keep).is_ok() {
                negotiation.answer(ProcedureAnswer::Keep).unwrap();
                continue;
            }
            let allowed = |point: &Point| question.check(board, &ProcedureAnswer::stone(*point)).is_ok();
            let stones: Vec<_> = board.empty_points().iter().filter(allowed).collect();
            let reach = sides.next().unwrap() / 2;
            let near = |point: &Point| point.distance(Size::FIFTEEN.centre()) <= reach;
            assert_eq!(stones, board.empty_points().iter().filter(near).collect::<Vec<_>>(), "{name}: {question}");
            negotiation.answer(ProcedureAnswer::stone(stones[0])).unwrap();
        }
        assert_eq!(sides.len(), 0, "{name}");
    }
}

#[test]
fn the_number_of_fifth_moves_is_limited_by_the_rules() {
    for (name, most) in [("yamaguchi", 12), ("soosorv-4", 4), ("soosorv-8", 8)] {
        let mut negotiation = Negotiation::new(name.parse().unwrap(), Size::FIFTEEN, Rule::Renju);
        let numbers = loop {
            let Step::Ask(_, question) = negotiation.step() else { panic!("{name}") };
            let any = question.any_answer(negotiation.board()).unwrap();
            if let ProcedureAnswer::Announce(stones, _) = any {
                let is_legal = |number: &u8| {
                    question.check(negotiation.board(), &ProcedureAnswer::Announce(stones, *number)).is_ok()
                };
                break (0..=u8::MAX).filter(is_legal).collect::<Vec<_>>();
            }
            negotiation.answer(any).unwrap();
        };
        assert_eq!(numbers, (1..=most).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn a_list_that_fits_no_state_gives_the_reason() {
    let point = |name: &str| Item::Stone(parse_comma(name).unwrap());
    let read = |procedure: Procedure, items: &[Item]| {
        Negotiation::read(procedure, Size::FIFTEEN, Rule::Renju, items).unwrap_err().to_string()
    };
    let three = [point("7,7"), point("7,8"), point("8,8")];
    assert_eq!(read(Procedure::Rif, &three[..2]), "the list ends where three stones should stand");
    let far = [point("7,7"), point("7,8"), point("10,8")];
    assert_eq!(read(Procedure::Rif, &far), "the three stones are not one of the 26 openings");
    assert_eq!(read(Procedure::Rif, &[&three[..], &three[..1]].concat()), "line 4 of the list: expected SWAP or KEEP");
    assert_eq!(
        read(Procedure::Yamaguchi, &three),
        "the list ends where three stones and a number of fifth moves should stand"
    );
    let announced = [&three[..], &[Item::Number(13)]].concat();
    assert_eq!(read(Procedure::Yamaguchi, &announced), "expected 1 to 12 fifth moves, got 13");
    assert_eq!(read(Procedure::Plain, &three), "line 1 of the list: the colors are settled before it");
    let swapped = [&three[..], &[Item::Swap, Item::Keep]].concat();
    assert_eq!(read(Procedure::Swap, &swapped), "line 5 of the list: the colors are settled before it");
    assert_eq!(read(Procedure::Taraguchi10, &[point("7,8")]), "7,8 is not the centre");
    let outside = [point("7,7"), Item::Keep, point("10,7")];
    assert_eq!(read(Procedure::Taraguchi10, &outside), "10,7 lies outside the central 3 x 3");
    let small = Negotiation::read(Procedure::Rif, Size::new(8).unwrap(), Rule::Renju, &[]).unwrap_err();
    assert_eq!(small, ReadError::Small(Procedure::Rif));
    assert_eq!(small.to_string(), "rif needs a board of 9 x 9 or more");
}

#[test]
fn a_procedure_is_found_by_its_own_name() {
    for &procedure in Procedure::ALL {
        assert_eq!(procedure.to_string().to_uppercase().parse(), Ok(procedure));
    }
    assert!("sakata".parse::<Procedure>().unwrap_err().to_string().contains("soosorv-8"));
}
