//! [`Replay`]: a finished game move by move (复盘), with what the engine says at each, and the move that lost it.

use std::fmt;
use std::time::Duration;

use crate::board::{Board, Color, Occupant, Outcome, Point, Rule};
use crate::notation::{Diagram, GameMoves, GameMovesError, Letters};
use crate::opening::NamedOpening;
use crate::picker::{Choice, Deadlines, Limits, PickerName, Question, Reason};
use crate::player::{Player, Request};
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// The sign of the last move in a picture.
const LAST_BLACK: char = '#';
const LAST_WHITE: char = '@';

/// What answers at each move of a game.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The picker.
    pub picker: PickerName,
    /// The weights in use.
    pub weighting: Weighting,
    /// The limits of each answer.
    pub limits: Limits,
    /// The time of each answer.
    pub time: Duration,
}

/// A game with the engine's answer in every position of it.
#[derive(Debug)]
pub struct Replay {
    record: GameMoves,
    rule: Rule,
    /// The answer before each move, and after the last; `None` where the game was over or the board full.
    answers: Vec<Option<Choice>>,
    outcome: Option<Outcome>,
}

/// The move after which one side was ahead to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// The number of the move, from 1; 0: the side was ahead from the first position on.
    pub number: usize,
    /// The side that was ahead from then on.
    pub winner: Color,
}

impl Replay {
    /// Asks about every position of a game. Costs the judge's time for each move.
    ///
    /// # Errors
    /// When a move of the record cannot be played.
    pub fn of(record: GameMoves, rule: Rule, judge: &Judge) -> Result<Self, GameMovesError> {
        record.board(rule, None)?;
        let name = judge.picker;
        let mut player = Player::inline(Box::new(move || name.build()), judge.time);
        let mut outcome = None;
        let mut board = Board::new(record.size, rule);
        let mut answers = Vec::new();
        for place in 0..=record.moves.len() {
            answers.push(if outcome.is_none() { ask(&mut player, &board, judge) } else { None });
            if let Some(&point) = record.moves.get(place) {
                outcome = outcome.or_else(|| board.outcome_of(point, board.turn()));
                board.play(point);
            }
        }
        Ok(Self { record, rule, answers, outcome })
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.record.moves.len()
    }

    /// Whether the game has no move.
    pub fn is_empty(&self) -> bool {
        self.record.moves.is_empty()
    }

    /// The named opening of the game.
    pub fn opening(&self) -> Option<&'static NamedOpening> {
        NamedOpening::of_moves(&self.record.moves, self.record.size)
    }

    /// The score for black after this number of moves: the search's, or that of the finished game. `None` where the
    /// weights answered.
    pub fn score(&self, moves: usize) -> Option<Score> {
        let mover = color_of(moves);
        match self.answers.get(moves)? {
            Some(Choice { reason: Reason::Search { score, .. }, .. }) => {
                Some(if mover == Color::Black { *score } else { -*score })
            }
            Some(_) => None,
            None => self.outcome.and_then(Outcome::winner).map(|winner| match winner {
                Color::Black => Score::win_at(0),
                Color::White => Score::loss_at(0),
            }),
        }
    }

    /// The first move after which the score favored one side to the end of the game; `None` where it favors neither
    /// there, or there are no scores.
    pub fn turning_point(&self) -> Option<TurningPoint> {
        let favored = |moves| match self.score(moves)?.value() {
            EVEN_AND_MORE.. => Some(Color::Black),
            ..=EVEN_AND_LESS => Some(Color::White),
            _ => None,
        };
        let winner = favored(self.len())?;
        let number = (0..=self.len()).rev().take_while(|&moves| favored(moves) == Some(winner)).last()?;
        Some(TurningPoint { number, winner })
    }

    /// The game up to this number of moves as a picture, and what the engine says there.
    pub fn position(&self, moves: usize) -> impl fmt::Display + '_ {
        Position { replay: self, moves: moves.min(self.len()) }
    }

    fn letters(&self) -> Letters {
        Letters::new(self.record.size)
    }

    fn point(&self, number: usize) -> Option<Point> {
        self.record.moves.get(number.checked_sub(1)?).copied()
    }
}

/// The least score for black that favors black, and the greatest that favors white.
const EVEN_AND_MORE: i32 = Score::EVEN + 1;
const EVEN_AND_LESS: i32 = -Score::EVEN - 1;

/// The side to move after this number of moves.
const fn color_of(moves: usize) -> Color {
    if moves % 2 == 0 { Color::Black } else { Color::White }
}

/// The engine's answer on a board.
fn ask(player: &mut Player, board: &Board, judge: &Judge) -> Option<Choice> {
    if board.is_full() {
        return None;
    }
    let position = WeightedPosition::new(board.clone(), judge.weighting);
    let deadlines = if judge.limits.has_work_limit() { Deadlines::NONE } else { Deadlines::within(judge.time) };
    let control = std::sync::Arc::default();
    let limits = Limits { control, ..judge.limits.clone() };
    player.ask(Request { question: Question::MOVE, position, limits, deadlines }, &mut |_| {});
    player.take_answered()?.answer.choice()
}

/// The whole game: a line for each move, the last position, and where the game was lost.
impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(opening) = self.opening() {
            writeln!(f, "opening {opening}, {}\n", opening.zh)?;
        }
        writeln!(f, "{:>4} {:<6} {:<5} {:<12} after it, for black", "move", "", "", "engine")?;
        for number in 1..=self.len() {
            self.write_move(f, number)?;
        }
        write!(f, "\n{}\n\n", self.position(self.len()))?;
        self.write_end(f)
    }
}

impl Replay {
    fn write_move(&self, f: &mut fmt::Formatter<'_>, number: usize) -> fmt::Result {
        let Some(point) = self.point(number) else { return Ok(()) };
        let choice = self.answers[number - 1].map(|choice| choice.point);
        let name = |point| self.letters().point(point).to_string();
        let own = choice.map_or(String::new(), |own| if own == point { "=".to_owned() } else { name(own) });
        let score = self.score(number).map(|score| score.to_string()).unwrap_or_default();
        let mark =
            if self.turning_point().is_some_and(|turn| turn.number == number) { "  <- turned for good" } else { "" };
        let color = color_of(number - 1).to_string();
        let line = format!("{number:>4} {color:<6} {:<5} {own:<12} {score}{mark}", name(point));
        writeln!(f, "{}", line.trim_end())
    }

    /// How the game ended, and the move that lost it.
    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(outcome) => write!(f, "{outcome}")?,
            None => write!(f, "the record ends before the game is over")?,
        }
        match self.turning_point() {
            Some(TurningPoint { number: 0, winner }) => write!(f, "\n{winner} was ahead from the beginning"),
            Some(TurningPoint { number, winner }) => {
                let point = self.point(number).map(|point| self.letters().point(point).to_string()).unwrap_or_default();
                write!(f, "\nfrom move {number}, {} {point}, on {winner} was ahead to the end", color_of(number - 1))
            }
            None => Ok(()),
        }
    }
}

/// One position of a game.
struct Position<'a> {
    replay: &'a Replay,
    moves: usize,
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { replay, moves } = *self;
        let board = replay.record.board(replay.rule, Some(moves + 1)).map_err(|_| fmt::Error)?;
        let last = replay.point(moves);
        let sign = if color_of(moves) == Color::White { LAST_BLACK } else { LAST_WHITE };
        let mark = |point| (Some(point) == last && board.at(point) != Occupant::Empty).then_some(sign);
        writeln!(f, "{}\n", Diagram::new(&board, mark))?;
        match last {
            Some(point) => {
                let (count, color, point) = (replay.len(), color_of(moves - 1), replay.letters().point(point));
                write!(f, "move {moves} of {count}: {color} {point} ({sign})")?;
            }
            None => write!(f, "before the first of {} moves", replay.len())?,
        }
        let Some(choice) = replay.answers[moves] else { return Ok(()) };
        let point = replay.letters().point(choice.point);
        write!(f, "\n{} is to move: the engine plays {point}, ", color_of(moves))?;
        match choice.reason {
            Reason::Search { score, depth: 0 } if score.is_decided() => write!(f, "a proof, score {score}"),
            Reason::Search { score, depth } => write!(f, "score {score} at depth {depth}"),
            Reason::Weights(weights) => write!(f, "the greatest total, {}", weights.total),
            Reason::Centre => f.write_str("the centre"),
            Reason::Rule | Reason::Unfinished => f.write_str("found without a score"),
        }
    }
}

/// The walk through a game on a terminal: lines in, text out.
#[derive(Debug)]
pub struct Walk<'a> {
    replay: &'a Replay,
    judge: &'a Judge,
    moves: usize,
    /// Moves of the person after those of the game, which may be taken back (悔棋).
    tried: Vec<Point>,
}

/// What a line of a [`Walk`] does.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// A text to show.
    Text(String),
    /// The walk is over.
    End,
}

/// The commands of a walk.
const HELP: &str = "Enter or n: next   b: back   a number: that move   h8: try a move   t: take it back   q: quit";

impl<'a> Walk<'a> {
    /// A walk that begins after this number of moves.
    pub fn new(replay: &'a Replay, judge: &'a Judge, moves: usize) -> Self {
        Self { replay, judge, moves: moves.min(replay.len()), tried: Vec::new() }
    }

    /// The position as it is.
    pub fn show(&self) -> String {
        if self.tried.is_empty() {
            return format!("{}\n{HELP}", self.replay.position(self.moves));
        }
        let mut record = self.replay.record.clone();
        record.moves.truncate(self.moves);
        record.moves.extend(&self.tried);
        let name = self.judge.picker;
        let mut player = Player::inline(Box::new(move || name.build()), self.judge.time);
        let Ok(board) = record.board(self.replay.rule, None) else { return HELP.to_owned() };
        let is_over = self.outcome_of_last().is_some();
        let answer = if is_over { None } else { ask(&mut player, &board, self.judge) };
        let mut answers = vec![None; record.moves.len()];
        answers.push(answer);
        let tried = Replay { record, rule: self.replay.rule, answers, outcome: None };
        let end = self.outcome_of_last().map_or(String::new(), |outcome| format!("\n{outcome}"));
        format!("{}{end}\ntried: {} of your own   {HELP}", tried.position(tried.len()), self.tried.len())
    }

    /// The board without the last move that was tried.
    fn board(&self, tried: usize) -> Option<Board> {
        let mut board = self.replay.record.board(self.replay.rule, Some(self.moves + 1)).ok()?;
        self.tried.iter().take(tried).try_for_each(|&point| board.try_play(point)).ok()?;
        Some(board)
    }

    fn outcome_of_last(&self) -> Option<Outcome> {
        let (&last, before) = self.tried.split_last()?;
        let board = self.board(before.len())?;
        board.outcome_of(last, board.turn())
    }

    /// Carries out a line; what is not understood shows the commands.
    pub fn line(&mut self, line: &str) -> Reply {
        match line.trim() {
            "q" => return Reply::End,
            "t" => _ = self.tried.pop(),
            "" | "n" if self.tried.is_empty() => self.moves = (self.moves + 1).min(self.replay.len()),
            "b" if self.tried.is_empty() => self.moves = self.moves.saturating_sub(1),
            "b" => _ = self.tried.pop(),
            word => match (word.parse::<usize>(), self.replay.letters().parse(word)) {
                (Ok(number), _) => (self.moves, self.tried) = (number.min(self.replay.len()), Vec::new()),
                (_, Ok(point)) => {
                    let is_over =
                        self.tried.is_empty() && self.moves == self.replay.len() && self.replay.outcome.is_some()
                            || self.outcome_of_last().is_some();
                    let board = self.board(self.tried.len());
                    match board.map(|board| board.check_empty(point)) {
                        _ if is_over => return Reply::Text("the game is over here: b goes back".to_owned()),
                        Some(Ok(())) => self.tried.push(point),
                        Some(Err(error)) => return Reply::Text(format!("{word}: {error}")),
                        None => return Reply::Text(HELP.to_owned()),
                    }
                }
                _ => return Reply::Text(HELP.to_owned()),
            },
        }
        Reply::Text(self.show())
    }
}
