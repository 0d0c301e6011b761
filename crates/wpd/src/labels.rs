//! Names of parts that errors bear, for programs that have more to say about them.

/// The size of a record that is not as long as the list of types says.
pub const RECORD_SIZE: &str = "size of the record of entry";
