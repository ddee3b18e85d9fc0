//! [`Replay`]: a game move by move (复盘), with the engine's answer at each, and the move that lost it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::render::reason;
use crate::board::{Board, Color, Occupant, Outcome, Point, Rule};
use crate::notation::{Diagram, GameMoves, GameMovesError, Letters};
use crate::opening::NamedOpening;
use crate::picker::{Choice, Limits, PickerName, Reason};
use crate::player::Player;
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// The signs of the last move in a diagram.
const LAST_BLACK: char = '#';
const LAST_WHITE: char = '@';

/// The engine that answers at each move of a game.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The picker.
    pub picker: PickerName,
    /// The weighting in use.
    pub weighting: Weighting,
    /// The limits of each answer.
    pub limits: Limits,
    /// The time of each answer.
    pub time: Duration,
}

/// A game with the engine's answer in each of its positions.
#[derive(Debug)]
pub struct Replay {
    game: GameMoves,
    rule: Rule,
    /// The answer before each move, and after the last; `None` if the game was over or the board full.
    answers: Vec<Option<Choice>>,
    outcome: Option<Outcome>,
}

/// The move after which one side stayed ahead to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// The number of the move, counted from 1; 0: the side was ahead in every position.
    pub number: usize,
    /// The side that stayed ahead.
    pub winner: Color,
}

impl Replay {
    /// Asks the judge about every position of a game. Costs its time for each move.
    ///
    /// # Errors
    /// When a move cannot be played.
    pub fn of(game: GameMoves, rule: Rule, judge: &Judge) -> Result<Self, GameMovesError> {
        let end = game.end(rule)?;
        let name = judge.picker;
        let mut player = Player::inline(Box::new(move || name.build()), judge.time);
        let mut board = Board::new(game.size, rule);
        let mut answers = Vec::new();
        for place in 0..=game.moves.len() {
            let is_over = end.is_some_and(|(number, _)| number <= place);
            answers.push(if is_over { None } else { ask(&mut player, &board, judge) });
            if let Some(&point) = game.moves.get(place) {
                board.play(point);
            }
        }
        let outcome = end.map(|(_, outcome)| outcome);
        Ok(Self { game, rule, answers, outcome })
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.game.moves.len()
    }

    /// Whether the game has no move.
    pub fn is_empty(&self) -> bool {
        self.game.moves.is_empty()
    }

    /// The named opening of the game.
    pub fn opening(&self) -> Option<&'static NamedOpening> {
        NamedOpening::of_moves(&self.game.moves, self.game.size)
    }

    /// The score for black after this number of moves, from the search or the end of the game. `None` if the answer has
    /// no score of a search, or the game ended in a draw.
    pub fn score(&self, moves: usize) -> Option<Score> {
        let mover = Color::after(moves);
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

    /// The first move after which the score favored one side to the end of the game. `None` if it favors neither side at the
    /// end, there are no scores, or the record ends before the game is over or proved.
    pub fn turning_point(&self) -> Option<TurningPoint> {
        let favored = |moves| match self.score(moves)?.value() {
            score if score > Score::EVEN => Some(Color::Black),
            score if score < -Score::EVEN => Some(Color::White),
            _ => None,
        };
        let winner = favored(self.len())?;
        if self.outcome.is_none() && !self.score(self.len())?.is_decided() {
            return None;
        }
        let number = (0..=self.len()).rev().take_while(|&moves| favored(moves) == Some(winner)).last()?;
        Some(TurningPoint { number, winner })
    }

    /// The position after this number of moves as a diagram, with the engine's answer.
    pub fn position(&self, moves: usize) -> impl fmt::Display + '_ {
        Position { replay: self, moves: moves.min(self.len()) }
    }

    fn letters(&self) -> Letters {
        Letters::new(self.game.size)
    }

    fn point(&self, number: usize) -> Option<Point> {
        self.game.moves.get(number.checked_sub(1)?).copied()
    }
}

/// The engine's answer on a board.
fn ask(player: &mut Player, board: &Board, judge: &Judge) -> Option<Choice> {
    if board.is_full() {
        return None;
    }
    let position = WeightedPosition::new(board.clone(), judge.weighting);
    let limits = Limits { control: Arc::default(), ..judge.limits.clone() };
    super::ask(player, position, limits, judge.time)?.answer.choice()
}

/// The whole game: a line for each move, the last position, and the move that lost the game.
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
        let color = Color::after(number - 1).to_string();
        let line = format!("{number:>4} {color:<6} {:<5} {own:<12} {score}{mark}", name(point));
        writeln!(f, "{}", line.trim_end())
    }

    /// The end of the game, and the move that lost it.
    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(outcome) => write!(f, "{outcome}")?,
            None => write!(f, "the record ends before the game is over")?,
        }
        match self.turning_point() {
            Some(TurningPoint { number: 0, winner }) => write!(f, "\n{winner} was ahead from the beginning"),
            Some(TurningPoint { number, winner }) => {
                let point = self.point(number).map(|point| self.letters().point(point).to_string()).unwrap_or_default();
                write!(
                    f,
                    "\nfrom move {number}, {} {point}, on {winner} was ahead to the end",
                    Color::after(number - 1)
                )
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
        let board = replay.game.board(replay.rule, Some(moves + 1)).map_err(|_| fmt::Error)?;
        let last = replay.point(moves);
        let sign = if Color::after(moves) == Color::White { LAST_BLACK } else { LAST_WHITE };
        let mark = |point| (Some(point) == last && board.at(point) != Occupant::Empty).then_some(sign);
        writeln!(f, "{}\n", Diagram::new(&board, mark))?;
        match last {
            Some(point) => {
                let (count, color, point) = (replay.len(), Color::after(moves - 1), replay.letters().point(point));
                write!(f, "move {moves} of {count}: {color} {point} ({sign})")?;
            }
            None => write!(f, "before the first of {} moves", replay.len())?,
        }
        let Some(choice) = replay.answers[moves] else { return Ok(()) };
        let (color, point) = (Color::after(moves), replay.letters().point(choice.point));
        write!(f, "\n{color} is to move: the engine plays {point}, {}", reason(choice.reason))
    }
}

/// A walk through a game on a terminal: lines in, text out.
#[derive(Debug)]
pub struct Walk<'a> {
    replay: &'a Replay,
    judge: &'a Judge,
    moves: usize,
    /// The person's own moves after those of the game. They can be taken back (悔棋).
    tried: Vec<Point>,
}

/// The commands of a walk.
const HELP: &str = "Enter or n: next   b: back   a number: that move   h8: try a move   t: take it back   q: quit";

impl<'a> Walk<'a> {
    /// A walk that begins after this number of moves.
    pub fn new(replay: &'a Replay, judge: &'a Judge, moves: usize) -> Self {
        Self { replay, judge, moves: moves.min(replay.len()), tried: Vec::new() }
    }

    /// The current position.
    pub fn show(&self) -> String {
        if self.tried.is_empty() {
            return format!("{}\n{HELP}", self.replay.position(self.moves));
        }
        let game = self.game(self.tried.len());
        let name = self.judge.picker;
        let mut player = Player::inline(Box::new(move || name.build()), self.judge.time);
        let Ok(board) = game.board(self.replay.rule, None) else { return HELP.to_owned() };
        let is_over = self.outcome_of_last().is_some();
        let answer = if is_over { None } else { ask(&mut player, &board, self.judge) };
        let mut answers = vec![None; game.moves.len()];
        answers.push(answer);
        let tried = Replay { game, rule: self.replay.rule, answers, outcome: None };
        let end = self.outcome_of_last().map_or(String::new(), |outcome| format!("\n{outcome}"));
        format!("{}{end}\ntried: {} of your own   {HELP}", tried.position(tried.len()), self.tried.len())
    }

    /// The game up to the current position, followed by this number of the moves that were tried.
    fn game(&self, tried: usize) -> GameMoves {
        let moves = self.replay.game.moves.iter().take(self.moves).chain(self.tried.iter().take(tried));
        GameMoves { size: self.replay.game.size, moves: moves.copied().collect() }
    }

    /// The board after this number of the moves that were tried.
    fn board(&self, tried: usize) -> Option<Board> {
        self.game(tried).board(self.replay.rule, None).ok()
    }

    fn outcome_of_last(&self) -> Option<Outcome> {
        let (&last, before) = self.tried.split_last()?;
        let board = self.board(before.len())?;
        board.outcome_of(last, board.turn())
    }

    /// Carries out a line and returns the text to show; `None` ends the walk. An unknown command shows the commands.
    pub fn line(&mut self, line: &str) -> Option<String> {
        match line.trim() {
            "q" => return None,
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
                        _ if is_over => return Some("the game is over here: b goes back".to_owned()),
                        Some(Ok(())) => self.tried.push(point),
                        Some(Err(error)) => return Some(format!("{word}: {error}")),
                        None => return Some(HELP.to_owned()),
                    }
                }
                _ => return Some(HELP.to_owned()),
            },
        }
        Some(self.show())
    }
}
