//! Pictures of models and levels, checked pixel by pixel.

mod files;
mod hostile;
mod levels;
mod models;
mod support;
