//! Regions of planes with the pictures of a game.

use worldview_corpus::sample;
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::png::region::{Layer, PlanePainter, Region};
use worldview_export::level::png::{self, Allowance, Options};
use worldview_rez::Rez;
use worldview_wwd::{Level, unpack};

use super::regions::{Drawn, assert_averages, whole};
use super::support::Picture;

/// Calls `look` with the level of `harbour.rez` and its pictures.
fn open(look: impl FnOnce(&Level<'_>, &LevelPictures<'_>)) {
    let file = sample("harbour.rez");
    let archive = Rez::parse(&file).unwrap();
    let stored = archive.directory("LEVEL1/WORLDS").unwrap().file("WORLD.WWD").unwrap();
    let image = unpack(stored.data()).unwrap();
    let level = Level::parse(&image).unwrap();
    let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).unwrap();
    look(&level, &pictures);
}

#[test]
fn layers_over_each_other_are_the_picture_of_the_plane() {
    open(|level, pictures| {
        let mut objects = 0;
        for plane in level.planes().iter().filter(|plane| !plane.tiles().is_empty()) {
            let painter = PlanePainter::new(level, plane).game(pictures);
            let part = Region { x: 5000, y: 1800, width: 2000, height: 1500, zoom: 0 };
            let tiles = Drawn::of(&painter, part, Layer::Tiles);
            let above = Drawn::of(&painter, part, Layer::Objects);
            let options = Options::default().game(pictures).scale(painter.tile().0).marks(false);
            let expected = Picture::of(|out| png::plane(level, plane, &options, &mut Allowance::new(&options), out));
            assert_eq!((u64::from(expected.width), u64::from(expected.height)), painter.size());
            for (x, y) in (0..part.width).flat_map(|x| (0..part.height).map(move |y| (x, y))) {
                let is_object = above.at(x, y)[3] > 0;
                objects += u32::from(is_object);
                let found = if is_object { above.at(x, y) } else { tiles.at(x, y) };
                let (x, y) = (x + 5000, y + 1800);
                let wanted = if x < expected.width && y < expected.height { expected.at(x, y) } else { [0; 4] };
                assert!(found == wanted || (found[3], wanted[3]) == (0, 0), "{plane:?}, {x}, {y}");
            }
        }
        assert!(objects > 1000, "{objects} pixels of objects");
    });
}

#[test]
fn objects_after_planes_are_all_objects() {
    open(|level, pictures| {
        let painter = PlanePainter::new(level, level.main_plane().unwrap()).game(pictures);
        let after = painter.objects_after();
        assert!(!after.is_empty());
        let region = whole(&painter, 1);
        let all = Drawn::of(&painter, region, Layer::Objects);
        let parts: Vec<_> =
            after.iter().map(|&plane| Drawn::of(&painter, region, Layer::ObjectsAfter(plane))).collect();
        for (x, y) in (0..region.width).flat_map(|x| (0..region.height).map(move |y| (x, y))) {
            let is_there = parts.iter().any(|part| part.at(x, y)[3] > 0);
            assert_eq!(all.at(x, y)[3] > 0, is_there, "{x}, {y}");
        }
        for other in (0..level.planes().len() + 1).filter(|plane| !after.contains(plane)) {
            assert!(!painter.png(region, Layer::ObjectsAfter(other), std::io::sink()).unwrap());
        }
    });
}

#[test]
fn a_zoom_shows_averages() {
    open(|level, pictures| {
        for plane in level.planes() {
            let painter = PlanePainter::new(level, plane).game(pictures);
            for zoom in 1..5 {
                assert_averages(&painter, Layer::Tiles, zoom, 1.0);
            }
            // Where objects overlap, averages are laid over each other instead of pixels. With further zooms, they are
            // also moved by up to an eighth of a pixel.
            for zoom in 1..3 {
                assert_averages(&painter, Layer::Objects, zoom, 24.0);
            }
        }
    });
}

#[test]
fn joins_between_regions_are_seamless() {
    open(|level, pictures| {
        let painter = PlanePainter::new(level, level.main_plane().unwrap()).game(pictures);
        for zoom in 0..painter.zooms() {
            let all = whole(&painter, zoom);
            for layer in [Layer::Tiles, Layer::Objects] {
                let drawn = Drawn::of(&painter, all, layer);
                let (x, y) = (all.width / 3, all.height / 2);
                let region = Region { x: x.into(), y: y.into(), width: all.width - x, height: all.height - y, zoom };
                let part = Drawn::of(&painter, region, layer);
                for (inside_x, inside_y) in (0..region.width).flat_map(|x| (0..region.height).map(move |y| (x, y))) {
                    assert_eq!(part.at(inside_x, inside_y), drawn.at(x + inside_x, y + inside_y), "zoom {zoom}");
                }
            }
        }
    });
}

#[test]
fn objects_are_where_their_pictures_are() {
    open(|level, pictures| {
        let main = level.main_plane().unwrap();
        let painter = PlanePainter::new(level, main).game(pictures);
        let mut shown = 0;
        for (object, placed) in main.objects().iter().zip(painter.objects()) {
            let object = object.unwrap();
            assert_eq!(placed.index, object.index);
            if placed.has_picture() {
                shown += 1;
                let sprite = pictures.decode(pictures.object(&object).unwrap()).unwrap();
                let [width, height] = [&placed.columns, &placed.rows].map(|range| range.end - range.start);
                assert_eq!((width, height), (i64::from(sprite.width()), i64::from(sprite.height())));
            }
        }
        assert!(shown > 10 && painter.objects_error().is_none());
        assert_eq!(painter.objects().len(), main.objects().iter().count());
    });
}
