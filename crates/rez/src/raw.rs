//! The fixed-layout structures of archives and pictures, as stored in the file: little-endian on every platform,
//! alignment 1.
//!
//! [`crate::format`] has byte tables with evidence; each structure names its section there. Integers are
//! [`zerocopy::little_endian`] types: `get()` returns the number.

use worldview_core::{Padded, Text, layout, record};
use zerocopy::FromZeros as _;
use zerocopy::little_endian::{I32, U16, U32};

record! {
    /// The header of an archive. See [Header](crate::format#header).
    pub struct RezHeader: 168 {
        /// CR and LF.
        #[derived(Constant)]
        pub line_1: Text<2>,
        /// `RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.`, padded with blanks; no reader checks it.
        pub file_type: Padded<60>,
        /// CR and LF.
        #[derived(Constant)]
        pub line_2: Text<2>,
        /// A title, padded with blanks; only blanks in the games of the WAP32 engine.
        pub user_title: Padded<60>,
        /// CR, LF and 0x1A, which ends a text file.
        #[derived(Constant)]
        pub line_3: Text<3>,
        /// 1 in every known archive.
        #[derived(Constant)]
        pub format_version: U32,
        /// Offset of the root directory.
        #[derived(Offset)]
        pub root_dir_pos: U32,
        /// Size of the root directory in bytes; 0 if the archive is empty.
        #[derived(Length)]
        pub root_dir_size: U32,
        /// Arbitrary: the packer never sets it.
        #[reserved]
        pub root_dir_time: U32,
        /// End of the data of the files.
        #[derived(Offset)]
        pub next_write_pos: U32,
        /// When the archive was written, in seconds since 1970.
        pub time: U32,
        /// Largest number of keys of a file; 0 in every known archive.
        #[reserved]
        pub largest_key_ary: U32,
        /// Length of the longest directory name, with its NUL.
        #[derived(Length)]
        pub largest_dir_name: U32,
        /// Length of the longest file name, with its NUL.
        #[derived(Length)]
        pub largest_rez_name: U32,
        /// Length of the longest comment, with its NUL; 0 in every known archive.
        #[reserved]
        pub largest_comment: U32,
        /// 1 if the files of each directory lie next to each other. It says nothing about the order of entries.
        #[derived(Order)]
        pub is_sorted: u8,
    }
}

impl RezHeader {
    /// Returns the header of an archive without entries, which is all of it.
    pub fn empty() -> Self {
        let mut file_type = [b' '; 60];
        let words = b"RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.";
        file_type.iter_mut().zip(words).for_each(|(place, byte)| *place = *byte);
        let end = U32::new(Self::SIZE_U32);
        Self {
            line_1: zerocopy::transmute!(*b"\r\n"),
            file_type: zerocopy::transmute!(file_type),
            line_2: zerocopy::transmute!(*b"\r\n"),
            user_title: zerocopy::transmute!([b' '; 60]),
            line_3: zerocopy::transmute!(*b"\r\n\x1a"),
            format_version: U32::new(1),
            root_dir_pos: end,
            next_write_pos: end,
            // No file lies elsewhere than the others of its directory.
            is_sorted: 1,
            ..Self::new_zeroed()
        }
    }
}

record! {
    /// The part of an entry that directories and files share. See [Directories](crate::format#directories).
    pub struct EntryHeader: 16 {
        /// 1 for a directory; anything else is a file.
        #[implied]
        pub kind: U32,
        /// Offset of the directory or of the file's data, counted from the start of the archive.
        #[derived(Offset)]
        pub pos: U32,
        /// Size of the directory or of the file's data, in bytes.
        #[derived(Length)]
        pub size: U32,
        /// When it was last modified, in seconds since 1970.
        pub time: U32,
    }
}

impl EntryHeader {
    /// The kind of a directory.
    pub const DIRECTORY: u32 = 1;
}

record! {
    /// The rest of the fixed part of a file's entry; the name, a comment and keys follow. See
    /// [Directories](crate::format#directories).
    pub struct FileHeader: 12 {
        /// A number that the packer assigns. It is not unique, and no known game uses it.
        pub id: U32,
        /// The extension, reversed: `DIP` for PID.
        #[implied]
        pub extension: Text<4>,
        /// Number of keys, each 32 bits; 0 in every known archive.
        #[implied]
        pub key_count: U32,
    }
}

record! {
    /// The header of a PID or RID picture. See [PID](crate::format#pid).
    pub struct PidHeader: 32 {
        /// 10 in every known file; no reader uses it.
        pub id: U32,
        /// What follows and how it is drawn; see [`flags`](crate::flags).
        #[flags(crate::flags::NAMES)]
        pub flags: U32,
        /// Width in pixels.
        pub width: I32,
        /// Height in pixels.
        pub height: I32,
        /// Distance from the object's position to the center of the picture, to the right, in pixels.
        pub offset_x: I32,
        /// The same distance, downward.
        pub offset_y: I32,
        /// Palette index of skipped pixels in its low byte, if the flags say so; 0 in every known file.
        pub key: U32,
        /// 0 in every known file.
        #[reserved]
        pub user_2: U32,
    }
}

record! {
    /// The header of a PCX picture. See [PCX](crate::format#pcx).
    pub struct PcxHeader: 128 {
        /// 10.
        pub manufacturer: u8,
        /// Version of the format.
        pub format_version: u8,
        /// 1: runs of equal bytes are packed.
        pub encoding: u8,
        /// Bits per pixel and color plane.
        pub bits: u8,
        /// Position of the left edge, in pixels.
        pub x_min: U16,
        /// Position of the upper edge.
        pub y_min: U16,
        /// Position of the last column.
        pub x_max: U16,
        /// Position of the last row.
        pub y_max: U16,
        /// Horizontal resolution, in dots per inch.
        pub dpi_x: U16,
        /// Vertical resolution.
        pub dpi_y: U16,
        /// The palette of pictures with 16 colors.
        #[reserved]
        pub colors_16: [u8; 48],
        /// Unused.
        pub reserved: u8,
        /// Number of color planes: 1 for palette indices, 3 for red, green and blue.
        pub planes: u8,
        /// Bytes of one row of one color plane.
        pub bytes_per_line: U16,
        /// 1 for colors, 2 for gray.
        pub palette_info: U16,
        /// Width of the screen of the program that wrote the file.
        pub screen_width: U16,
        /// Height of that screen.
        pub screen_height: U16,
        /// Unused.
        #[reserved]
        pub filler: [u8; 54],
    }
}

record! {
    /// The header of a BMP picture. See [BMP](crate::format#bmp).
    pub struct BmpHeader: 54 {
        /// `BM`.
        #[derived(Constant)]
        pub signature: Text<2>,
        /// Size of the file in bytes; not checked.
        #[derived(Length)]
        pub file_size: U32,
        /// 0.
        #[reserved]
        pub reserved: U32,
        /// Offset of the rows.
        #[derived(Offset)]
        pub pixels_pos: U32,
        /// Length of the header from this field on, in bytes: 40, or more in later versions of the format.
        #[derived(Size)]
        pub header_size: U32,
        /// Width in pixels.
        pub width: I32,
        /// Height in pixels; negative if the first row is the top.
        pub height: I32,
        /// 1.
        pub planes: U16,
        /// Bits per pixel.
        pub bits: U16,
        /// 0 if the pixels are not packed.
        pub compression: U32,
        /// Size of the rows in bytes, or 0; not checked.
        #[derived(Length)]
        pub pixels_size: U32,
        /// Horizontal resolution, in pixels per meter.
        pub resolution_x: I32,
        /// Vertical resolution.
        pub resolution_y: I32,
        /// Number of colors in the palette; 0 stands for 256.
        pub color_count: U32,
        /// How many of the colors are important; 0 stands for all.
        pub important_colors: U32,
    }
}

layout! {
    /// A palette: 256 colors of red, green and blue with 8 bits each. See [Palettes](crate::format#palettes).
    pub struct Palette: 768 {
        /// The colors.
        pub colors: [[u8; 3]; 256],
    }
}
