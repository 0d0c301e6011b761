use worldview_core::Limit;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_export::Error;
use worldview_export::level::palette;
use worldview_export::level::png::{self, Allowance, Options};

use super::support::{EMPTY, FILLED, MARK, OUTLINE, Picture, level, object, open, plane};

const CYAN: [u8; 3] = [54, 200, 222];

fn with(planes: Vec<PlaneSpec>, records: Vec<AttributeSpec>) -> LevelSpec {
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    LevelSpec { attributes, ..level(planes) }
}

fn picture(spec: &LevelSpec, scale: u32) -> Picture {
    let options = Options::default().scale(scale);
    open(spec, |level| Picture::of(|bytes| png::attributes(level, &options, &mut Allowance::new(&options), bytes)))
}

/// The color of an attribute on the level.
fn on_level(attribute: i32) -> [u8; 4] {
    let [red, green, blue] = palette::attribute(attribute);
    [red, green, blue, if attribute == 0 { 0 } else { 168 }]
}

#[test]
fn each_attribute_has_its_color_and_what_does_nothing_is_transparent() {
    let attributes = [0, 1, 2, 3, 4, 10, -845_788_608];
    let records = attributes.map(|attribute| AttributeSpec::single(64, 64, attribute)).to_vec();
    let words = [0, 1, 2, 3, 4, 5, 6, 7, EMPTY, FILLED, 0x0001_0002];
    let picture = picture(&with(vec![plane(1, 64, 11, &words)], records), 1);
    assert_eq!(picture.color, ::png::ColorType::Indexed);
    let shown: Vec<_> = (0..11).map(|x| picture.at(x, 0)).collect();
    let [red, green, blue] = CYAN;
    let mut expected: Vec<_> = attributes.map(on_level).to_vec();
    // Frame 7 has no record, empty and filled cells have no frame, and the image set does not matter.
    expected.extend([[red, green, blue, 168], on_level(0), on_level(0), on_level(2)]);
    assert_eq!(shown, expected);
    assert_eq!(expected[5], expected[6]);
    let trns = picture.trns.unwrap();
    assert_eq!(trns[..7], [0, 168, 168, 168, 168, 168, 168]);
}

#[test]
fn doubles_are_sampled_inside_the_tile() {
    // With 4 pixels per tile, the samples are at 8, 24, 40 and 56. The bounds of the rectangle are inclusive.
    let records = vec![AttributeSpec::double(64, 64, 1, 4, [24, 0, 40, 39])];
    let picture = picture(&with(vec![plane(1, 64, 2, &[EMPTY, 0])], records), 4);
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let inside = (1..=2).contains(&x) && y < 2;
        assert_eq!(picture.at(4 + x, y), on_level(if inside { 4 } else { 1 }), "{x}, {y}");
        assert_eq!(picture.at(x, y), on_level(0));
    }
}

#[test]
fn masks_are_sampled_pixel_by_pixel() {
    // 4 x 4 pixels in a tile of 4: each corresponds to one pixel of the picture.
    let bytes: Vec<u8> = vec![0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3];
    let records = vec![AttributeSpec::mask(4, 4, bytes.clone())];
    let picture = picture(&with(vec![plane(1, 4, 1, &[0, 0])], records), 4);
    for (x, y) in (0..4).flat_map(|x| (0..8).map(move |y| (x, y))) {
        let byte = bytes[(y % 4 * 4 + x) as usize];
        assert_eq!(picture.at(x, y), on_level(byte.into()), "{x}, {y}");
    }
}

#[test]
fn outside_its_mask_a_tile_has_no_attribute() {
    let records = vec![AttributeSpec::mask(2, 2, vec![1; 4])];
    let picture = picture(&with(vec![plane(1, 4, 1, &[0])], records), 4);
    let [red, green, blue] = CYAN;
    assert_eq!(
        [(1, 1), (2, 1), (1, 2)].map(|(x, y)| picture.at(x, y)),
        [on_level(1), [red, green, blue, 168], [red, green, blue, 168]]
    );
}

#[test]
fn objects_are_marked_here_too() {
    let main = PlaneSpec { objects: vec![object(32, 32)], ..plane(1, 64, 1, &[0]) };
    let picture = picture(&with(vec![main], vec![AttributeSpec::single(64, 64, 1)]), 5);
    assert_eq!([2, 3, 4].map(|x| picture.at(x, 2)), [MARK, MARK, OUTLINE]);
}

#[test]
fn the_legend_is_below_and_shows_every_class() {
    let spec = with(vec![plane(1, 64, 30, &[0; 60])], vec![AttributeSpec::single(64, 64, 0)]);
    let picture = picture(&spec, 64);
    assert_eq!(picture.width, 30 * 64);
    assert!(picture.height > 2 * 64 + 20);
    let rest = (2 * 64..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
    let inks: std::collections::BTreeSet<_> = rest.map(|(x, y)| picture.at(x, y)).collect();
    assert!(inks.iter().all(|[.., opacity]| *opacity == 255));
    for color in [1, 2, 3, 4, 10].map(palette::attribute).into_iter().chain([CYAN, palette::MARK]) {
        let [red, green, blue] = color;
        assert!(inks.contains(&[red, green, blue, 255]), "{color:?}");
    }
    // Six classes, a mark and its outline, the background and the text. The swatch for the class "clear" is drawn in
    // the ink of the text.
    assert_eq!(inks.len(), 10);
}

#[test]
fn a_narrow_picture_is_widened_for_its_legend() {
    let spec = with(vec![plane(1, 64, 1, &[0])], vec![AttributeSpec::single(64, 64, 1)]);
    let picture = picture(&spec, 1);
    assert!(picture.width > 60 && picture.height > 100, "{:?}", picture.size());
    assert_eq!([0, 1].map(|x| picture.at(x, 0)), [on_level(1), on_level(0)]);
    assert_eq!(picture.at(0, 1), [24, 26, 32, 255]);
}

#[test]
fn the_overlay_lies_on_the_picture_of_the_level() {
    let spec = with(vec![plane(1, 64, 90, &[0; 180])], vec![AttributeSpec::single(64, 64, 1)]);
    open(&spec, |level| {
        let colors = Options::default().tile_colors(true);
        let below = Picture::of(|bytes| png::level(level, &colors, &mut Allowance::new(&colors), bytes));
        let above = Picture::of(|bytes| {
            png::attributes(level, &Options::default(), &mut Allowance::new(&Options::default()), bytes)
        });
        assert_eq!(above.width, below.width);
        assert_eq!(above.at(below.width - 1, below.height - 1), on_level(1));
        assert_eq!(above.at(0, below.height), [24, 26, 32, 255]);
    });
}

#[test]
fn the_legend_counts_as_pixels() {
    let spec = with(vec![plane(1, 64, 1, &[0])], vec![AttributeSpec::single(64, 64, 1)]);
    let options = Options::default().scale(1).max_pixels(100);
    let error = open(&spec, |level| png::attributes(level, &options, &mut Allowance::new(&options), std::io::sink()))
        .unwrap_err();
    assert!(matches!(error, Error::Limit { of: Limit::Pixels, .. }), "{error}");
}

#[test]
fn a_level_without_attributes_has_no_overlay() {
    let spec = LevelSpec { attributes: None, ..level(vec![plane(1, 64, 1, &[0])]) };
    let error = open(&spec, |level| {
        png::attributes(level, &Options::default(), &mut Allowance::new(&Options::default()), std::io::sink())
    })
    .unwrap_err();
    assert_eq!(error.to_string(), "nothing to export: no tile attributes");
}

#[test]
fn gruntz_has_colors_of_its_own() {
    // Water, an arrow, spikes, a switch, a pyramid, a bridge, a brick, and a number that no game has.
    let attributes = [10, 11, 32, 51, 93, 107, 151, 200];
    let records = attributes.map(|attribute| AttributeSpec::single(64, 64, attribute)).to_vec();
    let mut spec = with(vec![plane(1, 64, 8, &[0, 1, 2, 3, 4, 5, 6, 7])], records);
    let shown = |spec: &LevelSpec| {
        let picture = picture(spec, 1);
        ((0..8).map(|x| picture.at(x, 0)).collect::<std::collections::BTreeSet<_>>(), picture.at(7, 0))
    };
    spec.header.image_dir = b"AREA1\\TILEZ".to_vec();
    let (colors, junk) = shown(&spec);
    assert_eq!((colors.len(), junk), (8, on_level(200)));
    spec.header.image_dir = b"LEVEL1\\TILES".to_vec();
    assert_eq!(shown(&spec).0, [on_level(200)].into());
}

#[test]
fn a_level_without_pictures_is_drawn_by_its_attributes() {
    let records = [0, 1, 4].map(|attribute| AttributeSpec::single(64, 64, attribute)).to_vec();
    let spec = with(vec![plane(1, 64, 4, &[0, 1, 2, EMPTY])], records);
    let drawn = |options: Options<'_>| {
        open(&spec, |level| Picture::of(|bytes| png::level(level, &options, &mut Allowance::new(&options), bytes)))
    };
    let picture = drawn(Options::default().scale(1));
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
    let shown: Vec<_> = (0..4).map(|x| picture.at(x, 0)).collect();
    assert_eq!(
        shown,
        [0, 1, 4].map(palette::attribute).into_iter().chain([palette::EMPTY]).map(opaque).collect::<Vec<_>>()
    );
    let picture = drawn(Options::default().scale(1).tile_colors(true));
    assert_eq!((picture.width, picture.height, picture.at(1, 0)), (4, 1, opaque(palette::tile(1))));
}
