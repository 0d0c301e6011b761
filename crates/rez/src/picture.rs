use std::borrow::Cow;

use worldview_core::{Result, Source};

use crate::raw::Palette;
use crate::{Bmp, ColorKey, File, Pcx, Pid};

/// A picture of any kind that an archive holds.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Picture<'a> {
    /// A PID or RID picture.
    Pid(Pid<'a>),
    /// A PCX picture.
    Pcx(Pcx<'a>),
    /// A BMP picture.
    Bmp(Bmp<'a>),
}

/// The kind of a [`Picture`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// The format of sprites and tiles.
    Pid,
    /// The format of screens.
    Pcx,
    /// PID with unpacked pixels.
    Rid,
    /// The bitmaps of Windows.
    Bmp,
}

impl PictureKind {
    /// Returns the kind for an extension, ignoring case.
    pub fn of_extension(extension: impl AsRef<[u8]>) -> Option<Self> {
        let is = |name: &[u8]| extension.as_ref().eq_ignore_ascii_case(name);
        match () {
            () if is(b"PID") => Some(Self::Pid),
            () if is(b"PCX") => Some(Self::Pcx),
            () if is(b"RID") => Some(Self::Rid),
            () if is(b"BMP") => Some(Self::Bmp),
            () => None,
        }
    }

    /// Returns the kind's name: `PID`, `PCX`, `RID` or `BMP`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pid => "PID",
            Self::Pcx => "PCX",
            Self::Rid => "RID",
            Self::Bmp => "BMP",
        }
    }
}

worldview_core::display_by_name!(PictureKind);

impl<'a> Picture<'a> {
    /// Opens a picture of this kind.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Pid::parse`], [`Pcx::parse`] and [`Bmp::parse`].
    pub fn parse(kind: PictureKind, source: impl Into<Source<'a>>) -> Result<Self> {
        match kind {
            PictureKind::Pid => Pid::parse(source).map(Self::Pid),
            PictureKind::Rid => Pid::parse_rid(source).map(Self::Pid),
            PictureKind::Pcx => Pcx::parse(source).map(Self::Pcx),
            PictureKind::Bmp => Bmp::parse(source).map(Self::Bmp),
        }
    }

    /// Opens a file of an archive by its extension. Returns `None` if that is not one of a picture.
    pub fn of_file(file: &File<'_, 'a>) -> Option<Result<Self>> {
        Some(Self::parse(PictureKind::of_extension(file.extension())?, file.source()))
    }

    /// Returns the number of bytes of the decoded picture in a file, with the opacity of each pixel; 0 if it is none.
    pub fn decoded_len(file: &File<'_, 'a>) -> u64 {
        match Self::of_file(file) {
            Some(Ok(picture)) => (picture.pixels() as u64).saturating_mul(4),
            _ => 0,
        }
    }

    /// Returns the kind of the picture.
    pub const fn kind(&self) -> PictureKind {
        match self {
            Self::Pid(pid) if pid.is_raw() => PictureKind::Rid,
            Self::Pid(_) => PictureKind::Pid,
            Self::Pcx(_) => PictureKind::Pcx,
            Self::Bmp(_) => PictureKind::Bmp,
        }
    }

    /// Returns the bytes of the picture and their offset in the file.
    pub const fn source(&self) -> Source<'a> {
        match self {
            Self::Pid(pid) => pid.source(),
            Self::Pcx(pcx) => pcx.source(),
            Self::Bmp(bmp) => bmp.source(),
        }
    }

    /// Returns the width in pixels.
    pub const fn width(&self) -> u32 {
        match self {
            Self::Pid(pid) => pid.width(),
            Self::Pcx(pcx) => pcx.width(),
            Self::Bmp(bmp) => bmp.width(),
        }
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> u32 {
        match self {
            Self::Pid(pid) => pid.height(),
            Self::Pcx(pcx) => pcx.height(),
            Self::Bmp(bmp) => bmp.height(),
        }
    }

    /// Returns the distance from the position of an object to the center of the picture; 0, 0 for PCX and BMP.
    pub const fn offset(&self) -> (i32, i32) {
        match self {
            Self::Pid(pid) => pid.offset(),
            Self::Pcx(_) | Self::Bmp(_) => (0, 0),
        }
    }

    /// Returns the picture's own palette.
    pub fn palette(&self) -> Option<Cow<'a, Palette>> {
        match self {
            Self::Pid(pid) => pid.palette().map(Cow::Borrowed),
            Self::Pcx(pcx) => pcx.palette().map(Cow::Borrowed),
            // Its colors are stored in another order.
            Self::Bmp(bmp) => Some(Cow::Owned(bmp.palette())),
        }
    }

    /// Returns the bytes of a decoded pixel: 1 for a palette index, 3 for red, green and blue.
    pub const fn channels(&self) -> usize {
        match self {
            Self::Pid(_) | Self::Bmp(_) => 1,
            Self::Pcx(pcx) => pcx.channels(),
        }
    }

    /// Returns the number of pixels.
    pub const fn pixels(&self) -> usize {
        (self.width() as usize).saturating_mul(self.height() as usize)
    }

    /// Decodes the pixels, in rows from the top, each with [`channels`](Self::channels) bytes, and their opacity: 255,
    /// or 0 for transparent pixels; see [`Pid::decode_with_opacity`]. PCX and BMP pictures are opaque.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream ends before the last pixel, or a slice has the wrong length. In the first case
    /// the pixels before the end are valid.
    pub fn decode_with_opacity(&self, key: ColorKey, pixels: &mut [u8], opacity: &mut [u8]) -> Result<()> {
        match self {
            Self::Pid(pid) => pid.decode_with_opacity(key, pixels, opacity),
            Self::Pcx(pcx) => {
                opacity.fill(0xFF);
                pcx.decode_into(pixels)
            }
            Self::Bmp(bmp) => {
                opacity.fill(0xFF);
                bmp.decode_into(pixels)
            }
        }
    }
}

worldview_core::assert_send_sync!(Picture<'_>);
