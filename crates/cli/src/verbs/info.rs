use std::io::{self, Write};

use serde::Serialize;
use worldview::Loader;

use crate::args::{FormatChoice, InfoArgs};
use crate::describe::{LevelInfo, VERSION};
use crate::exit::{Failure, Outcome};
use crate::{inputs, table};

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    failed: &'o [Failure],
    levels: Vec<LevelInfo>,
}

pub(crate) fn info(args: &InfoArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut out = super::stdout();
    let mut levels = Vec::new();
    inputs::each(&args.input, loader, outcome, |input, bytes, outcome| {
        super::look(input, bytes, &args.input, outcome, |file, level, _| {
            let info = LevelInfo::of(super::name(&input.path), bytes, file, level, args.input.encoding.into());
            match args.format {
                FormatChoice::Table => print(&info, &mut out),
                FormatChoice::Json => {
                    levels.push(info);
                    Ok(())
                }
            }
        })
    })?;
    if args.format == FormatChoice::Json {
        super::json(&mut out, &Document { version: VERSION, failed: outcome.failures(), levels })?;
    }
    out.flush()
}

fn print(info: &LevelInfo, out: &mut impl Write) -> io::Result<()> {
    let heading = &info.heading;
    let packed = if heading.packed {
        format!("{} bytes, packed, {} unpacked", heading.file_length, info.image_length)
    } else {
        format!("{} bytes, plain", heading.file_length)
    };
    let rules = if info.checksum.rules.is_empty() { "no known rule".into() } else { info.checksum.rules.join(", ") };
    let attributes = info.tile_attributes.as_ref().map_or("none".into(), |attributes| {
        let total = attributes.single + attributes.double + attributes.mask;
        format!("{total} ({} single, {} double, {} mask)", attributes.single, attributes.double, attributes.mask)
    });
    let number = info.level_number.map_or("none".into(), |number| number.to_string());
    let trailing = match (info.trailing_bytes, info.trailer) {
        (0, _) => "nothing".into(),
        (bytes, true) => format!("{bytes} bytes, with a WapMap trailer"),
        (bytes, false) => format!("{bytes} bytes"),
    };
    writeln!(out, "{}", table::shown(&heading.path))?;
    for (label, value) in [
        ("format", format!("WWD level, {}", heading.game.unwrap_or("unknown game"))),
        ("name", heading.name.clone()),
        ("author", heading.author.clone()),
        ("birth", heading.birth.clone()),
        ("level number", number),
        ("size", packed),
        ("tiles from", info.image_dir.clone()),
        ("palette", info.palette.clone()),
        ("start", format!("{}, {}", info.start[0], info.start[1])),
        ("checksum", format!("{:#010x} ({rules})", info.checksum.stored)),
        ("tile attributes", attributes),
        ("behind the level", trailing),
    ] {
        writeln!(out, "{}", format!("  {label:<17} {}", table::shown(&value)).trim_end())?;
    }
    let rows: Vec<_> = info.planes.iter().map(row).collect();
    let columns =
        ["  ", ">plane", "name", ">columns", ">rows", "tile", "moves %", ">z", ">objects", "image sets", "flags"];
    table::write(out, &columns, &rows)
}

fn row(plane: &crate::describe::PlaneInfo) -> Vec<String> {
    let mut flags = plane.flags.join(" ");
    if plane.unknown_flags != 0 {
        flags.push_str(&format!(" {:#x}", plane.unknown_flags));
    }
    vec![
        String::new(),
        plane.index.to_string(),
        plane.name.clone(),
        plane.columns.to_string(),
        plane.rows.to_string(),
        format!("{}x{}", plane.tile_width, plane.tile_height),
        format!("{}, {}", plane.movement_percent[0], plane.movement_percent[1]),
        plane.z_coord.to_string(),
        plane.objects.to_string(),
        plane.image_sets.join(" "),
        flags,
    ]
}
