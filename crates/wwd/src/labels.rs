//! Names of parts that errors bear, for programs that have more to say about them.

/// The header's flags, where the main block contradicts them.
pub const HEADER_FLAGS: &str = "header flags";

/// The zlib stream of a packed level.
pub const PACKED_BLOCK: &str = "packed main block";
