//! Names of parts that errors bear, for programs that have more to say about them.

/// The number of worlds, at the start of the file.
pub const WORLD_COUNT: &str = "world count";

/// A reference of a world to a model.
pub const MODEL_REFERENCE: &str = "model reference";

/// The version of a model.
pub const MODEL_VERSION: &str = "version of the model";
