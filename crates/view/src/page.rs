//! The page: the files of `web/dist`.

use axum::http::header::{self, HeaderName};

use crate::answer::{Answer, Failed};

/// A page may load from this server only. Pictures and models are also made from bytes that it has loaded.
const POLICY: &str = "default-src 'self'; connect-src 'self' blob: data:; img-src 'self' blob: data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/// The headers of every answer.
pub(crate) const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const FILES: [File; 6] = [
    File { name: "index.html", kind: "text/html; charset=utf-8", bytes: include_bytes!("../web/dist/index.html") },
    File { name: "app.js", kind: "text/javascript; charset=utf-8", bytes: include_bytes!("../web/dist/app.js") },
    File { name: "model.js", kind: "text/javascript; charset=utf-8", bytes: include_bytes!("../web/dist/model.js") },
    File { name: "app.css", kind: "text/css; charset=utf-8", bytes: include_bytes!("../web/dist/app.css") },
    File { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../web/dist/icon.svg") },
    File { name: "LICENSES.txt", kind: "text/plain; charset=utf-8", bytes: include_bytes!("../web/dist/LICENSES.txt") },
];

/// The variable that names a folder to serve instead of the files in the program, in debug builds: for work on the page.
const FOLDER: &str = "WORLDVIEW_WEB";

/// Returns a file of the page. Every address that is not a file is the page itself, which shows the place.
pub(crate) fn file(path: &str) -> Result<Answer, Failed> {
    let name = path.trim_start_matches('/');
    let file = FILES.iter().find(|file| file.name == name).unwrap_or(&FILES[0]);
    Ok(Answer::new(file.kind, contents(file)?))
}

fn contents(file: &File) -> Result<Vec<u8>, Failed> {
    if cfg!(debug_assertions)
        && let Some(folder) = std::env::var_os(FOLDER)
    {
        return Ok(std::fs::read(std::path::Path::new(&folder).join(file.name))?);
    }
    Ok(file.bytes.to_vec())
}

/// Returns the page with the key, which it takes out and keeps.
pub(crate) fn with_key(key: &str) -> Result<Answer, Failed> {
    let mut page = contents(&FILES[0])?;
    let head = page
        .windows(7)
        .position(|seven| seven == b"</head>")
        .ok_or_else(|| Failed::internal("a page without a head"))?;
    page.splice(head..head, format!("<meta name=\"worldview-key\" content=\"{key}\">").into_bytes());
    Ok(Answer::new(FILES[0].kind, page))
}
