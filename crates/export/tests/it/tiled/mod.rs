//! Tiled maps: the TMX as the `tiled` crate reads it against the descriptions that the levels were built from, and the
//! TMJ, value by value, against the TMX.

mod attributes;
mod expect;
mod hostile;
mod junk;
mod maps;
mod same;
mod slim;
mod support;
