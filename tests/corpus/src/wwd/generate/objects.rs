//! Objects that reuse a few names very often, as in real levels.

use super::Game;
use crate::rng::Rng;
use crate::wwd::spec::{ObjectSpec, PlaneSpec};

/// Logic, image set and animation of a kind of object.
type Row = (&'static str, &'static str, &'static str);

const CLAW: &[Row] = &[
    ("Coin", "GAME_COINS", "GAME_SPIN50"),
    ("Coin", "GAME_COINS", "GAME_SPIN50"),
    ("Coin", "GAME_COINS", "GAME_SPIN100"),
    ("Jewel", "GAME_JEWELS_RED", ""),
    ("Jewel", "GAME_JEWELS_GREEN", ""),
    ("Lookout", "LEVEL_LOOKOUT", "LEVEL_LOOKOUT_IDLE"),
    ("Deckhand", "LEVEL_DECKHAND", ""),
    ("Gull", "LEVEL_GULL", "LEVEL_GULL_GLIDE"),
    ("Torch", "LEVEL_TORCH", "GAME_CYCLE100"),
    ("Lift", "LEVEL_LIFT1", ""),
    ("Crate", "LEVEL_CRATES", ""),
    ("Ladder", "", ""),
    ("Lamp", "LEVEL_LAMP", "GAME_CYCLE50"),
    ("Bell", "LEVEL_BELL", "LEVEL_BELL_RING"),
    ("", "", ""),
];

const GRUNTZ: &[Row] = &[
    ("Tree", "LEVEL_TREE", ""),
    ("Tree", "LEVEL_TREE", ""),
    ("Toy", "GAME_TOYZ_BALL", "GAME_TOYZ_BALL"),
    ("Tool", "GAME_TOOLZ_SPADE", "GAME_TOOLZ_SPADE"),
    ("Walker", "GAME_WALKER", "GAME_WALKER_SOUTH"),
    ("Pond", "LEVEL_POND", "LEVEL_POND_RIPPLE"),
    ("Switch", "LEVEL_SWITCH", ""),
];

const GET_MEDIEVAL: &[Row] = &[
    ("Door", "LEVEL_DOOR", ""),
    ("Key", "GAME_KEY", "GAME_TWINKLE"),
    ("Chest", "GAME_CHEST", "GAME_CHEST_CLOSED"),
    ("Slime", "LEVEL_SLIME", "LEVEL_SLIME_WOBBLE"),
];

pub(super) fn objects(rng: &mut Rng, game: Game, count: u32, plane: &PlaneSpec) -> Vec<ObjectSpec> {
    let kinds = match game {
        Game::Claw => CLAW,
        Game::Gruntz => GRUNTZ,
        Game::GetMedieval => GET_MEDIEVAL,
    };
    let mut objects = Vec::new();
    let mut id = 0;
    for i in 0..count {
        // Copied objects keep the ID of the original.
        if !rng.one_in(20) {
            id += 1;
        }
        let kind = rng.pick(kinds).copied().unwrap_or_default();
        objects.push(object(rng, i, id, kind, plane));
    }
    objects
}

fn object(rng: &mut Rng, index: u32, id: i32, (logic, image_set, animation): Row, plane: &PlaneSpec) -> ObjectSpec {
    let mut object = ObjectSpec {
        id,
        x: rng.range(0, plane.width_px),
        y: rng.range(0, plane.height_px),
        z: rng.range(0, 5) * 1000,
        logic: logic.into(),
        image_set: image_set.into(),
        animation: animation.into(),
        ..ObjectSpec::default()
    };
    if index == 0 {
        object.logic = b"CaptainStart".to_vec();
        object.name = b"start".to_vec();
    } else if rng.one_in(8) {
        object.name = format!("{}{}", ["a", "item", "goon"][usize::from(rng.one_in(2))], rng.below(1000)).into_bytes();
    }
    if rng.one_in(150) {
        object.x = plane.width_px.saturating_add(rng.range(0, 500));
    }
    if rng.one_in(150) {
        object.y = -rng.range(1, 500);
    }
    if rng.one_in(8) {
        object.i = rng.range(1, 12);
    }
    if rng.one_in(4) {
        object.min_x = object.x.saturating_sub(rng.range(0, 400));
        object.max_x = object.x.saturating_add(rng.range(0, 400));
        object.speed_x = rng.range(-200, 200);
        object.hit_rect = [-16, -32, 16, 32];
    }
    match rng.below(12) {
        0 => object.draw_flags = 1 << rng.below(4),
        1 => object.dynamic_flags = 1 << rng.below(4),
        2 => object.user_flags = rng.below(0x1000),
        3 => object.add_flags = 1 << rng.below(6),
        4 => object.user = std::array::from_fn(|_| rng.range(-3, 100)),
        5 => object.score = rng.range(0, 5000),
        6 => object.health = rng.range(1, 100),
        7 => object.face_dir = rng.range(0, 9),
        8 => object.hit_type_flags = u32::MAX,
        _ => {}
    }
    object
}
