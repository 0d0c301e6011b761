//! Labels in errors, for programs that add hints of their own.

/// The number of worlds, at the start of the file.
pub const WORLD_COUNT: &str = "world count";

/// The version of a model.
pub const MODEL_VERSION: &str = "version of the model";
