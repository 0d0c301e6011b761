//! WWD: the views against the naive reader.

use worldview::wwd::{self, Attribute, Level, Unpacked, Unpacker, raw};
use worldview::{Error, ErrorKind, Space, Value};
use worldview_corpus::wwd::naive::{
    self, Fields, NaiveAttribute, NaiveError, NaiveImage, NaiveLevel, NaiveObject, NaivePlane, NaiveTable, NaiveValue,
};

use crate::{Verdict, equal};

mod trailer;

/// Reads a file by the views and by the naive reader, and compares every value.
///
/// # Errors
///
/// The first difference, in words.
pub fn agree(file: &[u8]) -> Result<Verdict, String> {
    let views = Views::read(file);
    let naive = naive::read(file);
    match (views, naive) {
        (Ok(()), Err(error)) if is_budget(&error) => Ok(Verdict::TooMuch),
        (Err(error), Err(_)) => refused(file, &error),
        // The views bound the length of a name; the naive reader does not.
        (Err(Error { kind: ErrorKind::Limit { .. }, .. }), Ok(_)) => Ok(Verdict::TooMuch),
        (Err(error), Ok(_)) => Err(format!("only the views refuse: {error}")),
        (Ok(()), Err(error)) => Err(format!("only the naive reader refuses: {} at {}", error.what, error.offset)),
        (Ok(()), Ok(naive)) => {
            let unpacked = wwd::unpack(file).map_err(|error| error.to_string())?;
            let level = Level::parse(&unpacked).map_err(|error| error.to_string())?;
            same_file(file, &unpacked, &naive)?;
            // The images differ in the packed flag alone, and a part may lie over that flag: both read one image here.
            let image =
                naive::read_image(&unpacked).map_err(|error| format!("the naive reader refuses: {}", error.what))?;
            same_level(&level, &image)?;
            same_outline(file, &unpacked, &level)?;
            Ok(Verdict::Same)
        }
    }
}

/// An error must lie within the bytes that there are.
fn refused(file: &[u8], error: &Error) -> Result<Verdict, String> {
    let space = match error.space() {
        Space::File => file.len(),
        Space::Image => wwd::unpack(file).map_or(0, |image| image.len()),
    };
    if error.at <= space as u64 {
        Ok(Verdict::Refused)
    } else {
        Err(format!("lies outside its {space} bytes: {error}"))
    }
}

/// Opens a file by the lossy door, checks it, and holds what comes out against what both promise.
///
/// # Errors
///
/// A finding outside its space; an iterator that fails though the lossy door shortened it; a level that the strict
/// door opens and the lossy one opens otherwise, or with something missing.
pub fn lossy_keeps_its_word(file: &[u8]) -> Result<(), String> {
    let mut findings = Vec::new();
    let unpacked = match Unpacker::new().max_inflate(64 << 20).unpack_lossy(file, &mut |finding| findings.push(finding))
    {
        Ok(unpacked) => unpacked,
        Err(error) => return refused(file, &error).map(drop),
    };
    let inside = |finding: &wwd::Finding<'_>| {
        let space = if finding.space == Space::File { file.len() } else { unpacked.len() };
        if finding.at <= space as u64 { Ok(()) } else { Err(format!("lies outside its {space} bytes: {finding}")) }
    };
    findings.iter().try_for_each(inside)?;
    let mut lossy = Vec::new();
    let level = match Level::parse_lossy(&unpacked, &mut |finding| lossy.push(finding)) {
        Ok(level) => level,
        Err(error) if error.at <= unpacked.len() as u64 => return Ok(()),
        Err(error) => return Err(format!("lies outside the image: {error}")),
    };
    lossy.iter().try_for_each(inside)?;
    for plane in level.planes() {
        if let Some(error) = plane.image_sets().iter().find_map(Result::err) {
            return Err(format!("an image-set name fails after all: {error}"));
        }
        if let Some(error) = plane.objects().iter().find_map(Result::err) {
            return Err(format!("an object fails after all: {error}"));
        }
    }
    let mut checked = Vec::new();
    wwd::check(&unpacked, &level, &mut |finding| checked.push(finding));
    checked.iter().try_for_each(inside)?;
    if Views::read(file).is_ok() {
        equal("findings of the lossy door", &(findings.len() + lossy.len()), &0)?;
        let image = naive::read_image(&unpacked).map_err(|error| error.what)?;
        same_level(&level, &image)?;
    }
    Ok(())
}

fn is_budget(error: &NaiveError) -> bool {
    error.what.starts_with("budget")
}

struct Views;

impl Views {
    /// Reads everything, strictly.
    fn read(file: &[u8]) -> Result<(), Error> {
        // The naive reader's own bound, so that both refuse the same bombs.
        let unpacked = Unpacker::new().max_inflate(512 << 20).unpack(file)?;
        let level = Level::parse(&unpacked)?;
        for plane in level.planes() {
            for name in plane.image_sets() {
                name?;
            }
            for object in plane.objects() {
                object?;
            }
        }
        Ok(())
    }
}

fn same_file(file: &[u8], unpacked: &Unpacked<'_>, naive: &NaiveLevel) -> Result<(), String> {
    // The views' image has the packed flag cleared; everything else must be as the naive reader has it.
    let mut image = naive.image.clone();
    image[8] &= !2;
    let mut ours = unpacked.to_vec();
    ours[8] &= !2;
    equal("image", &ours, &image)?;
    same_fields("header", unpacked.header().fields(), &naive.header)?;
    equal("trailing bytes", &unpacked.trailing(), &naive.trailing.as_slice())?;
    trailer::same_trailer(unpacked, &naive.trailing)?;
    let rules = |checksum: wwd::Checksum| checksum.rules().map(|rule| rule.name().to_owned()).collect::<Vec<_>>();
    let mut expected: Vec<_> = naive.checksum_rules.iter().map(|rule| format!("{rule:?}").to_lowercase()).collect();
    if unpacked.is_packed() && expected.len() > 1 {
        // On packed levels the rule is tried only where no other holds.
        expected.retain(|rule| rule != "libwap32");
    }
    let ours = rules(unpacked.checksum());
    equal("checksum rules", &ours, &expected)?;
    let quick = wwd::checksum(file).map_err(|error| format!("checksum: {error}"))?;
    equal("checksum rules, the quick way", &rules(quick), &ours)
}

fn same_level(level: &Level<'_>, naive: &NaiveImage) -> Result<(), String> {
    same_fields("header of the image", level.header().fields(), &naive.header)?;
    equal("planes", &level.planes().len(), &naive.planes.len())?;
    for (plane, naive) in level.planes().iter().zip(&naive.planes) {
        same_plane(plane, naive).map_err(|why| format!("plane {}: {why}", plane.index()))?;
    }
    same_attributes(level, naive.attribute_table.as_ref())
}

/// The headers alone must be those of the whole; only where they lie inside the file header of a packed level does the
/// outline refuse what the views read.
fn same_outline(file: &[u8], unpacked: &Unpacked<'_>, level: &Level<'_>) -> Result<(), String> {
    let mut scratch = Vec::new();
    match wwd::outline(file, &mut scratch) {
        Ok(outline) => {
            let planes: Vec<_> = level.planes().iter().map(|plane| *plane.header()).collect();
            equal("outline", &outline.planes, &planes.as_slice())
        }
        Err(_) if unpacked.is_packed() && u64::from(unpacked.header().planes_offset.get()) < raw::Header::SIZE => {
            Ok(())
        }
        Err(error) => Err(format!("only the outline refuses: {error}")),
    }
}

fn same_plane(plane: &wwd::Plane<'_>, naive: &NaivePlane) -> Result<(), String> {
    same_fields("header", plane.header().fields(), &naive.fields)?;
    let tiles: Vec<u32> = plane.tiles().iter().map(|tile| tile.get()).collect();
    equal("tiles", &tiles, &naive.tiles)?;
    let names: Vec<Vec<u8>> = plane.image_sets().iter().flatten().map(<[u8]>::to_vec).collect();
    equal("image sets", &names, &naive.image_sets)?;
    equal("number of objects", &(plane.objects().count() as usize), &naive.objects.len())?;
    for (object, naive) in plane.objects().iter().flatten().zip(&naive.objects) {
        same_object(&object, naive).map_err(|why| format!("object {}: {why}", object.index))?;
    }
    Ok(())
}

fn same_object(object: &wwd::Object<'_>, naive: &NaiveObject) -> Result<(), String> {
    same_fields("record", object.record.fields(), &naive.fields)?;
    equal("name", &object.name, &naive.name.as_slice())?;
    equal("logic", &object.logic, &naive.logic.as_slice())?;
    equal("image set", &object.image_set, &naive.image_set.as_slice())?;
    equal("animation", &object.animation, &naive.animation.as_slice())
}

fn same_attributes(level: &Level<'_>, naive: Option<&NaiveTable>) -> Result<(), String> {
    let table = level.attributes();
    equal("there are tile attributes", &table.header().is_some(), &naive.is_some())?;
    let (Some(header), Some(naive)) = (table.header(), naive) else { return Ok(()) };
    let head: Vec<u32> = header.fields().map(|(_, value)| word(value)).collect();
    equal("head of the tile attributes", &head, &naive.head)?;
    equal("number of tile attributes", &table.records().len(), &naive.records.len())?;
    for (index, (record, naive)) in table.records().iter().zip(&naive.records).enumerate() {
        same_attribute(record, naive).map_err(|why| format!("tile attribute {index}: {why}"))?;
    }
    Ok(())
}

fn same_attribute(record: &Attribute<'_>, naive: &NaiveAttribute) -> Result<(), String> {
    match record {
        Attribute::Single(single) => same_fields("single", single.fields(), &naive.fields),
        Attribute::Double(double) => same_fields("double", double.fields(), &naive.fields),
        Attribute::Mask { head, pixels } => {
            same_fields("mask", head.fields(), &naive.fields)?;
            equal("pixels", pixels, &naive.mask.as_slice())
        }
    }
}

fn word(value: Value<'_>) -> u32 {
    match value {
        Value::Uint(word) => word,
        _ => 0,
    }
}

/// Compares fields by position, name and value; the two lists of names were written down independently.
fn same_fields<'v>(
    what: &str,
    fields: impl ExactSizeIterator<Item = (&'static str, Value<'v>)>,
    naive: &Fields,
) -> Result<(), String> {
    equal(&format!("number of fields of the {what}"), &fields.len(), &naive.len())?;
    for ((name, value), (naive_name, naive_value)) in fields.zip(naive) {
        // `type` is a word of Rust's own.
        let name = if name == "kind" { "type" } else { name };
        equal(&format!("name of a field of the {what}"), &name, naive_name)?;
        let value = match value {
            Value::Int(int) => NaiveValue::Int(int.into()),
            Value::Uint(word) => NaiveValue::Int(word.into()),
            Value::Ints([left, top, right, bottom]) => {
                NaiveValue::Rect([left, top, right, bottom].map(|side| side.get()))
            }
            Value::Text(bytes) => NaiveValue::Text(bytes.to_vec()),
            _ => return Err(format!("{what}, {name}: a value that this comparison does not know")),
        };
        equal(&format!("{what}, {name}"), &value, naive_value)?;
    }
    Ok(())
}
