//! Facts about levels, on hand-built bytes and with values computed by hand from the format notes.

use worldview_core::zerocopy::FromBytes as _;
use worldview_core::{ErrorKind, Limit};
use worldview_wwd::{self as wwd, Attribute, FindingKind, Game, Level, Rule, Tile, TileKind, flags, raw};

/// Writes words into a buffer, growing it with zeros.
fn put(bytes: &mut Vec<u8>, at: usize, words: &[u32]) {
    let end = at + words.len() * 4;
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    for (place, word) in bytes[at..end].chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn put_text(bytes: &mut Vec<u8>, at: usize, text: &[u8]) {
    let end = at + text.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at..end].copy_from_slice(text);
}

const OBJECT: usize = 1524 + 160 + 24 + 7;
const TABLE: usize = OBJECT + 284 + 17;

/// Returns a plain level: one plane of 3 x 2 tiles, one image set, one object, three tile attributes.
fn level() -> Vec<u8> {
    let mut bytes = vec![0; 1524];
    put(&mut bytes, 0, &[1524, 0, 1]);
    put_text(&mut bytes, 16, b"Level 12 of 14");
    put_text(&mut bytes, 464, b"\\AREA3\\TILEZ");
    put(&mut bytes, 720, &[100, 0xFFFF_FFFF, 0, 1, 1524, u32::try_from(TABLE).unwrap()]);
    // The plane header.
    put(&mut bytes, 1524, &[160, 0, 0x25]);
    put_text(&mut bytes, 1540, b"T\xB3o");
    put(&mut bytes, 1604, &[96, 64, 32, 32, 3, 2, 0, 0, 100, 50, 7, 1, 1, 1684, 1708]);
    put(&mut bytes, 1664, &[u32::try_from(OBJECT).unwrap(), 0xFFFF_FFF6, 0, 0, 0]);
    // The grid, the name, the object.
    put(&mut bytes, 1684, &[0xFFFF_FFFF, 0xEEEE_EEEE, 2, 0x0001_0005, 0xEEEE_EE00, 0]);
    put_text(&mut bytes, 1708, b"ACTION\0");
    put(&mut bytes, OBJECT, &[7, 10, 4, 3, 0, 40, 50, 1000, 0xFFFF_FFFF, 0, 0, 5]);
    put(&mut bytes, OBJECT + 76, &[1, 2, 3, 4]);
    put(&mut bytes, OBJECT + 280, &[9]);
    put_text(&mut bytes, OBJECT + 284, b"n\0\x04\0\0\0\x2A\0\0\0Walkset");
    // The attributes: single, double, mask.
    put(&mut bytes, TABLE, &[32, 0, 3, 0, 0, 0, 0, 0]);
    put(&mut bytes, TABLE + 32, &[1, 0, 32, 32, 4]);
    put(&mut bytes, TABLE + 52, &[2, 0, 32, 32, 0, 2, 0, 0, 31, 7]);
    put(&mut bytes, TABLE + 92, &[3, 0, 2, 2]);
    put_text(&mut bytes, TABLE + 108, &[0, 1, 2, 3]);
    bytes
}

#[test]
fn every_part_lies_where_the_notes_say() {
    let bytes = level();
    let image = wwd::unpack(&bytes).unwrap();
    assert!(std::ptr::eq(image.as_ptr(), bytes.as_ptr()), "a plain file is never copied");
    let level = Level::parse(&image).unwrap();
    assert_eq!(level.game(), Some(Game::Gruntz));
    assert_eq!(level.header().level_number(), Some(12));
    assert_eq!((level.header().start_x.get(), level.header().start_y.get()), (100, -1));

    let plane = level.planes()[0];
    assert_eq!(plane.name(), b"T\xB3o");
    assert!(plane.is_main() && plane.wraps_x() && !plane.wraps_y() && plane.is_drawn());
    assert_eq!(flags::unknown(plane.header().flags.get(), flags::PLANE_FLAGS), 0x20);
    assert_eq!(plane.header().z_coord.get(), -10);
    assert_eq!((plane.columns(), plane.rows().len(), plane.pixel_size()), (3, 2, (96, 64)));
    let kinds: Vec<_> = plane.tiles().iter().map(|tile| tile.kind()).collect();
    let image_of = |image_set, frame| TileKind::Image { image_set, frame };
    assert_eq!(
        kinds,
        [TileKind::Empty, TileKind::Filled, image_of(0, 2), image_of(1, 5), image_of(0xEEEE, 0xEE00), image_of(0, 0)]
    );
    assert_eq!(plane.tile(0, 1).map(Tile::get), Some(0x0001_0005));
    assert_eq!((plane.tile(3, 0), plane.tile(0, 2), plane.tile(usize::MAX, usize::MAX)), (None, None, None));
    let names: Vec<_> = plane.image_sets().into_iter().map(Result::unwrap).collect();
    assert_eq!(names, [b"ACTION"]);

    let object = plane.objects().into_iter().next().unwrap().unwrap();
    assert_eq!((object.id.get(), object.x.get(), object.y.get(), object.i.get()), (7, 40, 50, -1));
    assert_eq!((object.move_rect.get(), object.move_res_y.get()), ([1, 2, 3, 4], 9));
    assert_eq!((object.logic, object.image_set, object.animation), (&b"Walk"[..], &b"set"[..], &b""[..]));
    assert_eq!((object.display_name(), object.name.len()), (&b"n"[..], 10));
    assert_eq!(object.metadata().unwrap().location_list_index(), Some(42));
    assert_eq!(flags::names_of(object.draw_flags.get(), flags::DRAW_FLAGS).collect::<Vec<_>>(), ["no-draw", "invert"]);

    assert_eq!(level.attributes().records().len(), 3);
    assert_eq!(level.attributes().get(0).unwrap().value_at(0, 0), Some(4));
    let double = level.attributes().get(1).unwrap();
    // Bounds are inclusive: 0 to 31 across, 0 to 7 down.
    let at = |x, y| double.value_at(x, y).unwrap();
    assert_eq!([at(0, 0), at(31, 7), at(32, 0), at(31, 8)], [2, 2, 0, 0]);
    let mask = level.attributes().get(2).unwrap();
    assert_eq!(
        [mask.value_at(1, 0), mask.value_at(0, 1), mask.value_at(1, 1), mask.value_at(2, 0), mask.value_at(0, 2)],
        [Some(1), Some(2), Some(3), None, None]
    );
    assert!(matches!(mask, Attribute::Mask { .. }));
    assert_eq!(level.attributes().extent(), (TABLE as u64, bytes.len() as u64));
}

#[test]
fn views_outlive_the_level_they_come_from() {
    let bytes = level();
    let (tiles, logic) = {
        let level = Level::parse(&bytes).unwrap();
        let plane = level.planes()[0];
        (plane.tiles(), plane.objects().iter().next().unwrap().unwrap().logic)
    };
    assert_eq!((tiles.len(), logic), (6, &b"Walk"[..]));
}

#[test]
fn games_are_recognized_by_the_tile_directory() {
    let games: [(&[u8], Option<Game>); 9] = [
        (b"LEVEL3\\TILES", Some(Game::Claw)),
        (b"\\LEVEL14\\TILES", Some(Game::Claw)),
        (b"\\area8\\tilez", Some(Game::Gruntz)),
        (b"DUNGEON1\\TILES", Some(Game::GetMedieval)),
        (b"\\\\LEVEL3", None),
        (b"LEVEL", None),
        (b"LEVELS\\3", None),
        (b"", None),
        (b"XLEVEL3", None),
    ];
    for (dir, game) in games {
        assert_eq!(Game::of_image_dir(dir), game, "{}", dir.escape_ascii());
    }
    assert_eq!([Game::Claw, Game::Gruntz, Game::GetMedieval].map(Game::name), ["Claw", "Gruntz", "Get Medieval"]);
}

#[test]
fn a_tile_shows_its_word() {
    let bytes = level();
    let level = Level::parse(&bytes).unwrap();
    let tiles = level.planes()[0].tiles();
    assert_eq!(format!("{:?}", &tiles[1..4]), "[Tile(0xeeeeeeee), Tile(0x00000002), Tile(0x00010005)]");
    let frames: Vec<_> = tiles.iter().map(|tile| tile.frame()).collect();
    assert_eq!(frames, [None, None, Some(2), Some(5), Some(0xEE00), Some(0)]);
}

#[test]
fn sizes_and_lengths_that_iterators_tell() {
    let mut bytes = level();
    let level = Level::parse(&bytes).unwrap();
    let plane = level.planes()[0];
    let mut names = plane.image_sets().iter();
    assert_eq!((plane.image_sets().count(), names.size_hint(), names.position()), (1, (1, Some(1)), 1708));
    assert!(names.next().is_some());
    assert_eq!((names.size_hint(), names.position()), ((0, Some(0)), 1715));
    let mut objects = plane.objects().iter();
    assert_eq!((plane.objects().count(), objects.size_hint(), objects.position()), (1, (1, Some(1)), OBJECT as u64));
    assert_eq!(objects.next().unwrap().unwrap().size(), 284 + 10 + 4 + 3);
    assert_eq!((objects.size_hint(), objects.position()), ((0, Some(0)), TABLE as u64));
    assert!(!plane.objects().is_empty());
    let sizes: Vec<_> =
        level.attributes().records().iter().map(|tile| (tile.width(), tile.height(), tile.size())).collect();
    assert_eq!(sizes, [(32, 32, 20), (32, 32, 40), (2, 2, 20)]);
    assert!(level.attributes().header().is_some() && level.attributes().get(3).is_none());
    // A tile with a negative side has no size.
    put(&mut bytes, 1612, &[0xFFFF_FFFF, 32]);
    assert_eq!(Level::parse(&bytes).unwrap().planes()[0].pixel_size(), (0, 64));
}

#[test]
fn attributes_end_behind_the_last_that_is_there() {
    let whole = level();
    let extent = |len: usize| {
        let mut findings = 0;
        let level = Level::parse_lossy(&whole[..len], &mut |_| findings += 1).unwrap();
        let (start, end) = level.attributes().extent();
        (findings, level.attributes().records().len(), start, end - start)
    };
    let at = TABLE as u64;
    // The head of 32 bytes, then records of 20, 40 and 20 bytes.
    assert_eq!(extent(TABLE + 112), (0, 3, at, 112));
    assert_eq!(extent(TABLE + 111), (1, 2, at, 92));
    assert_eq!(extent(TABLE + 91), (1, 1, at, 52));
    assert_eq!(extent(TABLE + 33), (1, 0, at, 32));
    assert_eq!(extent(TABLE + 31), (1, 0, at, 0));
}

#[test]
fn a_list_that_is_cut_keeps_its_whole_objects() {
    // Five objects are announced; the file ends within the third, first in its strings, then in its fixed part.
    let mut bytes = level();
    bytes.truncate(TABLE);
    put(&mut bytes, 1524 + 128, &[5]);
    put(&mut bytes, 740, &[0]);
    let object = bytes[OBJECT..].to_vec();
    bytes.extend([&object[..], &object].concat());
    for cut in [1, object.len() - 283] {
        let file = &bytes[..bytes.len() - cut];
        let mut findings = Vec::new();
        let level = Level::parse_lossy(file, &mut |finding| findings.push(finding)).unwrap();
        let objects: Vec<_> = level.planes()[0].objects().iter().map(|object| object.unwrap().id.get()).collect();
        assert_eq!((objects, level.planes()[0].objects().count()), (vec![7, 7], 2), "{cut}");
        let [finding] = &findings[..] else { panic!("one cause, one finding: {findings:?}") };
        let have = (file.len() - OBJECT) as u64;
        let kind = ErrorKind::TooMany { count: 5, unit: 284, have };
        assert_eq!((finding.kind, finding.at), (FindingKind::Broken { kind }, OBJECT as u64));
        assert_eq!(Level::parse(file).unwrap_err().kind, kind);
    }
}

#[test]
fn the_main_plane_is_the_last_that_says_so() {
    let mut bytes = vec![0; 1524 + 3 * 160];
    put(&mut bytes, 0, &[1524]);
    put(&mut bytes, 732, &[3, 1524]);
    for (plane, flags) in [(0, 0xF), (1, 1), (2, 0)] {
        put(&mut bytes, 1524 + plane * 160, &[160, 0, flags]);
    }
    let level = Level::parse(&bytes).unwrap();
    assert_eq!(level.main_plane().map(|plane| (plane.index(), plane.offset())), Some((1, 1684)));
    let said: Vec<_> = level.planes().iter().map(|p| (p.is_main(), p.is_drawn(), p.wraps_x(), p.wraps_y())).collect();
    assert_eq!(said, [(true, false, true, true), (true, true, false, false), (false, true, false, false)]);
    assert!(level.planes().iter().all(|plane| plane.objects().is_empty() && plane.rows().len() == 0));
    put(&mut bytes, 1692, &[2]);
    put(&mut bytes, 1532, &[0]);
    assert!(Level::parse(&bytes).unwrap().main_plane().is_none());
}

/// Returns a plain file: a header with a checksum, followed by a block.
fn with_block(block: &[u8], checksum: u32) -> Vec<u8> {
    let mut bytes = vec![0; 1524];
    put(&mut bytes, 0, &[1524]);
    put(&mut bytes, 748, &[checksum]);
    bytes.extend_from_slice(block);
    bytes
}

#[test]
fn checksums_of_short_blocks() {
    // Editor: (20 - 1) + (30 - 2) + (40 - 3) - 4 = 80. WapMap: (10 - 1) + (20 - 2) + (30 - 3) + (40 - 4) - 160 = -70.
    let block = [10, 20, 30, 40];
    let rules = |checksum: i32| {
        let file = with_block(&block, checksum.cast_unsigned());
        let ours = wwd::unpack(&file).unwrap().checksum();
        assert_eq!(wwd::checksum(&file).unwrap(), ours);
        ours.rules().collect::<Vec<_>>()
    };
    assert_eq!(rules(80), [Rule::Editor]);
    assert_eq!(rules(-70), [Rule::WapMap, Rule::Libwap32]);
    assert_eq!(rules(0), [Rule::Zero]);
    assert_eq!(rules(81), []);
    // For a block that begins with 160, three rules have the same value: the sums differ by 160 and by the first byte.
    let file = with_block(&[160, 20, 30, 40], 80);
    let rules: Vec<_> = wwd::checksum(&file).unwrap().rules().collect();
    assert_eq!(rules, [Rule::Editor, Rule::WapMap, Rule::Libwap32]);
    // Of one byte, which the editor skips, and of none.
    for (block, sums) in [(&[77][..], [-1, -84]), (&[], [0, -160])] {
        assert_eq!([Rule::Editor, Rule::WapMap].map(|rule| rule.compute(block, None).cast_signed()), sums);
    }
}

#[test]
fn the_byte_sum_is_the_sum_of_the_bytes() {
    // Lengths around the boundaries of lanes and blocks; all bytes have the largest value.
    for len in [0, 1, 31, 32, 33, 8223, 8224, 8225, 16_448, 100_000] {
        assert_eq!(wwd::byte_sum(&vec![255; len]), 255 * u32::try_from(len).unwrap(), "{len}");
    }
    let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    assert_eq!(wwd::byte_sum(&bytes), bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>());
}

#[test]
fn an_iterator_ends_with_its_first_error() {
    let mut bytes = level();
    // The header now counts a second object, where the tile attributes are: its name is longer than the file.
    put(&mut bytes, 1652, &[2]);
    put(&mut bytes, TABLE + 4, &[100_000]);
    bytes.resize(TABLE + 284, 0);
    let level = Level::parse(&bytes).unwrap();
    let objects: Vec<_> = level.planes()[0].objects().iter().collect();
    assert_eq!(objects.len(), 2);
    assert!(objects[0].is_ok());
    let error = objects[1].as_ref().unwrap_err();
    assert!(error.to_string().starts_with("plane 0, "), "{error}");
    assert_eq!(error.index(), Some(1));
    let mut iterator = level.planes()[0].objects().iter();
    assert_eq!(iterator.by_ref().count(), 2);
    assert!(iterator.next().is_none(), "fused");
}

/// Each number of the header is its own offset, so a field that is read from another place has another value.
#[test]
fn the_numbers_of_a_plane_header_are_at_the_offsets_of_the_format_notes() {
    let bytes: Vec<u8> = (0..160).step_by(4).flat_map(u32::to_le_bytes).collect();
    let header = raw::PlaneHeader::ref_from_bytes(&bytes).unwrap();
    let sizes = [header.width_px, header.height_px, header.tile_width, header.tile_height, header.tiles_wide];
    assert_eq!(sizes.map(|field| field.get()), [80, 84, 88, 92, 96]);
    let rest = [header.tiles_high, header.scroll_x, header.scroll_y, header.movement_x_percent];
    assert_eq!(rest.map(|field| field.get()), [100, 104, 108, 112]);
    let last = [header.movement_y_percent, header.fill_color, header.z_coord];
    assert_eq!(last.map(|field| field.get()), [116, 120, 144]);
    let counts = [header.num_image_sets, header.num_objects, header.tiles_offset, header.image_sets_offset];
    assert_eq!(counts.map(|field| field.get()), [124, 128, 132, 136]);
    assert_eq!((header.header_size.get(), header.flags.get(), header.objects_offset.get()), (0, 8, 140));
}

/// Two thousand planes share twenty thousand objects: the loop in the crate's documentation took 40 million steps.
#[test]
fn planes_that_share_their_lists_are_refused_or_cut() {
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/81-overlapping-loops/bomb.wwd");
    let bytes = std::fs::read(case).unwrap();
    let image = wwd::unpack(&bytes).unwrap();
    let most = 4 * image.len() as u64 + (1 << 20);
    let is_limit = |kind| matches!(kind, ErrorKind::Limit { of: Limit::Overlap, limit, .. } if limit == most);
    let error = Level::parse(&image).unwrap_err();
    assert!(is_limit(error.kind), "{error}");
    let mut cuts = 0;
    let level = Level::parse_lossy(&image, &mut |finding| match finding.kind {
        FindingKind::Broken { kind } if is_limit(kind) => cuts += 1,
        other => panic!("{other}"),
    })
    .unwrap();
    let objects = level.planes().iter().flat_map(|plane| plane.objects()).map(|object| object.unwrap().size());
    let (count, walked) = objects.fold((0, 0), |(count, walked), size| (count + 1, walked + size));
    assert!(cuts > 0 && count > 20_000 && walked <= most, "{cuts} cuts, {count} objects, {walked} bytes of {most}");
}
