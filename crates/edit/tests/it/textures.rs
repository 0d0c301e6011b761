use png::{BitDepth, ColorType, Encoder};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::small;
use worldview_corpus::island::naive::database;
use worldview_corpus::island::spec::{DatabaseSpec, ImageSpec, TextureSpec};
use worldview_edit::{Change, Changes, Planned, island};
use worldview_island::{Database, Image};

/// A file with one global texture: four columns, alternately of two of three colors.
fn file() -> Vec<u8> {
    let palette = vec![[10, 20, 30], [200, 100, 50], [1, 1, 1]];
    let image = ImageSpec::drawn(4, 2, palette, |x, _| (x % 2) as u8);
    build(&DatabaseSpec { textures: vec![TextureSpec::new("dog.gif", image)], ..DatabaseSpec::default() }).bytes
}

fn image(file: &[u8]) -> Image<'_> {
    Database::parse(file).unwrap().textures().unwrap().get(0).unwrap().image
}

/// The colors of the first texture, by the naive reader, and its palette.
fn shown(file: &[u8]) -> (u32, u32, Vec<[u8; 3]>, Vec<[u8; 3]>) {
    let image = database(file).unwrap().textures.unwrap().swap_remove(0).image;
    let colors = image.pixels.iter().map(|&pixel| image.palette.get(usize::from(pixel)).copied().unwrap_or_default());
    (image.width, image.height, colors.collect(), image.palette)
}

fn encode(width: u32, height: u32, kind: (ColorType, BitDepth), data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(kind.0);
    encoder.set_depth(kind.1);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    out
}

const RGB: (ColorType, BitDepth) = (ColorType::Rgb, BitDepth::Eight);

fn planned(file: &[u8], png: &[u8]) -> (Vec<u8>, Vec<Change>, Vec<String>) {
    let planned = worldview_import::png(&image(file), png).unwrap();
    let (notes, changes) = (crate::messages(&planned), planned.complete().unwrap());
    let within = |change: &Change| match change {
        Change::Set { path, from, to } => {
            let path = format!("global_textures/texture:dog.gif/image#0/{path}").parse().unwrap();
            Change::Set { path, from: from.clone(), to: to.clone() }
        }
        other => panic!("{other:?}"),
    };
    let all: Changes = changes.iter().map(within).collect();
    (island::apply(file, &all).unwrap().to_vec(), changes.into_iter().collect(), notes)
}

fn paths(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| change.path().to_string()).collect()
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
fn other_pictures_are_refused() {
    let file = file();
    let refused = |png: &[u8], expected: &str| {
        let error = worldview_import::png(&image(&file), png).and_then(Planned::complete).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(b"GIF89a", "not a readable PNG");
    let png = encode(4, 2, RGB, &[7; 24]);
    refused(&png[..png.len() - 20], "not a readable PNG");
    refused(
        &encode(1, 2, (ColorType::Rgba, BitDepth::Eight), &[1, 2, 3, 255, 1, 2, 3, 128]),
        "pixel:0,1: 128 does not fit: textures have no",
    );
}
