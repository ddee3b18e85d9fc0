//! [`Scanner`]: the brackets, nodes and properties of a text in SGF.

use super::SgfProblem;

/// A place in the text and the problem there.
pub(super) type Fault = (usize, SgfProblem);

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
}

/// The capitals of the name of a property: files of earlier versions write `White` for `W`. Empty if there are more than
/// four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    capitals: [u8; Name::MOST],
    length: usize,
}

impl Name {
    const MOST: usize = 4;

    fn of(word: &str) -> Self {
        let mut name = Self::default();
        for capital in word.bytes().filter(u8::is_ascii_uppercase) {
            match name.capitals.get_mut(name.length) {
                Some(place) => *place = capital,
                None => return Self::default(),
            }
            name.length += 1;
        }
        name
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.capitals[..self.length]).unwrap_or_default()
    }
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value<'a> {
    pub(super) name: Name,
    /// The value between its brackets, with escapes.
    pub(super) raw: &'a str,
    /// The place of the value in the text.
    pub(super) at: usize,
}

/// A place in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.byte().is_some_and(&is_skipped) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn skip_blanks(&mut self) {
        self.skip_while(is_blank);
    }

    /// Goes to the next game, behind its first bracket. Returns the place of the bracket.
    pub(super) fn next_game(&mut self) -> Option<usize> {
        loop {
            self.skip_while(|byte| byte != b'(');
            let start = self.at;
            self.byte()?;
            self.at += 1;
            let inside = self.at;
            self.skip_blanks();
            if self.byte() == Some(b';') {
                self.at = inside;
                return Some(start);
            }
        }
    }

    /// The next part of a game; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>, Fault> {
        self.skip_blanks();
        let Some(byte) = self.byte() else { return Ok(None) };
        let token = match byte {
            b'(' => Token::Open,
            b')' => Token::Close,
            b';' => Token::Node,
            _ => {
                let found = self.text[self.at..].chars().next().unwrap_or_default();
                return Err((self.at, SgfProblem::Sign(found)));
            }
        };
        self.at += 1;
        Ok(Some(token))
    }

    /// Reads the properties of a node into `values`, which it clears first.
    pub(super) fn read_values(&mut self, values: &mut Vec<Value<'a>>) -> Result<(), Fault> {
        values.clear();
        loop {
            self.skip_blanks();
            let start = self.at;
            let word = self.skip_while(|byte| byte.is_ascii_alphabetic());
            if word.is_empty() {
                return Ok(());
            }
            let name = Name::of(word);
            self.skip_blanks();
            if self.byte() != Some(b'[') {
                return Err((start, SgfProblem::NoValue(word.to_owned())));
            }
            while self.byte() == Some(b'[') {
                let at = self.at + 1;
                self.skip_value()?;
                values.push(Value { name, raw: &self.text[at..self.at - 1], at });
                self.skip_blanks();
            }
        }
    }

    /// Goes behind the bracket that ends a value.
    fn skip_value(&mut self) -> Result<(), Fault> {
        let open = self.at;
        loop {
            self.at += 1;
            match self.byte() {
                // Also if the next character has several bytes: none of them is a bracket or a backslash.
                Some(b'\\') => self.at += 1,
                Some(b']') => break,
                Some(_) => {}
                None => return Err((open, SgfProblem::OpenValue)),
            }
        }
        self.at += 1;
        Ok(())
    }
}

const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The line end at the start of a text, in bytes. LF CR and CR LF are one.
fn line_end(rest: &str) -> usize {
    match rest.as_bytes() {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// A text of several lines, which end with LF. A backslash before a line end removes it.
pub(super) fn text(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(sign) = rest.chars().next() {
        let is_escape = sign == '\\';
        if is_escape {
            rest = &rest[1..];
        }
        match (line_end(rest), rest.chars().next()) {
            (0, Some(sign)) => {
                text.push(sign);
                rest = &rest[sign.len_utf8()..];
            }
            (0, None) => {}
            (length, _) => {
                if !is_escape {
                    text.push('\n');
                }
                rest = &rest[length..];
            }
        }
    }
    text
}

/// A text of one line. Line ends and other control characters become blanks.
pub(super) fn line(raw: &str) -> String {
    text(raw).replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_takes_the_next_character_as_it_is() {
        assert_eq!(text(r"a\]b\\c\:d\e"), r"a]b\c:de");
        assert_eq!(text("a\\\r\nb\\\nc\\\n\rd\\\re"), "abcde");
        assert_eq!(text("a\r\nb\nc\n\rd\re\\"), "a\nb\nc\nd\ne");
        assert_eq!(line("a\tb\r\nc\\\nd"), "a b cd");
    }

    #[test]
    fn a_name_is_its_capitals() {
        for (word, name) in
            [("B", "B"), ("AddBlack", "AB"), ("SBKV", "SBKV"), ("ABCDE", ""), ("small", ""), ("White", "W")]
        {
            assert_eq!(Name::of(word).as_str(), name);
        }
    }

    #[test]
    fn values_end_at_a_bracket_without_a_backslash() {
        let mut values = Vec::new();
        let mut scanner = Scanner::new("C[a\\]b] \n[c\\\\]LB [aa:\u{9ed1}\\\u{9ed1}];");
        scanner.read_values(&mut values).unwrap();
        let raws: Vec<_> = values.iter().map(|value| (value.name, value.raw, value.at)).collect();
        let name = Name::of("C");
        assert_eq!(raws, [(name, "a\\]b", 2), (name, "c\\\\", 10), (Name::of("LB"), "aa:\u{9ed1}\\\u{9ed1}", 18)]);
        assert_eq!(scanner.next(), Ok(Some(Token::Node)));
        for (text, at) in [("C[a", 1), ("C[a\\]", 1), ("C[a\\", 1), ("B[][", 3)] {
            assert_eq!(Scanner::new(text).read_values(&mut values), Err((at, SgfProblem::OpenValue)), "{text}");
        }
        assert_eq!(Scanner::new(" KO;").read_values(&mut values), Err((1, SgfProblem::NoValue("KO".to_owned()))));
    }
}
