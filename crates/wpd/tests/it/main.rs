//! Archives and tables, on bytes put together by the notes of the format.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod archives;
mod describe;
mod support;
mod tables;
