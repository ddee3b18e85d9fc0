//! The address the server listens on, and access to it.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::json;
use tengen::web::{PORT, ServerConfig, running_board};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;

use super::{Connection, PATIENCE, Page, Server};

const PASSWORD: &str = "correct~horse";

/// The error output of a board that fails to start.
fn refused(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen-board")).args(words).output().unwrap();
    let Output { status, stdout, stderr } = output;
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{words:?}");
    String::from_utf8(stderr).unwrap()
}

/// A folder with a program `xdg-open` that writes its argument to a file there, as the browser of the user.
#[cfg(target_os = "linux")]
fn browser(name: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("tengen {name} {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("xdg-open");
    std::fs::write(
        &program,
        "#!/bin/sh\necho \"$1\" >\"${0%/*}/link.part\"\nmv \"${0%/*}/link.part\" \"${0%/*}/link\"\n",
    )
    .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
#[cfg(target_os = "linux")]
fn open_starts_the_browser_of_the_user_with_the_link() {
    let folder = browser("open");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-board"));
    command.args(["--listen", "127.0.0.1:0", "--open", "--password", PASSWORD]).env("PATH", path);
    let server = Server::of(command);
    let start = Instant::now();
    let link = loop {
        match std::fs::read_to_string(folder.join("link")) {
            Ok(link) => break link,
            Err(_) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => panic!("{error}"),
        }
    };
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(link, format!("http://{}/?password={PASSWORD}\n", server.host));
}

#[test]
fn a_board_that_opens_its_page_ends_after_the_last_one() {
    let left = Duration::from_millis(200);
    let server = tengen::web::Server::bind(ServerConfig::default()).unwrap();
    let link = server.link();
    let host = link.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    let running = std::thread::spawn(move || server.run_while_open(left));
    // Another program may have the usual port.
    if host.ends_with(&format!(":{PORT}")) {
        assert_eq!(running_board(), Some(link));
    }
    let page = Page::open(&host, Some(&format!("http://{host}"))).unwrap();
    std::thread::sleep(left * 10);
    assert!(!running.is_finished(), "a page is open");
    drop(page);
    running.join().unwrap();
}

#[test]
fn a_board_listens_on_a_name() {
    let server = Server::start_at("localhost:0", &[]);
    let port = server.host.rsplit(':').next().unwrap();
    let answer = server.http(&["GET / HTTP/1.1", &format!("Host: localhost:{port}")]);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(server.try_open(Some(&format!("http://localhost:{port}"))).is_ok());
}

#[test]
fn an_address_that_other_machines_reach_is_refused_without_a_password() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let error = refused(&["--listen", address]);
        assert!(error.contains("other machines reach") && error.contains("--password"), "{error}");
    }
    let server = Server::start_at("0.0.0.0:0", &["--password", PASSWORD]);
    let port = server.host.rsplit(':').next().unwrap();
    let status = |line: &str| server.http(&[line, &format!("Host: 127.0.0.1:{port}")])[..12].to_owned();
    assert_eq!(status("GET / HTTP/1.1"), "HTTP/1.1 401");
    assert_eq!(status(&format!("GET /?password={PASSWORD} HTTP/1.1")), "HTTP/1.1 303");
}

#[test]
fn an_engine_whose_program_is_missing_ends_the_board_with_an_error() {
    let error = refused(&["--engine", "cmd=/nonexistent"]);
    assert!(error.starts_with("error: ") && error.contains("/nonexistent"), "{error}");
    let error = refused(&["--engine", "cmd=no-such-program --fast", "name=x"]);
    assert!(error.contains("no-such-program (looked up in PATH)") || cfg!(windows), "{error}");
    assert!(
        refused(&["--engine", concat!("cmd=", env!("CARGO_MANIFEST_DIR"))]).contains("no such program"),
        "a folder"
    );
}

#[test]
fn without_the_password_nothing_is_served() {
    let server = Server::start(&["--password", PASSWORD]);
    let host = format!("Host: {}", server.host);
    let get = |path: &str| server.http(&[&format!("GET {path} HTTP/1.1"), &host]);
    for path in ["/", "/main.js", "/session", "/?password=", "/?password=wrong-horses", "/?password=correct", "/?x=1"] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 401"), "{path}: {answer}");
        assert!(answer.contains("type=\"password\"") && !answer.contains("Set-Cookie"), "{path}: {answer}");
        assert!(answer.to_ascii_lowercase().contains("content-security-policy"), "{path}");
    }
    assert!(get(&format!("/main.js?password={PASSWORD}")).starts_with("HTTP/1.1 401"), "the link opens the page only");
    let typed = PASSWORD.replace('~', "%7E");
    assert!(get(&format!("/?password={typed}")).starts_with("HTTP/1.1 303"), "as a form sends it");
    let answer = get(&format!("/?password={PASSWORD}"));
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{cookie}");
    let (cookie, _) = cookie.split_once(';').unwrap();
    assert!(!cookie.contains(PASSWORD));
    let with = |cookies: &str| server.http(&["GET /main.js HTTP/1.1", &host, &format!("Cookie: {cookies}")]);
    assert!(with(&format!("a=b; {cookie}")).starts_with("HTTP/1.1 200"));
    assert!(with(&cookie[..cookie.len() - 1]).starts_with("HTTP/1.1 401"));

    let origin = format!("http://{}", server.host);
    assert!(server.try_open(Some(&origin)).is_err(), "a session also needs the cookie");
    let mut request = format!("ws://{}/session", server.host).into_client_request().unwrap();
    request.headers_mut().insert("Origin", HeaderValue::from_str(&origin).unwrap());
    request.headers_mut().insert("Cookie", HeaderValue::from_str(cookie).unwrap());
    let stream = std::net::TcpStream::connect(&server.host).unwrap();
    let (socket, _) = tungstenite::client(request, Connection(stream)).unwrap();
    assert_eq!(Page { socket, number: 0 }.ask("hello", json!({}))["kind"], "hello");
}
