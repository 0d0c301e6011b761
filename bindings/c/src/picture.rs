//! Pictures.
#![expect(unsafe_code, reason = "exported functions, and buffers of the caller")]

use std::borrow::Cow;

use formats::rez::raw::Palette;
use formats::rez::{ColorKey, Picture};

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, WvSpan, answer, exactly};
use crate::file::{WvHandle, given};

/// The color key of Claw and Get Medieval: palette index 0 is transparent.
pub const WV_KEY_CLAW: u32 = 0;
/// The color key of Gruntz: the color ff0084 is transparent.
pub const WV_KEY_GRUNTZ: u32 = 0x01FF_0084;

/// The format of a picture.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvPictureKind {
    /// The format of sprites and tiles.
    Pid = 1,
    /// PID with unpacked pixels.
    Rid = 2,
    /// The format of screens.
    Pcx = 3,
    /// The bitmaps of Windows.
    Bmp = 4,
}

/// A picture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPicture {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// The format.
    pub kind: WvPictureKind,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Distance from the position of an object to the center of the picture, to the right, in pixels.
    pub offset_x: i32,
    /// The same distance, downward.
    pub offset_y: i32,
    /// Flags of a PID or RID picture as stored; 0 for others.
    pub flags: u32,
    /// Bytes of a decoded pixel: 1 for a palette index, 3 for red, green and blue.
    pub channels: usize,
    /// Number of pixels: width by height.
    pub pixels: usize,
    /// The picture's own palette: 256 colors of red, green and blue, or empty. Without one, a picture uses that of its level.
    /// A BMP stores its colors in another order, so the span is empty; `wv_decode_rgba` uses them.
    pub palette: WvSpan,
}

/// Returns the size of a picture, and what else is known about it.
#[unsafe(no_mangle)]
pub extern "C" fn wv_picture(picture: Option<&WvHandle>, out: Grown<'_, WvPicture>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || {
        let picture = given(picture)?.picture()?;
        let (kind, flags) = match picture {
            Picture::Pid(pid) if pid.is_raw() => (WvPictureKind::Rid, pid.header().flags.get()),
            Picture::Pid(pid) => (WvPictureKind::Pid, pid.header().flags.get()),
            Picture::Bmp(_) => (WvPictureKind::Bmp, 0),
            _ => (WvPictureKind::Pcx, 0),
        };
        let palette = match picture.palette() {
            Some(Cow::Borrowed(palette)) => palette.colors.as_flattened().into(),
            // What is not in the file as it is shown has no bytes to point to.
            _ => WvSpan::NONE,
        };
        let (offset_x, offset_y) = picture.offset();
        Ok(WvPicture {
            size: size_of::<WvPicture>(),
            kind,
            width: picture.width(),
            height: picture.height(),
            offset_x,
            offset_y,
            flags,
            channels: picture.channels(),
            pixels: picture.pixels(),
            palette,
        })
    })
}

/// Decodes a picture, in rows from the top: `channels` bytes for each pixel, and for each pixel its opacity, 255 or 0.
/// `key` says what is transparent in a picture without skipped pixels: a palette index, or 0x01RRGGBB for a color of the
/// picture's own palette; see `WV_KEY_CLAW` and `WV_KEY_GRUNTZ`.
///
/// The buffers must have exactly `channels * pixels` and `pixels` bytes. If the stream ends too early, the result is
/// `WV_STATUS_BROKEN`, and the pixels before the end are valid.
///
/// # Safety
///
/// `pixels` must point to `pixels_len` bytes, `opacity` to `opacity_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_decode(
    picture: Option<&WvHandle>,
    key: u32,
    pixels: *mut u8,
    pixels_len: usize,
    opacity: *mut u8,
    opacity_len: usize,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer((), error, || {
        let picture = given(picture)?.picture()?;
        exactly("pixels", pixels_len, picture.pixels().saturating_mul(picture.channels()))?;
        exactly("opacity", opacity_len, picture.pixels())?;
        // SAFETY: the caller guarantees `pixels_len` bytes.
        let pixels = unsafe { ffi::zeros(pixels, pixels_len) }?;
        // SAFETY: the caller guarantees `opacity_len` bytes.
        let opacity = unsafe { ffi::zeros(opacity, opacity_len) }?;
        Ok(picture.decode_with_opacity(color_key(key)?, pixels, opacity)?)
    })
}

/// Decodes a picture to red, green, blue and opacity, 4 bytes for each pixel, in rows from the top.
///
/// `palette` has 768 bytes, red, green and blue of 256 colors: that of the level. It is used for palette indices; if it is
/// NULL, the picture's own palette is. `key` is that of `wv_decode`. `rgba` must have exactly `4 * pixels` bytes.
///
/// # Safety
///
/// `palette` must be NULL or point to 768 bytes, `rgba` must point to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_decode_rgba(
    picture: Option<&WvHandle>,
    key: u32,
    palette: *const u8,
    rgba: *mut u8,
    len: usize,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer((), error, || {
        let picture = given(picture)?.picture()?;
        let key = color_key(key)?;
        let given = if palette.is_null() {
            None
        } else {
            // SAFETY: the caller guarantees 768 bytes.
            Some(Palette::parse(unsafe { ffi::bytes(palette, 768) }?)?)
        };
        exactly("RGBA", len, picture.pixels().saturating_mul(4))?;
        // SAFETY: the caller guarantees `len` bytes.
        colored(picture, key, given, unsafe { ffi::zeros(rgba, len) }?)
    })
}

fn colored(picture: &Picture<'_>, key: ColorKey, palette: Option<&Palette>, rgba: &mut [u8]) -> Answer<()> {
    let mut pixels = vec![0; picture.pixels().saturating_mul(picture.channels())];
    let mut opacity = vec![0; picture.pixels()];
    let own = picture.palette();
    let palette = palette.or(own.as_deref());
    if picture.channels() == 1 && palette.is_none() {
        return Err(Fault::argument("the picture has no palette of its own"));
    }
    picture.decode_with_opacity(key, &mut pixels, &mut opacity)?;
    let each = pixels.chunks_exact(picture.channels()).zip(&opacity);
    for ((pixel, opacity), to) in each.zip(rgba.as_chunks_mut::<4>().0) {
        let [red, green, blue] = match (pixel, palette) {
            ([index], Some(palette)) => palette.color(*index),
            ([red, green, blue], _) => [*red, *green, *blue],
            _ => [0; 3],
        };
        *to = [red, green, blue, *opacity];
    }
    Ok(())
}

fn color_key(key: u32) -> Answer<ColorKey> {
    match key.to_be_bytes() {
        [0, 0, 0, index] => Ok(ColorKey::Index(index)),
        [1, red, green, blue] => Ok(ColorKey::Color([red, green, blue])),
        _ => Err(Fault::argument("the key is neither a palette index nor 0x01RRGGBB")),
    }
}
