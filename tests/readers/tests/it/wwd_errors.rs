//! The error table of broken levels: the strict error, and what lossy parsing still opens.

use worldview_core::{Error, OffsetBase};
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::{AttributeSpec, LevelSpec, Packing};
use worldview_wwd::{Level, Unpacker, unpack};

use crate::errors::{self, Answers, Broken, at};

const MAX: u32 = u32::MAX;

const PACKED: Packing = Packing::Zlib { level: 6 };

/// Returns a level with every kind of part, whose attributes end with a mask.
fn small(packing: Packing) -> LevelSpec {
    let mut spec = level(3, &Shape::small());
    spec.packing = packing;
    if let Some(table) = &mut spec.attributes {
        table.records.truncate(5);
        table.records.push(AttributeSpec::mask(4, 4, vec![1; 16]));
    }
    spec
}

/// Returns all broken levels by name.
pub(crate) fn broken_levels() -> Vec<(String, Vec<u8>)> {
    let mut broken = Broken::new("plain: ", build(&small(Packing::Raw)));
    broken.bytes("plain: an empty file", b"");
    broken.bytes("plain: three bytes", b"\xF4\x05\x00");
    broken.bytes("plain: a text file", b"This is no level, and says so in words.");
    broken.cut("inside the header", |_| 700);
    broken.cut("behind the header", |_| 1524);
    broken.cut("inside the plane headers", |built| at(built, "plane[1]") + 30);
    broken.cut("inside a tile grid", |built| at(built, "plane[1].tiles") + 10);
    broken.cut("inside the image-set names", |built| at(built, "plane[1].image_sets") + 2);
    broken.cut("inside an object", |built| at(built, "object[1][2]") + 100);
    broken.cut("inside an object's name", |built| at(built, "object[1][2]") + 284);
    broken.cut("before the attributes", |built| at(built, "attributes"));
    broken.cut("inside the attribute head", |built| at(built, "attributes") + 31);
    broken.cut("inside a tile attribute", |built| at(built, "attribute[3]") + 18);
    broken.cut("inside a mask", |built| built.bytes.len() - 1);
    broken.words("header.header_size", &[0, 1520, 44474]);
    broken.words("header.num_planes", &[4, MAX]);
    broken.word("header.planes_offset", MAX);
    broken.words("header.tile_attribs_offset", &[MAX, 4]);
    broken.word("plane[0].header_size", 0);
    broken.word("plane[2].header_size", 161);
    broken.word("plane[0].tiles_wide", MAX);
    broken.word("plane[1].tiles_high", 0x8000_0000);
    broken.word("plane[1].tiles_wide", 0x7FFF_FFFF);
    broken.word("plane[1].tiles_offset", MAX);
    broken.words("plane[1].num_image_sets", &[MAX, 1000]);
    broken.word("plane[1].image_sets_offset", MAX);
    broken.words("plane[1].num_objects", &[MAX, 12]);
    broken.word("plane[0].num_objects", 1);
    broken.words("plane[1].objects_offset", &[0, MAX]);
    broken.word("object[1][0].name_len", MAX);
    broken.word("object[1][3].animation_len", 0x7FFF_FFFF);
    broken.words("attributes.count", &[MAX, 7]);
    broken.words("attribute[2].type", &[0, 4]);
    broken.word("attribute[5].width", MAX);
    broken.headers();
    broken.plane_words();
    broken.object_words();
    broken.attribute_words();
    broken.packed_word("plane[1].tiles_offset", MAX);
    broken.packed_word("plane[1].objects_offset", 0x00FF_FFFF);
    broken.packed_word("attribute[0].type", 9);
    broken.packed_word("header.num_planes", 100_000);
    broken.packed("nothing behind the header", |file| file.truncate(1524));
    broken.packed("the stream cut in half", |file| file.truncate(1524 + (file.len() - 1524) / 2));
    broken.packed("the Adler-32 cut off", |file| file.truncate(file.len() - 4));
    broken.packed("the last byte cut off", |file| file.truncate(file.len() - 1));
    broken.packed("a wrong Adler-32", |file| *file.last_mut().unwrap() ^= 1);
    broken.packed("no zlib header", |file| file[1524] = 0x11);
    broken.packed("a preset dictionary", |file| file[1524..1526].copy_from_slice(&[0x78, 0xBB]));
    broken.packed("a block of a kind that does not exist", |file| file[1526] = 0xFF);
    broken.packed("main_block_length = 0", |file| file[744..748].fill(0));
    broken.packed("main_block_length one too small", |file| file[744] = file[744].wrapping_sub(1));
    broken.packed("main_block_length one too large", |file| file[744] = file[744].wrapping_add(1));
    broken.packed("main_block_length = 4 G", |file| file[744..748].fill(0xFF));
    broken.packed("flagged as plain", |file| file[8] &= !2);
    broken.plain_flagged_as_packed();
    broken.streams();
    broken.doors();
    broken.files
}

impl Broken {
    /// Adds a packed level with one word of its image changed.
    fn packed_word(&mut self, label: &str, value: u32) {
        let spec = small(PACKED);
        let mut image = build_image(&spec);
        image.words_le(&[(label, value)]);
        self.bytes(format!("packed: {label} = {value:#x}"), pack(&image.bytes, &spec));
    }

    /// Adds a packed level with something broken.
    fn packed(&mut self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut file = build(&small(PACKED)).bytes;
        change(&mut file);
        self.bytes(format!("packed: {name}"), file);
    }

    fn headers(&mut self) {
        self.cut("behind its signature", |_| 4);
        self.cut("before the last byte of the header", |_| 1523);
        self.cut("before the last byte of the plane headers", |built| at(built, "plane[0].tiles") - 1);
        // At the end of the image there is no room for a header; past the end, the offset itself is invalid.
        self.words("header.planes_offset", &[9291, 9292, 0]);
        self.words("header.num_planes", &[49, 0x8000_0000]);
        self.words("header.tile_attribs_offset", &[9291, 9292]);
    }

    fn plane_words(&mut self) {
        self.word("plane[1].tiles_wide", 0x8000_0000);
        self.word("plane[1].tiles_high", 0x7FFF_FFFF);
        self.word("plane[2].tiles_high", MAX);
        self.words("plane[2].tiles_offset", &[9291, 9292]);
        self.words("plane[0].image_sets_offset", &[9291, 9292]);
        self.word("plane[2].num_image_sets", 0x8000_0000);
        self.word("plane[1].num_objects", 14);
        self.words("plane[1].objects_offset", &[9290, 9292]);
        self.change("both measures of a grid = 0x7fffffff", |built| {
            built.words_le(&[("plane[0].tiles_wide", 0x7FFF_FFFF), ("plane[0].tiles_high", 0x7FFF_FFFF)]);
        });
        self.change("an image-set name of 5,000 bytes", |built| {
            let end = u32::try_from(built.bytes.len()).unwrap();
            built.bytes.extend_from_slice(&[b'A'; 5000]);
            built.words_le(&[("plane[1].image_sets_offset", end)]);
        });
    }

    fn object_words(&mut self) {
        self.word("object[1][1].logic_len", 0x8000_0000);
        self.word("object[1][2].image_set_len", 9292);
        self.word("object[1][11].name_len", 1000);
        self.word("object[1][11].animation_len", MAX);
        self.packed_word("object[1][0].logic_len", MAX);
    }

    fn attribute_words(&mut self) {
        self.cut("inside the head of a tile attribute", |built| at(built, "attribute[4]") + 7);
        self.cut("inside a double tile attribute", |built| at(built, "attribute[1]") + 39);
        self.word("attribute[0].type", MAX);
        self.word("attribute[5].height", 9);
        self.change("both measures of a mask = 0xffffffff", |built| {
            built.words_le(&[("attribute[5].width", MAX), ("attribute[5].height", MAX)]);
        });
        self.packed_word("attributes.count", 8);
        self.packed_word("header.tile_attribs_offset", 0x00FF_FFFF);
    }

    /// Adds packed blocks that fail at each stage of unpacking.
    fn streams(&mut self) {
        self.packed("the first byte of the stream alone", |file| file.truncate(1525));
        self.packed("a zlib header alone", |file| file.truncate(1526));
        self.packed("a zlib header that is no multiple of 31", |file| file[1525] ^= 1);
        self.packed("a method that is not deflate", |file| file[1524..1526].copy_from_slice(&[0x79, 0x18]));
        self.packed("a window that is too large", |file| file[1524..1526].copy_from_slice(&[0x88, 0x1C]));
        // The first byte marks the last block and its kind; the bytes after it are invalid.
        self.deflated("a stored block whose length is not its check", &[0x01, 4, 0, 0xFF, 0xFF, 1, 2, 3, 4]);
        self.deflated("a stored block that is cut", &[0x01, 4, 0, 0xFB, 0xFF, 1, 2]);
        self.deflated("a way back before the first byte", &[0x03, 0x02, 0, 0, 0]);
        self.deflated("codes of no length", &[0x05, 0, 0, 0, 0, 0, 0, 0]);
        self.packed("the last two bytes cut off", |file| file.truncate(file.len() - 2));
        self.packed("an Adler-32 of 0", |file| {
            let at = file.len() - 4;
            file[at..].fill(0);
        });
        self.packed("a wrong byte in the middle", |file| {
            let at = 1524 + (file.len() - 1524) / 2;
            file[at] ^= 0x55;
        });
        self.packed("bytes behind the stream", |file| file.extend_from_slice(b"trailing"));
        self.packed("main_block_length = 1", |file| file[744..748].copy_from_slice(&[1, 0, 0, 0]));
        self.packed("main_block_length = 2 G", |file| file[744..748].copy_from_slice(&[0, 0, 0, 0x80]));
        self.packed("main_block_length at its bound", |file| {
            let most = u32::try_from((file.len() - 1524) * 1032 + 64).unwrap();
            file[744..748].copy_from_slice(&most.to_le_bytes());
        });
    }

    /// Adds a packed file whose stream is a zlib header followed by these bytes of deflate data.
    fn deflated(&mut self, name: &str, deflate: &[u8]) {
        self.packed(name, |file| {
            file.truncate(1524);
            file.extend_from_slice(&[0x78, 0x9C]);
            file.extend_from_slice(deflate);
            // A length that so few bytes can inflate to, so that inflating is tried.
            file[744..748].copy_from_slice(&1000_u32.to_le_bytes());
        });
    }

    /// Adds intact files that are read in the wrong way.
    fn doors(&mut self) {
        let whole = build(&small(PACKED)).bytes;
        self.bytes("parsed without being unpacked", whole.clone());
        self.bytes("unpacked to 7766 bytes at most", whole.clone());
        self.bytes("outlined with 479 bytes at most", whole);
        let mut image = build_image(&small(PACKED));
        image.words_le(&[("header.planes_offset", 700)]);
        self.bytes("outlined with planes in the header", pack(&image.bytes, &small(PACKED)));
        let mut image = build_image(&small(PACKED));
        image.words_le(&[("header.num_planes", 60)]);
        self.bytes("outlined with too many planes", pack(&image.bytes, &small(PACKED)));
    }

    fn plain_flagged_as_packed(&mut self) {
        self.change("flagged as packed", |built| {
            built.words_le(&[("header.flags", 3), ("header.main_block_length", 1000)]);
        });
    }
}

/// Reads all of a level strictly, in the way that its name says.
fn strict(name: &str, file: &[u8]) -> Result<(), Error> {
    let most = |end: &str| end.split(' ').next().unwrap().parse().unwrap();
    let whole = |level: Level<'_>| {
        for plane in level.planes() {
            plane.image_sets().iter().try_for_each(|name| name.map(|_| ()))?;
            plane.objects().iter().try_for_each(|object| object.map(|_| ()))?;
        }
        Ok(())
    };
    if name == "parsed without being unpacked" {
        return Level::parse(file).and_then(whole);
    }
    if let Some(end) = name.strip_prefix("unpacked to ") {
        return Unpacker::new().max_inflate(most(end)).unpack(file).map(drop);
    }
    if let Some(end) = name.strip_prefix("outlined with ") {
        let unpacker = if end.ends_with("at most") { Unpacker::new().max_inflate(most(end)) } else { Unpacker::new() };
        return unpacker.outline(file, &mut Vec::new()).map(drop);
    }
    whole(Level::parse(&unpack(file)?)?)
}

/// Returns the results of strict and lossy parsing for a file.
fn answers((name, file): (String, Vec<u8>)) -> Answers {
    let strict = strict(&name, &file).err();
    let mut lossy = Vec::new();
    let opened =
        Unpacker::new().unpack_lossy(&file, &mut |finding| lossy.push(finding.to_string())).and_then(|image| {
            let level = Level::parse_lossy(&image, &mut |finding| lossy.push(finding.to_string()))?;
            let planes = level.planes();
            let tiles: usize = planes.iter().map(|plane| plane.tiles().len()).sum();
            let objects: usize = planes.iter().map(|plane| plane.objects().iter().flatten().count()).sum();
            let records = level.attributes().records().len();
            Ok(format!("opens {} planes, {tiles} tiles, {objects} objects, {records} tile attributes", planes.len()))
        });
    lossy.push(opened.unwrap_or_else(|error| error.to_string()));
    let space = match strict.map(|error| error.space()) {
        Some(OffsetBase::Image) => unpack(&file).map_or(0, |image| image.len()),
        _ => file.len(),
    };
    Answers { name, strict, space: space as u64, lossy }
}

#[test]
fn errors_of_broken_levels_match_the_golden_table() {
    let answers: Vec<_> = broken_levels().into_iter().map(answers).collect();
    let expected = [
        // Two bytes that are not a zlib header, for whatever reason.
        &["packed: no zlib header", "plain: flagged as packed", "packed: a zlib header that is no multiple of 31"][..],
        // The inflater does not report the correct Adler-32, and it would help nobody.
        &["packed: a wrong Adler-32", "packed: an Adler-32 of 0"],
        // Attributes are read one by one until the data ends.
        &["plain: attributes.count = 0xffffffff", "plain: attributes.count = 0x7"],
    ];
    errors::hold("wwd_errors.txt", &answers, &expected);
}
