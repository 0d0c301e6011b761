//! The page to look through, read back by code of its own; `tools/sheet/test.mjs` opens it in a browser.
#![cfg(all(feature = "csv", feature = "html", feature = "preview"))]
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod escape;
mod pages;
mod support;
