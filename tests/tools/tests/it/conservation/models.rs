//! Edits of pictures and models.
