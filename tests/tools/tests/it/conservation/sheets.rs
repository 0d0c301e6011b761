//! Edits of sheets and JSON.
