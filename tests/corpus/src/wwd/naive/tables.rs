//! The fields of every fixed-size structure, in file order.

/// How a field is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    U32,
    I32,
    Text(u64),
    Rect,
}

use Kind::{I32, Rect, Text, U32};

type Table = &'static [(&'static str, Kind)];

pub(super) const HEADER: Table = &[
    ("header_size", U32),
    ("reserved_04", U32),
    ("flags", U32),
    ("reserved_0c", U32),
    ("name", Text(64)),
    ("author", Text(64)),
    ("birth", Text(64)),
    ("rez_file", Text(256)),
    ("image_dir", Text(128)),
    ("pal_rez", Text(128)),
    ("start_x", I32),
    ("start_y", I32),
    ("reserved_2d8", U32),
    ("num_planes", U32),
    ("planes_offset", U32),
    ("tile_attribs_offset", U32),
    ("main_block_length", U32),
    ("checksum", U32),
    ("reserved_2f0", U32),
    ("launch_app", Text(128)),
    ("image_set_dir_1", Text(128)),
    ("image_set_dir_2", Text(128)),
    ("image_set_dir_3", Text(128)),
    ("image_set_dir_4", Text(128)),
    ("image_set_prefix_1", Text(32)),
    ("image_set_prefix_2", Text(32)),
    ("image_set_prefix_3", Text(32)),
    ("image_set_prefix_4", Text(32)),
];

pub(super) const PLANE: Table = &[
    ("header_size", U32),
    ("reserved_04", U32),
    ("flags", U32),
    ("reserved_0c", U32),
    ("name", Text(64)),
    ("width_px", I32),
    ("height_px", I32),
    ("tile_width", I32),
    ("tile_height", I32),
    ("tiles_wide", I32),
    ("tiles_high", I32),
    ("scroll_x", I32),
    ("scroll_y", I32),
    ("movement_x_percent", I32),
    ("movement_y_percent", I32),
    ("fill_color", I32),
    ("num_image_sets", U32),
    ("num_objects", U32),
    ("tiles_offset", U32),
    ("image_sets_offset", U32),
    ("objects_offset", U32),
    ("z_coord", I32),
    ("reserved_94", U32),
    ("reserved_98", U32),
    ("reserved_9c", U32),
];

pub(super) const OBJECT: Table = &[
    ("id", I32),
    ("name_len", U32),
    ("logic_len", U32),
    ("image_set_len", U32),
    ("animation_len", U32),
    ("x", I32),
    ("y", I32),
    ("z", I32),
    ("i", I32),
    ("add_flags", U32),
    ("dynamic_flags", U32),
    ("draw_flags", U32),
    ("user_flags", U32),
    ("score", I32),
    ("points", I32),
    ("powerup", I32),
    ("damage", I32),
    ("smarts", I32),
    ("health", I32),
    ("move_rect", Rect),
    ("hit_rect", Rect),
    ("attack_rect", Rect),
    ("clip_rect", Rect),
    ("user_rect1", Rect),
    ("user_rect2", Rect),
    ("user1", I32),
    ("user2", I32),
    ("user3", I32),
    ("user4", I32),
    ("user5", I32),
    ("user6", I32),
    ("user7", I32),
    ("user8", I32),
    ("min_x", I32),
    ("min_y", I32),
    ("max_x", I32),
    ("max_y", I32),
    ("speed_x", I32),
    ("speed_y", I32),
    ("tweak_x", I32),
    ("tweak_y", I32),
    ("counter", I32),
    ("speed", I32),
    ("width", I32),
    ("height", I32),
    ("direction", I32),
    ("face_dir", I32),
    ("time_delay", I32),
    ("frame_delay", I32),
    ("object_type", U32),
    ("hit_type_flags", U32),
    ("move_res_x", I32),
    ("move_res_y", I32),
];

pub(super) const SINGLE: Table =
    &[("type", U32), ("reserved", U32), ("width", U32), ("height", U32), ("attribute", I32)];

pub(super) const DOUBLE: Table = &[
    ("type", U32),
    ("reserved", U32),
    ("width", U32),
    ("height", U32),
    ("outside", I32),
    ("inside", I32),
    ("rect", Rect),
];

pub(super) const MASK: Table = &[("type", U32), ("reserved", U32), ("width", U32), ("height", U32)];

/// The layout of a tile-attribute record for each type.
pub(super) const ATTRIBUTE_KINDS: [(u32, Table); 3] = [(1, SINGLE), (2, DOUBLE), (3, MASK)];

/// Returns the size of a table's fields in bytes.
pub(super) fn size(table: Table) -> u64 {
    table
        .iter()
        .map(|(_, kind)| match kind {
            U32 | I32 => 4,
            Text(size) => *size,
            Rect => 16,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_match_the_format_notes() {
        assert_eq!([HEADER, PLANE, OBJECT, SINGLE, DOUBLE, MASK].map(size), [1524, 160, 284, 20, 40, 16]);
    }
}
