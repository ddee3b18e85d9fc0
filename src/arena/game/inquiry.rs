//! [`Inquiry`]: a question of an opening procedure in the dialect of one engine: the requests, and the lines of the answer.
//!
//! ```text
//! Gomocup   OPENBOARD or SWAP2BOARD with all answers so far    one line
//! Yixin     yxswap2step1 … 3, about the board of the game      MESSAGE SWAP2 MOVE1 x y … | SWAP1 YES | SWAP1 NO
//!           yxsoosorvstep1 … 6, each with its stones           MESSAGE SOOSORV MOVE1 x y … | SWAP1 YES | …
//! ```
//!
//! Yixin's NO under Swap2 takes white and names no stone: the engine is then asked for a move.

use super::messages::{self, Response};
use crate::arena::config::EngineDialect;
use crate::board::{Point, PointSet};
use crate::notation::{Comma, PointError, parse_comma};
use crate::opening::{Ahead, MOST_STONES, Negotiation, Procedure, ProcedureAnswer, ProcedureQuestion, Step, Stones};

/// A question that waits for its answer.
#[derive(Debug)]
pub(super) struct Inquiry {
    dialect: EngineDialect,
    /// The stones on the board.
    stones: Vec<Point>,
    /// The stones of an answer of several lines so far.
    answered: Vec<Point>,
}

/// The result of a question's last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The whole answer.
    Answer(ProcedureAnswer),
    /// Another request has to be written.
    Ask(Vec<String>),
    /// This line names a stone outside every board.
    OffBoard(String),
}

impl Inquiry {
    /// The next question of the negotiation, and the lines to write. `None` if the negotiation is over or the dialect
    /// cannot express the question.
    pub(super) fn new(negotiation: &Negotiation, dialect: EngineDialect) -> Option<(Self, Vec<String>)> {
        let Step::Ask(_, question) = negotiation.step() else { return None };
        let (procedure, stones) = (negotiation.procedure(), negotiation.stones());
        let request = match dialect {
            EngineDialect::Gomocup if procedure == Procedure::Swap2 => messages::swap2_request(stones),
            EngineDialect::Gomocup => messages::opening_request(procedure, negotiation.answers()),
            EngineDialect::Yixin if procedure == Procedure::Swap2 => swap2_step(question, stones)?,
            EngineDialect::Yixin if procedure == Procedure::Soosorv8 => soosorv_step(question, stones)?,
            EngineDialect::Yixin => return None,
        };
        Some((Self { dialect, stones: stones.to_vec(), answered: Vec::new() }, request))
    }

    /// Reads a line of the engine. `None`: more lines follow.
    pub(super) fn read(&mut self, response: &Response, line: &str) -> Option<Reading> {
        match (self.dialect, response) {
            (EngineDialect::Gomocup, Response::Answer(answer)) => Some(Reading::Answer(*answer)),
            (EngineDialect::Gomocup, _) => None,
            (EngineDialect::Yixin, Response::Message) => self.read_message(line),
            // The move after a NO.
            (EngineDialect::Yixin, _) => response.point().map(|point| Reading::Answer(ProcedureAnswer::stone(point))),
        }
    }

    /// Reads `MESSAGE SWAP2 …` or `MESSAGE SOOSORV …`; every other message is for a person.
    fn read_message(&mut self, line: &str) -> Option<Reading> {
        let upper = line.to_ascii_uppercase();
        let words: Vec<_> = upper.split_whitespace().collect();
        let ["MESSAGE", procedure @ ("SWAP2" | "SOOSORV"), word, rest @ ..] = &words[..] else { return None };
        let answer = match (*procedure, *word, rest) {
            (_, "SWAP1" | "SWAP2", ["YES", ..]) => ProcedureAnswer::Swap,
            ("SOOSORV", "SWAP1" | "SWAP2", ["NO", ..]) => ProcedureAnswer::Keep,
            (_, "SWAP1" | "SWAP2", ["NO", ..]) => {
                return Some(Reading::Ask(messages::move_request(&self.stones, &PointSet::EMPTY, None)));
            }
            // Fifth moves follow.
            ("SOOSORV", "MOVE5", ["REFRESH", ..]) => {
                self.answered.clear();
                return None;
            }
            ("SOOSORV", "MOVE5", ["DONE", ..]) => self.stones_answered(),
            (_, word, [x, y, rest @ ..]) if word.starts_with("MOVE") => {
                let point = match parse_comma(&format!("{x},{y}")) {
                    Ok(point) => point,
                    Err(PointError::OffBoard) => return Some(Reading::OffBoard(line.to_owned())),
                    Err(PointError::Numbers | PointError::Letters) => return None,
                };
                if (*procedure, word) == ("SOOSORV", "MOVE4") {
                    // White's fourth stone and the number of fifth moves.
                    ProcedureAnswer::Announce([point].into_iter().collect(), rest.first()?.parse().ok()?)
                } else {
                    if self.answered.len() < MOST_STONES {
                        self.answered.push(point);
                    }
                    let is_last =
                        matches!((*procedure, word), (_, "MOVE3") | ("SWAP2", "MOVE5") | ("SOOSORV", "MOVE5C"));
                    is_last.then(|| self.stones_answered())?
                }
            }
            _ => return None,
        };
        Some(Reading::Answer(answer))
    }

    fn stones_answered(&self) -> ProcedureAnswer {
        ProcedureAnswer::Stones(self.answered.iter().copied().collect())
    }
}

/// The lines of Yixin-Board for a question of Swap2: the stones of the game, and the step.
fn swap2_step(question: ProcedureQuestion, stones: &[Point]) -> Option<Vec<String>> {
    let step = match question {
        ProcedureQuestion::Open(_) => return Some(vec!["yxswap2step1".to_owned()]),
        ProcedureQuestion::Choose => "yxswap2step2",
        ProcedureQuestion::Decide => "yxswap2step3",
        _ => return None,
    };
    Some(messages::board("YXBOARD", stones, &PointSet::EMPTY).into_iter().chain([step.to_owned()]).collect())
}

/// The lines of Yixin-Board for a question of Soosõrv's rule: the step, and its stones.
fn soosorv_step(question: ProcedureQuestion, stones: &[Point]) -> Option<Vec<String>> {
    let (step, offered) = match question {
        ProcedureQuestion::Open(_) => return Some(vec!["yxsoosorvstep1".to_owned()]),
        ProcedureQuestion::Swap(Ahead::Fourth { .. }) => ("yxsoosorvstep2".to_owned(), Stones::NONE),
        ProcedureQuestion::Fourth { .. } => ("yxsoosorvstep3".to_owned(), Stones::NONE),
        ProcedureQuestion::Swap(Ahead::Fifths(fifths)) => (format!("yxsoosorvstep4 {fifths}"), Stones::NONE),
        ProcedureQuestion::Offer(fifths) => (format!("yxsoosorvstep5 {fifths}"), Stones::NONE),
        ProcedureQuestion::Pick(offered) => ("yxsoosorvstep6".to_owned(), offered),
        _ => return None,
    };
    let lines = stones.iter().copied().chain(offered.iter()).map(|point| Comma(point).to_string());
    Some(std::iter::once(step).chain(lines).chain(["DONE".to_owned()]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Size};

    /// The question after these answers, and its request in one line.
    fn inquiry(procedure: Procedure, answers: &[ProcedureAnswer]) -> (Inquiry, String) {
        let mut negotiation = Negotiation::new(procedure, Size::FIFTEEN, Rule::Renju);
        answers.iter().for_each(|&answer| negotiation.answer(answer).unwrap());
        let (inquiry, request) = Inquiry::new(&negotiation, EngineDialect::Yixin).unwrap();
        (inquiry, request.join(" "))
    }

    fn stones(names: &str) -> ProcedureAnswer {
        ProcedureAnswer::Stones(names.split(' ').map(|name| parse_comma(name).unwrap()).collect())
    }

    /// Reads lines. The last one completes an answer or leads to another request.
    fn read(inquiry: &mut Inquiry, lines: &[&str]) -> Reading {
        let (last, others) = lines.split_last().unwrap();
        for line in others {
            assert_eq!(inquiry.read(&Response::parse(line), line), None, "{line}");
        }
        inquiry.read(&Response::parse(last), last).unwrap()
    }

    #[test]
    fn every_step_of_soosorv_is_asked_and_read() {
        let announced = ProcedureAnswer::Announce([parse_comma("6,7").unwrap()].into_iter().collect(), 2);
        let steps: [(&str, &[&str], ProcedureAnswer); 6] = [
            (
                "yxsoosorvstep1",
                &[
                    "MESSAGE SOOSORV MOVE1 7 7",
                    "MESSAGE thinking",
                    "MESSAGE SOOSORV MOVE2 7 8",
                    "message soosorv move3 8 8",
                ],
                stones("7,7 7,8 8,8"),
            ),
            ("yxsoosorvstep2 7,7 7,8 8,8 DONE", &["MESSAGE SOOSORV SWAP1 NO"], ProcedureAnswer::Keep),
            ("yxsoosorvstep3 7,7 7,8 8,8 DONE", &["MESSAGE SOOSORV MOVE4 6 7 2"], announced),
            ("yxsoosorvstep4 2 7,7 7,8 8,8 6,7 DONE", &["MESSAGE SOOSORV SWAP2 YES"], ProcedureAnswer::Swap),
            (
                "yxsoosorvstep5 2 7,7 7,8 8,8 6,7 DONE",
                &[
                    "MESSAGE SOOSORV MOVE5 9 9",
                    "MESSAGE SOOSORV MOVE5 REFRESH",
                    "MESSAGE SOOSORV MOVE5 8 6",
                    "MESSAGE SOOSORV MOVE5 5 5",
                    "MESSAGE SOOSORV MOVE5 DONE",
                ],
                stones("8,6 5,5"),
            ),
            ("yxsoosorvstep6 7,7 7,8 8,8 6,7 8,6 5,5 DONE", &["MESSAGE SOOSORV MOVE5C 5 5"], stones("5,5")),
        ];
        let mut answers = Vec::new();
        for (request, lines, answer) in steps {
            let (mut inquiry, asked) = inquiry(Procedure::Soosorv8, &answers);
            assert_eq!(asked, request);
            assert_eq!(read(&mut inquiry, lines), Reading::Answer(answer), "{request}");
            answers.push(answer);
        }
    }

    #[test]
    fn white_under_swap2_is_asked_for_its_stone() {
        let opened = stones("7,7 0,0 7,8");
        let (mut choice, request) = inquiry(Procedure::Swap2, &[opened]);
        assert_eq!(request, "YXBOARD 7,7,2 0,0,1 7,8,2 DONE yxswap2step2");
        let Reading::Ask(request) = read(&mut choice, &["MESSAGE SWAP2 SWAP1 NO"]) else { panic!("an answer") };
        assert_eq!(request.join(" "), "BOARD 7,7,2 0,0,1 7,8,2 DONE");
        assert_eq!(read(&mut choice, &["MESSAGE depth 1", "8,8"]), Reading::Answer(stones("8,8")));

        let two = &["MESSAGE SWAP2 MOVE4 14 0", "MESSAGE SWAP2 MOVE5 0 14"];
        let (mut choice, _) = inquiry(Procedure::Swap2, &[opened]);
        assert_eq!(read(&mut choice, two), Reading::Answer(stones("14,0 0,14")));
        let (mut decision, request) = inquiry(Procedure::Swap2, &[opened, stones("14,0 0,14")]);
        assert!(request.ends_with("DONE yxswap2step3"));
        assert_eq!(read(&mut decision, &["MESSAGE SWAP2 SWAP2 YES"]), Reading::Answer(ProcedureAnswer::Swap));
    }

    #[test]
    fn a_stone_off_every_board_is_an_answer_that_is_refused() {
        let (mut inquiry, _) = inquiry(Procedure::Swap2, &[]);
        let line = "MESSAGE SWAP2 MOVE1 99 3";
        assert_eq!(inquiry.read(&Response::Message, line), Some(Reading::OffBoard(line.to_owned())));
        for line in ["MESSAGE SWAP2", "MESSAGE SWAP2 MOVE1", "MESSAGE SWAP2 MOVE1 a b", "MESSAGE SOOSORV MOVE4 1 1"] {
            assert_eq!(inquiry.read(&Response::Message, line), None, "{line}");
        }
    }

    #[test]
    fn yixin_has_no_words_for_other_procedures() {
        for &procedure in Procedure::ALL {
            let negotiation = Negotiation::new(procedure, Size::FIFTEEN, Rule::Renju);
            let is_asked = procedure != Procedure::Plain && EngineDialect::Yixin.has_words_for(procedure);
            assert_eq!(Inquiry::new(&negotiation, EngineDialect::Yixin).is_some(), is_asked, "{procedure}");
        }
    }
}
