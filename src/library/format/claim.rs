//! [`LabelClaim`]: what a label on a move says of the position after it, as Rapfi reads labels of RenLib's libraries.

/// The claim of a label on a move about the position after it.
///
/// ```text
/// W, W23    the side that has moved wins, with its last stone as the 23rd of the game
/// L, L24    it loses
/// v120      the score for the side that moves next is -120
/// m120      the score for the side that moves next is +120
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelClaim {
    /// The side that has moved wins.
    Win {
        /// The number of stones at the end of the game, if the label names it.
        stones: Option<u16>,
    },
    /// The side that has moved loses.
    Loss {
        /// The number of stones at the end of the game, if the label names it.
        stones: Option<u16>,
    },
    /// The score for the side that moves next.
    Score(i16),
}

impl LabelClaim {
    /// The claim of a label; `None` if it is another text.
    ///
    /// ```
    /// use tengen::library::format::LabelClaim;
    ///
    /// assert_eq!(LabelClaim::of("W23"), Some(LabelClaim::Win { stones: Some(23) }));
    /// assert_eq!(LabelClaim::of("A"), None);
    /// ```
    pub fn of(label: &str) -> Option<Self> {
        let mut characters = label.trim().chars();
        let letter = characters.next()?;
        let digits = characters.as_str();
        let number = || digits.parse::<i16>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let stones = match number() {
            None if digits.is_empty() => Some(None),
            number => number.and_then(|number| u16::try_from(number).ok()).map(Some),
        };
        match letter {
            'W' | 'w' => Some(Self::Win { stones: stones? }),
            'L' | 'l' => Some(Self::Loss { stones: stones? }),
            'v' => Some(Self::Score(-number()?)),
            'm' => Some(Self::Score(number()?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_results_and_scores_are_read_and_others_are_texts() {
        let of = LabelClaim::of;
        assert_eq!(of("W"), Some(LabelClaim::Win { stones: None }));
        assert_eq!(of(" l24 "), Some(LabelClaim::Loss { stones: Some(24) }));
        assert_eq!(of("v120"), Some(LabelClaim::Score(-120)));
        assert_eq!(of("m120"), Some(LabelClaim::Score(120)));
        for text in ["", "A", "Wx", "W-3", "W+3", "W99999", "v", "m-3", "win", "黑"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
