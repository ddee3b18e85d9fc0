//! [`Access`]: who may use the server. A request must ask for it by one of its names and, where the server has a
//! password, carry the cookie that the password gives.
//!
//! A page of the web whose name was made to mean this machine (DNS rebinding) asks by another name and reads nothing; a
//! session also needs a page of this server as its origin.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, HeaderName, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Mutex;

use crate::args::Listen;

/// The port that a browser leaves out of an address.
const HTTP_PORT: u16 = 80;

/// The pause after each wrong password. Passwords are checked one at a time, so this bounds the guesses of everybody
/// together.
const PAUSE: Duration = Duration::from_millis(200);

/// The page that asks for the password. It loads nothing.
const LOGIN: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tengen</title></head>\n\
    <body><form action=\"/\"><label>Password <input type=\"password\" name=\"password\" autofocus></label>\n\
    <button>Open the board</button></form></body></html>\n";

/// The names of the server, and its password.
pub(crate) struct Access {
    /// The names by which a browser may ask for this server, with the port.
    hosts: Vec<String>,
    /// Whether the server listens on every address of the machine: any address is then its name.
    listens_everywhere: bool,
    password: Option<Password>,
}

/// A password, and the cookie of those who know it.
struct Password {
    text: String,
    /// `NAME=TOKEN`. The token is new with each start of the server.
    cookie: String,
    /// Held while a password is checked.
    check: Mutex<()>,
}

impl Access {
    /// The access to a server that listens on this address; `listen` is what was asked for.
    pub(crate) fn new(address: SocketAddr, listen: Option<&Listen>, password: Option<String>) -> Self {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        hosts.extend(listen.map(|listen| format!("{}:{port}", listen.name)));
        if port == HTTP_PORT {
            let bare: Vec<_> = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_owned)).collect();
            hosts.extend(bare);
        }
        let password = password.map(|text| {
            let cookie = format!("tengen-board-{port}={:016x}{:016x}", random(), random());
            Password { text, cookie, check: Mutex::new(()) }
        });
        Self { hosts, listens_everywhere: address.ip().is_unspecified(), password }
    }

    /// What stands behind the address in the link to the page.
    pub(crate) fn query(&self) -> String {
        self.password.as_ref().map_or_else(String::new, |password| format!("?password={}", password.text))
    }

    /// Whether a request names this server.
    fn is_host(&self, host: &str) -> bool {
        let is_address = || host.parse::<SocketAddr>().is_ok();
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) || self.listens_everywhere && is_address()
    }

    /// Whether the page that asks is of this server.
    pub(crate) fn is_origin(&self, headers: &HeaderMap) -> bool {
        let host = single(headers, ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.is_host(host))
    }
}

impl Password {
    /// Whether a request carries the cookie.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| is_same(cookie.trim(), &self.cookie))
    }

    /// Answers a request without the cookie: a link with the password sets it.
    async fn ask(&self, uri: &Uri) -> Response {
        let given = uri.query().and_then(|query| query.strip_prefix("password="));
        let Some(given) = given.filter(|_| uri.path() == "/") else { return login() };
        let _turn = self.check.lock().await;
        if !is_same(given, &self.text) {
            tokio::time::sleep(PAUSE).await;
            return login();
        }
        let cookie = format!("{}; Path=/; HttpOnly; SameSite=Lax", self.cookie);
        (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
    }
}

fn login() -> Response {
    (StatusCode::UNAUTHORIZED, [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))], LOGIN)
        .into_response()
}

/// A number that nobody can guess: the standard library seeds its hashers from the system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Compares in a time that does not tell how many bytes are right.
fn is_same(given: &str, own: &str) -> bool {
    let differences = given.bytes().zip(own.bytes()).fold(0, |found, (one, other)| found | (one ^ other));
    given.len() == own.len() && differences == 0
}

/// The only text of a header; `None` where it is missing or stands twice.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Refuses requests that ask for another name, and those without the password.
pub(crate) async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    if !single(request.headers(), HOST).is_some_and(|host| access.is_host(host)) {
        return (StatusCode::MISDIRECTED_REQUEST, "this server has another name\n").into_response();
    }
    match &access.password {
        Some(password) if !password.is_known(request.headers()) => password.ask(request.uri()).await,
        _ => next.run(request).await,
    }
}
