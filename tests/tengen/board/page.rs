//! The files of the page: what they load, and their texts.

use std::collections::{BTreeMap, BTreeSet};

use tengen::web::page::FILES;

use super::Server;

fn file(path: &str) -> &'static str {
    FILES.iter().find(|file| file.path == path).unwrap().text
}

#[test]
fn the_page_and_all_that_it_loads_are_served_by_the_program() {
    let server = Server::start(&[]);
    let host = format!("Host: {}", server.host);
    let page = file("/");
    let is_name = |word: &str| word.contains('.') && word.chars().all(|sign| sign.is_ascii_lowercase() || sign == '.');
    let loaded: Vec<_> = page.split(['"']).filter(|word| word.strip_prefix('/').is_some_and(is_name)).collect();
    assert!(loaded.len() >= 8, "{loaded:?}");
    for path in loaded {
        assert!(server.http(&[&format!("GET {path} HTTP/1.1"), &host]).starts_with("HTTP/1.1 200"), "{path}");
    }
    for file in FILES {
        let is_elsewhere = |word: &str| word.starts_with("http") && !word.starts_with("http://www.w3.org/2000/svg");
        assert!(!file.text.split(['"', '\'', '`', '(']).any(is_elsewhere), "{} loads from elsewhere", file.path);
    }
}

/// The keys of the table of texts with both texts.
fn texts() -> BTreeMap<String, (String, String)> {
    let row = |line: &str| {
        let (key, texts) = line.trim().strip_suffix("],")?.split_once(": [")?;
        let (english, chinese) = texts.strip_prefix('"')?.strip_suffix('"')?.split_once("\", \"")?;
        Some((key.trim_matches('"').to_owned(), (english.to_owned(), chinese.to_owned())))
    };
    file("/texts.js").lines().filter_map(row).collect()
}

#[test]
fn every_text_is_there_in_both_languages_with_the_same_places() {
    let texts = texts();
    assert!(texts.len() > 150, "{}: is the table read?", texts.len());
    for (key, (english, chinese)) in &texts {
        assert!(!english.is_empty() && !chinese.is_empty(), "{key}");
        let places = |text: &str| (0..9).filter(|place| text.contains(&format!("{{{place}}}"))).collect::<Vec<_>>();
        assert_eq!(places(english), places(chinese), "{key}");
    }
}

#[test]
fn every_text_that_is_asked_for_is_in_the_table_and_every_row_is_used() {
    let texts = texts();
    let report = include_str!("../../../src/web/page/report.js");
    let sources: Vec<_> = FILES.iter().map(|file| file.text).chain([report]).collect();
    for source in &sources {
        // Not the end of another name, as in getContext("2d").
        let ends_name = |before: &str| before.ends_with(|sign: char| sign.is_ascii_alphanumeric());
        let pieces: Vec<_> = source.split("t(\"").collect();
        let of_code = pieces.windows(2).filter(|pair| !ends_name(pair[0])).map(|pair| pair[1]);
        let of_page = source.split("data-t=\"").skip(1).chain(source.split("data-t-label=\"").skip(1));
        for key in of_code.chain(of_page).filter_map(|rest| rest.split('"').next()) {
            let is_key = key.chars().all(|sign| sign.is_ascii_alphanumeric());
            assert!(!is_key || texts.contains_key(key), "{key:?} is not in the table");
        }
    }
    let code: Vec<_> =
        FILES.iter().filter(|file| file.path != "/texts.js").map(|file| file.text).chain([report]).collect();
    // Named by the server: rules, shapes, directions.
    let of_server: BTreeSet<_> = ["short ", "open ", "double "].into_iter().collect();
    let named = [
        "freestyle",
        "standard",
        "renju",
        "caro",
        "caro_overline",
        "five",
        "four-three",
        "four",
        "three",
        "two",
        "one",
        "overline",
        "dead",
        "horizontal",
        "vertical",
        "diagonal",
        "antidiagonal",
    ];
    for key in texts.keys() {
        let is_named = named.contains(&key.as_str()) || of_server.iter().any(|start| key.starts_with(start));
        let is_used = code.iter().any(|text| text.contains(&format!("\"{key}\"")) || text.contains(&format!("{key}:")));
        assert!(is_named || is_used, "{key} is used nowhere");
    }
}
