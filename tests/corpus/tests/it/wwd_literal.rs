//! Compares the output of the builder with a tiny level written by hand from the table of offsets.

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{
    AttributeSpec, AttributeTableSpec, ChecksumRule, HeaderSpec, LevelSpec, ObjectSpec, PlaneSpec,
};

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..][..value.len()].copy_from_slice(value);
}

/// 1524 bytes of header, 160 of plane header, 8 of tiles, 2 of names, 284 + 7 of object, 32 + 20 of attributes.
fn by_hand() -> Vec<u8> {
    let mut b = vec![0; 2037];
    // File header.
    put(&mut b, 0, &[0xF4, 0x05, 0, 0]);
    put(&mut b, 8, &[1, 0, 0, 0]);
    put(&mut b, 16, b"Tiny 3");
    put(&mut b, 464, b"\\LEVEL3\\TILES");
    put(&mut b, 720, &[0x40, 0, 0, 0]);
    put(&mut b, 724, &[0xFF, 0xFF, 0xFF, 0xFF]);
    put(&mut b, 732, &[1, 0, 0, 0]);
    put(&mut b, 736, &[0xF4, 0x05, 0, 0]);
    // The attribute table starts at 1524 + 160 + 8 + 2 + 291 = 1985 = 0x7C1.
    put(&mut b, 740, &[0xC1, 0x07, 0, 0]);
    put(&mut b, 884 + 128, b"GAME\\IMAGES");
    put(&mut b, 1396 + 32, b"GAME");
    // Plane header.
    put(&mut b, 1524, &[160, 0, 0, 0]);
    put(&mut b, 1524 + 8, &[1, 0, 0, 0]);
    put(&mut b, 1524 + 16, &[b'T', 0xB3, b'o']);
    put(&mut b, 1524 + 80, &[128, 0, 0, 0]);
    put(&mut b, 1524 + 84, &[64, 0, 0, 0]);
    put(&mut b, 1524 + 88, &[64, 0, 0, 0]);
    put(&mut b, 1524 + 92, &[64, 0, 0, 0]);
    put(&mut b, 1524 + 96, &[2, 0, 0, 0]);
    put(&mut b, 1524 + 100, &[1, 0, 0, 0]);
    put(&mut b, 1524 + 112, &[100, 0, 0, 0]);
    put(&mut b, 1524 + 116, &[100, 0, 0, 0]);
    put(&mut b, 1524 + 120, &[7, 0, 0, 0]);
    put(&mut b, 1524 + 124, &[1, 0, 0, 0]);
    put(&mut b, 1524 + 128, &[1, 0, 0, 0]);
    put(&mut b, 1524 + 132, &[0x94, 0x06, 0, 0]);
    put(&mut b, 1524 + 136, &[0x9C, 0x06, 0, 0]);
    put(&mut b, 1524 + 140, &[0x9E, 0x06, 0, 0]);
    put(&mut b, 1524 + 144, &[0xA0, 0x0F, 0, 0]);
    // Tiles at 0x694: empty, then frame 0 of image set 0. Names at 0x69C.
    put(&mut b, 0x694, &[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    put(&mut b, 0x69C, b"A\0");
    // The object at 0x69E, unaligned: no name, "Coin", "C", "xy".
    let o = 0x69E;
    put(&mut b, o, &[5, 0, 0, 0]);
    put(&mut b, o + 8, &[4, 0, 0, 0]);
    put(&mut b, o + 12, &[1, 0, 0, 0]);
    put(&mut b, o + 16, &[2, 0, 0, 0]);
    put(&mut b, o + 20, &[0x20, 0, 0, 0]);
    put(&mut b, o + 24, &[0x10, 1, 0, 0]);
    put(&mut b, o + 32, &[0xFF, 0xFF, 0xFF, 0xFF]);
    put(&mut b, o + 88, &[9, 0, 0, 0]);
    put(&mut b, o + 172, &[11, 0, 0, 0]);
    put(&mut b, o + 200, &[18, 0, 0, 0]);
    put(&mut b, o + 272, &[0xFF, 0xFF, 0xFF, 0xFF]);
    put(&mut b, o + 280, &[3, 0, 0, 0]);
    put(&mut b, o + 284, b"CoinCxy");
    // The attribute table: header, then one record.
    put(&mut b, 1985, &[32, 0, 0, 0]);
    put(&mut b, 1985 + 8, &[1, 0, 0, 0]);
    put(&mut b, 2017, &[1, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0]);
    b
}

fn described() -> LevelSpec {
    let mut plane = PlaneSpec::empty(&[b'T', 0xB3, b'o'], 64, 2, 1);
    plane.flags = 1;
    plane.fill_color = 7;
    plane.z_coord = 4000;
    plane.tiles[1] = 0;
    plane.image_sets = vec![b"A".to_vec()];
    plane.objects = vec![ObjectSpec {
        id: 5,
        x: 32,
        y: 272,
        move_rect: [0, 0, 0, 9],
        user: [11, 0, 0, 0, 0, 0, 0, 18],
        hit_type_flags: u32::MAX,
        move_res_y: 3,
        logic: b"Coin".to_vec(),
        image_set: b"C".to_vec(),
        animation: b"xy".to_vec(),
        ..ObjectSpec::default()
    }];
    let records = vec![AttributeSpec::single(64, 64, 2)];
    LevelSpec {
        header: HeaderSpec {
            name: b"Tiny 3".to_vec(),
            image_dir: b"\\LEVEL3\\TILES".to_vec(),
            start_x: 64,
            start_y: -1,
            image_set_dirs: [vec![], b"GAME\\IMAGES".to_vec(), vec![], vec![]],
            image_set_prefixes: [vec![], b"GAME".to_vec(), vec![], vec![]],
            ..HeaderSpec::default()
        },
        planes: vec![plane],
        attributes: Some(AttributeTableSpec { records, ..AttributeTableSpec::default() }),
        checksum: ChecksumRule::Zero,
        ..LevelSpec::default()
    }
}

#[test]
fn the_builder_writes_these_bytes() {
    assert_eq!(build(&described()).bytes, by_hand());
}
