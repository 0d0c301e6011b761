//! Hits of searches: each text is found once, at the offset of its bytes.

mod databases;
mod hostile;
mod levels;
mod shown;
mod support;
mod tables;
