//! Exports of tables, read by third-party readers and compared with the results of the corpus's naive reader.

#[cfg(feature = "arrow")]
mod columns;
#[cfg(feature = "csv")]
mod csv;
#[cfg(any(feature = "arrow", feature = "csv", feature = "json"))]
mod hostile;
#[cfg(feature = "json")]
mod json;
mod schema;
#[cfg_attr(
    not(all(feature = "arrow", feature = "csv", feature = "json")),
    allow(dead_code, reason = "each output needs a part")
)]
mod support;
