//! Blocks: payloads with a length and a checksum.

use std::io::{self, Read};

/// Number of bytes before a payload: its length, and the length inverted.
const HEAD: usize = 4;

/// Number of bytes after a payload.
const CHECKSUM: usize = 4;

/// The polynomial of CRC-32 (IEEE 802.3), lowest bit first. The checksum detects every error burst of up to 32 bits.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The change of the checksum for each value of a byte.
const CHECKSUM_TABLE: [u32; 256] = checksum_table();

const fn checksum_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < u8::BITS {
            value = (value >> 1) ^ (POLYNOMIAL * (value & 1));
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
}

/// CRC-32 of bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |value, byte| (value >> 8) ^ CHECKSUM_TABLE[usize::from(value as u8 ^ byte)])
}

/// A payload as a block; `None` if it is longer than 65,535 bytes.
pub(super) fn to_block(payload: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(payload.len()).ok()?;
    let parts: [&[u8]; 4] =
        [&length.to_le_bytes(), &(!length).to_le_bytes(), payload, &checksum(payload).to_le_bytes()];
    Some(parts.concat())
}

/// The next part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A whole block with this payload.
    Payload(Vec<u8>),
    /// The end of the file, after this number of bytes of an unfinished block.
    End(usize),
    /// A length that does not match its inverse.
    WrongLength,
    /// A payload that does not match its checksum.
    WrongChecksum,
}

/// Number of bytes of a block with this payload.
pub(super) const fn block_len(payload: &[u8]) -> u64 {
    (HEAD + payload.len() + CHECKSUM) as u64
}

/// Reads the next block.
///
/// The length must match its inverse. Otherwise a damaged length could look like an unfinished end, which would hide every
/// game after it.
pub(super) fn read_block(input: &mut impl Read) -> io::Result<Next> {
    let head = read_up_to(input, HEAD)?;
    let &[a, b, c, d] = &head[..] else { return Ok(Next::End(head.len())) };
    let (length, inverse) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    if length != !inverse {
        return Ok(Next::WrongLength);
    }
    let mut payload = read_up_to(input, usize::from(length) + CHECKSUM)?;
    if payload.len() < usize::from(length) + CHECKSUM {
        return Ok(Next::End(HEAD + payload.len()));
    }
    let expected = payload.split_off(usize::from(length));
    let is_whole = checksum(&payload).to_le_bytes()[..] == expected[..];
    Ok(if is_whole { Next::Payload(payload) } else { Next::WrongChecksum })
}

/// Reads this number of bytes, or fewer at the end.
pub(super) fn read_up_to(input: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count);
    input.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        // The check value of CRC-32 in the catalogue of G. Cook, "Catalogue of parametrised CRC algorithms".
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(b""), 0);
    }

    #[test]
    fn a_block_is_read_as_it_was_written() {
        for payload in [&b""[..], b"x", &[7; 65_535]] {
            let block = to_block(payload).unwrap();
            assert_eq!(block.len() as u64, block_len(payload));
            assert_eq!(read_block(&mut &block[..]).unwrap(), Next::Payload(payload.to_vec()));
        }
        assert_eq!(to_block(&[7; 65_536]), None);
        assert_eq!(read_block(&mut io::empty()).unwrap(), Next::End(0));
    }

    #[test]
    fn a_cut_block_is_an_end_and_a_changed_byte_is_not() {
        let block = to_block(b"a game").unwrap();
        for cut in 0..block.len() {
            assert_eq!(read_block(&mut &block[..cut]).unwrap(), Next::End(cut));
        }
        for at in 0..block.len() {
            for bits in 1..=u8::MAX {
                let mut changed = block.clone();
                changed[at] ^= bits;
                let expected = if at < HEAD { Next::WrongLength } else { Next::WrongChecksum };
                assert_eq!(read_block(&mut &changed[..]).unwrap(), expected, "byte {at}, bits {bits}");
            }
        }
    }
}
