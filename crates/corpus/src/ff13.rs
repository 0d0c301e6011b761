//! WPD archives and WDB tables of Final Fantasy XIII, XIII-2 and Lightning Returns: description, builder, naive reader,
//! generators and four committed samples.

pub mod build;
pub mod generate;
pub mod naive;
pub mod samples;
pub mod spec;

/// The first four bytes of an archive.
pub const MAGIC: [u8; 4] = *b"WPD\0";
/// The size of the archive's header.
pub const HEADER_SIZE: usize = 16;
/// The size of one entry of the archive's table.
pub const ENTRY_SIZE: usize = 32;
/// The size of an entry's name.
pub const NAME_SIZE: usize = 16;
/// The size of an entry's extension.
pub const EXTENSION_SIZE: usize = 8;
