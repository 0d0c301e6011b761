//! Spec of an object.

/// An object; the four string lengths follow from its strings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ObjectSpec {
    /// ID; duplicates are common.
    pub id: i32,
    /// Horizontal position in pixels.
    pub x: i32,
    /// Vertical position in pixels.
    pub y: i32,
    /// Depth.
    pub z: i32,
    /// Frame index, or -1 for none.
    pub i: i32,
    /// Flags that say when the object is added.
    pub add_flags: u32,
    /// Flags that say how it moves and collides.
    pub dynamic_flags: u32,
    /// Flags that say how it is drawn.
    pub draw_flags: u32,
    /// Twelve flags for the level author's use.
    pub user_flags: u32,
    /// Score.
    pub score: i32,
    /// Points.
    pub points: i32,
    /// Power-up.
    pub powerup: i32,
    /// Damage.
    pub damage: i32,
    /// Smarts.
    pub smarts: i32,
    /// Health.
    pub health: i32,
    /// The move area: left, top, right, bottom.
    pub move_rect: [i32; 4],
    /// The hit area.
    pub hit_rect: [i32; 4],
    /// The attack area.
    pub attack_rect: [i32; 4],
    /// The clip area.
    pub clip_rect: [i32; 4],
    /// The first of the two areas whose meaning depends on the logic.
    pub user_rect1: [i32; 4],
    /// The second area whose meaning depends on the logic.
    pub user_rect2: [i32; 4],
    /// The words user1 to user8.
    pub user: [i32; 8],
    /// Left bound of the movement.
    pub min_x: i32,
    /// Upper bound of the movement.
    pub min_y: i32,
    /// Right bound of the movement.
    pub max_x: i32,
    /// Lower bound of the movement.
    pub max_y: i32,
    /// Horizontal speed.
    pub speed_x: i32,
    /// Vertical speed.
    pub speed_y: i32,
    /// Horizontal tweak.
    pub tweak_x: i32,
    /// Vertical tweak.
    pub tweak_y: i32,
    /// Counter.
    pub counter: i32,
    /// Speed.
    pub speed: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
    /// Direction.
    pub direction: i32,
    /// The direction it faces.
    pub face_dir: i32,
    /// Time delay.
    pub time_delay: i32,
    /// Frame delay.
    pub frame_delay: i32,
    /// The object's type for collisions.
    pub object_type: u32,
    /// The types that it collides with.
    pub hit_type_flags: u32,
    /// Horizontal move resolution.
    pub move_res_x: i32,
    /// Vertical move resolution.
    pub move_res_y: i32,
    /// Name, which may contain a NUL followed by metadata.
    pub name: Vec<u8>,
    /// Name of the logic.
    pub logic: Vec<u8>,
    /// Name of the image set.
    pub image_set: Vec<u8>,
    /// Name of the animation or sound.
    pub animation: Vec<u8>,
}

impl Default for ObjectSpec {
    fn default() -> Self {
        Self {
            id: 0,
            x: 0,
            y: 0,
            z: 0,
            i: -1,
            add_flags: 0,
            dynamic_flags: 0,
            draw_flags: 0,
            user_flags: 0,
            score: 0,
            points: 0,
            powerup: 0,
            damage: 0,
            smarts: 0,
            health: 0,
            move_rect: [0; 4],
            hit_rect: [0; 4],
            attack_rect: [0; 4],
            clip_rect: [0; 4],
            user_rect1: [0; 4],
            user_rect2: [0; 4],
            user: [0; 8],
            min_x: 0,
            min_y: 0,
            max_x: 0,
            max_y: 0,
            speed_x: 0,
            speed_y: 0,
            tweak_x: 0,
            tweak_y: 0,
            counter: 0,
            speed: 0,
            width: 0,
            height: 0,
            direction: 0,
            face_dir: 0,
            time_delay: 0,
            frame_delay: 0,
            object_type: 0,
            hit_type_flags: 0,
            move_res_x: 0,
            move_res_y: 0,
            name: Vec::new(),
            logic: Vec::new(),
            image_set: Vec::new(),
            animation: Vec::new(),
        }
    }
}

impl ObjectSpec {
    /// Appends the metadata that WapMap hides after the name: a NUL, its size, and the index of a location list.
    pub fn append_metadata(&mut self, location_list_index: i32) {
        self.name.push(0);
        self.name.extend(4_i32.to_le_bytes());
        self.name.extend(location_list_index.to_le_bytes());
    }
}
