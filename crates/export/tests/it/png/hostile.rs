use worldview_core::Limit;
use worldview_corpus::trial::Trial;
use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::generate::edge_cases;
use worldview_corpus::wwd::spec::{AttributeSpec, AttributeTableSpec, LevelSpec, PlaneSpec};
use worldview_export::level::Sheet;
use worldview_export::level::png::{self, Allowance, Options};
use worldview_export::{Error, Result};
use worldview_wwd::{Level, Plane, unpack};

use super::support::{EMPTY, FILLED, level, object, open, plane};

/// The outcome of drawing a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Drawn,
    Nothing,
    TooManyPixels,
}

fn fate(result: &Result<()>) -> Fate {
    match result {
        Ok(()) => Fate::Drawn,
        Err(Error::Nothing { .. }) => Fate::Nothing,
        Err(Error::Limit { of: Limit::Pixels, .. }) => Fate::TooManyPixels,
        Err(other) => panic!("{other}"),
    }
}

/// Returns the expected outcome for a plane, based on its header.
fn expected(plane: &Plane<'_>, options: &Options<'_>) -> Fate {
    if plane.tiles().is_empty() {
        return Fate::Nothing;
    }
    let header = plane.header();
    let size = [header.tile_width, header.tile_height].map(|side| i128::from(side.get()));
    let tile = if size.iter().all(|&side| side > 0) { size } else { [64; 2] };
    let cells = [plane.columns(), plane.rows().len()].map(|count| i128::try_from(count).unwrap());
    let fit = (4096 / cells[0].max(cells[1])).min(64);
    let (scale, longer) = (options.scale.map_or(fit, i128::from).max(1), tile[0].max(tile[1]));
    let side = |at: usize| cells[at] * ((2 * scale * tile[at] + longer) / (2 * longer)).max(1);
    if side(0) * side(1) <= i128::from(options.max_pixels) { Fate::Drawn } else { Fate::TooManyPixels }
}

/// Draws every picture, checks the outcomes, and returns how many pictures were drawn.
fn draw_all(level: &Level<'_>, options: &Options<'_>) -> usize {
    let mut allowance = Allowance::new(options);
    let mut drawn = 0;
    for plane in level.planes() {
        let result = png::plane(level, plane, options, &mut allowance, std::io::sink());
        assert_eq!(fate(&result), expected(plane, options), "{plane:?}");
        drawn += usize::from(result.is_ok());
    }
    let main = level.main_plane().map_or(Fate::Nothing, |main| expected(main, options));
    let result = png::level(level, options, &mut allowance, std::io::sink());
    assert_eq!(fate(&result), main);
    drawn += usize::from(result.is_ok());
    let result = png::attributes(level, options, &mut allowance, std::io::sink());
    match (level.attributes().header(), main) {
        (None, _) | (_, Fate::Nothing) => assert_eq!(fate(&result), Fate::Nothing),
        // The legend may exceed the limit even if the level does not.
        (Some(_), Fate::Drawn) => assert_ne!(fate(&result), Fate::Nothing),
        (Some(_), main) => assert_eq!(fate(&result), main),
    }
    drawn + usize::from(result.is_ok())
}

#[test]
fn no_tile_size_is_too_odd() {
    let sizes = [i32::MIN, -64, 0, 1, 63, 1000, i32::MAX];
    for (wide, high) in sizes.into_iter().flat_map(|wide| sizes.map(|high| (wide, high))) {
        let odd = |flags| PlaneSpec {
            tile_width: wide,
            tile_height: high,
            objects: vec![object(i32::MAX, i32::MIN), object(0, 0), object(64, i32::MAX)],
            ..plane(flags, 64, 3, &[1, EMPTY, FILLED, 2, 3, 4])
        };
        let usual = |flags| plane(flags, 64, 2, &[5, 6, 7, 8]);
        for planes in [vec![odd(12), usual(1), odd(0)], vec![usual(12), odd(1), usual(0)]] {
            open(&level(planes), |level| {
                let drawn = |scale| draw_all(level, &Options::default().scale(scale).max_pixels(20_000));
                assert_eq!([Some(0), Some(1), Some(u32::MAX)].map(drawn), [4, 4, 0]);
                // The plane with ordinary tiles has 2 x 2 cells of 64 or 100 pixels.
                assert!([None, Some(7)].map(drawn).iter().all(|&drawn| drawn > 0));
                drawn(Some(100));
            });
        }
    }
}

#[test]
fn every_edge_case_is_drawn_or_refused() {
    let mut drawn = 0;
    for (name, spec) in edge_cases() {
        let file = build(&spec).bytes;
        let Ok(image) = unpack(&file) else { continue };
        if let Ok(level) = Level::parse_lossy(&image, &mut |_| ()) {
            for scale in [1, 3] {
                println!("{name}");
                drawn += draw_all(&level, &Options::default().scale(scale).max_pixels(1 << 22));
            }
        }
    }
    assert!(drawn > 0);
}

#[test]
fn planes_of_tiny_tiles_are_refused_when_they_are_too_many() {
    let result = |count: usize, options: &Options<'_>| {
        let mut planes = vec![plane(1, 64, 32, &[5; 32 * 32])];
        planes.resize(1 + count, plane(12, 1, 2, &[1, 2, 3, 4]));
        open(&level(planes), |level| png::level(level, options, &mut Allowance::new(options), std::io::sink()))
    };
    // A picture of 2^20 pixels, each of which costs three units in every plane of tiny tiles.
    let (options, pixels) = (Options::default().scale(32).max_pixels(1 << 20), 3 << 20);
    assert!(result(4, &options).is_ok());
    let refused = result(6, &options).unwrap_err();
    let Error::Limit { what: "the pixels of all planes together", need, limit, of: Limit::Pixels } = refused else {
        panic!("{refused}")
    };
    assert_eq!(limit, 1 << 24);
    assert!((6 * pixels..7 * pixels).contains(&need), "{need}");
    // The limit depends on the option.
    assert!(result(6, &options.max_pixels(1 << 23)).is_ok());
}

#[test]
fn the_pictures_of_a_level_share_their_pixels() {
    let planes = vec![plane(1, 64, 1, &[1]), plane(0, 64, 2048, &[1; 2048 * 8])];
    let options = Options::default().scale(32).max_pixels(1 << 24);
    open(&level(planes), |level| {
        let mut allowance = Allowance::new(&options);
        let sheet =
            Sheet { image_set: vec![], cells: vec![], columns: 4096, tile_width: 1, tile_height: 4096, fill: 0 };
        // The plane and the sheet each have the maximum number of pixels of one picture; the level has far fewer.
        png::plane(level, &level.planes()[1], &options, &mut allowance, std::io::sink()).unwrap();
        png::level(level, &options, &mut allowance, std::io::sink()).unwrap();
        for _ in 0..2 {
            png::sheet(&sheet, &options, &mut allowance, std::io::sink()).unwrap();
        }
        let refused = png::sheet(&sheet, &options, &mut allowance, std::io::sink()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the pixels of all pictures of the level would take 67174400, the limit is 67108864"
        );
        // A rejected picture does not use up the allowance, so a smaller one still fits.
        let small = Sheet { tile_height: 4080, ..sheet };
        png::sheet(&small, &options, &mut allowance, std::io::sink()).unwrap();
        assert!(png::level(level, &options, &mut allowance, std::io::sink()).is_err());
    });
}

#[test]
fn a_level_of_many_large_planes_is_drawn() {
    // 24 planes of 64 x 64 tiles, each a picture of 4,096 x 4,096 pixels.
    let words = |seed: u32| (0..64 * 64).map(|at| (at * 7 + seed) % 60).collect::<Vec<_>>();
    let mut planes: Vec<_> = (0..24).map(|at| plane(if at % 2 == 0 { 12 } else { 0 }, 64, 64, &words(at))).collect();
    planes[5].flags = 1;
    planes.iter_mut().for_each(|plane| plane.objects = vec![object(70, 3000); 20]);
    let records = vec![AttributeSpec::single(64, 64, 1); 60];
    let attributes = Some(AttributeTableSpec { records, ..AttributeTableSpec::default() });
    open(&LevelSpec { attributes, ..level(planes) }, |level| {
        let options = Options::default();
        let mut allowance = Allowance::new(&options);
        png::level(level, &options, &mut allowance, std::io::sink()).unwrap();
        png::attributes(level, &options, &mut allowance, std::io::sink()).unwrap();
        for plane in level.planes() {
            png::plane(level, plane, &options, &mut allowance, std::io::sink()).unwrap();
        }
    });
}

#[test]
fn broken_levels_are_drawn_as_far_as_they_go() {
    const RULE: &str = "what a plane has is drawn";
    let spec = level(vec![PlaneSpec { objects: vec![object(1, 1); 5], ..plane(1, 64, 4, &[1; 16]) }]);
    let image = build_image(&spec).bytes;
    for end in 1524..image.len() {
        let cut = image[..end].to_vec();
        let _trial = Trial::new(RULE, "a level that is cut", &cut).before(&image);
        if let Ok(level) = Level::parse_lossy(&cut, &mut |_| ()) {
            draw_all(&level, &Options::default().scale(2));
        }
    }
    // Every byte of the headers, replaced with values that make numbers large, odd or negative.
    for (at, byte) in (1524..1524 + 160).flat_map(|at| [0x00, 0x01, 0x7F, 0x80, 0xFF].map(|byte| (at, byte))) {
        let mut changed = image.clone();
        changed[at] = byte;
        let _trial = Trial::new(RULE, "a level with another byte", &changed).before(&image);
        if let Ok(level) = Level::parse_lossy(&changed, &mut |_| ()) {
            draw_all(&level, &Options::default().scale(3).max_pixels(1 << 16));
        }
    }
}
