//! [`Decoded`]: the text of a file in an unknown character set.

use std::borrow::Cow;

use encoding_rs::{Encoding, GBK, UTF_8, WINDOWS_1252};

use crate::text::without_mark;

/// The text of a file, and the place of its characters in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text without a byte order mark.
    pub text: Cow<'a, str>,
    encoding: &'static Encoding,
    /// Number of bytes before the text: those of the byte order mark.
    before: usize,
}

impl<'a> Decoded<'a> {
    /// Reads UTF-8. If the bytes are not UTF-8, they are in the first character set that fits them: the `declared` one,
    /// GBK, Windows-1252. The last one fits all bytes.
    ///
    /// ```
    /// use tengen::notation::Decoded;
    ///
    /// assert_eq!(Decoded::read(b"\xD6\xB1", Some("big5")).text, "眻");
    /// assert_eq!(Decoded::read(b"\xBA\xDA", None).text, "黑");
    /// assert_eq!(Decoded::read("黑".as_bytes(), Some("GBK")).text, "黑");
    /// ```
    pub fn read(bytes: &'a [u8], declared: Option<&str>) -> Self {
        if let Ok(whole) = std::str::from_utf8(bytes) {
            let text = without_mark(whole);
            return Self { text: text.into(), encoding: UTF_8, before: whole.len() - text.len() };
        }
        // Of a set in which a byte below 128 may be half of a character, a parser would find other brackets.
        let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let declared = declared.filter(|encoding| encoding.is_ascii_compatible());
        let decode = |encoding: &'static Encoding| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
            Some(Self { text, encoding, before: 0 })
        };
        let fits = declared.into_iter().chain([GBK]).find_map(decode);
        fits.unwrap_or_else(|| {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            Self { text, encoding: WINDOWS_1252, before: 0 }
        })
    }

    /// The place in the file, counted from 0, of the character at a place in the text.
    pub fn byte_at(&self, offset: usize) -> usize {
        let text = self.text.get(..offset).unwrap_or(&self.text);
        self.before + if self.encoding == UTF_8 { text.len() } else { self.encoding.encode(text).0.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], declared: Option<&str>) -> String {
        Decoded::read(bytes, declared).text.into_owned()
    }

    #[test]
    fn a_declared_set_is_taken_only_if_it_fits() {
        assert_eq!(read("黑".as_bytes(), Some("GBK")), "黑");
        assert_eq!(read(b"\xBA\xDA", Some("gb2312")), "黑");
        assert_eq!(read(b"\xBA\xDA", Some("UTF-8")), "黑");
        assert_eq!(read(b"\xBA\xDA", Some("no such set")), "黑");
        assert_eq!(read(b"\xBA\xDA", Some("UTF-16")), "黑");
        assert_eq!(read(b"\xA4\xA4", Some(" Big5 ")), "中");
        assert_eq!(read(b"caf\xE9.", None), "café.");
        assert_eq!(read(b"\xFF\x81", Some("UTF-8")), "ÿ\u{81}");
    }

    #[test]
    fn a_place_in_the_text_is_a_place_in_the_file() {
        let utf8 = Decoded::read("\u{feff}黑a".as_bytes(), None);
        assert_eq!((&*utf8.text, utf8.byte_at(0), utf8.byte_at(3)), ("黑a", 3, 6));
        let gbk = Decoded::read(b"\xBA\xDAa", None);
        assert_eq!((gbk.byte_at(0), gbk.byte_at(3), gbk.byte_at(4), gbk.byte_at(99)), (0, 2, 3, 3));
    }
}
