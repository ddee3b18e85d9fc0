//! The proofs of a session: forced wins, threats, and the reasons of a move. Each runs on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::jobs::Work;
use super::{AnswerNow, Input, Worker};
use crate::board::{Board, Color, Point};
use crate::explain::proof::ProofKind;
use crate::platform::spawn;
use crate::web::Failure;
use crate::web::game::Played;
use crate::web::message::GameText;
use crate::web::proof::ProofClock;
use crate::web::{proof, reasons, threats};

/// The task of a proof thread.
pub(super) enum ProofWork {
    /// A forced win of the side to move.
    Win { board: Box<Board>, how: ProofKind },
    /// The threat of the other side and the points that prevent it.
    Threats { board: Box<Board>, is_continuous: bool },
    /// The facts about a move.
    Reasons { board: Box<Board>, point: Point },
}

impl Worker {
    pub(super) fn prove(
        &mut self,
        id: &Value,
        game: &GameText,
        how: ProofKind,
        side: Option<Color>,
    ) -> Result<AnswerNow, Failure> {
        let mut board = Played::open(game)?.board;
        board.set_turn(side.unwrap_or(board.turn()));
        self.put(id, Work::Prove(ProofWork::Win { board: Box::new(board), how }))
    }

    pub(super) fn threats(&mut self, id: &Value, game: &GameText) -> Result<AnswerNow, Failure> {
        let board = Played::open(game)?.board;
        self.put(id, Work::Prove(ProofWork::Threats { board: Box::new(board), is_continuous: game.continuous }))
    }

    pub(super) fn explain(&mut self, id: &Value, game: &GameText, point: Point) -> Result<AnswerNow, Failure> {
        let board = Played::open(game)?.board;
        if board.check_empty(point).is_err() {
            return Err(Failure::Point(point));
        }
        if game.continuous {
            return Ok(Some(("why", reasons::of_continuous(&board, point))));
        }
        self.put(id, Work::Prove(ProofWork::Reasons { board: Box::new(board), point }))
    }

    /// Starts the thread of a proof, which ends early once `stop` is set.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub(super) fn begin_proof(&self, number: u64, work: ProofWork, stop: Arc<AtomicBool>) -> Result<(), Failure> {
        let (inbox, ticket) = (self.inbox.clone(), self.ticket());
        let run = move || {
            let clock = ProofClock::start(stop);
            let found = match work {
                ProofWork::Win { board, how } => ("proof", proof::seek(&board, how, &clock)),
                ProofWork::Threats { board, is_continuous } => {
                    // The send fails if the worker has ended.
                    let report = |threat| drop(inbox.send(Input::Info(number, threat)));
                    ("threats", threats::seek(*board, is_continuous, &clock, report))
                }
                ProofWork::Reasons { board, point } => ("why", reasons::seek(&board, point, &clock)),
            };
            let _ = inbox.send(Input::Done(number, Ok(found)));
            drop(ticket);
        };
        spawn("proof", Box::new(run)).map_err(|error| Failure::System(error.to_string()))
    }
}
