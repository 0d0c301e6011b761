//! Flags of a PID picture. See [PID](crate::format#pid).

/// Pixels of the key color are transparent.
pub const TRANSPARENT: u32 = 1;
/// Kept in video memory.
pub const VIDEO_MEMORY: u32 = 2;
/// Kept in main memory.
pub const SYSTEM_MEMORY: u32 = 4;
/// Drawn flipped left to right, according to editors. The game does not read it.
pub const MIRROR: u32 = 8;
/// Drawn flipped upside down, according to editors. The game does not read it.
pub const INVERT: u32 = 0x10;
/// The pixels are stored as runs of skipped and of literal pixels.
pub const SKIP_RUNS: u32 = 0x20;
/// A picture of light: each index is a strength.
pub const LIGHT: u32 = 0x40;
/// The file ends with a palette.
pub const PALETTE: u32 = 0x80;
/// The key is valid.
pub const KEY: u32 = 0x100;
/// Made from a picture with 8 bits per pixel.
pub const EIGHT_BITS: u32 = 0x200;

/// Names of the flags.
pub const NAMES: &[(u32, &str)] = &[
    (TRANSPARENT, "transparent"),
    (VIDEO_MEMORY, "video-memory"),
    (SYSTEM_MEMORY, "system-memory"),
    (MIRROR, "mirror"),
    (INVERT, "invert"),
    (SKIP_RUNS, "skip-runs"),
    (LIGHT, "light"),
    (PALETTE, "palette"),
    (KEY, "key"),
    (EIGHT_BITS, "eight-bits"),
];
