//! Match files: TOML whose keys are options of the command line, converted to the words of a command line.

use crate::text::{line_at, without_mark};

/// Reads a match file.
///
/// # Errors
/// The error, and its line, counted from 1.
pub(super) fn table(text: &str) -> Result<toml::Table, (usize, toml::de::Error)> {
    let text = without_mark(text);
    let line = |error: &toml::de::Error| line_at(text, error.span().map_or(0, |span| span.start));
    text.parse().map_err(|error| (line(&error), error))
}

/// Converts a match file to words of a command line.
///
/// # Errors
/// The key of a value that no option can have.
pub(super) fn words(table: &toml::Table) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (key, value) in table {
        let option = format!("--{}", key.replace('_', "-"));
        match value {
            toml::Value::Boolean(true) => words.push(option),
            toml::Value::Boolean(false) => {}
            toml::Value::Table(table) => {
                words.push(option);
                words.extend(pairs(table)?);
            }
            toml::Value::Array(tables) => {
                for table in tables {
                    words.push(option.clone());
                    words.extend(pairs(table.as_table().ok_or(key)?)?);
                }
            }
            value => words.extend([option, scalar(value).ok_or(key)?]),
        }
    }
    Ok(words)
}

/// Converts a table to `key=value` words. Keys of nested tables are joined by dots.
fn pairs(table: &toml::Table) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (key, value) in table {
        if let Some(table) = value.as_table() {
            words.extend(pairs(table)?.into_iter().map(|pair| format!("{key}.{pair}")));
        } else {
            words.push(format!("{key}={}", scalar(value).ok_or(key)?));
        }
    }
    Ok(words)
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        words(&text.parse().unwrap()).map(|words| words.join(" "))
    }

    #[test]
    fn keys_are_options_and_tables_are_their_words() {
        let text =
            "draw_after = 20\nswap2 = true\nstrict = false\n[each]\nturn = 5\n[[engine]]\ncmd = 'x'\noption.a = 1\n";
        assert_eq!(read(text).as_deref(), Ok("--draw-after 20 --each turn=5 --engine cmd=x option.a=1 --swap2"));
    }

    #[test]
    fn a_value_that_no_option_can_have_is_named() {
        assert_eq!(read("engine = ['x']"), Err("engine".to_owned()));
        assert_eq!(read("rule = 1979-05-27"), Err("rule".to_owned()));
        assert_eq!(read("[each]\nturn = [1]"), Err("turn".to_owned()));
    }
}
