//! Recognizing files, and opening one or many of them.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

#[cfg(feature = "bulk")]
mod bulk;
mod container;
#[cfg(all(feature = "island", feature = "json", feature = "rez", feature = "wpd", feature = "wwd"))]
mod facts;
#[cfg(feature = "owned")]
mod handle;
#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
mod open;
#[cfg(all(feature = "game", feature = "island", feature = "outputs", feature = "wpd"))]
mod outputs;
#[cfg(feature = "bulk")]
mod parallel;
#[cfg(feature = "arrow")]
mod rows;
mod sniff;
mod sniff_others;
