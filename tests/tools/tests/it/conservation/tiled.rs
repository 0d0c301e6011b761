//! Edits of maps of Tiled.
