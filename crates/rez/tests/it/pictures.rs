use worldview_rez::{Bmp, ColorKey, Pcx, Picture, PictureKind, Pid, Run, Tokens};

use crate::{pid, words};

/// Decodes a picture, and returns its pixels and the opacity of each as `#` or `.`.
fn decoded(bytes: &[u8], key: ColorKey) -> (Vec<u8>, String) {
    let picture = Pid::parse(bytes).unwrap();
    let (mut pixels, mut opacity) = (vec![9; picture.len()], vec![9; picture.len()]);
    picture.decode_with_opacity(key, &mut pixels, &mut opacity).unwrap();
    let mut again = vec![8; picture.len()];
    picture.decode_into(&mut again).unwrap();
    assert_eq!(pixels, again);
    (pixels, opacity.iter().map(|opacity| if *opacity == 255 { '#' } else { '.' }).collect())
}

#[test]
fn repeats_cross_the_ends_of_rows() {
    assert_eq!(decoded(&pid(0, 4, 2, &[1, 0xC6, 5, 0xC1, 0xC8]), ColorKey::CLAW).0, [1, 5, 5, 5, 5, 5, 5, 0xC8]);
}

#[test]
fn literals_cross_the_ends_of_rows() {
    let (pixels, opacity) = decoded(&pid(0x20, 4, 2, &[0x81, 5, 1, 2, 3, 4, 0, 0x82]), ColorKey::CLAW);
    assert_eq!((&pixels[..], &opacity[..]), (&[0, 1, 2, 3, 4, 0, 0, 0][..], ".#####.."), "an index 0 is opaque");
}

#[test]
fn skipped_pixels_have_the_key_if_it_is_valid() {
    for (flags, key) in [(0x20, 0), (0x120, 7)] {
        let mut file = pid(flags, 4, 1, &[0x82, 2, 0, 1]);
        file[24..28].copy_from_slice(&[7, 1, 2, 3]);
        let (pixels, opacity) = decoded(&file, ColorKey::CLAW);
        assert_eq!((&pixels[..], &opacity[..]), (&[key, key, 0, 1][..], "..##"));
    }
}

#[test]
fn a_color_key_needs_its_flag() {
    let stream = [0, 8, 1, 8];
    let mut palette = [0x11; 768];
    palette[24..27].copy_from_slice(&[0xFF, 0x00, 0x84]);
    let with_palette = |flags| [&pid(flags, 4, 1, &stream)[..], &palette].concat();
    assert_eq!(decoded(&pid(1, 4, 1, &stream), ColorKey::CLAW).1, ".###");
    assert_eq!(decoded(&pid(1, 4, 1, &stream), ColorKey::GRUNTZ).1, "####", "without a palette no index has the color");
    assert_eq!(decoded(&with_palette(0x81), ColorKey::GRUNTZ).1, "#.#.");
    assert_eq!(decoded(&with_palette(0x80), ColorKey::GRUNTZ).1, "####");
}

#[test]
fn the_palette_is_at_the_end_whatever_lies_before_it() {
    for between in [&[][..], &[0x0C], &[0x0C, 1, 2]] {
        let file = [&pid(0x80, 4, 1, &[0xC4, 3])[..], between, &[5; 765], &[6, 7, 8]].concat();
        let picture = Pid::parse(&file).unwrap();
        assert_eq!(picture.palette().map(|palette| (palette.color(0), palette.color(255))), Some(([5; 3], [6, 7, 8])));
        assert_eq!(picture.decoded().left, between.len());
        assert_eq!(decoded(&file, ColorKey::CLAW).0, [3; 4]);
    }
}

#[test]
fn disputed_tokens_are_read_as_the_engine_does_if_possible() {
    // No pixels for the engine, which then has exactly the picture.
    assert_eq!(decoded(&pid(0, 4, 1, &[0xC0, 9, 0xC4, 3]), ColorKey::CLAW).0, [3; 4]);
    assert_eq!(decoded(&pid(0x20, 4, 1, &[0x80, 0x80, 0x83, 1, 3]), ColorKey::CLAW).0, [0, 0, 0, 3]);
    // Only the editors' reading ends with the picture.
    assert_eq!(decoded(&pid(0, 4, 1, &[0xC0, 0xC0, 1, 2]), ColorKey::CLAW).0, [0xC0, 0xC0, 1, 2]);
    let literals: Vec<u8> = (1..=128).collect();
    let file = pid(0x20, 64, 2, &[&[0x80], &literals[..]].concat());
    assert_eq!(decoded(&file, ColorKey::CLAW), (literals, "#".repeat(128)));
    assert_eq!(Pid::parse(&file).unwrap().decoded().tokens, Tokens::Editor);
    // Neither reading does: the engine's counts, and the pixels so far are there.
    let file = pid(0, 4, 1, &[0xC0, 1, 2]);
    let mut pixels = [9; 4];
    assert!(Pid::parse(&file).unwrap().decode_into(&mut pixels).is_err());
    assert_eq!(pixels, [2, 0, 0, 0]);
}

#[test]
fn runs_are_those_of_the_stream() {
    let file = pid(0x20, 4, 1, &[0x82, 1, 5, 0x81]);
    let runs: Vec<_> = Pid::parse(&file).unwrap().runs(Tokens::Engine).collect();
    assert_eq!(runs, [Run::Skipped(2), Run::Literals(&[5]), Run::Skipped(1)]);
}

#[test]
fn raw_pictures_have_no_runs_and_no_palette() {
    let file = pid(0x81, 4, 1, &[0xC0, 0xFF, 0, 0x80]);
    let picture = Pid::parse_rid(&file).unwrap();
    let (mut pixels, mut opacity) = ([9; 4], [9; 4]);
    picture.decode_with_opacity(ColorKey::CLAW, &mut pixels, &mut opacity).unwrap();
    assert_eq!((pixels, opacity, picture.palette()), ([0xC0, 0xFF, 0, 0x80], [255, 255, 0, 255], None));
}

/// Returns the header of a PCX file.
fn pcx_header(width: u16, height: u16, planes: u8, line: u16) -> Vec<u8> {
    let mut out = vec![10, 5, 1, 8, 0, 0, 0, 0];
    out.extend((width - 1).to_le_bytes());
    out.extend((height - 1).to_le_bytes());
    out.resize(128, 0);
    out[65] = planes;
    out[66..68].copy_from_slice(&line.to_le_bytes());
    out
}

#[test]
fn a_screen_of_one_plane_has_padding_and_a_palette() {
    // Rows of 4 bytes for 3 pixels; a run crosses their end.
    let file = [&pcx_header(3, 2, 1, 4)[..], &[1, 2, 0xC4, 3, 4, 0], &[12], &[5; 768]].concat();
    let picture = Pcx::parse(&file).unwrap();
    let mut pixels = [9; 6];
    picture.decode_into(&mut pixels).unwrap();
    assert_eq!((pixels, picture.channels()), ([1, 2, 3, 3, 3, 4], 1));
    assert_eq!(picture.palette().map(|palette| palette.color(1)), Some([5; 3]));
}

#[test]
fn a_screen_of_three_planes_has_rows_of_each_color() {
    let file = [&pcx_header(2, 2, 3, 2)[..], &[0xC2, 10, 20, 21, 30, 31, 11, 12, 0xC4, 0xC8]].concat();
    let picture = Pcx::parse(&file).unwrap();
    let mut pixels = [9; 12];
    picture.decode_into(&mut pixels).unwrap();
    assert_eq!(pixels, [10, 20, 30, 10, 21, 31, 11, 0xC8, 0xC8, 12, 0xC8, 0xC8]);
    assert!(picture.palette().is_none());
}

/// Returns the header of a BMP file with two colors.
fn bmp_header(width: i32, height: i32) -> Vec<u8> {
    let mut out = b"BM".to_vec();
    let [width, height] = [width, height].map(i32::cast_unsigned);
    // Size, reserved, position of the rows; length of the header, sides, planes and bits, no runs, two colors.
    out.extend(words(&[0, 0, 62, 40, width, height, 8 << 16 | 1, 0, 0, 2835, 2835, 2, 0]));
    out.extend([1, 2, 3, 0, 4, 5, 6, 0xFF]);
    assert_eq!(out.len(), 62);
    out
}

#[test]
fn a_bitmap_begins_with_its_last_row_or_with_its_first() {
    let rows = [1, 0, 1, 9, 0, 1, 0, 9];
    for (height, top, bottom) in [(2, [0, 1, 0], [1, 0, 1]), (-2, [1, 0, 1], [0, 1, 0])] {
        let file = [&bmp_header(3, height)[..], &rows].concat();
        let picture = Bmp::parse(&file).unwrap();
        assert_eq!((picture.width(), picture.height(), picture.is_top_down()), (3, 2, height < 0));
        assert_eq!((picture.row(0), picture.row(1), picture.row(2)), (Some(&top[..]), Some(&bottom[..]), None));
        let mut pixels = [7; 6];
        picture.decode_into(&mut pixels).unwrap();
        assert_eq!(pixels.as_slice(), [top, bottom].as_flattened());
        // Blue comes first in the file.
        let palette = picture.palette();
        assert_eq!([palette.color(0), palette.color(1), palette.color(2)], [[3, 2, 1], [6, 5, 4], [0; 3]]);
        let any = Picture::parse(PictureKind::of_extension("bmp").unwrap(), &file).unwrap();
        assert_eq!((any.channels(), any.offset(), any.pixels()), (1, (0, 0), 6));
        assert!(Bmp::parse(&file[..file.len() - 1]).is_err());
    }
}
