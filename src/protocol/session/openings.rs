//! The questions of the opening procedures, in the commands of Gomocup, Yixin-Board and this engine.

use std::time::Instant;

use super::{Session, Words};
use crate::board::{Board, Color};
use crate::notation::PointError;
use crate::opening::{
    AnswerError, Item, Negotiation, Procedure, ProcedureAnswer, ProcedureQuestion, ReadError, Square, Step,
    ThreeStones, board,
};
use crate::picker;
use crate::protocol::command::SoosorvStep;
use crate::protocol::list::{ListError, OpeningList, PointList};
use crate::protocol::reply::{Message, Refusal, Reply};
use crate::weights::WeightedPosition;

/// Number of stones in an opening.
const THREE: usize = 3;

impl Session {
    /// Asks about the stones of Swap2, which stay off the game's board. With 0, 3 or 5 stones this is a Swap2 question.
    /// With any other number it asks for a stone of the side to move.
    pub(super) fn ask_swap2(&mut self, list: &PointList, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        let size = game.size();
        let (fitting, outside): (Vec<_>, Vec<_>) = list.points.iter().partition(|point| size.contains(**point));
        let board = board(size, game.rule(), fitting);
        if board.is_full() {
            return Err(Refusal::Full);
        }
        self.report_list_error(list.error.or((!outside.is_empty()).then_some(ListError::Point(PointError::OffBoard))));
        let question = match board.stone_count() {
            0 => ProcedureQuestion::Open(ThreeStones::Any),
            3 => ProcedureQuestion::Choose,
            5 => ProcedureQuestion::Decide,
            _ => ProcedureQuestion::Stone(Square::ANYWHERE),
        };
        self.ask_opening(question, Words::Gomocup, board, began);
        Ok(())
    }

    /// Asks the procedure's next question after the answers of a list.
    pub(super) fn ask_procedure(&mut self, list: &OpeningList, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        let (size, rule) = (game.size(), game.rule());
        let procedure: Procedure = list.procedure.parse()?;
        if let Some(line) = list.invalid {
            return Err(Refusal::OpeningLine(line));
        }
        let negotiation = Negotiation::read(procedure, size, rule, &list.items)?;
        self.ask_negotiation(&negotiation, Words::Gomocup, began)
    }

    /// Asks the question of one of Yixin-Board's Swap2 steps, about an empty board or the stones of the game.
    pub(super) fn ask_swap2_step(&mut self, step: u8, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        let (size, rule) = (game.size(), game.rule());
        let (question, stones, mut board) = match step {
            1 => (ProcedureQuestion::Open(ThreeStones::Any), 0, Board::new(size, rule)),
            2 => (ProcedureQuestion::Choose, 3, game.position().board().clone()),
            _ => (ProcedureQuestion::Decide, 5, game.position().board().clone()),
        };
        if board.stone_count() != stones {
            return Err(Refusal::Swap2(stones));
        }
        // The list gives the turn to the engine, whatever its color. After three or five stones white moves.
        if stones > 0 {
            board.set_turn(Color::White);
        }
        self.ask_opening(question, Words::YixinSwap2(if step == 3 { 2 } else { 1 }), board, began);
        Ok(())
    }

    /// Asks the question of one of Yixin-Board's Soosõrv steps, about the stones of its list:
    ///
    /// ```text
    /// 1               three stones
    /// 2   3 stones    swap, or keep white
    /// 3   3 stones    white: the fourth stone, and how many fifth moves
    /// 4 n 4 stones    swap, or keep black
    /// 5 n 4 stones    black: n fifth moves
    /// 6   4 stones and the fifth moves    white: which of them stays
    /// ```
    pub(super) fn ask_soosorv_step(
        &mut self,
        SoosorvStep { step, fifths }: SoosorvStep,
        list: &PointList,
        began: Instant,
    ) -> Result<(), Refusal> {
        let game = self.game()?;
        let (size, rule) = (game.size(), game.rule());
        let expected = match step {
            1 => 0,
            2 | 3 => 3,
            4 | 5 => 4,
            _ => 5,
        };
        let count = list.points.len();
        if list.error.is_some() || count < expected || (count > expected && step < 6) {
            return Err(Refusal::SoosorvStones(expected as u8));
        }
        let stones: Vec<_> = list.points.iter().map(|&point| Item::Stone(point)).collect();
        let (opening, rest) = stones.split_at(THREE.min(count));
        let (fourth, offered) = rest.split_at(rest.len().min(1));
        let mut items = opening.to_vec();
        if step >= 3 {
            items.push(Item::Keep);
        }
        if step >= 4 {
            let announced = if step == 6 { u8::try_from(offered.len()).ok() } else { fifths };
            items.extend(fourth);
            items.push(Item::Number(announced.ok_or(Refusal::SoosorvNumber)?));
        }
        if step >= 5 {
            items.push(Item::Keep);
        }
        items.extend(offered);
        let read = Negotiation::read(Procedure::Soosorv8, size, rule, &items);
        self.ask_negotiation(&read?, Words::YixinSoosorv(step), began)
    }

    fn ask_negotiation(&mut self, negotiation: &Negotiation, words: Words, began: Instant) -> Result<(), Refusal> {
        let Step::Ask(_, question) = negotiation.step() else {
            return Err(Refusal::Opening(ReadError::Answer(AnswerError::Agreed)));
        };
        self.ask_opening(question, words, negotiation.board().clone(), began);
        Ok(())
    }

    fn ask_opening(&mut self, question: ProcedureQuestion, words: Words, board: Board, began: Instant) {
        let position = WeightedPosition::new(board, self.settings.weighting);
        self.ask(picker::Question::Opening(question), words, position, began);
    }

    /// Writes an answer in the vocabulary of its question.
    pub(super) fn write_opening(&mut self, answer: ProcedureAnswer, words: Words) {
        let stones = answer.stones();
        let numbered = || (1_u8..).zip(stones.iter());
        let messages: Vec<_> = match (words, answer) {
            (Words::Gomocup, _) => {
                self.reply(Reply::Opening(answer));
                return;
            }
            (Words::YixinSwap2(choice), ProcedureAnswer::Swap) => vec![Message::Swap2Color(choice, true)],
            (Words::YixinSwap2(choice), _) if stones.len() == 1 => vec![Message::Swap2Color(choice, false)],
            (Words::YixinSwap2(_), _) => {
                // Three stones open a game. Two more are played after three.
                let first = if stones.len() == THREE { 1 } else { THREE + 1 };
                (first..).zip(stones.iter()).map(|(number, point)| Message::Swap2Stone(number, point)).collect()
            }
            (Words::YixinSoosorv(step), ProcedureAnswer::Swap | ProcedureAnswer::Keep) => {
                vec![Message::SoosorvColor(step / 2, answer == ProcedureAnswer::Swap)]
            }
            (Words::YixinSoosorv(_), ProcedureAnswer::Announce(_, fifths)) => {
                stones.iter().map(|point| Message::SoosorvFourth(point, fifths)).collect()
            }
            (Words::YixinSoosorv(1), ProcedureAnswer::Stones(_)) => {
                numbered().map(|(number, point)| Message::SoosorvStone(number, point)).collect()
            }
            (Words::YixinSoosorv(5), ProcedureAnswer::Stones(_)) => {
                let offered = stones.iter().map(|point| Message::SoosorvStone(5, point));
                std::iter::once(Message::SoosorvOffer).chain(offered).chain([Message::SoosorvOffered]).collect()
            }
            (Words::YixinSoosorv(_), ProcedureAnswer::Stones(_)) => stones.iter().map(Message::SoosorvFifth).collect(),
        };
        self.replies.extend(messages.into_iter().map(Reply::Message));
    }
}
