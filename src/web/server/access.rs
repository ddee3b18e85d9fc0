//! [`Access`]: who may use the server. A request must name the server in `Host` and, if the server has a password, carry
//! the cookie that the password gives.
//!
//! This stops DNS rebinding: a foreign page whose name was made to resolve to this machine sends another `Host` and gets
//! nothing. A session also needs a page of this server as its `Origin`.

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

use super::{ListenAddress, Password};

/// The port that browsers leave out of `Host`.
const HTTP_PORT: u16 = 80;

/// The pause after each wrong password. Passwords are checked one at a time, so this limits the guesses of all clients
/// together.
const PAUSE: Duration = Duration::from_millis(200);

/// The page that asks for the password. It loads nothing.
const LOGIN: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tengen</title></head>\n\
    <body><form action=\"/\"><label>Password <input type=\"password\" name=\"password\" autofocus></label>\n\
    <button>Open the board</button></form></body></html>\n";

/// The names of the server, and its password.
pub(super) struct Access {
    /// The accepted values of `Host`, with the port.
    hosts: Vec<String>,
    /// Whether the server listens on every address of the machine. `Host` may then be any address.
    listens_everywhere: bool,
    login: Option<Login>,
}

/// A password, and the cookie of those who know it.
struct Login {
    text: String,
    /// `NAME=TOKEN`. The token is new with each start of the server.
    cookie: String,
    /// Held while a password is checked.
    check: Mutex<()>,
}

impl Access {
    /// The access to a server that listens on this address; `listen` is the option that chose it.
    pub(super) fn new(address: SocketAddr, listen: Option<&ListenAddress>, password: Option<Password>) -> Self {
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
        let login = password.map(|Password(text)| {
            let cookie = format!("tengen-board-{port}={:016x}{:016x}", random(), random());
            Login { text, cookie, check: Mutex::new(()) }
        });
        Self { hosts, listens_everywhere: address.ip().is_unspecified(), login }
    }

    /// The query of the link to the page.
    pub(super) fn query(&self) -> String {
        self.login.as_ref().map_or_else(String::new, |login| format!("?password={}", login.text))
    }

    /// Whether a request names this server.
    fn is_host(&self, host: &str) -> bool {
        // Browsers leave out the usual port.
        let with_port = || format!("{host}:{HTTP_PORT}");
        let is_address = || host.parse::<SocketAddr>().is_ok() || with_port().parse::<SocketAddr>().is_ok();
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) || self.listens_everywhere && is_address()
    }

    /// Whether a request that passed the [`guard`] comes from a page of this server: of one of its names, or of the one
    /// that the request names. A page of another port is foreign.
    pub(super) fn is_origin(&self, headers: &HeaderMap) -> bool {
        let origin = single(headers, ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let mut names = self.hosts.iter().map(String::as_str).chain(single(headers, HOST));
        origin.is_some_and(|origin| names.any(|own| own.eq_ignore_ascii_case(origin)))
    }
}

impl Login {
    /// Whether a request carries the cookie.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| is_same(cookie.trim(), &self.cookie))
    }

    /// Answers a request without the cookie: a link with the password sets it.
    async fn ask(&self, uri: &Uri) -> Response {
        let given = uri.query().and_then(|query| query.strip_prefix("password="));
        let Some(given) = given.filter(|_| uri.path() == "/") else { return login_page() };
        let _turn = self.check.lock().await;
        // Of the characters of a password a form encodes this one.
        if !is_same(&given.replace("%7E", "~"), &self.text) {
            tokio::time::sleep(PAUSE).await;
            return login_page();
        }
        let cookie = format!("{}; Path=/; HttpOnly; SameSite=Lax", self.cookie);
        (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
    }
}

fn login_page() -> Response {
    (StatusCode::UNAUTHORIZED, [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))], LOGIN)
        .into_response()
}

/// An unpredictable number: the standard library seeds its hashers from the system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Compares two texts in a time that does not depend on the number of equal bytes.
fn is_same(given: &str, own: &str) -> bool {
    let differences = given.bytes().zip(own.bytes()).fold(0, |found, (one, other)| found | (one ^ other));
    given.len() == own.len() && differences == 0
}

/// The value of a header; `None` if it is missing or given twice.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Refuses requests for another host and requests without the password.
pub(super) async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    if !single(request.headers(), HOST).is_some_and(|host| access.is_host(host)) {
        return (StatusCode::MISDIRECTED_REQUEST, "this server has another name\n").into_response();
    }
    match &access.login {
        Some(login) if !login.is_known(request.headers()) => login.ask(request.uri()).await,
        _ => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: &str) -> HeaderMap {
        [(HOST, host), (ORIGIN, origin)].map(|(name, value)| (name, value.parse().unwrap())).into_iter().collect()
    }

    #[test]
    fn a_page_of_another_port_or_address_opens_no_session() {
        let access = Access::new("0.0.0.0:8000".parse().unwrap(), None, None);
        assert!(access.is_host("192.168.1.5:8000") && access.is_host("[fe80::1]:8000"));
        let is_own = |origin| access.is_origin(&headers("192.168.1.5:8000", origin));
        assert!(is_own("http://192.168.1.5:8000") && is_own("http://localhost:8000"));
        for origin in ["http://192.168.1.5:9000", "http://6.6.6.6:8000", "https://192.168.1.5:8000", "null"] {
            assert!(!is_own(origin), "{origin}");
        }
    }

    #[test]
    fn the_usual_port_is_left_out() {
        let access = Access::new("[::]:80".parse().unwrap(), None, None);
        for host in ["192.168.1.5", "[fe80::1]", "localhost", "192.168.1.5:80"] {
            assert!(access.is_host(host), "{host}");
        }
        assert!(!access.is_host("example.org"));
        assert!(access.is_origin(&headers("192.168.1.5", "http://192.168.1.5")));
    }
}
