//! Keeps others out: other users of the machine, and other pages in the same browser.
//!
//! - The page's files hold nothing of the user's, so everybody gets them. Every answer of `/api` needs the key of this run in a
//!   header. Cookies would not do: they belong to all ports of a host, so any other local server that the browser visits
//!   gets them.
//! - The page receives the key in the answer to an address with a token, and keeps it in its storage, which belongs to
//!   the port. A token works once, so one that somebody reads later, in a list of processes or a history, is useless.
//! - A download is a link, which has no headers. The page asks for another token and puts it into the link.
//! - `Host` must be this server, so that another site cannot point its own name here (DNS rebinding).
//! - `Origin`, if there is one, must be this server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::{Answer, Failed};
use crate::connections::Connection;
use crate::page;

/// The name of a token in an address.
const PARAMETER: &str = "token";

/// The header with the key. `web/src/api.ts` sends it.
const HEADER: &str = "x-worldview-key";

/// How many tokens wait to be used; the oldest are forgotten.
const MAX_TOKENS: usize = 64;

/// How long a posted request may take, most of which is the time in which it arrives.
const POST_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum size of an address, in bytes. A place has at most 4,096 bytes of path twice over, each in three characters.
const MAX_ADDRESS: usize = 32 << 10;

/// What requests have to prove.
#[derive(Debug)]
pub(crate) struct Key {
    key: String,
    /// The tokens that were not used yet, oldest first.
    tokens: Mutex<VecDeque<String>>,
    hosts: [String; 2],
}

impl Key {
    /// Makes a new key.
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Ok(Self { key: random()?, tokens: Mutex::default(), hosts })
    }

    /// Returns an address that opens the page, once. `start` is what it shows, up to the parameters.
    pub(crate) fn address(&self, start: &str) -> std::io::Result<String> {
        Ok(format!("http://{}{start}{PARAMETER}={}", self.hosts[0], self.token()?))
    }

    /// Makes a token.
    fn token(&self) -> std::io::Result<String> {
        let token = random()?;
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() == MAX_TOKENS {
            tokens.pop_front();
        }
        tokens.push_back(token.clone());
        Ok(token)
    }

    /// Uses up the token of an address; `false` if it has none that works.
    fn takes_token(&self, request: &Request) -> bool {
        let query = request.uri().query().unwrap_or_default();
        let Some(given) = query.split('&').find_map(|pair| pair.strip_prefix(PARAMETER)?.strip_prefix('=')) else {
            return false;
        };
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tokens.iter().position(|token| is_equal(token, given));
        at.and_then(|at| tokens.remove(at)).is_some()
    }

    fn has_key(&self, headers: &HeaderMap) -> bool {
        headers.get(HEADER).and_then(|value| value.to_str().ok()).is_some_and(|given| is_equal(&self.key, given))
    }

    /// Returns the host that a request is for, if it is this server.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)).then_some(host)
    }
}

fn random() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(worldview_inspect::hex(&bytes))
}

fn is_equal(own: &str, given: &str) -> bool {
    // Without an early end, so that the time does not tell how much of it is right.
    given.len() == own.len() && given.bytes().zip(own.bytes()).fold(0, |wrong, (one, other)| wrong | (one ^ other)) == 0
}

/// Answers with a new token, for a link.
pub(crate) async fn token(Extension(key): Extension<Arc<Key>>) -> Response {
    match key.token() {
        Ok(token) => Answer::new("text/plain", token.into_bytes()).respond(None),
        Err(error) => Failed::internal(error).into_response(),
    }
}

/// Lets a request pass, or answers it.
pub(crate) async fn guard(State(key): State<Arc<Key>>, request: Request, next: Next) -> Response {
    let is_posted = request.method() == Method::POST;
    let admitted = admit(&key, &request);
    if let Some(connection) = request.extensions().get::<Arc<Connection>>() {
        connection.asked(matches!(admitted, Ok(true)));
    }
    let mut response = match admitted {
        Ok(_) if is_posted => tokio::time::timeout(POST_TIMEOUT, next.run(request)).await.unwrap_or_else(|_| {
            Failed::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time").into_response()
        }),
        Ok(_) => next.run(request).await,
        Err(response) => *response,
    };
    for (name, value) in page::HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns whether a request has proved anything, or the answer to one that may not pass.
fn admit(key: &Key, request: &Request) -> Result<bool, Box<Response>> {
    let headers = request.headers();
    let refuse = |status, why: &str| Err(Box::new(Failed::new(status, why).into_response()));
    let Some(host) = key.host(headers) else {
        return refuse(StatusCode::FORBIDDEN, "this address is not the viewer's");
    };
    if let Some(origin) = headers.get(header::ORIGIN) {
        let is_own = origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host));
        if !is_own {
            return refuse(StatusCode::FORBIDDEN, "only the viewer's own page may ask");
        }
    }
    let uri = request.uri();
    if uri.path().len() + uri.query().map_or(0, str::len) > MAX_ADDRESS {
        return refuse(StatusCode::URI_TOO_LONG, "this address is too long");
    }
    if !uri.path().starts_with("/api/") {
        if !key.takes_token(request) {
            return Ok(false);
        }
        let page = page::with_key(&key.key).map(|page| page.respond(None));
        let mut page = page.unwrap_or_else(IntoResponse::into_response);
        page.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return Err(Box::new(page));
    }
    let is_link = uri.path() == "/api/download" && key.takes_token(request);
    if is_link || key.has_key(headers) {
        return Ok(true);
    }
    refuse(StatusCode::UNAUTHORIZED, "this browser has no session: open the address that `worldview view` prints")
}
