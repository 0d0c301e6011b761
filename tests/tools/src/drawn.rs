//! Drawn levels: compares them with those of the naive painter, pixel by pixel.

use worldview::wwd::{self, Level, Plane};
use worldview_corpus::drawn::{NaiveDrawing, NaiveGame, NaiveView, Pixel, draw};
use worldview_corpus::rez::naive::archive as naive_archive;
use worldview_corpus::wwd::naive::{self, NaiveImage};
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::png::{self, Allowance, Options};
use worldview_export::level::preview;
use worldview_rez::{Picture, Rez};

use worldview_readers::{Verdict, equal};

/// Maximum number of pixels that are compared.
const MAX: i64 = 1 << 16;
/// Maximum number of pixels of a picture of the archive, which the naive reader takes long to decode.
const MAX_OF_PICTURE: usize = 1 << 18;

/// Draws a level and each of its planes with the pictures of an archive, and compares the pixels with those of the naive painter.
/// With a number, only one of these views is drawn. Returns a description of the first difference.
pub fn agree(file: &[u8], archive_file: &[u8], only: Option<usize>) -> Result<Verdict, String> {
    let (Ok(image), Ok(archive), Ok(naive_archive)) =
        (wwd::unpack(file), Rez::parse(archive_file), naive_archive(archive_file))
    else {
        return Ok(Verdict::Refused);
    };
    let (Ok(level), Ok(naive)) = (Level::parse(&image), naive::read_image(&image)) else {
        return Ok(Verdict::Refused);
    };
    let mut pixels = archive.files().filter_map(|file| Picture::of_file(&file)?.ok()).map(|picture| picture.pixels());
    if pixels.by_ref().fold(0, usize::saturating_add) > MAX_OF_PICTURE {
        return Ok(Verdict::TooMuch);
    }
    let game = NaiveGame::of(&naive_archive, archive_file, &naive);
    let assets = Assets::new().archive(&archive);
    let pictures = LevelPictures::of(&assets, &level, None).map_err(|error| error.to_string())?;
    equal("whether there are pictures", &pictures.is_empty(), &game.is_empty())?;
    if pictures.is_empty() {
        return Ok(Verdict::Refused);
    }
    if let Ok(report) = pictures.resolve(&level) {
        equal("number of tiles and objects without a picture", &report.missing(), &missing(&naive, &game))?;
    }
    let options = Options::default().game(&pictures).marks(false).max_pixels(MAX.unsigned_abs());
    let mut allowance = Allowance::new(&options);
    let mut verdict = Verdict::TooMuch;
    let views = [NaiveView::Level].into_iter().chain((0..level.planes().len()).map(NaiveView::Plane));
    let only = only.map(|only| only % (1 + level.planes().len()));
    for (_, view) in views.enumerate().filter(|(number, _)| only.is_none_or(|only| only == *number)) {
        let Some(expected) = draw(&naive, &game, view, MAX) else { continue };
        let mut out = Vec::new();
        let drawn = match view {
            NaiveView::Level => png::level(&level, &options, &mut allowance, &mut out),
            NaiveView::Plane(index) => {
                let plane: &Plane<'_> = level.planes().get(index).ok_or("both readers have the same planes")?;
                png::plane(&level, plane, &options, &mut allowance, &mut out)
            }
        };
        match drawn {
            // Planes may share their bytes, and many may be drawn.
            Err(worldview_export::Error::Limit { .. } | worldview_export::Error::Format(_)) => continue,
            Err(error) => return Err(format!("{view:?} is not drawn: {error}")),
            Ok(()) => {}
        }
        let (width, height, pixels) = read(&out)?;
        equal(&format!("size of {view:?}"), &(width, height), &(expected.width, expected.height))?;
        for (at, (found, expected)) in (0..).zip(pixels.iter().zip(&expected.pixels)) {
            // The color of a transparent pixel means nothing.
            if found != expected && (found[3], expected[3]) != (0, 0) {
                return Err(format!(
                    "{view:?}, pixel {}, {}: drawn {found:?}, expected {expected:?}",
                    at % width,
                    at / width
                ));
            }
        }
        if view == NaiveView::Level {
            smaller(&level, &pictures, &expected)?;
        }
        verdict = Verdict::Same;
    }
    Ok(verdict)
}

/// Returns the number of cells and of objects without a picture.
fn missing(level: &NaiveImage, game: &NaiveGame) -> (u64, u64) {
    let (mut tiles, mut objects) = (0, 0);
    for plane in &level.planes {
        for &word in plane.tiles.iter().filter(|word| ![u32::MAX, 0xEEEE_EEEE].contains(*word)) {
            let set = plane.image_sets.get((word >> 16) as usize).map_or(&[][..], Vec::as_slice);
            tiles += u64::from(!game.has(set, i64::from(word & 0xFFFF)));
        }
        for object in plane.objects.iter().filter(|object| !object.image_set.is_empty()) {
            let i = naive::int(&object.fields, "i").unwrap_or(0);
            objects += u64::from(!game.has(&object.image_set, i));
        }
    }
    (tiles, objects)
}

/// Draws the level into a box, and compares it with the average of the pixels.
fn smaller(level: &Level<'_>, pictures: &LevelPictures<'_>, full: &NaiveDrawing) -> Result<(), String> {
    let mut out = Vec::new();
    let options = preview::Options::default().size(20, 15).game(pictures);
    preview::level(level, &options, &mut out).map_err(|error| format!("the preview is not drawn: {error}"))?;
    let (width, height, pixels) = read(&out)?;
    if width > 20.min(full.width) || height > 15.min(full.height) {
        return Err(format!("a preview of {width} x {height}"));
    }
    let own = |at: i64, small: i64, large: i64| (0..large).filter(move |other| other * small / large == at);
    for (at, found) in (0..).zip(&pixels) {
        let (x, y) = (at % width, at / width);
        let mut sums = [0_u64; 5];
        for row in own(y, height, full.height) {
            for column in own(x, width, full.width) {
                let index = usize::try_from(row * full.width + column).unwrap_or(0);
                let [red, green, blue, opacity] = full.pixels[index].map(u64::from);
                let parts = [1, opacity, red * opacity, green * opacity, blue * opacity];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
        }
        let mean = |sum: u64, count: u64| (sum + count / 2).checked_div(count).unwrap_or(0);
        let [count, opacity, colors @ ..] = sums;
        let [red, green, blue] = colors.map(|sum| mean(sum, opacity));
        let expected = [red, green, blue, mean(opacity, count)];
        if found.map(u64::from) != expected && (found[3], expected[3]) != (0, 0) {
            return Err(format!("preview, pixel {x}, {y}: drawn {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// Reads a PNG.
fn read(bytes: &[u8]) -> Result<(i64, i64, Vec<Pixel>), String> {
    let mut decoder = ::png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(::png::Transformations::normalize_to_color8() | ::png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let frame = reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    Ok((frame.width.into(), frame.height.into(), pixels.as_chunks().0.to_vec()))
}
