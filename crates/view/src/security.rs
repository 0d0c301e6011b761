//! Keeps others out: other users of the machine, and other pages in the same browser.
//!
//! - A random token is part of the first address. It moves into a cookie that scripts cannot read and other sites cannot
//!   send, and every other request needs that cookie.
//! - `Host` must be this server, so that another site cannot point its own name here (DNS rebinding).
//! - `Origin`, if there is one, must be this server.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};

use crate::answer::Failed;
use crate::page;

/// The name of the token in the first address.
const PARAMETER: &str = "token";

/// What requests have to prove.
#[derive(Debug)]
pub(crate) struct Key {
    token: String,
    /// Cookies belong to a host with all its ports, so the name contains the port.
    cookie: String,
    hosts: [String; 2],
}

impl Key {
    /// Makes a new token.
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Ok(Self { token, cookie: format!("worldview_{port}"), hosts })
    }

    /// Returns the address that opens the page.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/?{PARAMETER}={}", self.hosts[0], self.token)
    }

    fn is_token(&self, given: &str) -> bool {
        // Without an early end, so that the time does not tell how much of it is right.
        given.len() == self.token.len()
            && given.bytes().zip(self.token.bytes()).fold(0, |wrong, (one, other)| wrong | (one ^ other)) == 0
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == self.cookie && self.is_token(value))
    }

    /// Returns the host that a request is for, if it is this server.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)).then_some(host)
    }
}

/// Lets a request pass, or answers it.
pub(crate) async fn guard(State(key): State<Arc<Key>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&key, &request) {
        Ok(()) => next.run(request).await,
        Err(response) => *response,
    };
    for (name, value) in page::HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn admit(key: &Key, request: &Request) -> Result<(), Box<Response>> {
    let headers = request.headers();
    let refuse = |why: &str| Box::new(Failed::new(StatusCode::FORBIDDEN, why).respond());
    let host = key.host(headers).ok_or_else(|| refuse("this address is not the viewer's"))?;
    if let Some(origin) = headers.get(header::ORIGIN) {
        let is_own = origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host));
        if !is_own {
            return Err(refuse("only the viewer's own page may ask"));
        }
    }
    let query = request.uri().query().unwrap_or_default();
    let given = query.split('&').find_map(|pair| pair.strip_prefix(PARAMETER)?.strip_prefix('='));
    if let Some(given) = given.filter(|given| key.is_token(given)) {
        // The address without the token, which then is not in the history, in a picture of the screen or in a message.
        let rest: Vec<_> = query.split('&').filter(|pair| !pair.starts_with("token=")).collect();
        let mark = if rest.is_empty() { "" } else { "?" };
        let to = format!("{}{mark}{}", request.uri().path(), rest.join("&"));
        let cookie = format!("{}={given}; Path=/; HttpOnly; SameSite=Strict", key.cookie);
        return Err(Box::new(
            (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)]).into_response(),
        ));
    }
    if key.has_cookie(headers) {
        return Ok(());
    }
    if request.uri().path().starts_with("/api/") {
        return Err(refuse("open the address that `worldview view` printed: this browser has no session"));
    }
    Err(Box::new((StatusCode::FORBIDDEN, Html(page::LOCKED)).into_response()))
}
