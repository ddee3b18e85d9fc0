//! [`GameId`]: the number of a game in its match.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The number of a game in its match, the same in every run of the match and on every machine.
///
/// Written `0-1.17a`: engines 0 and 1 of the match, opening 17, the first of its two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The engine that comes first in the pairing.
    pub first: usize,
    /// The other engine.
    pub second: usize,
    /// The number of the opening in the order of the match.
    pub opening: usize,
    /// The first or the second of the opening's two games.
    pub leg: Leg,
}

/// The two games of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leg {
    /// The pairing's first engine plays black, or opens the game under an opening procedure.
    Straight,
    /// The second engine does.
    Reversed,
}

impl Leg {
    /// Both, in playing order.
    pub const ALL: [Self; 2] = [Self::Straight, Self::Reversed];
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leg = if self.leg == Leg::Straight { 'a' } else { 'b' };
        write!(f, "{}-{}.{}{leg}", self.first, self.second, self.opening)
    }
}

/// Error returned when the number of a game fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected the number of a game such as 0-1.17a")]
pub struct GameIdError;

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<Self, GameIdError> {
        let read = || {
            let (text, leg) = match text.strip_suffix('a') {
                Some(text) => (text, Leg::Straight),
                None => (text.strip_suffix('b')?, Leg::Reversed),
            };
            let (pairing, opening) = text.split_once('.')?;
            let (first, second) = pairing.split_once('-')?;
            Some(Self { first: first.parse().ok()?, second: second.parse().ok()?, opening: opening.parse().ok()?, leg })
        };
        read().ok_or(GameIdError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_is_written() {
        let id = GameId { first: 0, second: 3, opening: 17, leg: Leg::Reversed };
        assert_eq!((id.to_string().as_str(), "0-3.17b".parse()), ("0-3.17b", Ok(id)));
        for text in ["0-1.2", "0.2a", "0-1a", "x-1.2a", ""] {
            assert_eq!(text.parse::<GameId>(), Err(GameIdError), "{text}");
        }
    }
}
