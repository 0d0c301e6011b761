//! A complete, stable dump of a level as lines of text: every field of every part, those without a known meaning too.
//!
//! One fact stands on one line or in one fixed group, in file order, so that two dumps can be compared by any diff.
//! Words with flags are hexadecimal with the names of their bits; text is quoted, its control characters as `\x00`,
//! and followed by its bytes where it is not plain ASCII or has bytes behind its NUL. A row of tiles is written as
//! `.` for empty, `#` for filled, a frame number, or `set:frame`; `*n` behind one repeats it.

mod part;
mod tiles;

use std::io::Write;

use worldview_core::{Budget, Source, Value};
use worldview_wwd::{Attribute, Level, Object, Plane, TrailerContent, Unpacked, flags};

pub use part::Part;
pub(crate) use part::quoted;

use crate::bounded::Bounded;
use crate::{Encoding, Result};
use worldview_inspect::{hex, ints};

/// Writes the parts of a level that `parts` names; an empty list means all.
///
/// # Errors
///
/// Those of writing; an object or image-set name that breaks off; overlapping parts past the walk's limit.
pub fn level(
    file: &Unpacked<'_>,
    level: &Level<'_>,
    encoding: Encoding,
    parts: &[Part],
    out: impl Write,
) -> Result<()> {
    let budget = Budget::for_bytes(file.len() as u64, "dump of overlapping parts");
    let out = Bounded::new(out, Source::new(level.image().bytes(), level.image().space()));
    let mut dump = Dump { out, encoding, budget, space: level.image().space() };
    let wants = |part| parts.is_empty() || parts.contains(&part);
    if wants(Part::Header) {
        dump.header(file, level)?;
    }
    for plane in level.planes() {
        dump.plane(plane, &wants)?;
    }
    if wants(Part::Attributes) {
        dump.attributes(level)?;
    }
    if wants(Part::Trailer) {
        dump.trailer(file)?;
    }
    dump.out.flush()?;
    Ok(())
}

/// What a name of an image set costs besides its bytes: its NUL four times, as often as a file may be walked over. A million
/// empty names are a million lines.
pub(crate) const NAME: u64 = 4;

struct Dump<W> {
    out: W,
    encoding: Encoding,
    budget: Budget,
    space: worldview_core::Space,
}

impl<W: Write> Dump<W> {
    fn header(&mut self, file: &Unpacked<'_>, level: &Level<'_>) -> Result<()> {
        let game = level.game().map_or("unknown", |game| game.name());
        writeln!(self.out, "WWD level")?;
        writeln!(self.out, "  game {game}")?;
        writeln!(self.out, "  image {} bytes", file.len())?;
        let stored = file.stored_block().len();
        let how = if file.is_packed() { "packed" } else { "plain" };
        writeln!(self.out, "  main block {stored} bytes, {how}")?;
        let rules: Vec<_> = file.checksum().rules().map(|rule| rule.name()).collect();
        let rules = if rules.is_empty() { "none".to_owned() } else { rules.join(" ") };
        writeln!(self.out, "  checksum rules {rules}")?;
        writeln!(self.out, "header")?;
        self.fields(file.header().fields(), false)
    }

    fn plane(&mut self, plane: &Plane<'_>, wants: &dyn Fn(Part) -> bool) -> Result<()> {
        let some = [Part::Planes, Part::Tiles, Part::Objects].into_iter().any(wants);
        if !some {
            return Ok(());
        }
        writeln!(self.out, "plane {} {}", plane.index(), self.quoted(plane.name()))?;
        if wants(Part::Planes) {
            self.fields(plane.header().fields(), true)?;
            for (index, name) in plane.image_sets().iter().enumerate() {
                let name = name?;
                self.budget.spend(name.len() as u64 + NAME, plane.at(), self.space)?;
                writeln!(self.out, "  image set {index} {}", self.quoted(name))?;
            }
        }
        if wants(Part::Tiles) {
            let bytes = size_of_val(plane.tiles()) as u64;
            self.budget.spend(bytes, plane.header().tiles_offset.get().into(), self.space)?;
            for (index, row) in plane.rows().enumerate() {
                write!(self.out, "  row {index}")?;
                tiles::row(row, &mut self.out)?;
                writeln!(self.out)?;
            }
        }
        if wants(Part::Objects) {
            for object in plane.objects() {
                self.object(&object?)?;
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object<'_>) -> Result<()> {
        self.budget.spend(object.size(), object.at, self.space)?;
        writeln!(self.out, "  object {} at {:#x}", object.index, object.at)?;
        for (name, bytes) in [
            ("name", object.display_name()),
            ("logic", object.logic),
            ("image_set", object.image_set),
            ("animation", object.animation),
        ] {
            writeln!(self.out, "    {name} {}", self.quoted(bytes))?;
        }
        if let Some(metadata) = object.metadata() {
            writeln!(self.out, "    metadata {}", hex(metadata.stored))?;
        }
        // Related fields share a line: sixty lines an object would hide the object.
        const LINE_STARTS: &[&str] = &[
            "id",
            "add_flags",
            "score",
            "move_rect",
            "attack_rect",
            "user_rect1",
            "user1",
            "min_x",
            "speed_x",
            "counter",
            "direction",
            "object_type",
        ];
        for (name, value) in object.record.fields() {
            if LINE_STARTS.contains(&name) {
                write!(self.out, "{}    ", if name == "id" { "" } else { "\n" })?;
            } else {
                write!(self.out, "  ")?;
            }
            write!(self.out, "{name} {}", self.value(name, value, false))?;
        }
        writeln!(self.out)?;
        Ok(())
    }

    fn attributes(&mut self, level: &Level<'_>) -> Result<()> {
        let Some(header) = level.attributes().header() else {
            writeln!(self.out, "tile attributes none")?;
            return Ok(());
        };
        writeln!(self.out, "tile attributes")?;
        self.fields(header.fields(), false)?;
        for (frame, record) in level.attributes().records().iter().enumerate() {
            let size = format!("{}x{}", record.width(), record.height());
            write!(self.out, "  tile {frame} ")?;
            let reserved = match record {
                Attribute::Single(single) => {
                    write!(self.out, "single {size} {}", part::attribute(single.attribute.get()))?;
                    single.reserved.get()
                }
                Attribute::Double(double) => {
                    let [left, top, right, bottom] = double.rect.get();
                    let (outside, inside) = (double.outside.get(), double.inside.get());
                    let (outside, inside) = (part::attribute(outside), part::attribute(inside));
                    write!(
                        self.out,
                        "double {size} outside {outside} inside {inside} rect {left} {top} {right} {bottom}"
                    )?;
                    double.reserved.get()
                }
                Attribute::Mask { head, .. } => {
                    write!(self.out, "mask {size}")?;
                    head.reserved.get()
                }
            };
            if reserved != 0 {
                write!(self.out, " reserved {reserved:#x}")?;
            }
            writeln!(self.out)?;
            if let Attribute::Mask { head, pixels } = record {
                let width = usize::try_from(head.width.get()).unwrap_or(usize::MAX).max(1);
                for row in pixels.chunks(width) {
                    writeln!(self.out, "    {}", hex(row))?;
                }
            }
        }
        Ok(())
    }

    fn trailer(&mut self, file: &Unpacked<'_>) -> Result<()> {
        let known = file.trailer();
        let behind = file.trailing().len() - known.map_or(0, |trailer| trailer.bytes().len());
        if behind != 0 {
            let bytes = file.trailing().get(..behind).unwrap_or(&[]);
            writeln!(self.out, "trailing bytes {behind} at {:#x} of the file", file.trailing_at())?;
            for line in bytes.chunks(32) {
                writeln!(self.out, "  {}", hex(line))?;
            }
        }
        let Some(trailer) = known else { return Ok(()) };
        writeln!(self.out, "trailer {} bytes at {:#x} of the file", trailer.bytes().len(), trailer.at())?;
        for block in trailer.blocks() {
            let Ok(block) = block else {
                writeln!(self.out, "  broken off")?;
                break;
            };
            write!(self.out, "  block {} ", block.id)?;
            match block.content() {
                Ok(TrailerContent::MetaInfo { total_size }) => writeln!(self.out, "meta-info total_size {total_size}")?,
                Ok(TrailerContent::MetaEndInfo { total_size }) => {
                    writeln!(self.out, "meta-end-info total_size {total_size}")?;
                }
                Ok(TrailerContent::Header(header)) => writeln!(
                    self.out,
                    "header wapmap_build {} wapmap_version {} map_build {} map_version {} description {}",
                    header.wapmap_build,
                    self.quoted(header.wapmap_version),
                    header.map_build,
                    self.quoted(header.map_version),
                    self.quoted(header.description),
                )?,
                Ok(TrailerContent::Guides(guides)) => {
                    write!(self.out, "guides")?;
                    for guide in guides {
                        write!(self.out, " {}:{}", guide.orientation.0, guide.position)?;
                    }
                    writeln!(self.out)?;
                }
                Ok(TrailerContent::Favourites(favourites)) => {
                    write!(self.out, "favourites")?;
                    for favourite in favourites {
                        let Ok((name, x, y)) = favourite else { break };
                        write!(self.out, " {} {x} {y}", self.quoted(name))?;
                    }
                    writeln!(self.out)?;
                }
                Ok(_) | Err(_) => writeln!(self.out, "unknown {}", hex(block.bytes()))?,
            }
        }
        Ok(())
    }

    /// Fields of a header, one a line.
    fn fields<'v>(&mut self, fields: impl Iterator<Item = (&'static str, Value<'v>)>, in_plane: bool) -> Result<()> {
        for (name, value) in fields {
            writeln!(self.out, "  {name} {}", self.value(name, value, in_plane))?;
        }
        Ok(())
    }

    fn value(&self, name: &str, value: Value<'_>, in_plane: bool) -> String {
        match value {
            Value::Int(int) => int.to_string(),
            Value::Uint(word) => match flags::of_field(name, in_plane) {
                Some(names) => {
                    let set: Vec<_> = flags::set(word, names).collect();
                    let separator = if set.is_empty() { "" } else { " " };
                    format!("{word:#x}{separator}{}", set.join(" "))
                }
                None if name == "checksum" || name.ends_with("_offset") || name.starts_with("reserved") => {
                    format!("{word:#x}")
                }
                None => word.to_string(),
            },
            Value::Ints(values) => ints(values),
            Value::Text(bytes) => {
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                let (text, tail) = bytes.split_at(end);
                let mut shown = self.quoted(text);
                let tail = tail.strip_prefix(&[0]).unwrap_or(tail);
                if tail.iter().any(|&byte| byte != 0) {
                    let used = tail.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                    shown.push_str(" behind NUL ");
                    shown.push_str(&hex(&tail[..used]));
                }
                if end == bytes.len() {
                    shown.push_str(" without NUL");
                }
                shown
            }
            _ => format!("{value:?}"),
        }
    }

    fn quoted(&self, bytes: &[u8]) -> String {
        quoted(bytes, self.encoding)
    }
}
