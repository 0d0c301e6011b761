//! A level of Gruntz with switches, worked out by hand: the id of a switch is 256 times its column plus its row.

use super::{Game, Shape, level};
use crate::wwd::spec::{LevelSpec, ObjectSpec};

/// Returns a level of 10 x 8 tiles of 32 pixels, whose only plane has these objects:
///
/// | id | logic | column, row | numbers |
/// |---|---|---|---|
/// | 770 | `TileTriggerSwitch` | 3, 2 | itself and 1282, the switches of its group |
/// | 1282 | `TileTriggerSwitch` | 5, 2 | both, too |
/// | 1 | `TileTrigger` | 7, 5 | 770 |
/// | 2 | `TileSecretTrigger` | 8, 5 | 1282 and 770, in two rectangles |
/// | 3 | `CheckpointTrigger` | 9, 5 | 1282 |
/// | 1028 | `CoveredPowerup` | 0, 7 | its id is that of a switch on 4, 4 |
/// | 5 | `VoiceTrigger` | 1, 7 | 770, which means something else |
pub fn switches() -> LevelSpec {
    let shape = Shape {
        game: Game::Gruntz,
        planes: 1,
        tiles_wide: 10,
        tiles_high: 8,
        tile_px: 32,
        objects: 0,
        ..Shape::small()
    };
    let object = |id, logic: &str, (column, row)| ObjectSpec {
        id,
        logic: logic.into(),
        image_set: b"GAME_WAPWORLDONLY_TRIGGER".to_vec(),
        // Somewhere on the tile, as in real levels.
        x: column * 32 + 16,
        y: row * 32 + 13,
        ..ObjectSpec::default()
    };
    let switch = |id, (column, row)| ObjectSpec {
        move_rect: [770, 1282, 0, 0],
        speed_x: column,
        speed_y: row,
        ..object(id, "TileTriggerSwitch", (column, row))
    };
    let mut level = level(1, &shape);
    level.planes[0].objects = vec![
        switch(770, (3, 2)),
        switch(1282, (5, 2)),
        ObjectSpec { move_rect: [770, 0, 0, 0], ..object(1, "TileTrigger", (7, 5)) },
        ObjectSpec { move_rect: [1282, 0, 0, 0], hit_rect: [0, 770, 0, 0], ..object(2, "TileSecretTrigger", (8, 5)) },
        ObjectSpec { user_rect2: [1282, 0, 0, 0], ..object(3, "CheckpointTrigger", (9, 5)) },
        object(1028, "CoveredPowerup", (0, 7)),
        ObjectSpec { move_rect: [0, 0, 770, 0], ..object(5, "VoiceTrigger", (1, 7)) },
    ];
    level
}
