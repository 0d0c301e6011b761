//! Pictures of models and levels, looked at pixel by pixel.

mod files;
mod hostile;
mod levels;
mod models;
mod support;
