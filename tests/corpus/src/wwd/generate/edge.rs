//! One level for each legal edge case, most of them found in real files.

use super::{Game, Shape, level, switches};
use crate::wwd::HEADER_SIZE;
use crate::wwd::build::build_image;
use crate::wwd::spec::{
    AttributeSpec, ChecksumRule, LengthRule, LevelSpec, ObjectSpec, Packing, PlaneSpec, TrailerBlockSpec, TrailerSpec,
};

/// Collects levels under their names.
struct Cases {
    list: Vec<(&'static str, LevelSpec)>,
}

impl Cases {
    /// Adds a small level with one thing changed.
    fn add(&mut self, name: &'static str, change: impl FnOnce(&mut LevelSpec)) {
        let mut level = level(1, &Shape::small());
        change(&mut level);
        self.list.push((name, level));
    }

    /// Adds a small level with its main plane changed.
    fn add_main(&mut self, name: &'static str, change: impl FnOnce(&mut PlaneSpec)) {
        self.add(name, |level| change(&mut level.planes[1]));
    }
}

const PACKED: Packing = Packing::Zlib { level: 6 };

/// Returns a level for each legal edge case, with a name that describes it.
pub fn edge_cases() -> Vec<(&'static str, LevelSpec)> {
    let mut cases = Cases { list: Vec::new() };
    header_cases(&mut cases);
    storage_cases(&mut cases);
    plane_cases(&mut cases);
    tile_cases(&mut cases);
    object_cases(&mut cases);
    attribute_cases(&mut cases);
    switch_cases(&mut cases);
    cases.list
}

fn header_cases(cases: &mut Cases) {
    cases.add("header texts without a NUL", |level| {
        let header = &mut level.header;
        header.name = vec![b'n'; 64];
        header.author = vec![b'a'; 64];
        header.birth = vec![b'b'; 64];
        header.rez_file = vec![b'r'; 256];
        header.image_dir = vec![b'i'; 128];
        header.pal_rez = vec![b'p'; 128];
        header.launch_app = vec![b'l'; 128];
        header.image_set_dirs = std::array::from_fn(|_| vec![b'd'; 128]);
        header.image_set_prefixes = std::array::from_fn(|_| vec![b'x'; 32]);
    });
    cases.add("header texts empty", |level| {
        level.header = Default::default();
    });
    cases.add("text behind the NUL of a name", |level| level.header.name = b"short\0left over".to_vec());
    cases.add("tiles of another level", |level| {
        level.header.name = b"Claw - Level 5".to_vec();
        level.header.image_dir = b"LEVEL6\\TILES".to_vec();
    });
    cases.add("words of the header that are normally 0", |level| {
        let header = &mut level.header;
        header.reserved_04 = 0x0403_0201;
        header.reserved_0c = 0xFFFF_FFFF;
        header.reserved_2d8 = 2;
        header.reserved_2f0 = 0x8000_0000;
    });
    cases.add("unknown header flags", |level| level.header.flags = 0x8000_0F05);
    cases.add("Gruntz", |level| {
        *level = super::level(2, &Shape { tiles_wide: 30, tiles_high: 20, objects: 30, ..Shape::gruntz() })
    });
    cases.add("Get Medieval", |level| *level = super::level(3, &Shape { game: Game::GetMedieval, ..Shape::small() }));
}

fn storage_cases(cases: &mut Cases) {
    cases.add("raw", |_| {});
    cases.add("packed", |level| level.packing = PACKED);
    cases.add("packed, deflate level 0", |level| level.packing = Packing::Zlib { level: 0 });
    cases.add("packed, deflate level 9", |level| level.packing = Packing::Zlib { level: 9 });
    cases.add("raw with its real length", |level| {
        let length = build_image(level).bytes.len() - HEADER_SIZE;
        level.main_block_length = LengthRule::Value(u32::try_from(length).unwrap_or(0));
    });
    for (raw, packed, rule) in [
        ("raw, WapMap checksum", "packed, WapMap checksum", ChecksumRule::WapMap),
        ("raw, libwap32 checksum", "packed, libwap32 checksum", ChecksumRule::Libwap32),
        ("raw, checksum zero", "packed, checksum zero", ChecksumRule::Zero),
        ("raw, checksum wrong", "packed, checksum wrong", ChecksumRule::Value(0xDEAD_BEEF)),
    ] {
        cases.add(raw, |level| level.checksum = rule);
        cases.add(packed, |level| (level.checksum, level.packing) = (rule, PACKED));
    }
    cases.add("trailer, raw", |level| level.trailer = Some(all_blocks()));
    cases.add("trailer, packed", |level| {
        (level.trailer, level.packing) = (Some(all_blocks()), PACKED);
    });
    cases.add("trailer without blocks of its own", |level| {
        (level.trailer, level.packing) = (Some(TrailerSpec::default()), PACKED);
    });
    cases.add("junk after the stream", |level| {
        (level.trailing, level.packing) = (b"\0\0junk".to_vec(), PACKED);
    });
    cases.add("junk after the trailer", |level| {
        level.packing = PACKED;
        level.trailer = Some(all_blocks());
        level.trailing = b"junk".to_vec();
    });
}

/// Returns a trailer with every known kind of block and an unknown one.
fn all_blocks() -> TrailerSpec {
    TrailerSpec {
        blocks: vec![
            TrailerBlockSpec::Header {
                wapmap_build: 182,
                wapmap_version: b"MAINDEV".to_vec(),
                map_build: 7,
                map_version: b"1.0".to_vec(),
                description: b"all kinds of blocks".to_vec(),
            },
            TrailerBlockSpec::Guides(vec![(0, 640), (1, 480)]),
            TrailerBlockSpec::Favourites(vec![(b"quay".to_vec(), 100, 200), (Vec::new(), 0, u32::MAX)]),
            TrailerBlockSpec::Other { id: 77, bytes: vec![1, 2, 3] },
        ],
    }
}

fn plane_cases(cases: &mut Cases) {
    cases.add("no planes", |level| level.planes.clear());
    cases.add("nothing at all", |level| (level.planes, level.attributes) = (Vec::new(), None));
    cases.add("no main plane", |level| level.planes[1].flags = 0);
    cases.add("two main planes", |level| level.planes[2].flags = 1);
    cases.add("main plane first", |level| level.planes.swap(0, 1));
    cases.add("duplicate plane names", |level| level.planes[2].name = level.planes[1].name.clone());
    cases.add("plane flags 0x20, 0x40, 0x80", |level| {
        for (plane, flags) in level.planes.iter_mut().zip([0xE0, 0x41, 0x20]) {
            plane.flags = flags;
        }
    });
    cases.add_main("all plane flags", |plane| plane.flags = u32::MAX);
    cases.add_main("junk fill color", |plane| plane.fill_color = 791_624_304);
    cases.add_main("words of the plane that are normally 0", |plane| {
        plane.reserved_04 = 1;
        plane.reserved_0c = 2;
        plane.scroll_x = -3;
        plane.scroll_y = 4;
        plane.reserved_94 = 5;
        plane.reserved_98 = 6;
        plane.reserved_9c = u32::MAX;
    });
    cases.add_main("plane name in Windows-1250", |plane| plane.name = vec![0x54, 0xB3, 0x6F]);
    cases.add_main("plane name without a NUL", |plane| plane.name = vec![b'P'; 64]);
    cases.add_main("plane size in pixels that is not its grid's", |plane| plane.width_px = -1);
    cases.add_main("lowest z", |plane| plane.z_coord = -9500);
    for (name, px) in [("1 pixel tiles", 1), ("2 pixel tiles", 2), ("4 pixel tiles", 4), ("8 pixel tiles", 8)] {
        cases.add(name, |level| level.planes.push(PlaneSpec::empty(name.as_bytes(), px, 5, 3)));
    }
    cases.add("plane of one tile", |level| level.planes.push(PlaneSpec::empty(b"dot", 64, 1, 1)));
    cases.add("planes without tiles", |level| {
        for (wide, high) in [(0, 0), (0, 7), (7, 0)] {
            level.planes.push(PlaneSpec::empty(b"none", 64, wide, high));
        }
    });
    cases.add("twenty-four planes", |level| {
        *level = super::level(4, &Shape { planes: 24, ..Shape::small() });
    });
    cases.add_main("no image sets", |plane| plane.image_sets.clear());
    cases.add_main("empty image-set names", |plane| plane.image_sets = vec![b"ACTION".to_vec(), vec![], vec![]]);
    cases.add_main("only an empty image-set name", |plane| plane.image_sets = vec![vec![]]);
    cases.add_main("three image sets", |plane| {
        plane.image_sets = vec![b"A".to_vec(), b"BB".to_vec(), b" C~\xE9".to_vec()]
    });
}

fn tile_cases(cases: &mut Cases) {
    cases.add_main("tile 0xEEEEEE00", |plane| plane.tiles[7] = 0xEEEE_EE00);
    cases.add_main("tile of the second image set", |plane| {
        plane.image_sets.push(b"SECOND".to_vec());
        plane.tiles[9] = 0x0001_0005;
    });
    cases.add_main("tile of an image set that is not there", |plane| plane.tiles[9] = 0xFFFE_0005);
    cases.add("tile without an attribute behind the main plane", |level| level.planes[0].tiles[0] = 939);
    cases.add_main("tile without an attribute on the main plane", |plane| plane.tiles[0] = 40);
    cases.add_main("only empty and filled tiles", |plane| {
        for (i, tile) in plane.tiles.iter_mut().enumerate() {
            *tile = if i % 3 == 0 { 0xEEEE_EEEE } else { 0xFFFF_FFFF };
        }
    });
}

fn object_cases(cases: &mut Cases) {
    cases.add_main("no objects", |plane| plane.objects.clear());
    cases.add_main("no objects, yet an offset", |plane| {
        plane.objects.clear();
        plane.empty_objects_offset = u32::MAX;
    });
    cases.add("objects on every plane", |level| {
        let objects = level.planes[1].objects.clone();
        level.planes[0].objects = objects[..3].to_vec();
        level.planes[2].objects = objects[3..5].to_vec();
    });
    cases.add_main("name with metadata behind a NUL", |plane| {
        for (index, object) in (0..).zip(&mut plane.objects) {
            object.append_metadata(index);
        }
    });
    cases.add_main("object without any text", |plane| plane.objects.push(ObjectSpec::default()));
    cases.add_main("object with long texts", |plane| {
        let text = |byte, length| vec![byte; length];
        plane.objects.push(ObjectSpec {
            name: text(b'n', 1023),
            logic: text(b'l', 1024),
            image_set: text(0, 3),
            animation: text(0xFF, 70_001),
            ..ObjectSpec::default()
        });
    });
    cases.add_main("object with every word set", |plane| plane.objects.push(full_object()));
    cases.add_main("names with control characters", |plane| {
        plane.name = b"Act\x07ion".to_vec();
        plane.objects[0].name = b"st\nart".to_vec();
        plane.objects[1].animation = b"LEVEL_WATER\t".to_vec();
    });
    cases.add_main("image set of no known prefix", |plane| plane.objects[1].image_set = b"NOBODY_COINS".to_vec());
    cases.add_main("rectangles that hold numbers", |plane| {
        plane.objects[1].logic = b"PathElevator".to_vec();
        plane.objects[1].hit_rect = [500, 3, 90, 0];
    });
    cases.add_main("elevator without a path", |plane| plane.objects[1].logic = b"PathElevator".to_vec());
    cases.add("start position outside the main plane", |level| level.header.start_y = -1);
    cases.add_main("all objects the same", |plane| {
        let first = plane.objects[0].clone();
        plane.objects.fill(first);
    });
}

/// Returns an object whose words are all different, so that swapped fields are noticed.
fn full_object() -> ObjectSpec {
    let rect = |n: i32| [n, -n - 1, n + 2, -n - 3];
    ObjectSpec {
        id: i32::MIN,
        x: -1,
        y: i32::MAX,
        z: -2,
        i: 3,
        add_flags: 0x8000_0001,
        dynamic_flags: 0x8000_0002,
        draw_flags: 0x8000_0003,
        user_flags: 0x8000_0004,
        score: 4,
        points: 5,
        powerup: 6,
        damage: 7,
        smarts: 8,
        health: 9,
        move_rect: rect(100),
        hit_rect: rect(200),
        attack_rect: rect(300),
        clip_rect: rect(400),
        user_rect1: rect(500),
        user_rect2: rect(600),
        user: [701, 702, 703, 704, 705, 706, 707, 708],
        min_x: 10,
        min_y: 11,
        max_x: 12,
        max_y: 13,
        speed_x: 14,
        speed_y: 15,
        tweak_x: 16,
        tweak_y: 17,
        counter: 18,
        speed: 19,
        width: 20,
        height: 21,
        direction: 22,
        face_dir: 23,
        time_delay: 24,
        frame_delay: 25,
        object_type: 8192,
        hit_type_flags: u32::MAX,
        move_res_x: 26,
        move_res_y: -27,
        name: b"every word".to_vec(),
        logic: b"Logic".to_vec(),
        image_set: b"GAME_SET".to_vec(),
        animation: b"GAME_LOOP".to_vec(),
    }
}

fn attribute_cases(cases: &mut Cases) {
    let table = |change: fn(&mut Vec<AttributeSpec>)| {
        move |level: &mut LevelSpec| level.attributes.iter_mut().for_each(|table| change(&mut table.records))
    };
    cases.add("no attribute table", |level| level.attributes = None);
    cases.add("attribute table without records", table(Vec::clear));
    cases.add("junk attribute", table(|records| records[3] = AttributeSpec::single(64, 64, -845_788_608)));
    cases.add(
        "masks",
        table(|records| {
            let bytes = (0..=u8::MAX).cycle().take(64 * 64).collect();
            records.insert(5, AttributeSpec::mask(64, 64, bytes));
            records.push(AttributeSpec::mask(1, 3, vec![9, 8, 7]));
            records.push(AttributeSpec::mask(0, 64, Vec::new()));
        }),
    );
    cases.add(
        "double with an odd rectangle",
        table(|records| {
            records.push(AttributeSpec::double(64, 64, 0, 2, [-1, 64, 64, i32::MIN]));
        }),
    );
    cases.add("words of the table that are normally 0", |level| {
        if let Some(table) = &mut level.attributes {
            table.head = [33, 1, 0, 2, 3, 4, 5, u32::MAX];
            table.records[0].reserved = 6;
        }
    });
}

fn switch_cases(cases: &mut Cases) {
    cases.list.push(("switches of Gruntz", switches()));
    cases.list.push(("switches of Gruntz that were moved alone", {
        let mut level = switches();
        let [first, _, trigger, ..] = &mut level.planes[0].objects[..] else { return };
        first.x += 32;
        trigger.move_rect = [769, 0, 768, 0];
        trigger.clip_rect = [0, 0, 0, 771];
        level
    }));
    cases.list.push(("a switch of Gruntz without a trigger", {
        let mut level = switches();
        level.planes[0].objects.truncate(2);
        level
    }));
    cases.list.push(("switches in a level of 257 rows", {
        let mut level = switches();
        let plane = &mut level.planes[0];
        (plane.tiles_high, plane.height_px) = (257, 257 * 32);
        plane.tiles = vec![0; 10 * 257];
        plane.objects[0].x += 32;
        plane.objects[2].move_rect = [1, 0, 0, 0];
        level
    }));
    cases.list.push(("numbers of Gruntz in rectangles and directions", {
        let mut level = switches();
        let objects = &mut level.planes[0].objects;
        // The way of a UFO, in columns and rows; the player who sees the color; how far a grunt strays and sees; 750 is in a real level.
        for (logic, hit_rect, direction) in [
            ("UFO", [2, 2, 0, 0], 0),
            ("Brickz", [1, 0, 0, 0], 0),
            ("GruntStartingPoint", [1, 0, 0, 0], 10),
            ("RollingBall", [0, 0, 0, 0], 750),
            ("StaticHazard", [2, 2, 0, 0], 9),
        ] {
            let id = 10 + i32::try_from(objects.len()).unwrap_or(0);
            let (logic, last) = (logic.into(), objects[5].clone());
            objects.push(ObjectSpec { id, logic, hit_rect, direction, ..last });
        }
        level
    }));
}
