//! Pictures of textures, decoded by the `png` crate without any conversion.

use worldview_corpus::island::build::{build, build_textures};
use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{DatabaseSpec, ImageSpec, TextureSpec};
use worldview_export::{Error, model};
use worldview_island::{Content, Contents, Database, Image};

/// A picture as stored, without expansion.
struct Picture {
    width: u32,
    height: u32,
    palette: Vec<[u8; 3]>,
    pixels: Vec<u8>,
}

fn decode(bytes: &[u8]) -> Picture {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    reader.finish().unwrap();
    assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Indexed, png::BitDepth::Eight));
    let info = reader.info();
    assert!(info.trns.is_none());
    let palette = info.palette.as_ref().unwrap().chunks(3).map(|color| color.try_into().unwrap()).collect();
    Picture { width: frame.width, height: frame.height, palette, pixels }
}

fn picture(image: Image<'_>) -> Picture {
    let mut out = Vec::new();
    model::png::image(image, &mut out).unwrap();
    decode(&out)
}

/// Calls `look` with the images of a file, in no particular order.
fn each_image(bytes: &[u8], look: &mut dyn FnMut(Image<'_>)) {
    let Ok(database) = Database::parse(bytes) else { return };
    let contents = Contents::read(&database);
    let of_blobs = contents.blobs.iter().flatten().map(|content| match content {
        Content::Parts(parts) => parts.textures,
        Content::Model(model) => model.textures,
    });
    let lists = contents.textures.iter().copied().chain(contents.parts.iter().map(|parts| parts.textures));
    for texture in lists.chain(of_blobs).flat_map(|list| list.iter()) {
        look(texture.low());
        if let Some(second) = texture.second {
            look(second);
        }
    }
}

/// Calls `look` with a generated image.
fn one<T>(spec: ImageSpec, look: impl FnOnce(Image<'_>) -> T) -> T {
    let textures = vec![TextureSpec::new("one", spec)];
    let bytes = build(&DatabaseSpec { textures, ..DatabaseSpec::default() }).bytes;
    look(Database::parse(&bytes).unwrap().textures().unwrap().iter().next().unwrap().image)
}

#[test]
fn pictures_have_the_indices_and_the_palette_of_their_images() {
    let mut files = edge_cases();
    files.extend(samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)));
    files.extend((0..40).map(|seed| (format!("small {seed}"), build(&small(seed)).bytes)));
    let (mut drawn, mut empty) = (0, 0);
    for (name, bytes) in files {
        each_image(&bytes, &mut |image| {
            if image.pixels.is_empty() {
                let error = model::png::image(image, std::io::sink()).unwrap_err();
                assert!(matches!(error, Error::Nothing { .. }), "{name}: {error}");
                empty += 1;
                return;
            }
            let picture = picture(image);
            assert_eq!((picture.width, picture.height), (image.width, image.height), "{name}");
            assert_eq!(picture.pixels, image.pixels, "{name}");
            let stored: Vec<_> = image.palette.iter().map(|color| color.get()).collect();
            assert_eq!(picture.palette[..stored.len()], stored, "{name}");
            let needed = usize::from(*image.pixels.iter().max().unwrap()) + 1;
            assert_eq!(picture.palette.len(), stored.len().max(needed), "{name}");
            assert!(picture.palette[stored.len()..].iter().all(|color| *color == [0; 3]), "{name}");
            drawn += 1;
        });
    }
    assert!(drawn > 200 && empty > 0, "{drawn} pictures, {empty} without pixels");
}

#[test]
fn indices_past_the_palette_are_black() {
    let spec = ImageSpec::drawn(3, 1, vec![[9, 8, 7]], |x, _| [0, 255, 4][x as usize]);
    let picture = one(spec, picture);
    assert_eq!(picture.pixels, [0, 255, 4]);
    assert_eq!(picture.palette.len(), 256);
    assert_eq!(picture.palette[..2], [[9, 8, 7], [0; 3]]);
    let colorless = one(ImageSpec::drawn(1, 2, Vec::new(), |_, _| 0), self::picture);
    assert_eq!((colorless.palette, colorless.pixels), (vec![[0; 3]], vec![0, 0]));
}

#[test]
fn all_colors_of_a_palette_stay() {
    let palette: Vec<_> = (0..=255).map(|index| [index, 255 - index, index / 2]).collect();
    let picture = one(ImageSpec::drawn(7, 5, palette.clone(), |x, y| u8::try_from(x * y).unwrap()), picture);
    assert_eq!(picture.palette, palette);
    assert_eq!((picture.width, picture.height), (7, 5));
    // The last pixel of the second row.
    assert_eq!(picture.pixels[13], 6);
}

/// Two rows of three pixels, worked out by hand: each row is padded to four bytes, and the lower one comes first.
#[test]
fn a_bmp_is_eight_bits_from_the_bottom_up() {
    let spec = ImageSpec::drawn(3, 2, vec![[1, 2, 3], [4, 5, 6]], |x, y| u8::from(x == y));
    let mut out = Vec::new();
    one(spec, |image| model::bmp::image(image, &mut out)).unwrap();
    let head = [&b"BM"[..], &1086_u32.to_le_bytes(), &[0; 4], &1078_u32.to_le_bytes()].concat();
    assert_eq!(out[..14], head);
    assert_eq!(out[14..34], [40, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 8, 0, 0, 0, 0, 0]);
    assert_eq!(out[34..54], [8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(out[54..66], [3, 2, 1, 0, 6, 5, 4, 0, 0, 0, 0, 0], "blue, green, red; black behind the last color");
    assert_eq!(out[1078..], [0, 1, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn an_image_without_pixels_is_nothing() {
    for (width, height) in [(0, 0), (0, 3), (3, 0), (0, u32::MAX)] {
        let image = Image { at: 0, width, height, palette: &[], pixels: &[] };
        let mut out = Vec::new();
        let error = model::png::image(image, &mut out).unwrap_err();
        assert_eq!(error.to_string(), "nothing to export: no pixels in this image");
        assert_eq!(out, b"");
    }
}

#[test]
fn a_side_that_no_png_has_is_an_error() {
    for (width, height, message) in [
        (1 << 31, 1, "width of an image at offset 40 (0x28) of the file: expected 0 to 2147483647, found 2147483648"),
        (1, u32::MAX, "height of an image at offset 44 (0x2c) of the file: expected 0 to 2147483647, found 4294967295"),
    ] {
        let image = Image { at: 40, width, height, palette: &[], pixels: &[] };
        let mut out = Vec::new();
        assert_eq!(model::png::image(image, &mut out).unwrap_err().to_string(), message);
        assert_eq!(out, b"");
    }
}

#[test]
fn an_output_that_ends_early_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let spec = ImageSpec::drawn(40, 40, vec![[1; 3]; 200], |x, y| u8::try_from(x * y % 200).unwrap());
    let whole = build_textures(&[TextureSpec::new("one", spec.clone())], &[]).bytes.len();
    for room in [0, 20, 100, whole / 4] {
        let error = one(spec.clone(), |image| model::png::image(image, Full(room))).unwrap_err();
        assert!(matches!(error, Error::Io(error) if error.kind() == std::io::ErrorKind::StorageFull));
    }
}
