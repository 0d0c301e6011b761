//! The page to look through, read back by code of its own; `tools/sheet/test.mjs` opens it in a browser.

mod escape;
mod pages;
mod support;
