//! Names of parts in errors, for programs that add their own explanation to them.

/// The size of a record that differs from the size that the list of types implies.
pub const RECORD_SIZE: &str = "size of the record of entry";
