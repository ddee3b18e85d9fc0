//! [`Fnv1a`]: a short checksum, the same on every machine and in every version.

/// FNV-1a with 64 bits (G. Fowler, L. C. Noll and K.-P. Vo). It detects accidents, not manipulation.
///
/// ```
/// use tengen::fnv::Fnv1a;
///
/// assert_eq!(Fnv1a::of(b"a"), 0xAF63_DC4C_8601_EC8C);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv1a(u64);

/// The checksum of nothing.
impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv1a {
    /// The checksum of these bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut sum = Self::default();
        sum.add_bytes(bytes);
        sum.get()
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add_word(byte.into()));
    }

    /// Adds a word in a single step, which is as fast as adding one byte.
    pub fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    }

    /// The checksum so far.
    pub const fn get(self) -> u64 {
        self.0
    }
}
