//! Edits of pairs of files.
