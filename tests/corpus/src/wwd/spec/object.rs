//! Spec of an object.

use crate::builder::{Builder, count};
use crate::spec::{bare, field, spec};

spec! {
    /// An object; the four string lengths follow from its strings.
    pub struct ObjectSpec |object, b| {
        /// Duplicates are common.
        pub id: i32,
        name_len: count(object.name.len()),
        logic_len: count(object.logic.len()),
        image_set_len: count(object.image_set.len()),
        animation_len: count(object.animation.len()),
        /// Position in pixels, and depth.
        pub x, y, z: i32,
        // The other numbers get no labels: nothing depends on their values.
        @ { let silent = std::mem::replace(&mut b.silent, true); }
        /// Frame index, or -1 for none.
        pub i: i32 = -1,
        /// Flags that say when the object is added.
        pub add_flags: u32,
        /// Flags that say how it moves and collides.
        pub dynamic_flags: u32,
        /// Flags that say how it is drawn.
        pub draw_flags: u32,
        /// Twelve flags for the level author's use.
        pub user_flags: u32,
        pub score, points, powerup, damage, smarts, health: i32,
        /// Areas: left, top, right, bottom. The meaning of the last two depends on the logic.
        pub move_rect, hit_rect, attack_rect, clip_rect, user_rect1, user_rect2: [i32; 4],
        /// The words user1 to user8.
        pub user: [i32; 8] => numbered,
        /// Bounds of the movement.
        pub min_x, min_y, max_x, max_y: i32,
        pub speed_x, speed_y, tweak_x, tweak_y, counter, speed: i32,
        pub width, height, direction, face_dir, time_delay, frame_delay: i32,
        /// The object's type for collisions, and the types that it collides with.
        pub object_type, hit_type_flags: u32,
        pub move_res_x, move_res_y: i32,
        @ { b.silent = silent; }
        /// Name, which may contain a NUL followed by metadata.
        pub name: Vec<u8>,
        /// Names of the logic, the image set, and the animation or sound.
        pub logic, image_set, animation: Vec<u8> => bare,
    }
}

/// Words whose names count from 1.
fn numbered(words: &[i32; 8], b: &mut Builder, name: &str) {
    (1..).zip(words).for_each(|(n, word)| field(word, b, &format!("{name}{n}")));
}

impl ObjectSpec {
    /// Appends the metadata that WapMap hides after the name: a NUL, its size, and the index of a location list.
    pub fn append_metadata(&mut self, location_list_index: i32) {
        self.name.push(0);
        self.name.extend(4_i32.to_le_bytes());
        self.name.extend(location_list_index.to_le_bytes());
    }
}
