//! Where texts are found: each once, and at an offset where its bytes lie.

mod databases;
mod hostile;
mod levels;
mod shown;
mod support;
mod tables;
