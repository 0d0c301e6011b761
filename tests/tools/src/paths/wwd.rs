use worldview::wwd::{self, Level, LevelDescription, Unpacked, Unpacker};
use worldview_export::level::png::{self, Allowance};
#[cfg(feature = "columns")]
use worldview_export::level::{arrow, parquet};
use worldview_export::level::{csv, preview, tiled};
use worldview_export::{Encoding, Result};
use worldview_inspect::{Options, Root, json};

use super::{Each, Tally};

pub(super) fn all(bytes: &[u8], max_inflate: u64, each: Each<'_>) -> u64 {
    let unpacker = Unpacker::new().max_inflate(max_inflate);
    let mut image = 0;
    each("wwd unpack", &mut |tally| {
        let unpacked = unpacker.unpack(bytes);
        image = unpacked.as_ref().map_or(0, |unpacked| if unpacked.is_packed() { unpacked.len() as u64 } else { 0 });
        tally.end(unpacked.map(drop));
    });
    each("wwd outline", &mut |tally| {
        let mut scratch = Vec::new();
        let outline = unpacker.outline(bytes, &mut scratch);
        tally.items = outline.as_ref().map_or(0, |outline| outline.planes.len() as u64);
        tally.end(outline.map(drop));
    });
    each("wwd checksum", &mut |tally| tally.end(wwd::checksum(bytes).map(drop)));
    let mut opened = None;
    each("wwd unpack_lossy", &mut |tally| opened = unpacker.unpack_lossy(bytes, &mut |_| tally.item()).ok());
    let Some(file) = &opened else { return image };
    image = image.max(if file.is_packed() { file.len() as u64 } else { 0 });
    each("wwd parse", &mut |tally| {
        let looked = Level::parse(file).map(|level| look(&level, tally));
        tally.end(looked);
    });
    let mut parsed = None;
    each("wwd parse_lossy", &mut |tally| parsed = Level::parse_lossy(file, &mut |_| tally.item()).ok());
    if let Some(level) = &parsed {
        walks(bytes, (file, level), each);
    }
    image
}

fn walks(bytes: &[u8], (file, level): (&Unpacked<'_>, &Level<'_>), each: Each<'_>) {
    let encoding = Encoding::default();
    each("wwd look", &mut |tally| look(level, tally));
    each("wwd check", &mut |tally| wwd::check(file, level, &mut |_| tally.item()));
    let described = LevelDescription::new(file, level);
    let root = Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64);
    let names = ["wwd find", "wwd diff", "wwd text", "wwd text full", "wwd json", "wwd json full"];
    super::inspect(names, &root, bytes.len(), each);
    for (name, lists) in
        [("wwd objects.ndjson", &["planes", "objects"]), ("wwd attributes.ndjson", &["tile_attributes", "records"])]
    {
        super::write(name, each, &|out| json::lines(&root, lists, &Options::default(), out));
    }
    each("wwd diff another", &mut |tally| other(&root, file, level, tally));
    let mut write = |name, write: &dyn Fn(&mut Tally) -> Result<()>| {
        each(name, &mut |tally| {
            let written = write(tally);
            tally.end(written);
        });
    };
    write("wwd objects.csv", &|out| csv::objects(level, encoding, out));
    write("wwd attributes.csv", &|out| csv::attributes(level, out));
    #[cfg(feature = "columns")]
    {
        write("wwd objects.arrow", &|out| arrow::objects(level, encoding, out));
        write("wwd attributes.arrow", &|out| arrow::attributes(level, encoding, out));
        write("wwd planes.arrow", &|out| arrow::planes(level, encoding, out));
        write("wwd objects.parquet", &|out| parquet::objects(level, encoding, out));
        write("wwd attributes.parquet", &|out| parquet::attributes(level, encoding, out));
        write("wwd planes.parquet", &|out| parquet::planes(level, encoding, out));
    }
    write("wwd preview", &|out| preview::level(level, &preview::Options::default(), out));
    write("wwd tmx", &|out| tiled::plan(level, encoding)?.iter().try_for_each(|map| map.write_tmx(&mut *out)));
    write("wwd tmj", &|out| tiled::plan(level, encoding)?.iter().try_for_each(|map| map.write_tmj(&mut *out)));
    let options = png::Options::default().max_pixels(1 << 22);
    write("wwd level.png", &|out| png::level(level, &options, &mut Allowance::new(&options), out));
    write("wwd attributes.png", &|out| png::attributes(level, &options, &mut Allowance::new(&options), out));
    // All pictures share an allowance, as in an export.
    write("wwd planes.png", &|out| {
        let mut allowance = Allowance::new(&options);
        let mut planes = level.planes().iter();
        planes.try_for_each(|plane| go_on(png::plane(level, plane, &options, &mut allowance, &mut *out)))
    });
    write("wwd sheets.png", &|out| {
        let mut allowance = Allowance::new(&options);
        for map in tiled::plan(level, encoding)? {
            for tileset in map.tilesets() {
                go_on(png::sheet(tileset.sheet(), &options, &mut allowance, &mut *out))?;
            }
        }
        Ok(())
    });
}

/// Continues after a picture that is too large or empty.
fn go_on(drawn: Result<()>) -> Result<()> {
    use worldview_export::Error;
    match drawn {
        Err(Error::Limit { .. } | Error::Nothing { .. }) => Ok(()),
        other => other,
    }
}

/// Reads everything, as a program might, and counts it.
pub(crate) fn look(level: &Level<'_>, tally: &mut Tally) {
    for plane in level.planes() {
        tally.items += plane.tiles().len() as u64;
        tally.items += plane.image_sets().iter().flatten().count() as u64;
        tally.items += plane.objects().into_iter().flatten().count() as u64;
    }
    tally.items += level.attributes().records().len() as u64;
}

/// Compares the level with a copy in which bytes after the headers are changed.
fn other(left: &Root<'_>, file: &Unpacked<'_>, level: &Level<'_>, tally: &mut Tally) {
    let mut bytes = file.to_vec();
    let headers = 1524 + 160 * level.planes().len();
    bytes.iter_mut().skip(headers).step_by(5).for_each(|byte| *byte ^= 1);
    let Ok(image) = wwd::unpack(&bytes) else { return };
    let Ok(right) = Level::parse_lossy(&image, &mut |_| {}) else { return };
    let described = LevelDescription::new(&image, &right);
    super::compare(left, &Root::new("wwd", right.image(), &described), tally);
}
