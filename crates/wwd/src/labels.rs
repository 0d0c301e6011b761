//! Names of parts in errors, for programs that add their own explanation to them.

/// The header's flags, if the main block contradicts them.
pub const HEADER_FLAGS: &str = "header flags";

/// The zlib stream of a packed level.
pub const PACKED_BLOCK: &str = "packed main block";
