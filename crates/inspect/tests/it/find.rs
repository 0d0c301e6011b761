//! Hits of searches: each text is found once, at the offset of its bytes.

mod databases;
mod hostile;
mod levels;
mod ruled_out;
mod shown;
mod support;
mod tables;
