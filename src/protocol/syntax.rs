//! The arguments of commands: how each command is parsed from its line and the lines after it.

use super::command::{Command, SoosorvStep, Word};
use super::database::DatabaseArgumentError;
use super::list::{List, MoveList, MovesOf, OpeningList, PointList, StoneList};
use super::refused::CommandError;
use super::settings::Info;
use crate::board::{Color, Point, Size};
use crate::library::format::rapfi::{RapfiChange, RapfiLabel};
use crate::notation::parse_comma;

/// The parsed first line of a command.
pub(super) enum Begun {
    /// The command is complete.
    Complete(Command),
    /// The lines up to DONE belong to the command.
    List(List),
    /// The command is refused, and the lines up to DONE are skipped.
    Skips(Command),
    /// The next line is a path.
    Path(fn(String) -> Command),
    /// A text in quotation marks follows, on this line and perhaps the next ones; then a list.
    Text,
}

/// Parses the first line of a command: its word as spelled in the line, and the rest. The table of commands decides
/// whether the rest is read.
pub(super) fn begin(word: Word, spelling: &str, rest: &str) -> Begun {
    parse(word, spelling, rest).unwrap_or_else(|error| {
        let refused = Command::refused(word, error);
        match word {
            Word::DatabaseEditNumbers
            | Word::DatabaseEditLabel
            | Word::DatabaseEditComment
            | Word::DatabaseDeleteAll => Begun::Skips(refused),
            _ => Begun::Complete(refused),
        }
    })
}

#[expect(clippy::too_many_lines, reason = "one arm for each command")]
fn parse(word: Word, spelling: &str, rest: &str) -> Result<Begun, CommandError> {
    let rest = if word.has_arguments() { rest } else { "" };
    let stones = |command| Begun::List(List::Stones(command, StoneList::default()));
    let points = |command| Begun::List(List::Points(command, PointList::default()));
    let moves = |command| Begun::List(List::Moves(command, MoveList::default()));
    let path = |command: fn(String) -> Command| match rest {
        "" => Begun::Path(command),
        path => Begun::Complete(command(path.to_owned())),
    };
    Ok(Begun::Complete(match word {
        Word::Start => Command::Start(side(rest)?),
        Word::Restart => Command::Restart,
        Word::Begin => Command::Begin,
        Word::Turn => Command::Turn(parse_comma(rest)?),
        Word::Play => Command::Play(parse_comma(rest)?),
        Word::Takeback => Command::Takeback(parse_comma(rest)?),
        Word::Board => return Ok(stones(Command::Board)),
        Word::YxBoard => return Ok(stones(Command::YxBoard)),
        Word::Swap2Board => return Ok(points(Command::Swap2Board)),
        Word::OpenBoard => return Ok(Begun::List(List::Opening(OpeningList::new(rest)))),
        Word::NBest => Command::NBest(rest.parse::<usize>().map_err(|_| CommandError::Number)?.max(1)),
        Word::SearchDefend => Command::SearchDefend,
        Word::BalanceOne => Command::BalanceOne(score(rest)?),
        Word::BalanceTwo => Command::BalanceTwo(score(rest)?),
        Word::Swap2Step => Command::Swap2Step(step(spelling)),
        Word::SoosorvStep => {
            let step = SoosorvStep { step: step(spelling), fifths: rest.parse().ok() };
            match step.step {
                1 => Command::SoosorvStep(step, PointList::default()),
                _ => return Ok(Begun::List(List::Soosorv(step, PointList::default()))),
            }
        }
        Word::Block => return Ok(points(Command::Block)),
        Word::BlockUndo => return Ok(points(Command::BlockUndo)),
        Word::BlockReset => Command::BlockReset,
        Word::Forbid => forbid(rest).ok_or(CommandError::Forbid)?,
        Word::Info => info(rest),
        Word::Ignored => Command::Ignored,
        Word::About => Command::About,
        Word::Stop => Command::Stop,
        Word::End => Command::End,
        Word::ShowInfo => Command::ShowInfo,
        Word::ShowForbid => Command::ShowForbid,
        Word::HashClear => Command::HashClear,
        Word::HashUsage => Command::HashUsage,
        Word::HashDump => return Ok(path(Command::HashDump)),
        Word::HashLoad => return Ok(path(Command::HashLoad)),
        Word::DatabaseMoves => return Ok(moves(MovesOf::Plain(Command::DatabaseMoves))),
        Word::DatabasePosition => return Ok(moves(MovesOf::Plain(Command::DatabasePosition))),
        Word::DatabaseRecord => return Ok(moves(MovesOf::Plain(Command::DatabaseRecord))),
        Word::DatabaseComment => return Ok(moves(MovesOf::Plain(Command::DatabaseComment))),
        Word::DatabaseDelete => return Ok(moves(MovesOf::Plain(Command::DatabaseDelete))),
        Word::DatabaseEditNumbers => return Ok(moves(MovesOf::Numbers(change(rest)?))),
        Word::DatabaseEditLabel => return Ok(moves(label(rest)?)),
        Word::DatabaseDeleteAll => return Ok(moves(MovesOf::Delete(rest.parse()?))),
        Word::DatabaseEditComment if rest.starts_with('"') => return Ok(Begun::Text),
        Word::DatabaseEditComment => return Err(DatabaseArgumentError::Text.into()),
        Word::DatabaseOpen => return Ok(path(Command::DatabaseOpen)),
        Word::DatabaseSave => Command::DatabaseSave,
        Word::DatabaseMerge => return Ok(path(Command::DatabaseMerge)),
        Word::DatabaseSplit => return Ok(path(Command::DatabaseSplit)),
        Word::DatabaseToLib => return Ok(path(Command::DatabaseToLib)),
        Word::DatabaseToTable => return Ok(path(Command::DatabaseToTable)),
        Word::DatabaseToFullTable => return Ok(path(Command::DatabaseToFullTable)),
        Word::Draw => Command::Draw,
        Word::Resign => Command::Resign,
        Word::Weights if rest.is_empty() => Command::Weights(None),
        Word::Weights => Command::Weights(Some(rest.parse()?)),
        // No line has these words.
        Word::Refused | Word::Foreign | Word::Unknown => Command::Unknown,
    }))
}

/// Whether a line is a command although a path is expected: the word stands alone, or its arguments are valid. Any
/// other text may be a path. A path such as `begin` is written `./begin`.
pub(super) fn is_command(word: Word, spelling: &str, rest: &str) -> bool {
    if rest.is_empty() || !word.has_arguments() {
        return rest.is_empty();
    }
    match begin(word, spelling, rest) {
        Begun::Complete(Command::Refused(_)) => false,
        Begun::Complete(Command::SoosorvStep(step, _)) | Begun::List(List::Soosorv(step, _)) => step.fifths.is_some(),
        Begun::List(List::Opening(list)) => list.is_of_a_procedure(),
        Begun::Skips(_) => false,
        Begun::Complete(_) | Begun::List(_) | Begun::Path(_) | Begun::Text => true,
    }
}

/// `key value`.
pub(super) fn info(rest: &str) -> Command {
    Info::parse(rest).map_or(Command::Ignored, Command::Info)
}

/// The side of a square: `n`, `n n` or `n,n`.
fn side(rest: &str) -> Result<Size, CommandError> {
    let (width, height) = rest.split_once(',').or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, rest));
    let (width, height) = (width.trim().parse::<Size>()?, height.trim().parse::<Size>()?);
    if width == height { Ok(width) } else { Err(CommandError::Rectangle) }
}

/// A score, by default 0.
fn score(rest: &str) -> Result<i32, CommandError> {
    if rest.is_empty() { Ok(0) } else { rest.parse().map_err(|_| CommandError::Score) }
}

/// The number at the end of a word such as `YXSWAP2STEP3`.
fn step(spelling: &str) -> u8 {
    spelling.bytes().last().map_or(0, |digit| digit.wrapping_sub(b'0'))
}

/// `add x y side` or `del x y side`; side 0 is black.
fn forbid(rest: &str) -> Option<Command> {
    let words: Vec<_> = rest.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    let &[action, x, y, side] = words.as_slice() else { return None };
    let color = match side {
        "0" => Color::Black,
        "1" => Color::White,
        _ => return None,
    };
    Some(Command::Forbid(action.parse().ok()?, Point::new(x.parse().ok()?, y.parse().ok()?)?, color))
}

/// `mask label value depth`. The bits of the mask are 1 for the label, 2 for the value, 4 for the depth.
fn change(rest: &str) -> Result<RapfiChange, DatabaseArgumentError> {
    let numbers: Result<Vec<i64>, _> = rest.split_whitespace().map(str::parse).collect();
    let Ok(&[mask, label, value, depth]) = numbers.as_deref() else { return Err(DatabaseArgumentError::Numbers) };
    let has = |bit: i64| mask & bit != 0;
    let clamped = |number: i64| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    Ok(RapfiChange {
        label: has(1).then(|| rapfi_label(label)),
        value: has(2).then(|| clamped(value)),
        depth: has(4).then(|| clamped(depth)),
    })
}

/// The label with the number of a character. Other numbers are no label. Rapfi reads `W`, `L`, `D` and `X` as `w`, `l`,
/// `d` and `x`.
fn rapfi_label(number: i64) -> RapfiLabel {
    match u8::try_from(number).map(char::from) {
        Ok(letter @ ('W' | 'L' | 'D' | 'X')) => RapfiLabel::Character(letter.to_ascii_lowercase()),
        Ok(character @ '!'..='~') => RapfiLabel::Character(character),
        _ => RapfiLabel::None,
    }
}

/// `x,y text`; without a text the label is removed.
fn label(rest: &str) -> Result<MovesOf, CommandError> {
    let (x, rest) = rest.split_once(',').unwrap_or((rest, ""));
    let (y, text) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest, ""));
    Ok(MovesOf::Label(parse_comma(&format!("{x},{y}"))?, text.trim().to_owned()))
}
