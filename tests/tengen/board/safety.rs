//! Attacks and bad input that the server must withstand.

use serde_json::json;
use tungstenite::Message;

use super::{Server, game};

#[test]
fn only_a_request_that_names_the_server_is_answered() {
    let server = Server::start(&[]);
    let port = server.host.rsplit(':').next().unwrap();
    let status = |host: &str| server.http(&["GET / HTTP/1.1", host]).lines().next().unwrap_or_default().to_owned();
    for name in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        assert!(status(&format!("Host: {name}:{port}")).contains("200"), "{name}");
    }
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1", "", "127.0.0.1:80@evil"] {
        let status = status(&format!("Host: {host}"));
        assert!(status.contains("421") || status.contains("400"), "{host}: {status}");
    }
    let both = server.http(&["GET / HTTP/1.1", &format!("Host: {}", server.host), "Host: evil.example"]);
    assert!(!both.starts_with("HTTP/1.1 200"), "{both}");
}

#[test]
fn a_session_is_for_a_page_of_the_server_alone() {
    let server = Server::start(&[]);
    for origin in
        [None, Some("http://evil.example"), Some("null"), Some("https://127.0.0.1"), Some("http://localhost:1")]
    {
        assert!(server.try_open(origin).is_err(), "{origin:?}");
    }
    let port = server.host.rsplit(':').next().unwrap();
    assert!(server.try_open(Some(&format!("http://localhost:{port}"))).is_ok());
}

#[test]
fn every_answer_forbids_the_page_to_load_from_elsewhere() {
    let server = Server::start(&[]);
    let host = format!("Host: {}", server.host);
    for path in ["/", "/main.js", "/nothing", "/session"] {
        let answer = server.http(&[&format!("GET {path} HTTP/1.1"), &host]).to_ascii_lowercase();
        assert!(answer.contains("content-security-policy: default-src 'self'"), "{path}: {answer}");
        assert!(answer.contains("x-content-type-options: nosniff"), "{path}");
    }
    let answer = server.http(&["POST / HTTP/1.1", &host, "Content-Length: 0"]);
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
}

#[test]
fn malformed_messages_are_answered_and_the_session_goes_on() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for text in [
        "",
        "{",
        "[]",
        "null",
        "7",
        "{\"id\":1}",
        "{\"id\":1,\"do\":\"dance\"}",
        "{\"id\":1,\"do\":\"hello\",\"cmd\":\"/bin/sh\"}",
        "{\"id\":1,\"do\":\"view\"}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":4,\"rule\":\"renju\",\"moves\":\"\"}}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":33,\"rule\":\"renju\",\"moves\":\"\"}}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":15,\"rule\":\"chess\",\"moves\":\"\"}}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":15,\"rule\":\"renju\",\"moves\":\"15,15\"}}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":15,\"rule\":\"renju\",\"moves\":\"7,7 7,7\"}}",
        "{\"id\":1,\"do\":\"view\",\"game\":{\"size\":15,\"rule\":\"renju\",\"moves\":\"\\u0000\"}}",
        "{\"id\":1,\"do\":\"point\",\"game\":{\"size\":15,\"rule\":\"renju\",\"moves\":\"\"},\"point\":\"25,25\"}",
        "{\"id\":1,\"do\":\"read\",\"text\":\"{}\",\"size\":15,\"rule\":\"renju\"}",
    ] {
        page.send(text);
        let answer = page.line().expect("the session goes on");
        assert_eq!(answer["kind"], "error", "{text}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{text}");
    }
    page.send(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert_eq!(page.line().unwrap()["kind"], "error");
    page.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(page.line().unwrap()["kind"], "error");
    assert_eq!(page.ask("hello", json!({}))["kind"], "hello");
}

#[test]
fn a_search_without_an_end_is_refused() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let who = json!({ "picker": ["search", "shapes"] });
    for effort in [json!({}), json!({ "time": u64::MAX }), json!({ "time": 10, "lines": 1000 }), json!({ "time": -1 })]
    {
        let answer = page.ask("think", json!({ "game": game("renju", ""), "who": who, "effort": effort }));
        assert_eq!(answer["kind"], "error", "{effort}: {answer}");
    }
}

#[test]
fn a_message_above_the_bound_ends_its_session_and_no_other() {
    let server = Server::start(&[]);
    let (mut page, mut other) = (server.open(), server.open());
    let text = "x".repeat(tengen::web::LONGEST_MESSAGE + 1);
    // The server may close while the message is still being sent.
    let _ = page.socket.send(Message::text(text));
    assert_eq!(page.line(), None);
    assert_eq!(other.ask("hello", json!({}))["kind"], "hello");
}

#[test]
fn eight_sessions_fit_and_the_ninth_is_refused() {
    let server = Server::start(&[]);
    let mut pages: Vec<_> = (0..8).map(|_| server.open()).collect();
    for page in &mut pages {
        assert_eq!(page.ask("hello", json!({}))["kind"], "hello");
    }
    let mut ninth = server.open();
    assert_eq!(ninth.line().unwrap()["kind"], "full");
    assert_eq!(ninth.line(), None);
    drop(pages.pop());
    let _page = server.open_soon();
}

#[test]
fn a_refused_session_takes_and_frees_no_place() {
    let server = Server::start(&[]);
    let pages: Vec<_> = (0..8).map(|_| server.open_soon()).collect();
    for _ in 0..3 {
        assert_eq!(server.open().line().unwrap()["kind"], "full");
    }
    drop(pages);
    let _pages: Vec<_> = (0..8).map(|_| server.open_soon()).collect();
    assert_eq!(server.open().line().unwrap()["kind"], "full", "refusals freed no places either");
}

#[test]
fn an_error_does_not_repeat_a_long_message() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let long = "é".repeat(30_000);
    let opening = json!({ "size": 15, "rule": "renju", "procedure": "swap2", "answers": [long] });
    let answers = [page.ask(&long, json!({})), page.ask("opening", json!({ "opening": opening }))];
    for answer in answers {
        let error = answer["error"].as_str().unwrap();
        assert!(error.chars().count() < 500 && error.contains('…'), "{} bytes", error.len());
    }
}
