//! [`Sizes`]: the board sizes of self-play.

use std::fmt;
use std::str::FromStr;

use crate::board::Size;
use crate::rng::Rng;
use crate::text::write_joined;

/// Number of board sizes.
pub(super) const SIDES: usize = (Size::MAX - Size::MIN + 1) as usize;

/// The board sizes of games, each with its share. With `15,15,20` two thirds of the games are played on 15 × 15. The order
/// does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The number of times that each size is in the list.
    shares: [u8; SIDES],
}

impl Sizes {
    /// Maximum number of sizes in a list.
    pub const MOST: usize = u8::MAX as usize;

    /// One size for all games.
    pub const fn one(size: Size) -> Self {
        let mut shares = [0; SIDES];
        shares[(size.side() - Size::MIN) as usize] = 1;
        Self { shares }
    }

    /// The sizes with these shares, beginning with the smallest size; `None` unless 1 to [`MOST`](Self::MOST) are named.
    pub(in crate::tune) fn from_shares(shares: [u8; SIDES]) -> Option<Self> {
        let sizes = Self { shares };
        (1..=Self::MOST).contains(&sizes.total()).then_some(sizes)
    }

    /// The shares of the sizes, beginning with the smallest.
    pub(in crate::tune) const fn shares(self) -> [u8; SIDES] {
        self.shares
    }

    /// Whether games are played on this board.
    pub(in crate::tune) fn contains(self, size: Size) -> bool {
        self.shares[usize::from(size.side() - Size::MIN)] > 0
    }

    /// Draws a random size according to the shares.
    pub(super) fn draw(self, rng: &mut Rng) -> Size {
        let drawn = rng.below(self.total());
        self.list().nth(drawn).unwrap_or(Size::FIFTEEN)
    }

    /// The sizes in increasing order, each repeated by its share.
    fn list(self) -> impl Iterator<Item = Size> {
        let sides = (Size::MIN..=Size::MAX).filter_map(Size::new);
        sides.zip(self.shares).flat_map(|(size, share)| std::iter::repeat_n(size, usize::from(share)))
    }

    /// The size in the middle of the list.
    pub(in crate::tune) fn median(self) -> Size {
        self.list().nth(self.total() / 2).unwrap_or(Size::FIFTEEN)
    }

    fn total(self) -> usize {
        self.shares.into_iter().map(usize::from).sum()
    }
}

/// The list in increasing order.
impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, ",", self.list())
    }
}

/// Error returned when [`Sizes`] fail to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected sides of {} to {} with commas between them, at most {}", Size::MIN, Size::MAX, Sizes::MOST)]
pub struct SizesError;

impl FromStr for Sizes {
    type Err = SizesError;

    fn from_str(text: &str) -> Result<Self, SizesError> {
        let mut shares = [0u8; SIDES];
        for side in text.split(',') {
            let size: Size = side.trim().parse().map_err(|_| SizesError)?;
            let share = &mut shares[usize::from(size.side() - Size::MIN)];
            *share = share.checked_add(1).ok_or(SizesError)?;
        }
        Self::from_shares(shares).ok_or(SizesError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_a_list_in_any_order() {
        for (text, written) in [("15", "15"), ("20, 15,15", "15,15,20"), ("32,5", "5,32")] {
            assert_eq!(text.parse::<Sizes>().unwrap().to_string(), written);
        }
        assert_eq!("20,9,15".parse::<Sizes>().unwrap().median(), Size::FIFTEEN);
        assert_eq!("15".parse(), Ok(Sizes::one(Size::FIFTEEN)));
        let most = "15,".repeat(Sizes::MOST - 1) + "15";
        assert_eq!(most.parse::<Sizes>().unwrap().total(), Sizes::MOST);
        for text in ["", "4", "33", "15,", "15;20", &format!("{most},15"), &format!("{most},20")] {
            assert_eq!(text.parse::<Sizes>(), Err(SizesError), "{text}");
        }
    }

    #[test]
    fn sizes_are_drawn_by_their_shares() {
        let sizes: Sizes = "15,15,20".parse().unwrap();
        let mut rng = Rng::new(1);
        let drawn: Vec<_> = (0..3_000).map(|_| sizes.draw(&mut rng)).collect();
        let twenty = drawn.iter().filter(|&&size| size == Size::TWENTY).count();
        assert!(drawn.iter().all(|&size| size == Size::TWENTY || size == Size::FIFTEEN));
        // Five standard deviations of 26 each.
        assert!(twenty.abs_diff(1_000) < 130, "{twenty}");
    }
}
