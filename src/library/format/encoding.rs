//! [`TextEncoding`]: the code page of a file's texts.

use std::borrow::Cow;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
use strum::{Display, EnumString, VariantNames};

use crate::text::UnknownName;

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
    /// The encodings that are tried, in their order. The last one fits every text.
    const TRIED: [Self; 3] = [Self::Utf8, Self::Gbk, Self::Windows1252];

    /// The encoding of the crate that knows them.
    pub(super) fn encoding(self) -> &'static Encoding {
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
    pub fn of_texts(texts: &[&[u8]]) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

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
