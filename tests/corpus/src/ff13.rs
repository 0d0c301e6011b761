//! WPD archives and WDB tables of Final Fantasy XIII, XIII-2 and Lightning Returns: specs, builder, naive reader,
//! generators, and the samples.

pub mod build;
pub mod generate;
pub mod naive;
pub mod spec;

/// Magic number of an archive.
pub const MAGIC: [u8; 4] = *b"WPD\0";
/// Size of the archive header in bytes.
pub const HEADER_SIZE: usize = 16;
/// Size of one archive entry in bytes.
pub const ENTRY_SIZE: usize = 32;
/// Size of an entry's name field in bytes.
pub const NAME_SIZE: usize = 16;
/// Size of an entry's extension field in bytes.
pub const EXTENSION_SIZE: usize = 8;

/// Returns the name and bytes of each table and archive in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    samples!["items.wdb", "bestiary.wdb", "wdbpack.bin", "effects.bin"]
}
