//! The character sets of files: [`TextEncoding`], and [`Decoded`], the text of a file in an unknown one.

use std::borrow::Cow;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
use strum::{Display, EnumString, VariantNames};

use crate::text::{UnknownName, without_mark};

/// The code page of the texts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_encoding)]
pub enum TextEncoding {
    /// UTF-8.
    #[strum(serialize = "utf-8")]
    Utf8,
    /// Chinese, simplified (936).
    Gbk,
    /// Western European. Every byte is a character.
    #[strum(serialize = "windows-1252")]
    Windows1252,
    /// Japanese (932).
    #[strum(serialize = "shift-jis")]
    ShiftJis,
    /// Korean (949).
    #[strum(serialize = "euc-kr")]
    EucKr,
    /// Cyrillic.
    #[strum(serialize = "windows-1251")]
    Windows1251,
    /// Chinese, traditional (950).
    Big5,
}

/// The error for an unknown name of an encoding.
fn unknown_encoding(_: &str) -> UnknownName {
    UnknownName::of::<TextEncoding>("encoding")
}

impl TextEncoding {
    /// The encodings of files that do not name theirs, in the order in which they are tried. The last one fits every text.
    pub(crate) const TRIED: [Self; 3] = [Self::Utf8, Self::Gbk, Self::Windows1252];

    /// The encoding of the crate that knows them.
    pub(crate) fn encoding(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Gbk => GBK,
            Self::Windows1252 => WINDOWS_1252,
            Self::ShiftJis => SHIFT_JIS,
            Self::EucKr => EUC_KR,
            Self::Windows1251 => WINDOWS_1251,
            Self::Big5 => BIG5,
        }
    }

    /// The first of UTF-8, GBK and Windows-1252 that fits all texts of a file. A text in GBK may be valid UTF-8 by
    /// accident, all texts of a file seldom are.
    pub(crate) fn of_texts(texts: &[&[u8]]) -> Self {
        let fits = |encoding: &Self| texts.iter().all(|text| encoding.decode(text).is_some());
        Self::TRIED.into_iter().find(fits).unwrap_or(Self::Windows1252)
    }

    /// The text of bytes; `None` if they do not fit.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        self.encoding().decode_without_bom_handling_and_without_replacement(bytes)
    }

    /// The bytes of a text; `None` if a character does not exist in this encoding.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, has_errors) = self.encoding().encode(text);
        (!has_errors).then_some(bytes)
    }
}

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
    /// assert_eq!(Decoded::read(b"\xA4\xA4", Some("big5")).text, "中");
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
        fits.unwrap_or_else(|| Self::western(bytes))
    }

    /// Whether a `]` is the second byte of a character in GBK.
    pub(crate) fn gbk_hides_bracket(bytes: &[u8]) -> bool {
        let mut rest = bytes.iter();
        while let Some(&byte) = rest.next() {
            if byte > 0x80 && rest.next() == Some(&b']') {
                return true;
            }
        }
        false
    }

    /// Reads Windows-1252, in which every byte is a character.
    pub(crate) fn western(bytes: &'a [u8]) -> Self {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        Self { text, encoding: WINDOWS_1252, before: 0 }
    }

    /// Whether the bytes were read as GBK.
    pub(crate) fn is_gbk(&self) -> bool {
        self.encoding == GBK
    }

    /// The place in the file, counted from 0, of the character at a place in the text.
    pub(crate) fn byte_at(&self, offset: usize) -> usize {
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

    #[test]
    fn the_encoding_of_a_file_fits_all_its_texts() {
        let of = TextEncoding::of_texts;
        assert_eq!(of(&[]), TextEncoding::Utf8);
        assert_eq!(of(&[b"abc", "直指".as_bytes()]), TextEncoding::Utf8);
        // Both in GBK; the first alone is valid UTF-8 too.
        assert_eq!(of(&[b"\xD6\xB1", b"\xBA\xDA"]), TextEncoding::Gbk);
        assert_eq!(of(&[b"\xD6\xB1", b"\xFF"]), TextEncoding::Windows1252);
    }

    #[test]
    fn every_byte_of_windows_1252_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = TextEncoding::Windows1252.decode(&bytes).unwrap();
        assert_eq!(*TextEncoding::Windows1252.encode(&text).unwrap(), bytes);
        assert_eq!(TextEncoding::Windows1252.encode("直"), None);
    }

    #[test]
    fn an_encoding_has_a_name() {
        for name in TextEncoding::VARIANTS {
            assert_eq!(name.parse::<TextEncoding>().unwrap().to_string(), *name);
        }
    }
}
