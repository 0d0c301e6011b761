use png::{BitDepth, ColorType, Encoder};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::small;
use worldview_corpus::island::naive::database;
use worldview_corpus::island::spec::{DatabaseSpec, ImageSpec, TextureSpec};
use worldview_corpus::workbook::crc32;
use worldview_edit::{Change, Planned, island};
use worldview_island::{Database, Image};

/// A file with one global texture: four columns, alternately of two of three colors.
fn file() -> Vec<u8> {
    let palette = vec![[10, 20, 30], [200, 100, 50], [1, 1, 1]];
    let image = ImageSpec::drawn(4, 2, palette, |x, _| (x % 2) as u8);
    build(&DatabaseSpec { textures: vec![TextureSpec::new("dog.gif", image)], ..DatabaseSpec::default() }).bytes
}

fn image(file: &[u8]) -> Image<'_> {
    Database::parse(file).unwrap().textures().unwrap().iter().next().unwrap().image
}

/// The colors of the first texture, by the naive reader, and its palette.
fn shown(file: &[u8]) -> (u32, u32, Vec<[u8; 3]>, Vec<[u8; 3]>) {
    let image = database(file).unwrap().textures.unwrap().swap_remove(0).image;
    let colors = image.pixels.iter().map(|&pixel| image.palette.get(usize::from(pixel)).copied().unwrap_or_default());
    (image.width, image.height, colors.collect(), image.palette)
}

fn encode(width: u32, height: u32, kind: (ColorType, BitDepth), data: &[u8]) -> Vec<u8> {
    encode_with(width, height, kind, &[], data)
}

/// The same with a palette, which only indexed pictures have.
fn encode_with(width: u32, height: u32, kind: (ColorType, BitDepth), palette: &[[u8; 3]], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(kind.0);
    encoder.set_depth(kind.1);
    if kind.0 == ColorType::Indexed {
        encoder.set_palette(palette.as_flattened());
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    out
}

const RGB: (ColorType, BitDepth) = (ColorType::Rgb, BitDepth::Eight);

fn planned(file: &[u8], png: &[u8]) -> (Vec<u8>, Vec<Change>, Vec<String>) {
    let planned = worldview_import::png(&image(file), png).unwrap();
    let (notes, changes) = (crate::messages(&planned), planned.complete().unwrap());
    let all = changes.clone().prefixed(&crate::path("global_textures/texture:dog.gif/image#0"));
    (island::apply(file, &all).unwrap().to_vec(), changes.into_iter().collect(), notes)
}

fn paths(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| change.path().to_string()).collect()
}

#[test]
fn a_black_that_is_new_gets_an_entry_of_the_palette() {
    let png = encode(4, 2, RGB, &[&[10, 20, 30][..], &[0; 21]].concat());
    let (_, _, colors, palette) = shown(&planned(&file(), &png).0);
    assert_eq!((colors[0], &colors[1..]), ([10, 20, 30], &[[0; 3]; 7][..]));
    assert!(palette.contains(&[0; 3]), "{palette:?}");
}

#[test]
fn an_export_without_an_edit_is_no_change() {
    for seed in 0..20 {
        let file = build(&small(seed)).bytes;
        let database = Database::parse(&file).unwrap();
        for texture in database.textures().unwrap() {
            let mut png = Vec::new();
            // Images without pixels have no export.
            if worldview_export::model::png::image(texture.image, &mut png).is_ok() {
                let planned = worldview_import::png(&texture.image, &png).unwrap();
                assert!(planned.changes.is_empty() && crate::messages(&planned).is_empty(), "{planned:?}");
            }
        }
    }
}

#[test]
fn pixels_keep_their_palette_entries() {
    let file = file();
    let [dark, light] = [[10, 20, 30], [200, 100, 50]];
    let mut colors = [dark, light, dark, light, dark, light, dark, light];
    let deep: Vec<u8> = colors.iter().flatten().flat_map(|&shade| [shade, shade]).collect();
    let (_, changes, _) = planned(&file, &encode(4, 2, (ColorType::Rgb, BitDepth::Sixteen), &deep));
    assert!(changes.is_empty(), "{changes:?}");
    // A color that the palette has.
    colors[5] = [1, 1, 1];
    let (edited, changes, _) = planned(&file, &encode(4, 2, RGB, colors.as_flattened()));
    assert_eq!(paths(&changes), ["pixels"]);
    assert_eq!(shown(&edited), (4, 2, colors.to_vec(), vec![dark, light, [1, 1, 1]]));
    // A new color is appended.
    colors[5] = [9, 9, 9];
    let (edited, _, notes) = planned(&file, &encode(4, 2, RGB, colors.as_flattened()));
    assert_eq!(shown(&edited), (4, 2, colors.to_vec(), vec![dark, light, [1, 1, 1], [9, 9, 9]]));
    assert!(notes.is_empty());
}

#[test]
fn a_color_that_changes_everywhere_changes_in_the_palette() {
    let file = file();
    let [dark, light] = [[10, 20, 30], [250, 0, 0]];
    let colors = [dark, light, dark, light, dark, light, dark, light];
    let opaque: Vec<u8> = colors.iter().flat_map(|&[red, green, blue]| [red, green, blue, 255]).collect();
    let (edited, changes, _) = planned(&file, &encode(4, 2, (ColorType::Rgba, BitDepth::Eight), &opaque));
    assert_eq!(paths(&changes), ["color#1"]);
    assert_eq!(shown(&edited), (4, 2, colors.to_vec(), vec![dark, light, [1, 1, 1]]));
    assert_eq!(edited.len(), file.len());
}

#[test]
fn pictures_of_other_sizes_and_many_colors_fit() {
    let file = file();
    let gray: Vec<u8> = (0..=255).collect();
    let (edited, _, notes) = planned(&file, &encode(16, 16, (ColorType::Grayscale, BitDepth::Eight), &gray));
    let (width, height, colors, palette) = shown(&edited);
    assert_eq!((width, height, palette.len(), notes.len()), (16, 16, 256, 0));
    assert!(colors.iter().zip(&gray).all(|(&color, &gray)| color == [gray; 3]));
    // Half of each shade of gray is tinted: 384 colors.
    let many: Vec<[u8; 3]> = (0..512)
        .map(|at| [(at / 2) as u8, (at / 2) as u8, (at / 2) as u8 ^ (at as u8 & 3 & (at as u8) << 1)])
        .collect();
    let (edited, _, notes) = planned(&file, &encode(32, 16, RGB, many.as_flattened()));
    let (width, height, colors, palette) = shown(&edited);
    assert_eq!((width, height, palette.len()), (32, 16, 256));
    assert!(notes.len() == 1 && notes[0].contains("was reduced to 256"), "{notes:?}");
    let far = colors.iter().zip(&many).flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(far.unwrap() < 16, "{far:?}");
}

#[test]
fn a_palette_is_taken_as_it_is() {
    let file = file();
    let indices = [0, 1, 0, 1, 0, 1, 0, 1];
    let indexed =
        |palette: &[[u8; 3]], indices: &[u8], depth| encode_with(4, 2, (ColorType::Indexed, depth), palette, indices);
    // The third color is one that no pixel shows.
    let palette = [[10, 20, 30], [200, 100, 50], [7, 8, 9]];
    let (edited, changes, _) = planned(&file, &indexed(&palette, &indices, BitDepth::Eight));
    assert_eq!(paths(&changes), ["color#2"]);
    assert_eq!(shown(&edited).3, palette);
    // Programs drop colors that no pixel shows, and pack pixels: one bit each.
    let (_, changes, _) = planned(&file, &indexed(&palette[..2], &[0b0101_0000, 0b0101_0000], BitDepth::One));
    assert!(changes.is_empty(), "{changes:?}");
}

/// A chunk of a PNG.
fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    let sum = crc32(&[name.as_bytes(), data].concat()).to_be_bytes();
    [&(data.len() as u32).to_be_bytes(), name.as_bytes(), data, &sum].concat()
}

/// A PNG with another chunk before its pixels.
fn with_chunk(png: &[u8], name: &str, data: &[u8]) -> Vec<u8> {
    let at = png.windows(4).position(|four| four == b"IDAT").unwrap() - 4;
    [&png[..at], &chunk(name, data), &png[at..]].concat()
}

#[test]
fn chunks_without_pixels_are_not_read() {
    let file = file();
    let [dark, light] = [[10, 20, 30], [200, 100, 50]];
    let plain = encode(4, 2, RGB, [dark, light, dark, light, dark, light, dark, light].as_flattened());
    let notes = |png: &[u8]| {
        let (_, changes, notes) = planned(&file, png);
        assert!(changes.is_empty());
        notes
    };
    // The library would inflate these: a megabyte of zeros from a kilobyte, if they were valid.
    for name in ["iCCP", "zTXt", "iTXt", "gAMA"] {
        assert_eq!(notes(&with_chunk(&plain, name, &[0xFF; 1000])), [""; 0]);
    }
    assert_eq!(notes(&with_chunk(&plain, "acTL", &[0; 8])), ["not read: an animation; only its first picture is read"]);
    assert_eq!(notes(&with_chunk(&plain, "vpAg", &[0; 9])), ["not read: the chunk vpAg"]);
    assert_eq!(notes(&[&plain[..], b"more"].concat()), ["not read: 4 bytes behind its end"]);
    let mut deep: Vec<u8> = plain_colors().iter().flat_map(|&shade| [shade, shade]).collect();
    deep[1] ^= 1;
    let deep = encode(4, 2, (ColorType::Rgb, BitDepth::Sixteen), &deep);
    assert_eq!(notes(&deep), ["not read: the lower 8 bits of 16-bit colors"]);
}

fn plain_colors() -> Vec<u8> {
    [[10, 20, 30], [200, 100, 50]].repeat(4).concat()
}

#[test]
fn other_pictures_are_refused() {
    let file = file();
    let refused = |png: &[u8], expected: &str| {
        let error = worldview_import::png(&image(&file), png).and_then(Planned::complete).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(b"GIF89a", "not a readable PNG");
    // The library leaves out what is transparent if the sum of that chunk is wrong.
    let mut damaged = with_chunk(&encode(4, 2, RGB, &[7; 24]), "tRNS", &[0; 6]);
    let at = damaged.windows(4).position(|four| four == b"tRNS").unwrap();
    damaged[at + 10] ^= 1;
    refused(&damaged, "its chunk tRNS is damaged: the checksum differs");
    let png = encode(4, 2, RGB, &[7; 24]);
    refused(&png[..png.len() - 20], "not a readable PNG");
    let half = encode(1, 2, (ColorType::Rgba, BitDepth::Eight), &[1, 2, 3, 255, 1, 2, 3, 128]);
    let refusal = worldview_import::png(&image(&file), &half).unwrap();
    let entry = refusal.account.entries().next().unwrap();
    assert_eq!(entry.message, "textures have no transparency, but 1 pixels are not opaque");
    assert_eq!((entry.place.pointer.as_deref(), &*entry.path.to_string()), (Some("pixel row 1"), "pixel:0,1"));

    // What the library does not survive, or takes too much memory for.
    let whole = |header: &[u8], rest: &[Vec<u8>]| {
        [&b"\x89PNG\r\n\x1a\n"[..], &chunk("IHDR", header), &rest.concat(), &chunk("IEND", &[])].concat()
    };
    let size = |width: u32, height: u32| [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 3, 0, 0, 0]].concat();
    for length in [0, 1, 5, 769, 771] {
        let png = whole(&size(1, 1), &[chunk("PLTE", &vec![0; length]), chunk("IDAT", &[])]);
        refused(&png, &format!("not a readable PNG: its palette has {length} bytes, not three for each"));
    }
    refused(&whole(&size(0, 1), &[]), "0 x 1 pixels are no picture");
    refused(&whole(&size(1 << 13, 1 << 12), &[chunk("PLTE", &[0; 3])]), "the limit is 16777216 pixels");
    refused(&whole(&size(1, 1), &[]), "it has no palette");
    refused(&whole(&[0; 12], &[]), "its header is not one of PNG");
    refused(&whole(&size(1, 1), &[chunk("ABCD", &[])]), "its chunk ABCD is not known");
    let clear = whole(&size(1, 1), &[chunk("PLTE", &[0; 3]), chunk("tRNS", &[0; 2])]);
    refused(&clear, "transparent colors does not fit its pixels");
    let two = [[10, 20, 30], [200, 100, 50]];
    let colorless = encode_with(3, 1, (ColorType::Indexed, BitDepth::Eight), &two, &[1, 2, 255]);
    refused(&colorless, "pixels whose index is outside its palette of 2 colors: 2");
    for end in 0..png.len() {
        refused(&png[..end], "not a readable PNG");
    }
}
