use worldview_core::field_name;
use worldview_inspect::Encoding;

use super::{About, Audience as A, Value, fact};
use crate::wwd::raw::{LevelHeader, PlaneHeader};
use crate::wwd::{Game, Level, Plane, Unpacked, flags};

/// States the facts about a level.
pub(super) fn level(facts: &mut About<'_, ()>, level: &Level<'_>, file: &Unpacked<'_>, encoding: Encoding) {
    let (header, planes) = (file.header(), level.planes());
    let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
    let game = Game::of_image_dir(header.image_dir.as_bytes()).map(Game::name);
    facts.add(fact("game", A::JSON | A::SHEET), |()| game);
    facts.add(fact("format", A::TEXT), |()| format!("WWD level, {}", game.unwrap_or("unknown game")));
    facts.add(fact("name", A::JSON | A::SHEET | A::TEXT | A::CARD), |()| text(header.name.as_bytes()));
    facts.add(fact("author", A::JSON | A::SHEET | A::TEXT | A::CARD), |()| text(header.author.as_bytes()));
    facts.add(fact("birth", A::JSON | A::SHEET | A::TEXT | A::CARD).label("created"), |()| {
        text(header.birth.as_bytes())
    });
    facts.length(file.file().len() as u64, A::SHEET);
    facts.add(fact("packed", A::JSON), |()| file.is_packed());

    facts.add(fact("planes", A::LIST | A::SHEET | A::CARD | A::BRIEF).unit("plane"), |()| planes.len());
    let main = planes.iter().map(|plane| plane.header()).find(|header| header.flags.get() & flags::MAIN != 0);
    facts.add(fact("columns", A::LIST | A::SHEET), |()| main.map(|main| main.tiles_wide.get()));
    facts.add(fact("rows", A::LIST | A::SHEET), |()| main.map(|main| main.tiles_high.get()));
    let tiles = planes.iter().map(|plane| plane.tiles().len() as u64).sum::<u64>();
    let objects = planes.iter().map(|plane| u64::from(plane.objects().count())).sum::<u64>();
    facts.add(fact("tiles", A::LIST | A::SHEET), |()| tiles);
    facts.add(fact("objects", A::LIST | A::SHEET), |()| objects);
    // Objects per thousand tiles.
    facts.add(fact("density", A::LIST | A::SHEET), |()| {
        (tiles > 0).then(|| (objects as f64 * 100_000.0 / tiles as f64).round() / 100.0)
    });

    facts.add(fact("level_number", A::INFO | A::TEXT).label("level number"), |()| header.level_number());
    facts.add(fact("image_length", A::INFO), |()| file.len());
    facts.add(fact("size", A::TEXT), |()| {
        let inflated = if file.is_packed() { format!("{} inflated", file.len()) } else { "not compressed".to_owned() };
        format!("{} bytes, {inflated}", file.file().len())
    });
    facts.add(fact(field_name!(LevelHeader, image_dir), A::INFO | A::TEXT).label("tiles from"), |()| {
        text(header.image_dir.as_bytes())
    });
    facts.add(fact("palette", A::INFO | A::TEXT), |()| text(header.pal_rez.as_bytes()));
    facts.add(fact("start", A::INFO | A::TEXT), |()| vec![header.start_x.get(), header.start_y.get()]);
    let (stored, rules) =
        (header.checksum.get(), || file.checksum().rules().map(|rule| rule.name()).collect::<Vec<_>>());
    facts.add(fact("checksum", A::INFO), |()| [("stored", Value::from(stored)), ("rules", rules().into())]);
    facts.add(fact("checksum", A::TEXT), |()| {
        let rules = rules().join(", ");
        format!("{stored:#010x} ({})", if rules.is_empty() { "no known rule" } else { &rules })
    });
    facts.each(fact("planes", A::INFO | A::TEXT), || planes, |facts| plane(facts, encoding));

    let attributes = || {
        let count = |kind| level.attributes().records().iter().filter(|record| record.kind_name() == kind).count();
        level.attributes().header().map(|_| ["single", "double", "mask"].map(|kind| (kind, count(kind))))
    };
    facts.add(fact("tile_attributes", A::INFO), |()| attributes());
    facts.add(fact("tile attributes", A::TEXT), |()| {
        let total = level.attributes().records().len();
        let text = |counts: [_; 3]| counts.map(|(kind, count)| format!("{count} {kind}")).join(", ");
        attributes().map(|counts| format!("{total} ({})", text(counts)))
    });
    let trailing = file.trailing().len();
    facts.add(fact("trailing_bytes", A::INFO), |()| trailing);
    facts.add(fact("trailer", A::INFO), |()| file.trailer().is_some());
    facts.add(fact("trailing bytes", A::TEXT), |()| match file.trailer() {
        _ if trailing == 0 => "none".to_owned(),
        Some(_) => format!("{trailing}, with a WapMap trailer"),
        None => trailing.to_string(),
    });
}

/// States the facts about a plane.
fn plane(facts: &mut About<'_, &Plane<'_>>, encoding: Encoding) {
    // Planes may share names, so the same names could be repeated thousands of times. A few are enough.
    const NAMES: usize = 8;
    const BYTES: usize = 64;
    let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
    let known = |plane: &Plane<'_>| flags::names_of(plane.header().flags.get(), flags::PLANE_FLAGS).collect::<Vec<_>>();
    let unknown = |plane: &Plane<'_>| flags::unknown(plane.header().flags.get(), flags::PLANE_FLAGS);
    let speed = |plane: &Plane<'_>| [plane.header().movement_x_percent.get(), plane.header().movement_y_percent.get()];
    facts.add(fact("index", A::INFO | A::TEXT).label(">plane"), |plane| plane.index());
    facts.add(fact("name", A::INFO | A::TEXT), |plane| text(plane.name()));
    facts.add(fact("flags", A::INFO), |plane| known(plane));
    facts.add(fact("unknown_flags", A::INFO), |plane| unknown(plane));
    facts.add(fact("columns", A::INFO | A::TEXT).label(">columns"), |plane| plane.header().tiles_wide.get());
    facts.add(fact("rows", A::INFO | A::TEXT).label(">rows"), |plane| plane.header().tiles_high.get());
    facts.add(fact(field_name!(PlaneHeader, tile_width), A::INFO), |plane| plane.header().tile_width.get());
    facts.add(fact(field_name!(PlaneHeader, tile_height), A::INFO), |plane| plane.header().tile_height.get());
    facts.add(fact("tile", A::TEXT), |plane| {
        format!("{}x{}", plane.header().tile_width.get(), plane.header().tile_height.get())
    });
    facts.add(fact("movement_percent", A::INFO | A::TEXT).label("scroll speed %"), |plane| speed(plane).to_vec());
    facts.add(fact(field_name!(PlaneHeader, z_coord), A::INFO | A::TEXT).label(">z"), |plane| {
        plane.header().z_coord.get()
    });
    facts.add(fact(field_name!(PlaneHeader, num_image_sets), A::INFO), |plane| plane.image_sets().count());
    facts.add(fact("objects", A::TEXT).label(">objects"), |plane| plane.objects().count());
    facts.add(fact("image_sets", A::INFO | A::TEXT).label("image sets"), |plane| {
        let names = plane.image_sets().iter().flatten().take(NAMES);
        names.map(|name| text(name.get(..BYTES).unwrap_or(name))).collect::<Vec<_>>()
    });
    facts.add(fact("objects", A::INFO), |plane| plane.objects().count());
    facts.add(fact("flags", A::TEXT), |plane| {
        let unknown = unknown(plane);
        let unknown = if unknown == 0 { String::new() } else { format!(" {unknown:#x}") };
        known(plane).join(" ") + &unknown
    });
}
