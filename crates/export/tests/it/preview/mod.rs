//! Pictures of models and levels, looked at pixel by pixel.
#![cfg(feature = "preview")]
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod files;
mod hostile;
mod levels;
mod models;
mod support;
