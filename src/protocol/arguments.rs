//! The arguments of commands: text in, a command or its refusal out.

use super::command::{Command, CommandError, Forbid};
use super::info::Info;
use crate::board::{Color, Point, Size};
use crate::picker::{Balance, BalanceStones};

pub(super) fn info(rest: &str) -> Command {
    Info::parse(rest).map_or(Command::Idle, Command::Info)
}

/// `n`, `n n` or `n,n`.
pub(super) fn start(rest: &str) -> Command {
    let sides = match rest.split_once(',').or_else(|| rest.split_once(char::is_whitespace)) {
        Some((width, height)) => (width, height),
        None => (rest, rest),
    };
    match (sides.0.trim().parse::<Size>(), sides.1.trim().parse::<Size>()) {
        (Ok(width), Ok(height)) if width == height => Command::Start(width),
        (Ok(_), Ok(_)) => Command::Refused(CommandError::Rectangle),
        (Err(error), _) | (_, Err(error)) => Command::Refused(CommandError::Size(error)),
    }
}

/// A number of moves; 0 reads as 1.
pub(super) fn n_best(rest: &str) -> Command {
    rest.parse().map_or(Command::Refused(CommandError::Number), |count: usize| Command::NBest(count.max(1)))
}

/// A score, 0 where there is none.
pub(super) fn balance(stones: BalanceStones, rest: &str) -> Command {
    let bias = if rest.is_empty() { Ok(0) } else { rest.parse() };
    bias.map_or(Command::Refused(CommandError::Score), |bias| Command::Balance(Balance { stones, bias }))
}

/// `add x y side` or `del x y side`; 0 is black.
pub(super) fn forbid(rest: &str) -> Command {
    let words: Vec<_> = rest.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    let read = || {
        let &[action, x, y, side] = words.as_slice() else { return None };
        let action = match action.to_ascii_lowercase().as_str() {
            "add" => Forbid::Add,
            "del" => Forbid::Delete,
            _ => return None,
        };
        let color = match side {
            "0" => Color::Black,
            "1" => Color::White,
            _ => return None,
        };
        Some(Command::Forbid(action, Point::new(x.parse().ok()?, y.parse().ok()?)?, color))
    };
    read().unwrap_or(Command::Refused(CommandError::Forbid))
}

pub(super) fn weights(rest: &str) -> Command {
    match rest.parse() {
        _ if rest.is_empty() => Command::Weights(None),
        Ok(weighting) => Command::Weights(Some(weighting)),
        Err(error) => Command::Refused(CommandError::Weighting(error)),
    }
}
