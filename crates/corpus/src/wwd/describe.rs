//! From a level that was read back to a description of it, from which the very same image can be built.

use super::build::build_trailer;
use super::naive::{Fields, NaiveAttribute, NaiveLevel, NaiveObject, NaivePlane, NaiveTable, NaiveValue, int};
use super::spec::{
    AttributeKind, AttributeSpec, AttributeTableSpec, ChecksumHabit, HeaderSpec, LengthHabit, LevelSpec, ObjectSpec,
    Packing, PlaneSpec,
};

/// Describes a level; whatever follows its main block is `trailing`, and its checksum and length are literal values.
pub fn describe(level: &NaiveLevel) -> LevelSpec {
    let header = &level.header;
    LevelSpec {
        header: describe_header(header),
        planes: level.planes.iter().map(describe_plane).collect(),
        attributes: level.attribute_table.as_ref().map(describe_table),
        packing: if u(header, "flags") & 2 == 0 { Packing::Raw } else { Packing::Zlib { level: 6 } },
        checksum: ChecksumHabit::Value(u(header, "checksum")),
        main_block_length: LengthHabit::Value(u(header, "main_block_length")),
        trailer: None,
        trailing: level.trailing.clone(),
    }
}

/// The level as [`describe`] will put it: literal sums and lengths, the trailer as bytes, one deflate level.
///
/// Its texts end before the first of the NULs at their end.
pub fn as_described(level: &LevelSpec, checksum: u32, length: u32) -> LevelSpec {
    let mut level = level.clone();
    level.checksum = ChecksumHabit::Value(checksum);
    level.main_block_length = LengthHabit::Value(length);
    let trailer = level.trailer.take().map(|trailer| build_trailer(&trailer));
    level.trailing = [trailer.unwrap_or_default(), level.trailing].concat();
    level.header.flags &= !2;
    if level.packing != Packing::Raw {
        level.packing = Packing::Zlib { level: 6 };
        level.header.flags |= 2;
    }
    if let Some(table) = &mut level.attributes {
        table.head[2] = u32::try_from(table.records.len()).unwrap_or(u32::MAX);
    }
    for plane in &mut level.planes {
        if !plane.objects.is_empty() {
            plane.empty_objects_offset = 0;
        }
    }
    level
}

fn u(fields: &Fields, name: &str) -> u32 {
    int(fields, name).and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
}

fn i(fields: &Fields, name: &str) -> i32 {
    int(fields, name).and_then(|value| i32::try_from(value).ok()).unwrap_or(0)
}

fn rect(fields: &Fields, name: &str) -> [i32; 4] {
    let rect = fields.iter().find_map(|(field, value)| match value {
        NaiveValue::Rect(rect) if *field == name => Some(*rect),
        _ => None,
    });
    rect.unwrap_or_default()
}

/// The text up to its last byte that is not 0; what may lie between two NULs is kept.
fn text(fields: &Fields, name: &str) -> Vec<u8> {
    let found = fields.iter().find_map(|(field, value)| match value {
        NaiveValue::Text(text) if *field == name => Some(text.as_slice()),
        _ => None,
    });
    let mut text = found.unwrap_or_default();
    while let [rest @ .., 0] = text {
        text = rest;
    }
    text.to_vec()
}

fn describe_header(f: &Fields) -> HeaderSpec {
    HeaderSpec {
        header_size: u(f, "header_size"),
        reserved_04: u(f, "reserved_04"),
        flags: u(f, "flags"),
        reserved_0c: u(f, "reserved_0c"),
        name: text(f, "name"),
        author: text(f, "author"),
        birth: text(f, "birth"),
        rez_file: text(f, "rez_file"),
        image_dir: text(f, "image_dir"),
        pal_rez: text(f, "pal_rez"),
        start_x: i(f, "start_x"),
        start_y: i(f, "start_y"),
        reserved_2d8: u(f, "reserved_2d8"),
        reserved_2f0: u(f, "reserved_2f0"),
        launch_app: text(f, "launch_app"),
        image_set_dirs: [1, 2, 3, 4].map(|n| text(f, &format!("image_set_dir_{n}"))),
        image_set_prefixes: [1, 2, 3, 4].map(|n| text(f, &format!("image_set_prefix_{n}"))),
    }
}

fn describe_plane(plane: &NaivePlane) -> PlaneSpec {
    let f = &plane.fields;
    PlaneSpec {
        header_size: u(f, "header_size"),
        reserved_04: u(f, "reserved_04"),
        flags: u(f, "flags"),
        reserved_0c: u(f, "reserved_0c"),
        name: text(f, "name"),
        width_px: i(f, "width_px"),
        height_px: i(f, "height_px"),
        tile_width: i(f, "tile_width"),
        tile_height: i(f, "tile_height"),
        tiles_wide: i(f, "tiles_wide"),
        tiles_high: i(f, "tiles_high"),
        scroll_x: i(f, "scroll_x"),
        scroll_y: i(f, "scroll_y"),
        movement_x_percent: i(f, "movement_x_percent"),
        movement_y_percent: i(f, "movement_y_percent"),
        fill_color: i(f, "fill_color"),
        z_coord: i(f, "z_coord"),
        reserved_94: u(f, "reserved_94"),
        reserved_98: u(f, "reserved_98"),
        reserved_9c: u(f, "reserved_9c"),
        tiles: plane.tiles.clone(),
        image_sets: plane.image_sets.clone(),
        objects: plane.objects.iter().map(describe_object).collect(),
        empty_objects_offset: if plane.objects.is_empty() { u(f, "objects_offset") } else { 0 },
    }
}

fn describe_object(object: &NaiveObject) -> ObjectSpec {
    let f = &object.fields;
    ObjectSpec {
        id: i(f, "id"),
        x: i(f, "x"),
        y: i(f, "y"),
        z: i(f, "z"),
        i: i(f, "i"),
        add_flags: u(f, "add_flags"),
        dynamic_flags: u(f, "dynamic_flags"),
        draw_flags: u(f, "draw_flags"),
        user_flags: u(f, "user_flags"),
        score: i(f, "score"),
        points: i(f, "points"),
        powerup: i(f, "powerup"),
        damage: i(f, "damage"),
        smarts: i(f, "smarts"),
        health: i(f, "health"),
        move_rect: rect(f, "move_rect"),
        hit_rect: rect(f, "hit_rect"),
        attack_rect: rect(f, "attack_rect"),
        clip_rect: rect(f, "clip_rect"),
        user_rect1: rect(f, "user_rect1"),
        user_rect2: rect(f, "user_rect2"),
        user: [1, 2, 3, 4, 5, 6, 7, 8].map(|n| i(f, &format!("user{n}"))),
        min_x: i(f, "min_x"),
        min_y: i(f, "min_y"),
        max_x: i(f, "max_x"),
        max_y: i(f, "max_y"),
        speed_x: i(f, "speed_x"),
        speed_y: i(f, "speed_y"),
        tweak_x: i(f, "tweak_x"),
        tweak_y: i(f, "tweak_y"),
        counter: i(f, "counter"),
        speed: i(f, "speed"),
        width: i(f, "width"),
        height: i(f, "height"),
        direction: i(f, "direction"),
        face_dir: i(f, "face_dir"),
        time_delay: i(f, "time_delay"),
        frame_delay: i(f, "frame_delay"),
        object_type: u(f, "object_type"),
        hit_type_flags: u(f, "hit_type_flags"),
        move_res_x: i(f, "move_res_x"),
        move_res_y: i(f, "move_res_y"),
        name: object.name.clone(),
        logic: object.logic.clone(),
        image_set: object.image_set.clone(),
        animation: object.animation.clone(),
    }
}

fn describe_table(table: &NaiveTable) -> AttributeTableSpec {
    let mut head = [0; 8];
    for (word, &found) in head.iter_mut().zip(&table.head) {
        *word = found;
    }
    AttributeTableSpec { head, records: table.records.iter().map(describe_attribute).collect() }
}

fn describe_attribute(record: &NaiveAttribute) -> AttributeSpec {
    let f = &record.fields;
    let kind = match u(f, "type") {
        1 => AttributeKind::Single(i(f, "attribute")),
        2 => AttributeKind::Double { outside: i(f, "outside"), inside: i(f, "inside"), rect: rect(f, "rect") },
        _ => AttributeKind::Mask(record.mask.clone()),
    };
    AttributeSpec { reserved: u(f, "reserved"), width: u(f, "width"), height: u(f, "height"), kind }
}
