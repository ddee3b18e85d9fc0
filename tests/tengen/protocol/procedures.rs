//! OPENBOARD, and Soosõrv in Yixin-Board's commands.

use tengen::board::{Point, Rule, Size};
use tengen::notation::Comma;
use tengen::opening::{Negotiation, Procedure, ProcedureAnswer, Step};

use super::engine::{Engine, Program, both, read_move};

/// An answer as one line: SWAP, KEEP, points, or points and a number.
fn read_answer(line: &str) -> ProcedureAnswer {
    match line {
        "SWAP" => return ProcedureAnswer::Swap,
        "KEEP" => return ProcedureAnswer::Keep,
        _ => {}
    }
    let stones = line.split(' ').filter_map(read_move).collect();
    match line.rsplit(' ').next().unwrap().parse() {
        Ok(number) => ProcedureAnswer::Announce(stones, number),
        Err(_) => ProcedureAnswer::Stones(stones),
    }
}

/// The lines by which OPENBOARD states an answer.
fn lines(line: &str) -> String {
    line.split(' ').map(|word| format!("{word}\n")).collect()
}

#[test]
fn an_engine_negotiates_every_procedure_with_itself() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15\nINFO rule 4\nINFO max_node 300", "OK");
        for procedure in Procedure::ALL.iter().copied().filter(|procedure| *procedure != Procedure::Plain) {
            let mut negotiation = Negotiation::new(procedure, Size::FIFTEEN, Rule::Renju);
            let mut list = String::new();
            while let Step::Ask(_, question) = negotiation.step() {
                let line = engine.ask(&format!("OPENBOARD {procedure}\n{list}DONE"));
                let answer = read_answer(&line);
                negotiation.answer(answer).unwrap_or_else(|error| panic!("{procedure}, {question}: {line}: {error}"));
                list += &lines(&line);
            }
            engine.expect_error(&format!("OPENBOARD {procedure}\n{list}DONE"));
            // A BOARD follows.
            let taken = negotiation.stones();
            let stones: String =
                taken.iter().enumerate().map(|(at, p)| format!("{},{}\n", Comma(*p), 1 + at % 2)).collect();
            assert!(!taken.contains(&engine.ask_move(&format!("BOARD\n{stones}DONE"))));
        }
        engine.end();
    });
}

#[test]
fn the_only_stone_of_a_procedure_needs_no_search() {
    let mut engine = Engine::bare(Program::Search);
    engine.expect("START 15\nINFO rule 4\nINFO timeout_turn 2147483647", "OK");
    for procedure in ["taraguchi-10", "three-swap"] {
        engine.expect(&format!("OPENBOARD {procedure}\nDONE"), "7,7");
    }
    engine.end();
}

#[test]
fn a_list_that_fits_no_state_is_one_error_with_its_reason() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("OPENBOARD rif\nDONE", "ERROR no board, send START first");
        engine.expect("START 15\nINFO rule 4\nINFO max_node 100", "OK");
        for (list, error) in [
            ("sakata\nDONE", "unknown procedure, expected plain, swap, "),
            ("\nDONE", "unknown procedure"),
            ("rif\n7,7\n7,8\nDONE", "the list ends where three stones should stand"),
            ("rif\n7,7\n7,8\n11,11\nDONE", "the three stones are not one of the 26 openings"),
            ("rif\n7,7\nx\nDONE", "line 2 of the list: expected a point, SWAP, KEEP or a number"),
            ("rif\n7,7\n7,8\n7,8\nDONE", "7,8: the point is occupied"),
            ("rif\n7,7\n7,8\n20,8\nDONE", "20,8: the point lies outside the board"),
            ("taraguchi-10\n7,7\nKEEP\n9,9\nDONE", "9,9 lies outside the central 3 x 3"),
            ("yamaguchi\n7,7\n7,8\n8,8\n99\nDONE", "expected 1 to 12 fifth moves, got 99"),
            ("swap\n7,7\n7,8\n8,8\nSWAP\n1,1\nDONE", "line 5 of the list: the colors are settled before it"),
            ("soosorv-4\n7,7\n7,8\n8,8\nKEEP\n8,9\n5\nDONE", "expected 1 to 4 fifth moves, got 5"),
            ("plain\nDONE", "no answer is expected: the colors are settled"),
            // The four stones are symmetric about a diagonal.
            ("rif\n7,7\n8,8\n9,9\nKEEP\n6,6\n5,7\n7,5\nDONE", "5,7 and 7,5 are equivalent under a symmetry"),
        ] {
            let line = engine.ask(&format!("OPENBOARD {list}"));
            assert!(line.starts_with(&format!("ERROR {error}")), "{list}: {line}");
            engine.expect_silence("");
        }
        // Nothing has changed, and the session goes on.
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7");
        engine.expect("START 8", "OK");
        engine.expect("OPENBOARD rif\nDONE", "ERROR rif needs a board of 9 x 9 or more");
        engine.end();
    });
}

#[test]
fn info_in_a_list_is_carried_out_and_a_word_drops_it() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15\nINFO max_node 100", "OK");
        engine.send("openboard Swap\n7,7\nINFO rule 4\n7,8\n8,8\ndone");
        assert!(["SWAP", "KEEP"].contains(&engine.line().as_str()));
        engine.expect("OPENBOARD swap\n7,7\nSTART 9", "OK");
        engine.end();
    });
}

/// The numbers after the text of a Soosõrv message.
fn numbers(line: &str, head: &str) -> Vec<u8> {
    let rest = line.strip_prefix(&format!("MESSAGE SOOSORV {head} ")).unwrap_or_else(|| panic!("{head}: {line}"));
    rest.split(' ').map(|word| word.parse::<u8>().unwrap()).collect()
}

fn point(numbers: &[u8]) -> Point {
    Point::new(numbers[0], numbers[1]).unwrap()
}

#[test]
fn soosorv_of_yixin_board_is_answered_by_messages() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15 15\nINFO rule 4\nINFO max_node 500\nINFO show_detail 0", "OK");
        let mut negotiation = Negotiation::new(Procedure::Soosorv8, Size::FIFTEEN, Rule::Renju);
        engine.send("yxsoosorvstep1");
        let three: Vec<_> = (1..=3).map(|n| point(&numbers(&engine.line(), &format!("MOVE{n}")))).collect();
        negotiation.answer(ProcedureAnswer::Stones(three.iter().copied().collect())).unwrap();
        let list = |points: &[Point]| points.iter().map(|p| format!("{}\n", Comma(*p))).collect::<String>();
        let is_color =
            |line: &str, n| ["YES", "NO"].iter().any(|word| line == format!("MESSAGE SOOSORV SWAP{n} {word}"));
        assert!(is_color(&engine.ask(&format!("yxsoosorvstep2\n{}done", list(&three))), 1));
        negotiation.answer(ProcedureAnswer::Keep).unwrap();
        let fourth = numbers(&engine.ask(&format!("yxsoosorvstep3\n{}done", list(&three))), "MOVE4");
        let fifths = fourth[2];
        negotiation.answer(ProcedureAnswer::Announce([point(&fourth)].into_iter().collect(), fifths)).unwrap();
        let four = [&three[..], &[point(&fourth)]].concat();
        assert!(is_color(&engine.ask(&format!("yxsoosorvstep4 {fifths}\n{}done", list(&four))), 2));
        negotiation.answer(ProcedureAnswer::Keep).unwrap();
        engine.expect(&format!("yxsoosorvstep5 {fifths}\n{}done", list(&four)), "MESSAGE SOOSORV MOVE5 REFRESH");
        let offered: Vec<_> = (0..fifths).map(|_| point(&numbers(&engine.line(), "MOVE5"))).collect();
        assert_eq!(engine.line(), "MESSAGE SOOSORV MOVE5 DONE");
        negotiation.answer(ProcedureAnswer::Stones(offered.iter().copied().collect())).unwrap();
        let all = [&four[..], &offered].concat();
        let left = point(&numbers(&engine.ask(&format!("yxsoosorvstep6\n{}done", list(&all))), "MOVE5C"));
        negotiation.answer(ProcedureAnswer::stone(left)).unwrap();
        assert!(matches!(negotiation.step(), Step::Agreed { .. }));
        for step in
            ["2\n7,7\n", "3\n", "4\n7,7\n7,8\n8,8\n9,9\n", "5 9\n7,7\n7,8\n8,8\n9,9\n", "6\n7,7\n7,8\n8,8\n9,9\n"]
        {
            engine.expect_error(&format!("yxsoosorvstep{step}done"));
            engine.expect_silence("");
        }
        engine.end();
    });
}

/// Consumes the lines that answer a step of Soosõrv in Yixin-Board's commands.
pub(super) fn take_soosorv<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    let first = lines.next().unwrap();
    assert!(first.starts_with("ERROR ") || first.starts_with("MESSAGE SOOSORV "), "{first}");
    if first.starts_with("MESSAGE SOOSORV MOVE1 ") {
        assert!(lines.next().unwrap().starts_with("MESSAGE SOOSORV MOVE2 "));
        assert!(lines.next().unwrap().starts_with("MESSAGE SOOSORV MOVE3 "));
    } else if first == "MESSAGE SOOSORV MOVE5 REFRESH" {
        while lines.next().unwrap() != "MESSAGE SOOSORV MOVE5 DONE" {}
    }
}
