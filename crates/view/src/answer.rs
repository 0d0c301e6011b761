//! What requests are answered with.

use std::fmt::Display;
use std::io;

use axum::body::Body;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The maximum length of a pattern, in bytes. Matching takes up to the product of its length and that of a text.
const MAX_PATTERN: usize = 1000;

/// Checks that a pattern is of a length that can be searched for.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), String> {
    if pattern.len() > MAX_PATTERN {
        return Err(format!("a pattern has {} bytes, more than {MAX_PATTERN}", pattern.len()));
    }
    Ok(())
}

/// A complete answer.
#[derive(Debug)]
pub(crate) struct Answer {
    kind: &'static str,
    bytes: Vec<u8>,
    headers: HeaderMap,
}

impl Answer {
    /// An answer of a media type.
    pub(crate) fn new(kind: &'static str, bytes: Vec<u8>) -> Self {
        Self { kind, bytes, headers: HeaderMap::new() }
    }

    /// A value as JSON.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, Failed> {
        serde_json::to_vec(value).map(|bytes| Self::new("application/json", bytes)).map_err(Failed::internal)
    }

    /// Nothing, which is not an error.
    pub(crate) fn empty() -> Self {
        Self::new("", Vec::new())
    }

    /// Adds a header with a number.
    pub(crate) fn number(mut self, name: &'static str, value: u64) -> Self {
        self.headers.insert(name, HeaderValue::from(value));
        self
    }

    /// Makes the browser save the answer as a file.
    pub(crate) fn attachment(mut self, file: &str) -> Self {
        self.headers.insert(header::CONTENT_DISPOSITION, attachment(file));
        self
    }

    /// Returns the response: without a body if the browser has these bytes already.
    pub(crate) fn respond(self, known: Option<&HeaderValue>) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.headers_mut() = self.headers;
        if self.kind.is_empty() {
            *response.status_mut() = StatusCode::NO_CONTENT;
            return response;
        }
        let digest = Sha256::digest(&self.bytes);
        let tag = format!("\"{}\"", worldview_inspect::hex(&digest[..12]).replace(' ', ""));
        let is_known = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        *response.body_mut() = Body::from(self.bytes);
        response
    }
}

/// Returns the header that makes the browser save an answer. The name is percent-encoded, so it can be any text.
pub(crate) fn attachment(file: &str) -> HeaderValue {
    let name = percent_encoding::utf8_percent_encode(file, percent_encoding::NON_ALPHANUMERIC);
    HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{name}"))
        .unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

/// Why there is no answer, as a sentence for the page.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Failed {
    pub(crate) fn new(status: StatusCode, message: impl Display) -> Self {
        Self { status, message: message.to_string() }
    }

    /// There is nothing with this address.
    pub(crate) fn missing(message: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The request makes no sense.
    pub(crate) fn invalid(message: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The file does not have what is asked for, or it is broken.
    pub(crate) fn broken(message: impl Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// A mistake of the viewer.
    pub(crate) fn internal(message: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn cancelled() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "cancelled")
    }

    /// Returns the JSON object that the page shows.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Document<'m> {
            error: &'m str,
        }
        serde_json::to_vec(&Document { error: &self.message }).unwrap_or_default()
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response<Body> {
        (self.status, [(header::CONTENT_TYPE, "application/json")], self.to_json()).into_response()
    }
}

impl From<QueryRejection> for Failed {
    fn from(error: QueryRejection) -> Self {
        Self::invalid(error)
    }
}

impl From<JsonRejection> for Failed {
    fn from(error: JsonRejection) -> Self {
        Self::new(error.status(), error.body_text())
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        let status = match error.kind() {
            io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
            io::ErrorKind::PermissionDenied => StatusCode::FORBIDDEN,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, error)
    }
}

impl From<worldview::Failure> for Failed {
    fn from(failure: worldview::Failure) -> Self {
        match failure {
            worldview::Failure::Io(error) => error.into(),
            worldview::Failure::Open(worldview::OpenError::NotFound, inside) => {
                Self::missing(format_args!("there is no {}", inside.join("/")))
            }
            failure => Self::broken(failure),
        }
    }
}

impl From<worldview_export::Error> for Failed {
    fn from(error: worldview_export::Error) -> Self {
        Self::broken(error)
    }
}

impl From<worldview_inspect::Error> for Failed {
    fn from(error: worldview_inspect::Error) -> Self {
        if matches!(error, worldview_inspect::Error::Cancelled) { Self::cancelled() } else { Self::broken(error) }
    }
}

impl From<worldview::Error> for Failed {
    fn from(error: worldview::Error) -> Self {
        Self::broken(error)
    }
}
