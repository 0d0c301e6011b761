//! The switches of Gruntz: objects whose id says on which tile they are, and by whose ids others refer to them.

use worldview_core::field_name;

use crate::raw::ObjectRecord;
use crate::{Game, Level, Object, Plane};

/// The logic of switches.
const SWITCH: &[u8] = b"TileTriggerSwitch";

/// The logics of what switches act on.
const TRIGGERS: [&[u8]; 3] = [b"TileTrigger", b"TileSecretTrigger", b"CheckpointTrigger"];

/// The tile of a switch, which its id and its fields `speed_x` and `speed_y` repeat. See [Switches](crate::format#switches).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwitchTile {
    /// The column, which a switch has in `speed_x`.
    pub column: i32,
    /// The row, which a switch has in `speed_y`.
    pub row: i32,
}

impl SwitchTile {
    /// How many rows a plane may have for ids to be unique.
    const ROWS: i32 = 256;

    /// Returns the tile at a point in pixels. Returns `None` outside the plane, and where ids do not follow from tiles: in levels of
    /// other games, and in planes of more than 256 rows.
    pub fn at(level: &Level<'_>, plane: &Plane<'_>, x: i32, y: i32) -> Option<Self> {
        let header = plane.header();
        let has_ids = level.game() == Some(Game::Gruntz) && header.tiles_high.get() <= Self::ROWS;
        if !has_ids || !plane.is_sized() || !plane.contains(x, y) {
            return None;
        }
        let (column, row) = (x.checked_div(header.tile_width.get())?, y.checked_div(header.tile_height.get())?);
        let tile = Self { column, row };
        tile.checked_id().map(|_| tile)
    }

    /// Returns the tile at a point if an object with this logic is a switch there. Returns `None` for other logics, and where
    /// [`at`](Self::at) does.
    pub fn of_logic(level: &Level<'_>, plane: &Plane<'_>, logic: &[u8], (x, y): (i32, i32)) -> Option<Self> {
        Self::at(level, plane, x, y).filter(|_| logic.eq_ignore_ascii_case(SWITCH))
    }

    /// Returns whether the ids of switches of a plane follow from their tiles.
    pub fn are_in(level: &Level<'_>, plane: &Plane<'_>) -> bool {
        Self::at(level, plane, 0, 0).is_some()
    }

    /// Returns the tile of a switch whose id is not that of its tile. Returns `None` for everything else.
    pub fn of_stale(level: &Level<'_>, plane: &Plane<'_>, object: &Object<'_>) -> Option<Self> {
        let tile = Self::of_logic(level, plane, object.logic, (object.x.get(), object.y.get()))?;
        (tile.id() != object.id.get()).then_some(tile)
    }

    fn checked_id(self) -> Option<i32> {
        self.column.checked_mul(Self::ROWS)?.checked_add(self.row)
    }

    /// Returns the id of a switch on this tile.
    pub fn id(self) -> i32 {
        self.checked_id().unwrap_or(i32::MAX)
    }
}

impl Object<'_> {
    /// The fields in which a trigger or switch of Gruntz has the ids of switches, four in each.
    pub const SWITCH_FIELDS: [&'static str; 6] = [
        field_name!(ObjectRecord, move_rect),
        field_name!(ObjectRecord, hit_rect),
        field_name!(ObjectRecord, attack_rect),
        field_name!(ObjectRecord, clip_rect),
        field_name!(ObjectRecord, user_rect1),
        field_name!(ObjectRecord, user_rect2),
    ];

    /// Returns whether the object is a switch, in a level of Gruntz.
    pub fn is_switch(&self) -> bool {
        self.logic.eq_ignore_ascii_case(SWITCH)
    }

    /// Returns whether the object is something that switches act on, in a level of Gruntz.
    pub fn is_trigger(&self) -> bool {
        TRIGGERS.into_iter().any(|logic| logic.eq_ignore_ascii_case(self.logic))
    }

    /// Returns the ids of switches that a trigger or switch of Gruntz has in each of the [fields](Self::SWITCH_FIELDS); 0 is none.
    /// Those of a switch are the switches of its group.
    pub fn switch_ids(&self) -> [[i32; 4]; 6] {
        let Self { record, .. } = self;
        [record.move_rect, record.hit_rect, record.attack_rect, record.clip_rect, record.user_rect1, record.user_rect2]
            .map(crate::raw::Rect::get)
    }
}
