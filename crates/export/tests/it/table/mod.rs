//! Exports of tables, read back by readers that are not ours and compared with what the corpus' naive reader finds.

#[cfg(feature = "arrow")]
mod columns;
#[cfg(feature = "csv")]
mod csv;
mod hostile;
#[cfg(feature = "json")]
mod json;
mod schema;
mod support;
