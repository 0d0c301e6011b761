//! Exports of tables, read back by readers that are not ours and compared with what the corpus' naive reader finds.

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
