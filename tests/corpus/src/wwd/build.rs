//! Builds a level from its spec in the canonical order, with a label on every field.

use super::HEADER_SIZE;
use super::checksum::{editor, editor_tail, wapmap};
use super::spec::{
    AttributeKind, AttributeTableSpec, ChecksumRule, HeaderSpec, LengthRule, LevelSpec, ObjectSpec, Packing, PlaneSpec,
};
use crate::builder::{Builder, Built};

mod trailer;

pub use trailer::build_trailer;

/// A level with more objects gets no object labels, since they would take more memory than the level itself.
const LABELLED_OBJECTS: usize = 10_000;
/// Offset of the checksum word.
const CHECKSUM_AT: usize = 748;

/// Builds the file of a level. In a packed level, label positions count in the image, as its offsets do.
pub fn build(level: &LevelSpec) -> Built {
    let image = unsummed_image(level);
    Built { bytes: pack(&image.bytes, level), labels: image.labels }
}

/// Builds the image of a level: the header exactly as in the file, and the unpacked main block.
pub fn build_image(level: &LevelSpec) -> Built {
    let mut image = unsummed_image(level);
    let stored = stored_block(&image.bytes, level.packing);
    set_checksum(&mut image.bytes, &stored, level.checksum);
    image
}

/// Builds the file of an image that a test may have changed: packs it, sets the checksum, and appends trailer and junk.
///
/// The rest of the header stays as it is in the image.
pub fn pack(image: &[u8], level: &LevelSpec) -> Vec<u8> {
    let stored = stored_block(image, level.packing);
    let mut header = image.to_vec();
    set_checksum(&mut header, &stored, level.checksum);
    header.truncate(HEADER_SIZE);
    let mut file = header;
    file.extend(stored);
    if let Some(trailer) = &level.trailer {
        file.extend(build_trailer(trailer));
    }
    file.extend(&level.trailing);
    file
}

fn main_block(image: &[u8]) -> &[u8] {
    image.get(HEADER_SIZE..).unwrap_or(&[])
}

fn stored_block(image: &[u8], packing: Packing) -> Vec<u8> {
    match packing {
        Packing::Raw => main_block(image).to_vec(),
        Packing::Zlib { level } => miniz_oxide::deflate::compress_to_vec_zlib(main_block(image), level),
    }
}

fn set_checksum(image: &mut [u8], stored: &[u8], rule: ChecksumRule) {
    let unpacked = main_block(image);
    // Nothing follows a raw block in the editor's buffer; a packed block is followed by the rest of the unpacked one.
    let tail = editor_tail(stored, unpacked);
    let value = match rule {
        ChecksumRule::Editor => editor(stored, tail),
        ChecksumRule::WapMap => wapmap(stored),
        ChecksumRule::Libwap32 => wapmap(unpacked),
        ChecksumRule::Zero => 0,
        ChecksumRule::Value(value) => value,
    };
    if let Some(word) = image.get_mut(CHECKSUM_AT..CHECKSUM_AT + 4) {
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// Builds the image with a checksum of 0.
fn unsummed_image(level: &LevelSpec) -> Built {
    let mut b = Builder::new();
    header(&mut b, level);
    b.label("planes");
    for (p, plane) in level.planes.iter().enumerate() {
        plane_header(&mut b, p, plane);
    }
    for (p, plane) in level.planes.iter().enumerate() {
        b.label(format!("plane[{p}].tiles"));
        for &tile in &plane.tiles {
            b.u32_le(tile);
        }
    }
    for (p, plane) in level.planes.iter().enumerate() {
        b.label(format!("plane[{p}].image_sets"));
        for name in &plane.image_sets {
            b.bytes(name).u8(0);
        }
    }
    let count: usize = level.planes.iter().map(|plane| plane.objects.len()).sum();
    for (p, plane) in level.planes.iter().enumerate() {
        b.label(format!("plane[{p}].objects"));
        for (i, spec) in plane.objects.iter().enumerate() {
            object(&mut b, spec, (count <= LABELLED_OBJECTS).then(|| format!("object[{p}][{i}]")));
        }
    }
    if let Some(table) = &level.attributes {
        attributes(&mut b, table);
    }
    b.label("end");
    let mut image = b.finish();
    let length = match (level.main_block_length, level.packing) {
        (LengthRule::Value(value), _) => value,
        (LengthRule::Canonical, Packing::Raw) => 0,
        (LengthRule::Canonical, Packing::Zlib { .. }) => count_u32(main_block(&image.bytes).len()),
    };
    let _ = image.patch_u32_le("header.main_block_length", length);
    image
}

/// Converts a count to the stored width; saturates only for counts that no file can have.
fn count_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn header(b: &mut Builder, level: &LevelSpec) {
    let h: &HeaderSpec = &level.header;
    let flags = match level.packing {
        Packing::Raw => h.flags & !2,
        Packing::Zlib { .. } => h.flags | 2,
    };
    b.label("header").label("header.header_size").u32_le(h.header_size);
    b.label("header.reserved_04").u32_le(h.reserved_04);
    b.label("header.flags").u32_le(flags);
    b.label("header.reserved_0c").u32_le(h.reserved_0c);
    b.label("header.name").cstr(&h.name, 64);
    b.label("header.author").cstr(&h.author, 64);
    b.label("header.birth").cstr(&h.birth, 64);
    b.label("header.rez_file").cstr(&h.rez_file, 256);
    b.label("header.image_dir").cstr(&h.image_dir, 128);
    b.label("header.pal_rez").cstr(&h.pal_rez, 128);
    b.label("header.start_x").i32_le(h.start_x);
    b.label("header.start_y").i32_le(h.start_y);
    b.label("header.reserved_2d8").u32_le(h.reserved_2d8);
    b.label("header.num_planes").u32_le(count_u32(level.planes.len()));
    b.label("header.planes_offset").ref_u32_le("planes");
    b.label("header.tile_attribs_offset");
    match level.attributes {
        Some(_) => b.ref_u32_le("attributes"),
        None => b.u32_le(0),
    };
    b.label("header.main_block_length").u32_le(0);
    b.label("header.checksum").u32_le(0);
    b.label("header.reserved_2f0").u32_le(h.reserved_2f0);
    b.label("header.launch_app").cstr(&h.launch_app, 128);
    for (n, dir) in (1..).zip(&h.image_set_dirs) {
        b.label(format!("header.image_set_dir_{n}")).cstr(dir, 128);
    }
    for (n, prefix) in (1..).zip(&h.image_set_prefixes) {
        b.label(format!("header.image_set_prefix_{n}")).cstr(prefix, 32);
    }
}

fn plane_header(b: &mut Builder, p: usize, plane: &PlaneSpec) {
    let label = |field: &str| format!("plane[{p}].{field}");
    b.label(format!("plane[{p}]"));
    b.label(label("header_size")).u32_le(plane.header_size);
    b.label(label("reserved_04")).u32_le(plane.reserved_04);
    b.label(label("flags")).u32_le(plane.flags);
    b.label(label("reserved_0c")).u32_le(plane.reserved_0c);
    b.label(label("name")).cstr(&plane.name, 64);
    b.label(label("width_px")).i32_le(plane.width_px);
    b.label(label("height_px")).i32_le(plane.height_px);
    b.label(label("tile_width")).i32_le(plane.tile_width);
    b.label(label("tile_height")).i32_le(plane.tile_height);
    b.label(label("tiles_wide")).i32_le(plane.tiles_wide);
    b.label(label("tiles_high")).i32_le(plane.tiles_high);
    b.label(label("scroll_x")).i32_le(plane.scroll_x);
    b.label(label("scroll_y")).i32_le(plane.scroll_y);
    b.label(label("movement_x_percent")).i32_le(plane.movement_x_percent);
    b.label(label("movement_y_percent")).i32_le(plane.movement_y_percent);
    b.label(label("fill_color")).i32_le(plane.fill_color);
    b.label(label("num_image_sets")).u32_le(count_u32(plane.image_sets.len()));
    b.label(label("num_objects")).u32_le(count_u32(plane.objects.len()));
    b.label(label("tiles_offset")).ref_u32_le(label("tiles"));
    b.label(label("image_sets_offset")).ref_u32_le(label("image_sets"));
    b.label(label("objects_offset"));
    if plane.objects.is_empty() {
        b.u32_le(plane.empty_objects_offset);
    } else {
        b.ref_u32_le(label("objects"));
    }
    b.label(label("z_coord")).i32_le(plane.z_coord);
    b.label(label("reserved_94")).u32_le(plane.reserved_94);
    b.label(label("reserved_98")).u32_le(plane.reserved_98);
    b.label(label("reserved_9c")).u32_le(plane.reserved_9c);
}

fn object(b: &mut Builder, o: &ObjectSpec, label: Option<String>) {
    if let Some(label) = label {
        let start = b.len();
        b.label(label.as_str());
        // The fields are labeled here but written below, so that an object without labels formats no strings.
        let fields = ["id", "name_len", "logic_len", "image_set_len", "animation_len", "x", "y", "z"];
        for (at, field) in (start..).step_by(4).zip(fields) {
            b.label_at(format!("{label}.{field}"), at);
        }
        b.label_at(format!("{label}.name"), start + super::OBJECT_SIZE);
    }
    b.i32_le(o.id);
    for text in [&o.name, &o.logic, &o.image_set, &o.animation] {
        b.u32_le(count_u32(text.len()));
    }
    b.i32_le(o.x).i32_le(o.y).i32_le(o.z).i32_le(o.i);
    b.u32_le(o.add_flags).u32_le(o.dynamic_flags).u32_le(o.draw_flags).u32_le(o.user_flags);
    b.i32_le(o.score).i32_le(o.points).i32_le(o.powerup);
    b.i32_le(o.damage).i32_le(o.smarts).i32_le(o.health);
    for rect in [o.move_rect, o.hit_rect, o.attack_rect, o.clip_rect, o.user_rect1, o.user_rect2] {
        words(b, &rect);
    }
    words(b, &o.user);
    b.i32_le(o.min_x).i32_le(o.min_y).i32_le(o.max_x).i32_le(o.max_y);
    b.i32_le(o.speed_x).i32_le(o.speed_y).i32_le(o.tweak_x).i32_le(o.tweak_y);
    b.i32_le(o.counter).i32_le(o.speed).i32_le(o.width).i32_le(o.height);
    b.i32_le(o.direction).i32_le(o.face_dir).i32_le(o.time_delay).i32_le(o.frame_delay);
    b.u32_le(o.object_type).u32_le(o.hit_type_flags);
    b.i32_le(o.move_res_x).i32_le(o.move_res_y);
    b.bytes(&o.name).bytes(&o.logic).bytes(&o.image_set).bytes(&o.animation);
}

fn words(b: &mut Builder, words: &[i32]) {
    for &word in words {
        b.i32_le(word);
    }
}

fn attributes(b: &mut Builder, table: &AttributeTableSpec) {
    b.label("attributes");
    for (i, &word) in table.head.iter().enumerate() {
        if i == 2 {
            b.label("attributes.count").u32_le(count_u32(table.records.len()));
        } else {
            b.label(format!("attributes.head[{i}]")).u32_le(word);
        }
    }
    for (i, record) in table.records.iter().enumerate() {
        let kind = match record.kind {
            AttributeKind::Single(_) => 1,
            AttributeKind::Double { .. } => 2,
            AttributeKind::Mask(_) => 3,
        };
        b.label(format!("attribute[{i}]")).label(format!("attribute[{i}].type")).u32_le(kind);
        b.label(format!("attribute[{i}].reserved")).u32_le(record.reserved);
        b.label(format!("attribute[{i}].width")).u32_le(record.width);
        b.label(format!("attribute[{i}].height")).u32_le(record.height);
        match &record.kind {
            AttributeKind::Single(attribute) => words(b, &[*attribute]),
            AttributeKind::Double { outside, inside, rect } => {
                words(b, &[*outside, *inside]);
                words(b, rect);
            }
            AttributeKind::Mask(bytes) => {
                b.bytes(bytes);
            }
        }
    }
}
