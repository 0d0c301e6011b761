//! WWD: compares the views with the naive reader.

use worldview_core::{Error, ErrorKind, OffsetBase};
use worldview_corpus::wwd::naive::{
    self, Fields, NaiveAttribute, NaiveImage, NaiveLevel, NaiveObject, NaivePlane, NaiveTable, NaiveValue, int,
};
use worldview_wwd::{self as wwd, Level, LevelDescription, Unpacked, Unpacker, raw};

use crate::tree::{Leaf, Tree};
use crate::{Verdict, equal, inside, judge};

mod trailer;

/// Reads a file with the views and with the naive reader, and compares every value.
pub fn agree(file: &[u8]) -> Result<Verdict, String> {
    let (views, naive) = (read_all(file), naive::read(file));
    // The views limit the length of a name, and the naive reader does not.
    if let (Err(Error { kind: ErrorKind::Limit { .. }, .. }), Ok(_)) = (&views, &naive) {
        return Ok(Verdict::TooMuch);
    }
    judge(
        views,
        naive,
        |error| refused(file, error),
        |(), naive| {
            let unpacked = wwd::unpack(file).map_err(|error| error.to_string())?;
            let level = Level::parse(&unpacked).map_err(|error| error.to_string())?;
            same_file(file, &unpacked, &naive)?;
            // The images differ only in the packed flag, but a part may overlap that flag, so both readers use the same
            // image here.
            let image = naive::read_image(&unpacked).map_err(|error| format!("the naive reader refuses: {error}"))?;
            Tree::of(&LevelDescription::new(&unpacked, &level)).same(&tree(&unpacked, &naive, &image))?;
            same_outline(file, &unpacked, &level)
        },
    )
}

/// Checks that an error lies within its space.
fn refused(file: &[u8], error: &Error) -> Result<(), String> {
    match error.space() {
        OffsetBase::File => inside(file, error.at, error),
        OffsetBase::Image => {
            wwd::unpack(file).map_or_else(|_| inside(&[], error.at, error), |image| inside(&image, error.at, error))
        }
    }
}

/// Parses a file leniently, checks it, and verifies the promises of both: findings lie inside their space, iterators do not
/// fail, and a level that parses strictly gives the same result without findings.
pub fn lossy_keeps_its_word(file: &[u8]) -> Result<(), String> {
    let mut findings = Vec::new();
    let unpacked = match Unpacker::new().max_inflate(64 << 20).unpack_lossy(file, &mut |finding| findings.push(finding))
    {
        Ok(unpacked) => unpacked,
        Err(error) => return refused(file, &error),
    };
    let in_space = |finding: &wwd::Finding<'_>| {
        inside(if finding.space == OffsetBase::File { file } else { &unpacked }, finding.at, finding)
    };
    findings.iter().try_for_each(in_space)?;
    let mut lossy = Vec::new();
    let level = match Level::parse_lossy(&unpacked, &mut |finding| lossy.push(finding)) {
        Ok(level) => level,
        Err(error) => return inside(&unpacked, error.at, error),
    };
    lossy.iter().try_for_each(in_space)?;
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
    checked.iter().try_for_each(in_space)?;
    if read_all(file).is_ok() {
        equal("findings of lossy parsing", &(findings.len() + lossy.len()), &0)?;
        let strict = Level::parse(&unpacked).map_err(|error| error.to_string())?;
        let strict = Tree::of(&LevelDescription::new(&unpacked, &strict));
        Tree::of(&LevelDescription::new(&unpacked, &level)).same(&strict)?;
    }
    Ok(())
}

/// Reads everything strictly.
fn read_all(file: &[u8]) -> Result<(), Error> {
    // The limit of the naive reader, so that both reject the same bombs.
    let unpacked = Unpacker::new().max_inflate(512 << 20).unpack(file)?;
    for plane in Level::parse(&unpacked)?.planes() {
        plane.image_sets().iter().try_for_each(|name| name.map(drop))?;
        plane.objects().iter().try_for_each(|object| object.map(drop))?;
    }
    Ok(())
}

fn same_file(file: &[u8], unpacked: &Unpacked<'_>, naive: &NaiveLevel) -> Result<(), String> {
    // The image of the views has the packed flag cleared; everything else must be equal.
    let mut image = naive.image.clone();
    image[8] &= !2;
    let mut ours = unpacked.to_vec();
    ours[8] &= !2;
    equal("image", &ours, &image)?;
    equal("trailing bytes", &unpacked.trailing(), &naive.trailing.as_slice())?;
    let quick = wwd::checksum(file).map_err(|error| format!("checksum: {error}"))?;
    let quick: Vec<_> = quick.rules().map(|rule| rule.name()).collect();
    // The quick way is documented to take bytes behind the stream for part of it if they fit a rule by chance.
    if unpacked.is_packed() && !naive.trailing.is_empty() && !quick.is_empty() {
        return Ok(());
    }
    equal("checksum rules, the quick way", &quick, &rules(unpacked, naive))
}

/// Returns the rules that the checksum satisfies, in the order used by the views.
fn rules(unpacked: &Unpacked<'_>, naive: &NaiveLevel) -> Vec<&'static str> {
    let mut rules: Vec<_> = naive.checksum_rules.iter().map(|rule| rule.name()).collect();
    if unpacked.is_packed() && rules.len() > 1 {
        // On packed levels the views try this rule only if no other matches.
        rules.retain(|rule| *rule != "libwap32");
    }
    rules
}

/// Converts everything that the naive reader has parsed.
fn tree(unpacked: &Unpacked<'_>, file: &NaiveLevel, image: &NaiveImage) -> Tree {
    let whole = Tree::default()
        .with("packed", u8::from(int(&file.header, "flags").is_some_and(|flags| flags & 2 != 0)))
        .with("image_length", file.image.len() as u64)
        .with("checksum_rules", rules(unpacked, file).into_iter().collect::<Leaf>())
        .list("header", [fields(&file.header)])
        .list("planes", image.planes.iter().map(plane))
        .list("tile_attributes", image.attribute_table.iter().map(attributes));
    trailer::add(whole, unpacked, &file.trailing)
}

fn fields(fields: &Fields) -> Tree {
    let leaf = |value: &NaiveValue| match value {
        NaiveValue::Int(int) => Leaf::from(*int),
        NaiveValue::Rect(sides) => sides.iter().copied().collect(),
        NaiveValue::Text(text) => {
            let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            text[..end].into()
        }
    };
    // `type` is a Rust keyword.
    let name = |name: &str| if name == "type" { "kind".to_owned() } else { name.to_owned() };
    Tree::default().with_all(fields.iter().map(|(field, value)| (name(field), leaf(value))))
}

fn plane(plane: &NaivePlane) -> Tree {
    let name = |name: &Vec<u8>| Tree::default().with("name", name.as_slice());
    fields(&plane.fields)
        .with("tiles", Leaf::Words(plane.tiles.clone()))
        .list("image_sets", plane.image_sets.iter().map(name))
        .list("objects", plane.objects.iter().map(object))
}

fn object(object: &NaiveObject) -> Tree {
    let end = object.name.iter().position(|&byte| byte == 0);
    let mut tree = fields(&object.fields)
        .with("name", &object.name[..end.unwrap_or(object.name.len())])
        .with("logic", object.logic.as_slice())
        .with("image_set", object.image_set.as_slice())
        .with("animation", object.animation.as_slice());
    if let Some(end) = end {
        tree = tree.with("metadata", &object.name[end + 1..]);
    }
    tree
}

fn attributes(table: &NaiveTable) -> Tree {
    let record = |record: &NaiveAttribute| {
        let tree = fields(&record.fields);
        if int(&record.fields, "type") == Some(3) { tree.with("pixels", record.mask.as_slice()) } else { tree }
    };
    let names = [
        "header_size",
        "reserved_04",
        "count",
        "reserved_0c",
        "reserved_10",
        "reserved_14",
        "reserved_18",
        "reserved_1c",
    ];
    let head = names.iter().zip(&table.head).map(|(name, &word)| ((*name).to_owned(), word));
    Tree::default().with_all(head).list("records", table.records.iter().map(record))
}

/// Compares the outline with the headers of the whole level. The outline may reject a level that the views accept only
/// if it is packed and its plane headers start inside the file header.
fn same_outline(file: &[u8], unpacked: &Unpacked<'_>, level: &Level<'_>) -> Result<(), String> {
    let mut scratch = Vec::new();
    match wwd::outline(file, &mut scratch) {
        Ok(outline) => {
            let planes: Vec<_> = level.planes().iter().map(|plane| *plane.header()).collect();
            equal("outline", &outline.planes, &planes.as_slice())
        }
        Err(_) if unpacked.is_packed() && u64::from(unpacked.header().planes_offset.get()) < raw::LevelHeader::SIZE => {
            Ok(())
        }
        Err(error) => Err(format!("only the outline refuses: {error}")),
    }
}
