//! The page for browsing, read by the tests' own code. `tools/sheet/test.mjs` opens it in a browser.

mod escape;
mod models;
mod pages;
mod support;
