//! Pictures, decoded by the `png` crate and compared with values calculated by hand from the description of a level.

#[cfg(feature = "game")]
mod game;
mod hostile;
mod images;
mod layers;
mod overlay;
mod planes;
mod previews;
mod regions;
mod sheets;
mod support;
