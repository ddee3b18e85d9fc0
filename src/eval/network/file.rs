//! [`Weights`]: a network as a file.
//!
//! ```text
//! magic "tengen network 3\n"   checksum, 8 bytes: FNV-1a of the rest, little-endian
//! the rest, deflated: rule, 1 byte   views, 1 byte   then for each view (black's, and under renju white's):
//!   patterns   144 rows of 32 i8      by the patterns of both colors
//!   halves     364 rows of 32 i8      by the number of each of a window's two halves
//!   seen       66,430 bits            the windows, mirror images folded, that have a row of their own
//!   rest       32 i8 for each bit     added by such a window to the sum of the rows above
//!   head       numbers of `Head`, little-endian, first those of two bytes:
//!                first           64 units, 64 inputs of each
//!                second          32 units, 64 inputs of each
//!                direct          64
//!                first_output    64
//!                second_output   32
//!                query           64 numbers of q, 64 units of each
//!                priors          2 for each combination
//!              then those of four bytes:
//!                first_bias      64
//!                threats         28 rows of 64
//!                second_bias     32
//!                query_bias      64
//! ```

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate;
use thiserror::Error;

use super::codebook::{self, FOLDED_WINDOWS, GREATEST, LANES, ViewRow};
use super::head::{Head, Scale};
use crate::board::{Color, Rule};
use crate::files::{Kind, take_first};
use crate::fnv::Fnv1a;
use crate::threat::{LineWindow, Pattern, PatternTable};

/// The start of a file.
const MAGIC: &[u8] = b"tengen network 3\n";

/// Maximum size of the decompressed content in bytes: a row for each window in two views, and the heads.
const GREATEST_LENGTH: usize = 8 << 20;

/// Rows of patterns, one for each pair.
pub const PATTERN_ROWS: usize = Pattern::ALL.len() * Pattern::ALL.len();

/// Rows of halves.
pub const HALF_ROWS: usize = 364;

/// Bytes of the set of windows.
const SEEN_BYTES: usize = FOLDED_WINDOWS.div_ceil(8);

/// The weights of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The rule of the games that trained them.
    pub rule: Rule,
    /// One view, or black's and white's.
    views: Vec<ViewWeights>,
}

/// The weights of one player: the rows of its view, and the head for positions in which it is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewWeights {
    /// Rows by [`pattern_row`].
    pub patterns: Vec<ViewRow>,
    /// Rows by the number of a half.
    pub halves: Vec<ViewRow>,
    /// Rows by the folded number of a window, in ascending order.
    pub rest: Vec<(u32, ViewRow)>,
    /// The layers after the codebook.
    pub head: Head,
}

/// The row of patterns that a window adds, as a color sees it.
#[inline]
pub fn pattern_row(patterns: &PatternTable, window: LineWindow, color: Color) -> usize {
    let seen = if color == Color::Black { window } else { window.swapped() };
    let both = patterns.get(seen);
    both[color].index() * Pattern::ALL.len() + both[!color].index()
}

/// Error returned when bytes are not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The start is another.
    #[error("it is not a network file of this version")]
    Magic,
    /// The length is wrong.
    #[error("it is too short or too long")]
    Length,
    /// The checksum differs.
    #[error("the checksum differs: it is damaged")]
    Checksum,
    /// The number of the rule is unknown.
    #[error("it names an unknown rule, number {0}")]
    Rule(u8),
    /// The rule has another number of views.
    #[error("the rule does not have {0} views")]
    Views(u8),
    /// A number is out of range.
    #[error("a weight is out of range")]
    Bound,
}

impl Weights {
    /// The start of a file of any version.
    pub const KIND: Kind = Kind { name: "network", start: b"tengen network " };

    /// The weights of a rule, with one view, or with black's and white's if the rule treats the colors differently.
    ///
    /// # Errors
    /// When the rule does not have this number of views, or a number is out of range.
    pub fn new(rule: Rule, views: Vec<ViewWeights>) -> Result<Self, NetworkError> {
        if views.len() != rule.tables() {
            return Err(NetworkError::Views(views.len() as u8));
        }
        if !views.iter().all(ViewWeights::is_bounded) {
            return Err(NetworkError::Bound);
        }
        Ok(Self { rule, views })
    }

    /// The weights of a color.
    pub fn view(&self, color: Color) -> &ViewWeights {
        &self.views[color.index().min(self.views.len() - 1)]
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are not those of a file of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let (checksum, rest) = rest.split_first_chunk::<8>().ok_or(NetworkError::Length)?;
        if u64::from_le_bytes(*checksum) != Fnv1a::of(rest) {
            return Err(NetworkError::Checksum);
        }
        let rest = inflate::decompress_to_vec_with_limit(rest, GREATEST_LENGTH).map_err(|_| NetworkError::Length)?;
        let mut reader = Reader(&rest);
        let [rule, count] = reader.take()?;
        let rule = Rule::ALL.get(usize::from(rule)).copied().ok_or(NetworkError::Rule(rule))?;
        if usize::from(count) != rule.tables() {
            return Err(NetworkError::Views(count));
        }
        let views = (0..count).map(|_| reader.view()).collect::<Result<_, _>>()?;
        if !reader.0.is_empty() {
            return Err(NetworkError::Length);
        }
        Self::new(rule, views)
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = vec![self.rule.index() as u8, self.views.len() as u8];
        self.views.iter().for_each(|view| view.write(&mut content));
        let content = deflated(&content);
        [MAGIC, &Fnv1a::of(&content).to_le_bytes(), &content].concat()
    }
}

impl ViewWeights {
    /// The rows of all windows as the color sees them, by the folded number of the window.
    pub fn rows(&self, rule: Rule, color: Color) -> Vec<ViewRow> {
        let patterns = PatternTable::of(rule);
        let mut rows = vec![[0; LANES]; FOLDED_WINDOWS];
        let mut rest = self.rest.iter().peekable();
        let mut done = 0;
        for window in LineWindow::all() {
            let number = codebook::folded(window);
            // Windows come in ascending order of their folded numbers, with mirror images between them.
            if number < done {
                continue;
            }
            done = number + 1;
            let own = rest.next_if(|&&(other, _)| other as usize == number).map_or([0; LANES], |&(_, row)| row);
            if codebook::is_stoneless(window) {
                continue;
            }
            let [low, high] = codebook::halves(window);
            let parts = [self.patterns[pattern_row(patterns, window, color)], self.halves[low], self.halves[high], own];
            rows[number] = sum(parts);
        }
        rows
    }

    fn is_bounded(&self) -> bool {
        let bound = i32::from(Scale::GREATEST_WEIGHT);
        let head = &self.head;
        let layers = [&head.first[..], &head.second, &head.query].map(<[_]>::as_flattened);
        let outputs = [&head.direct[..], &head.first_output, &head.second_output];
        let mut weights = layers.into_iter().chain(outputs).flatten();
        let biases = [&head.first_bias[..], head.threats.as_flattened(), &head.second_bias, &head.query_bias];
        let mut biases = biases.into_iter().flatten();
        weights.all(|&weight| i32::from(weight).abs() <= bound)
            && biases.all(|&bias| bias.unsigned_abs() <= Scale::GREATEST_BIAS)
            && self.patterns.len() == PATTERN_ROWS
            && self.halves.len() == HALF_ROWS
            && self.rest.iter().all(|&(number, _)| (number as usize) < FOLDED_WINDOWS)
            && self.rest.is_sorted_by(|a, b| a.0 < b.0)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let mut rows = |rows: &mut dyn Iterator<Item = &ViewRow>| {
            rows.for_each(|row| bytes.extend(row.iter().map(|&number| number as u8)));
        };
        rows(&mut self.patterns.iter());
        rows(&mut self.halves.iter());
        let mut seen = vec![0; SEEN_BYTES];
        self.rest.iter().for_each(|&(number, _)| seen[number as usize / 8] |= 1 << (number % 8));
        bytes.extend(seen);
        self.rest.iter().for_each(|(_, row)| bytes.extend(row.iter().map(|&number| number as u8)));
        let head = &self.head;
        let mut shorts = |numbers: &[i16]| numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        [&head.first[..], &head.second].into_iter().for_each(|weights| shorts(weights.as_flattened()));
        [&head.direct[..], &head.first_output, &head.second_output].into_iter().for_each(&mut shorts);
        shorts(head.query.as_flattened());
        shorts(head.priors.as_flattened());
        let mut words = |numbers: &[i32]| numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        words(&head.first_bias);
        words(head.threats.as_flattened());
        words(&head.second_bias);
        words(&head.query_bias);
    }
}

/// The content, deflated by Huffman codes alone: numbers of rows seldom repeat, and matches would make the file a tenth
/// longer.
fn deflated(content: &[u8]) -> Vec<u8> {
    // A size of the window below 0 means that the zlib header is left out.
    let flags = create_comp_flags_from_zip_params(9, -15, CompressionStrategy::HuffmanOnly as i32);
    let mut bytes = Vec::new();
    let keep = |part: &[u8]| {
        bytes.extend_from_slice(part);
        true
    };
    compress_to_output(&mut CompressorOxide::new(flags), content, TDEFLFlush::Finish, keep);
    bytes
}

/// The sum of rows, clamped to ±[`GREATEST`].
fn sum(rows: [ViewRow; 4]) -> ViewRow {
    std::array::from_fn(|lane| {
        let sum: i16 = rows.iter().map(|row| i16::from(row[lane])).sum();
        sum.clamp(-i16::from(GREATEST), i16::from(GREATEST)) as i8
    })
}

/// The unread bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        take_first(&mut self.0).ok_or(NetworkError::Length)
    }

    fn rows(&mut self, count: usize) -> Result<Vec<ViewRow>, NetworkError> {
        (0..count).map(|_| self.take().map(|row: [u8; LANES]| row.map(|byte| byte as i8))).collect()
    }

    fn shorts<const N: usize>(&mut self) -> Result<[i16; N], NetworkError> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = i16::from_le_bytes(self.take()?);
        }
        Ok(numbers)
    }

    fn words<const N: usize>(&mut self) -> Result<[i32; N], NetworkError> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = i32::from_le_bytes(self.take()?);
        }
        Ok(numbers)
    }

    fn view(&mut self) -> Result<ViewWeights, NetworkError> {
        let (patterns, halves) = (self.rows(PATTERN_ROWS)?, self.rows(HALF_ROWS)?);
        let seen: [u8; SEEN_BYTES] = self.take()?;
        let numbers: Vec<_> =
            (0..FOLDED_WINDOWS as u32).filter(|number| seen[*number as usize / 8] >> (number % 8) & 1 > 0).collect();
        let rest = self.rows(numbers.len())?;
        Ok(ViewWeights { patterns, halves, rest: numbers.into_iter().zip(rest).collect(), head: self.head()? })
    }

    fn head(&mut self) -> Result<Head, NetworkError> {
        let mut head = Head::zero();
        for weights in head.first.iter_mut().chain(&mut head.second) {
            *weights = self.shorts()?;
        }
        (head.direct, head.first_output, head.second_output) = (self.shorts()?, self.shorts()?, self.shorts()?);
        for weights in &mut head.query {
            *weights = self.shorts()?;
        }
        for prior in head.priors.iter_mut() {
            *prior = self.shorts()?;
        }
        head.first_bias = self.words()?;
        for row in &mut head.threats {
            *row = self.words()?;
        }
        (head.second_bias, head.query_bias) = (self.words()?, self.words()?);
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use super::super::codebook::BOTH;
    use super::super::head::THREAT_ROWS;
    use super::*;
    use crate::eval::classical::Combination;

    /// A head whose fields hold their place in the file, counted from one.
    fn numbered() -> Head {
        let mut head = Head::zero();
        head.first.as_flattened_mut().fill(1);
        head.second.as_flattened_mut().fill(2);
        head.direct.fill(3);
        head.first_output.fill(4);
        head.second_output.fill(5);
        head.query.as_flattened_mut().fill(6);
        head.priors.as_flattened_mut().fill(7);
        head.first_bias.fill(8);
        head.threats.as_flattened_mut().fill(9);
        head.second_bias.fill(10);
        head.query_bias.fill(11);
        head
    }

    #[test]
    fn the_fields_are_in_the_order_of_the_format() {
        let (patterns, halves) = (vec![[20; LANES]; PATTERN_ROWS], vec![[21; LANES]; HALF_ROWS]);
        let view = ViewWeights { patterns, halves, rest: vec![(0, [22; LANES])], head: numbered() };
        let bytes = Weights::new(Rule::Freestyle, vec![view]).unwrap().to_bytes();
        let content = inflate::decompress_to_vec(&bytes[MAGIC.len() + 8..]).unwrap();
        let mut expected = vec![Rule::Freestyle.index() as u8, 1];
        expected.extend([20].repeat(144 * 32));
        expected.extend([21].repeat(364 * 32));
        expected.push(1);
        expected.resize(expected.len() + 66_430_usize.div_ceil(8) - 1, 0);
        expected.extend([22; 32]);
        let shorts = [(1, 64 * 64), (2, 32 * 64), (3, 64), (4, 64), (5, 32), (6, 64 * 64), (7, 2 * Combination::COUNT)];
        shorts.into_iter().for_each(|(field, count)| expected.extend([field, 0].repeat(count)));
        let words = [(8, 64), (9, 28 * 64), (10, 32), (11, 64)];
        words.into_iter().for_each(|(field, count)| expected.extend([field, 0, 0, 0].repeat(count)));
        assert!(content == expected, "{} bytes, expected {}", content.len(), expected.len());
        assert_eq!((BOTH, THREAT_ROWS), (64, 28));
    }
}
