//! The words of an engine's command, by the quoting rules of the system on which it is started.

use std::iter::repeat_n;

/// Splits a command into the program and its arguments, by the quoting rules of this system. `None` for an open quote.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_windows(command) } else { split_shell(command) }
}

/// A path or an argument in quotes, as one word of a command on this system.
pub fn quoted(text: &str) -> String {
    if cfg!(windows) { quoted_windows(text) } else { quoted_shell(text) }
}

/// Splits at blanks outside of quotes, as a shell does. Quotes of both kinds and backslashes protect blanks.
fn split_shell(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(sign),
            (_, '\\') => word.get_or_insert_default().push(signs.next()?),
            (None, '\'' | '"') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, _) if sign.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn quoted_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Splits as the C library of Windows does: blanks and tabs outside of double quotes end a word. In the program,
/// backslashes are ordinary characters. In an argument they are too, unless a double quote follows them: then each pair
/// of backslashes stands for one backslash, and an odd last one makes the quote a part of the word. Within double
/// quotes, two double quotes stand for one.
///
/// In addition to the rules of Windows a word may stand in single quotes, which protect everything. Match files and command
/// lines for a Unix shell then work on Windows too, because its command prompt leaves single quotes in place.
fn split_windows(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        if rest.is_empty() {
            return Some(words);
        }
        let (word, after) = match single_quoted(rest) {
            Some(halves) => halves,
            None if words.is_empty() => windows_program(rest)?,
            None => windows_argument(rest)?,
        };
        words.push(word);
        rest = after;
    }
}

const fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t')
}

/// The first word, if it stands in single quotes, and the rest. An apostrophe within a word is not a quote.
fn single_quoted(text: &str) -> Option<(String, &str)> {
    let (word, rest) = text.strip_prefix('\'')?.split_once('\'')?;
    (rest.is_empty() || rest.starts_with(is_blank)).then(|| (word.to_owned(), rest))
}

/// The program at the head of a command, and the rest.
fn windows_program(text: &str) -> Option<(String, &str)> {
    let mut is_quoted = false;
    let end = text.find(|sign| {
        is_quoted ^= sign == '"';
        is_blank(sign) && !is_quoted
    });
    let (program, rest) = text.split_at(end.unwrap_or(text.len()));
    (!is_quoted).then(|| (program.replace('"', ""), rest))
}

/// The first argument of the rest of a command, and what follows it.
fn windows_argument(mut text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut is_quoted = false;
    loop {
        let after = text.trim_start_matches('\\');
        let backslashes = text.len() - after.len();
        if let Some(behind) = after.strip_prefix('"') {
            word.extend(repeat_n('\\', backslashes / 2));
            text = behind;
            match behind.strip_prefix('"') {
                _ if backslashes % 2 == 1 => word.push('"'),
                Some(behind) if is_quoted => {
                    word.push('"');
                    text = behind;
                }
                _ => is_quoted = !is_quoted,
            }
            continue;
        }
        word.extend(repeat_n('\\', backslashes));
        match after.chars().next() {
            Some(sign) if is_quoted || !is_blank(sign) => {
                word.push(sign);
                text = &after[sign.len_utf8()..];
            }
            _ => return (!is_quoted).then_some((word, after)),
        }
    }
}

/// The inverse of [`windows_argument`]. It works for a program too: no path holds a double quote or ends with a backslash.
fn quoted_windows(text: &str) -> String {
    let mut word = String::from('"');
    let mut backslashes = 0;
    for sign in text.chars() {
        if sign == '"' {
            word.extend(repeat_n('\\', backslashes + 1));
        }
        backslashes = if sign == '\\' { backslashes + 1 } else { 0 };
        word.push(sign);
    }
    word.extend(repeat_n('\\', backslashes));
    word + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = |text| split_shell(text).unwrap_or_default();
        assert_eq!(words(r#" a  'b c' "d \" e" f\ g '' "#), ["a", "b c", "d \" e", "f g", ""]);
        assert_eq!(words("\"open"), Vec::<String>::new());
    }

    #[test]
    fn commands_are_split_as_windows_does() {
        // The arguments are the examples of Microsoft's page on the arguments of C programs.
        for (command, words) in [
            (r#"bin\engine.exe --weights shapes"#, &[r"bin\engine.exe", "--weights", "shapes"][..]),
            (r#" "C:\Program Files\e.exe"  x"#, &[r"C:\Program Files\e.exe", "x"]),
            ("e\tx \t y\t", &["e", "x", "y"]),
            (r#"C:\"Program Files"\e.exe"#, &[r"C:\Program Files\e.exe"]),
            (r#""C:\a\" x"#, &[r"C:\a\", "x"]),
            (r#"e "a b c" d e"#, &["e", "a b c", "d", "e"]),
            (r#"e "ab\"c" "\\" d"#, &["e", "ab\"c", r"\", "d"]),
            (r#"e a\\\b d"e f"g h"#, &["e", r"a\\\b", "de fg", "h"]),
            (r#"e a\\\"b c d"#, &["e", r#"a\"b"#, "c", "d"]),
            (r#"e a\\\\"b c" d e"#, &["e", r"a\\b c", "d", "e"]),
            (r#"e "a""b" """#, &["e", "a\"b", ""]),
            ("", &[]),
        ] {
            assert_eq!(split_windows(command).unwrap(), words, "{command}");
        }
        for open in [r#""e.exe"#, r#"e "a"#, r#"e "a\""#, r#"e "a"" b"#] {
            assert_eq!(split_windows(open), None, "{open}");
        }
    }

    #[test]
    fn windows_takes_words_in_single_quotes_and_leaves_apostrophes() {
        for (command, words) in [
            (r"'bin\engine.exe'", &[r"bin\engine.exe"][..]),
            (
                r#"'C:\Program Files\e.exe' '--log' 'a "b" \' ''"#,
                &[r"C:\Program Files\e.exe", "--log", r#"a "b" \"#, ""],
            ),
            (r"C:\O'Brien\e.exe d'or l'eau", &[r"C:\O'Brien\e.exe", "d'or", "l'eau"]),
            (r"e 'twas 'a'b", &["e", "'twas", "'a'b"]),
        ] {
            assert_eq!(split_windows(command).unwrap(), words, "{command}");
        }
    }

    #[test]
    fn a_quoted_text_is_one_word() {
        let mut texts = vec![String::new()];
        for length in 1..=5 {
            let shorter = texts.clone();
            let longest = shorter.iter().filter(|text| text.len() == length - 1);
            texts.extend(longest.flat_map(|text| ['a', ' ', '\\', '"', '\''].map(|sign| format!("{text}{sign}"))));
        }
        assert_eq!(texts.len(), 1 + 5 + 25 + 125 + 625 + 3125);
        for text in texts {
            let words = split_windows(&format!("e {} b", quoted_windows(&text)));
            assert_eq!(words.unwrap(), ["e", &text, "b"], "{text}");
            let words = split_shell(&format!("{} b", quoted_shell(&text)));
            assert_eq!(words.unwrap(), [&text, "b"], "{text}");
        }
    }
}
