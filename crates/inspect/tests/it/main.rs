//! Tests of dumps, searches and comparisons.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod diff;
#[path = "../../../../tests/every_form.rs"]
mod every;
mod every_form;
mod find;
mod open;
mod selected;
#[cfg(feature = "json")]
mod written;
