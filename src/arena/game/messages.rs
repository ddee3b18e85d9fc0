//! The manager's side of the protocol: requests to an engine, and the meaning of its lines.

use crate::arena::config::{EngineSpec, TimeControl};
use crate::board::{Color, Point, PointSet, Size};
use crate::notation::{Comma, PointError, parse_comma};
use crate::opening::{MOST_STONES, Procedure, ProcedureAnswer, Stones};
use crate::protocol::rule_number::RuleInfo;

/// `game_type` of a game between two engines.
const ENGINES_ONLY: u8 = 1;

/// The request for a new board.
pub(super) fn start(size: Size) -> String {
    format!("START {size}")
}

/// The `INFO` lines before a game: limits, rule, and the engine's own options.
pub(super) fn game_infos(spec: &EngineSpec, rule: RuleInfo) -> Vec<String> {
    let TimeControl { turn, game, increment, .. } = spec.time;
    let mut infos = vec![
        ("timeout_turn", turn.to_string()),
        ("timeout_match", game.to_string()),
        ("max_memory", spec.memory.to_string()),
        ("game_type", ENGINES_ONLY.to_string()),
        ("rule", rule.number().to_string()),
    ];
    if increment > 0 {
        infos.push(("time_increment", increment.to_string()));
    }
    // An option may announce a limit that differs from the arena's own.
    infos.retain(|(key, _)| spec.infos.iter().all(|(own, _)| own != key));
    let own = spec.infos.iter().map(|(key, value)| (key.as_str(), value.clone()));
    infos.into_iter().chain(own).map(|(key, value)| format!("INFO {key} {value}")).collect()
}

/// The request for a move to an engine that knows the walls and the first `known` stones. `None` if the position of the
/// engine is unknown.
pub(super) fn move_request(stones: &[Point], walls: &PointSet, known: Option<usize>) -> Vec<String> {
    match stones {
        [] if known.is_some() => vec!["BEGIN".to_owned()],
        [.., last] if known.is_some_and(|known| known + 1 == stones.len()) => vec![format!("TURN {}", Comma(*last))],
        _ => board("BOARD", stones, walls),
    }
}

/// `BOARD … DONE`, or another command with the same list. The stones of the side to move have field 1, the opponent's 2.
/// Stones that a continuous game has turned to walls have field 3 and keep their place in the order, as in Piskvork.
pub(super) fn board(command: &str, stones: &[Point], walls: &PointSet) -> Vec<String> {
    let mover = Color::after(stones.len());
    let field = |number, stone| match Color::after(number) {
        _ if walls.contains(stone) => 3,
        color if color == mover => 1,
        _ => 2,
    };
    let lines = stones.iter().enumerate().map(|(number, &stone)| format!("{},{}", Comma(stone), field(number, stone)));
    std::iter::once(command.to_owned()).chain(lines).chain(["DONE".to_owned()]).collect()
}

/// `SWAP2BOARD … DONE`.
pub(super) fn swap2_request(stones: &[Point]) -> Vec<String> {
    let lines = stones.iter().map(|stone| Comma(*stone).to_string());
    std::iter::once("SWAP2BOARD".to_owned()).chain(lines).chain(["DONE".to_owned()]).collect()
}

/// `OPENBOARD procedure … DONE`: the answers so far, one stone or number a line.
pub(super) fn opening_request(procedure: Procedure, answers: &[ProcedureAnswer]) -> Vec<String> {
    // An answer shows as `swap`, `keep` or `7,7 8,6 3`.
    let answers: Vec<_> = answers.iter().map(|answer| answer.to_string().to_uppercase()).collect();
    let lines = answers.iter().flat_map(|answer| answer.split(' ')).map(str::to_owned);
    std::iter::once(format!("OPENBOARD {procedure}")).chain(lines).chain(["DONE".to_owned()]).collect()
}

/// The meaning of a line while an answer is awaited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// `OK`.
    Ok,
    /// `ERROR …` or `UNKNOWN …`.
    Refusal,
    /// `x,y`, several of them in one line, points followed by a number, `SWAP` or `KEEP`.
    Answer(ProcedureAnswer),
    /// Coordinates outside every board.
    OffBoard,
    /// `MESSAGE …` or `DEBUG …`, meant for a person.
    Message,
    /// Anything else.
    Unknown,
}

impl Response {
    /// Reads a line as leniently as the Gomocup judge does: blanks round the comma are allowed, and case is ignored.
    pub(super) fn parse(line: &str) -> Self {
        let first = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match first.as_str() {
            "OK" => return Self::Ok,
            "ERROR" | "UNKNOWN" => return Self::Refusal,
            "MESSAGE" | "DEBUG" => return Self::Message,
            "SWAP" => return Self::Answer(ProcedureAnswer::Swap),
            "KEEP" => return Self::Answer(ProcedureAnswer::Keep),
            _ => {}
        }
        match parse_comma(line) {
            Ok(point) => return Self::Answer(ProcedureAnswer::stone(point)),
            Err(PointError::OffBoard) => return Self::OffBoard,
            Err(PointError::Numbers | PointError::Letters) => {}
        }
        let (rest, number) = match line.trim().rsplit_once(char::is_whitespace) {
            Some((rest, last)) => last.parse().map_or((line, None), |number| (rest, Some(number))),
            None => (line, None),
        };
        let points: Result<Vec<_>, _> = rest.split_whitespace().map(parse_comma).collect();
        match points {
            Ok(points) if (1..=MOST_STONES).contains(&points.len()) => {
                let stones = points.into_iter().collect();
                Self::Answer(match number {
                    Some(number) => ProcedureAnswer::Announce(stones, number),
                    None => ProcedureAnswer::Stones(stones),
                })
            }
            Err(PointError::OffBoard) => Self::OffBoard,
            _ => Self::Unknown,
        }
    }

    /// The stones of a line of points alone.
    pub(super) fn stones(&self) -> Option<Stones> {
        if let Self::Answer(ProcedureAnswer::Stones(stones)) = self { Some(*stones) } else { None }
    }

    /// The point of a line that is a move.
    pub(super) fn point(&self) -> Option<Point> {
        self.stones().filter(|stones| stones.len() == 1)?.iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rule;

    fn stones(text: &str) -> Vec<Point> {
        text.split_whitespace().map(|name| parse_comma(name).unwrap()).collect()
    }

    #[test]
    fn an_engine_that_follows_gets_turns_and_others_the_whole_board() {
        let request = |text, known| move_request(&stones(text), &PointSet::EMPTY, known).join(" ");
        assert_eq!(request("", Some(0)), "BEGIN");
        assert_eq!(request("7,7", Some(0)), "TURN 7,7");
        assert_eq!(request("7,7 8,8 0,0", Some(2)), "TURN 0,0");
        assert_eq!(request("7,7 8,8 0,0", None), "BOARD 7,7,2 8,8,1 0,0,2 DONE");
        assert_eq!(request("7,7 8,8", None), "BOARD 7,7,1 8,8,2 DONE");
        assert_eq!(request("", None), "BOARD DONE");
    }

    #[test]
    fn walls_keep_their_place_in_the_order_of_the_stones() {
        let walls = stones("7,7 8,8").into_iter().collect();
        let request = board("BOARD", &stones("7,7 0,0 8,8 1,0 2,2"), &walls).join(" ");
        assert_eq!(request, "BOARD 7,7,3 0,0,1 8,8,3 1,0,1 2,2,2 DONE");
    }

    #[test]
    fn an_option_stands_in_for_what_would_be_sent() {
        let words = ["cmd=x", "turn=100", "increment=5", "memory=0", "option.max_memory=1000", "depth=3"];
        let rule = RuleInfo { rule: Rule::Caro, continuous: true };
        let infos = game_infos(&EngineSpec::parse(words).unwrap(), rule).join(", ");
        let expected = "INFO timeout_turn 100, INFO timeout_match 0, INFO game_type 1, INFO rule 11, \
                        INFO time_increment 5, INFO max_memory 1000, INFO max_depth 3";
        assert_eq!(infos, expected);
    }

    #[test]
    fn lines_are_read_as_leniently_as_the_judge_reads_them() {
        let points = |text| Response::Answer(ProcedureAnswer::Stones(stones(text).into_iter().collect()));
        assert_eq!(Response::parse("7,7"), points("7,7"));
        assert_eq!(Response::parse(" 7 , 7 "), points("7,7"));
        assert_eq!(Response::parse("7,7 8,8 0,0"), points("7,7 8,8 0,0"));
        assert_eq!(Response::parse(&"7,7 ".repeat(MOST_STONES + 1)), Response::Unknown);
        assert_eq!(Response::parse("-1,3"), Response::OffBoard);
        assert_eq!(Response::parse("99,99"), Response::OffBoard);
        assert_eq!(Response::parse("swap"), Response::Answer(ProcedureAnswer::Swap));
        assert_eq!(Response::parse("ok"), Response::Ok);
        assert_eq!(Response::parse("MESSAGE 7,7"), Response::Message);
        assert_eq!(Response::parse("UNKNOWN command"), Response::Refusal);
        for line in ["h8", "7", "7,7,1", "7,", "banana 7,7", "name=\"x\""] {
            assert_eq!(Response::parse(line), Response::Unknown, "{line}");
        }
    }
}
