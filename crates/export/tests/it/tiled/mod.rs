//! Tiled maps. The TMX, read by the `tiled` crate, is compared with the descriptions from which the levels were
//! built, and the TMJ with the TMX, value by value.

mod attributes;
mod expect;
mod hostile;
mod junk;
mod maps;
mod same;
mod slim;
mod support;
