//! Data of records: label, value, depth, bound and text.

use super::{MOST_DEPTH, RapfiLabel};
use crate::library::Bound;

/// Bytes before the text.
pub(super) const HEAD: usize = 5;

/// The numbers of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RapfiNumbers {
    /// The label, for the side that has just moved.
    pub label: RapfiLabel,
    /// The value, for the side to move.
    pub value: i16,
    /// The depth of the search, -8,192 to 8,191. Writers clamp it.
    pub depth: i16,
    /// What the value is.
    pub bound: Bound,
}

impl RapfiNumbers {
    /// Reads data up to its text. No data are a null record. `None` if the data are too short.
    pub(super) fn parse(data: &[u8]) -> Option<(Self, &[u8])> {
        if data.is_empty() {
            return Some((Self::default(), data));
        }
        let (&[label, value0, value1, depth0, depth1], text) = data.split_first_chunk::<HEAD>()?;
        let depth_and_bound = i16::from_le_bytes([depth0, depth1]);
        let head = Self {
            label: RapfiLabel::from_byte(label),
            value: i16::from_le_bytes([value0, value1]),
            depth: depth_and_bound >> 2,
            bound: match depth_and_bound & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        };
        Some((head, text))
    }

    /// The number of the bound.
    pub(super) const fn bound_number(self) -> i16 {
        match self.bound {
            Bound::None => 0,
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        }
    }

    /// The data with a text. A null record without a text has none.
    pub(super) fn with_text(self, text: &str) -> Vec<u8> {
        if self == Self::default() && text.is_empty() {
            return Vec::new();
        }
        let depth_and_bound = self.depth.clamp(-MOST_DEPTH - 1, MOST_DEPTH) << 2 | self.bound_number();
        let mut data = vec![self.label.to_byte()];
        data.extend(self.value.to_le_bytes());
        data.extend(depth_and_bound.to_le_bytes());
        data.extend(text.as_bytes());
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian_and_the_bound_lies_below_the_depth() {
        let won = RapfiNumbers { label: RapfiLabel::Character('w'), value: -29_990, depth: 0, bound: Bound::Exact };
        assert_eq!(won.with_text(""), [0x77, 0xDA, 0x8A, 3, 0]);
        let searched = RapfiNumbers { label: RapfiLabel::None, value: 120, depth: 12, bound: Bound::Lower };
        assert_eq!(searched.with_text("x"), [0xFF, 120, 0, 0x32, 0, b'x']);
        let negative = RapfiNumbers { label: RapfiLabel::Null, value: 0, depth: -1, bound: Bound::Upper };
        assert_eq!(negative.with_text(""), [0, 0, 0, 0xFD, 0xFF]);
        for head in [won, searched, negative] {
            assert_eq!(RapfiNumbers::parse(&head.with_text("text")), Some((head, &b"text"[..])));
        }
    }

    #[test]
    fn no_data_are_a_null_record() {
        assert_eq!(RapfiNumbers::default().with_text(""), [0_u8; 0]);
        assert_eq!(RapfiNumbers::parse(&[]), Some((RapfiNumbers::default(), &[][..])));
        assert_eq!(RapfiNumbers::parse(&[0xFF, 0, 0, 0]), None);
    }

    #[test]
    fn depths_beyond_fourteen_bits_are_clamped() {
        for (depth, clamped) in [(i16::MAX, 8_191), (i16::MIN, -8_192)] {
            let data = RapfiNumbers { depth, ..RapfiNumbers::default() }.with_text("");
            assert_eq!(RapfiNumbers::parse(&data).unwrap().0.depth, clamped);
        }
    }
}
