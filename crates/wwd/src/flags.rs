//! Names of the flag bits and of the numbers that stand for things. See
//! [Flags and names](crate::format#flags-and-names).

/// Header: planes and objects are drawn by their z coordinates.
pub const USE_Z_COORDS: u32 = 1;
/// Header: the main block is one zlib stream.
pub const PACKED: u32 = 2;

/// Plane: the main plane, on which the game is played.
pub const MAIN: u32 = 0x01;
/// Plane: not drawn.
pub const NO_DRAW: u32 = 0x02;
/// Plane: repeated to the left and right.
pub const WRAP_X: u32 = 0x04;
/// Plane: repeated up and down.
pub const WRAP_Y: u32 = 0x08;
/// Plane: the tile size is that of the first picture in the first image set.
pub const AUTO_TILE_SIZE: u32 = 0x10;

/// Names of single bits, or of combinations of bits.
pub type FlagNames = [(u32, &'static str)];

/// Names of the header's flags.
pub const HEADER_FLAGS: &FlagNames = &[(USE_Z_COORDS, "use-z-coords"), (PACKED, "packed")];

/// Names of a plane's flags.
pub const PLANE_FLAGS: &FlagNames =
    &[(MAIN, "main"), (NO_DRAW, "no-draw"), (WRAP_X, "wrap-x"), (WRAP_Y, "wrap-y"), (AUTO_TILE_SIZE, "auto-tile-size")];

/// Names of an object's add flags.
pub const ADD_FLAGS: &FlagNames = &[
    (1, "difficult"),
    (2, "eye-candy"),
    (4, "high-detail"),
    (8, "multiplayer"),
    (0x10, "extra-memory"),
    (0x20, "fast-cpu"),
];

/// Names of an object's dynamic flags.
pub const DYNAMIC_FLAGS: &FlagNames = &[(1, "no-hit"), (2, "always-active"), (4, "safe"), (8, "auto-hit-damage")];

/// Draw flag of an object: not drawn.
pub const DRAW_NO_DRAW: u32 = 1;

/// Names of an object's draw flags.
pub const DRAW_FLAGS: &FlagNames = &[(DRAW_NO_DRAW, "no-draw"), (2, "mirror"), (4, "invert"), (8, "flash")];

/// Names of an object's user flags.
pub const USER_FLAGS: &FlagNames = &[
    (0x001, "user1"),
    (0x002, "user2"),
    (0x004, "user3"),
    (0x008, "user4"),
    (0x010, "user5"),
    (0x020, "user6"),
    (0x040, "user7"),
    (0x080, "user8"),
    (0x100, "user9"),
    (0x200, "user10"),
    (0x400, "user11"),
    (0x800, "user12"),
];

/// Names of the object types, and of the types that an object collides with.
///
/// The sources agree up to `user2`. For user 3 and 4, the editors write 0x300 and 0x400, and the libraries define 0x400
/// and 0x800. These bits are ambiguous, so they have no names here.
pub const OBJECT_TYPES: &FlagNames = &[
    (0x001, "generic"),
    (0x002, "player"),
    (0x004, "enemy"),
    (0x008, "powerup"),
    (0x010, "shot"),
    (0x020, "p-shot"),
    (0x040, "e-shot"),
    (0x080, "special"),
    (0x100, "user1"),
    (0x200, "user2"),
];

/// Returns the bits of `value` that have no name in `names`.
pub fn unknown(value: u32, names: &FlagNames) -> u32 {
    names.iter().fold(value, |rest, (bits, _)| rest & !bits)
}

/// Returns the names of the bits set in `value`, in the order of `names`.
pub fn names_of(value: u32, names: &'static FlagNames) -> impl Iterator<Item = &'static str> {
    names.iter().filter(move |(bits, _)| value & bits == *bits).map(|(_, name)| *name)
}

/// What a tile attribute of 0 to 4 is called in all three games; `None` for the others: see [`gruntz_attribute`].
pub const fn attribute(value: i32) -> Option<&'static str> {
    Some(match value {
        0 => "clear",
        1 => "solid",
        2 => "ground",
        3 => "climb",
        4 => "death",
        _ => return None,
    })
}

/// Returns what Gruntz calls a tile attribute of its own, of 10 and more; `None` for the others.
///
/// Only Gruntz has these: in a level of another game the same number is junk.
pub const fn gruntz_attribute(value: i32) -> Option<&'static str> {
    Some(match value {
        10 => "water",
        11 => "arrow-up-a",
        12 => "arrow-down-a",
        13 => "arrow-left-a",
        14 => "arrow-right-a",
        15 => "arrow-up-b",
        16 => "arrow-down-b",
        17 => "arrow-left-b",
        18 => "arrow-right-b",
        19 => "arrow-current",
        30 => "gauntlet-rock-a",
        31 => "gauntlet-rock-b",
        32 => "spikes",
        33 => "giant-rock",
        34 => "covered-powerup",
        35 => "revealed-powerup",
        36 => "sink-hazard",
        51 => "switch-a",
        52 => "switch-a-up",
        53 => "switch-b",
        54 => "switch-b-up",
        55 => "multi-switch",
        56 => "multi-switch-up",
        57 => "switch-c",
        58 => "switch-c-up",
        59 => "exclusive-switch",
        60 => "exclusive-switch-up",
        61 => "secret-switch",
        62 => "secret-switch-up",
        63 => "time-switch",
        64 => "time-switch-up",
        65 => "checkpoint",
        66 => "checkpoint-up",
        93 => "checkpoint-pyramid-down",
        94 => "checkpoint-pyramid-up",
        95 => "white-pyramid-down",
        96 => "white-pyramid-up",
        97 => "orange-pyramid-down",
        98 => "orange-pyramid-up",
        99 => "black-pyramid-down",
        100 => "black-pyramid-up",
        101 => "green-pyramid-down",
        102 => "green-pyramid-up",
        103 => "red-pyramid-down",
        104 => "red-pyramid-up",
        105 => "purple-pyramid-down",
        106 => "purple-pyramid-up",
        107 => "water-bridge-down",
        108 => "water-bridge-up",
        109 => "death-bridge-down",
        110 => "death-bridge-up",
        111 => "crumble-water-bridge",
        112 => "crumble-death-bridge",
        113 => "toggle-water-bridge-down",
        114 => "toggle-water-bridge-up",
        115 => "toggle-death-bridge-down",
        116 => "toggle-death-bridge-up",
        150 => "hidden-powerup",
        151 => "gauntlet-brick-a",
        152 => "gauntlet-brick-b",
        153 => "gauntlet-brick-c",
        154 => "ai-path-blocker",
        _ => return None,
    })
}
