use worldview_core::{Budget, Space, Value};
use worldview_wwd::raw::{ObjectRecord, PlaneHeader};
use worldview_wwd::{Level, Object, Plane, TrailerContent, Unpacked};

use super::search::{At, Search};
use crate::place::Short;
use crate::{Encoding, Result};

pub(super) fn search(
    file: &Unpacked<'_>,
    level: &Level<'_>,
    encoding: Encoding,
    search: &mut Search<'_>,
) -> Result<()> {
    let budget = Budget::for_bytes(level.image().len(), "search of overlapping parts");
    let mut walk = Walk { encoding, space: level.image().space(), budget };
    walk.header(level, search);
    for plane in level.planes() {
        let name = encoding.decode(plane.name());
        let place = format!("plane {} {}", plane.index(), Short(&name));
        search.within(format_args!("{place}"), |search| {
            let field = core::mem::offset_of!(PlaneHeader, name) as u64;
            search.text("plane name", &name, walk.at(plane.at().saturating_add(field)));
            walk.image_sets(plane, search)?;
            for object in plane.objects() {
                walk.object(&object?, search)?;
            }
            Result::Ok(())
        })?;
    }
    walk.trailer(file, search);
    Ok(())
}

struct Walk {
    encoding: Encoding,
    space: Space,
    budget: Budget,
}

impl Walk {
    const fn at(&self, at: u64) -> At {
        At { at, space: self.space }
    }

    fn header(&self, level: &Level<'_>, search: &mut Search<'_>) {
        let mut at = 0;
        for (field, value) in level.header().fields() {
            at += match value {
                Value::Text(bytes) => {
                    let text = bytes.split(|&byte| byte == 0).next().unwrap_or(bytes);
                    search.within(format_args!("header, {field}"), |search| {
                        // The header is never packed.
                        search.text("header text", &self.encoding.decode(text), At { at, space: Space::File });
                    });
                    bytes.len() as u64
                }
                Value::Ints(ints) => size_of_val(ints) as u64,
                _ => 4,
            };
        }
    }

    fn image_sets(&mut self, plane: &Plane<'_>, search: &mut Search<'_>) -> Result<()> {
        let mut names = plane.image_sets().iter();
        let mut index = 0_u64;
        loop {
            let at = names.position();
            let Some(name) = names.next() else { return Ok(()) };
            let name = name?;
            self.budget.spend(name.len() as u64 + crate::text::NAME, at, self.space)?;
            let text = self.encoding.decode(name);
            if search.wants(&text) {
                let at = self.at(at);
                search.within(format_args!("image set {index}"), |search| search.tell("image set", &text, at));
            }
            index += 1;
        }
    }

    fn object(&mut self, object: &Object<'_>, search: &mut Search<'_>) -> Result<()> {
        self.budget.spend(object.size(), object.at, self.space)?;
        let mut at = object.at.saturating_add(ObjectRecord::SIZE);
        for (what, bytes, text) in [
            ("object name", object.name, object.display_name()),
            ("logic", object.logic, object.logic),
            ("image set", object.image_set, object.image_set),
            ("animation", object.animation, object.animation),
        ] {
            let text = self.encoding.decode(text);
            if search.wants(&text) {
                let at = self.at(at);
                search.within(format_args!("object {} (id {})", object.index, object.id), |search| {
                    search.tell(what, &text, at);
                });
            }
            at = at.saturating_add(bytes.len() as u64);
        }
        Ok(())
    }

    /// The texts of WapMap's trailer, which is never packed.
    fn trailer(&self, file: &Unpacked<'_>, search: &mut Search<'_>) {
        for block in file.trailer().iter().flat_map(|trailer| trailer.blocks()).flatten() {
            let mut look = |place: std::fmt::Arguments<'_>, bytes: &[u8]| {
                let start = bytes.as_ptr().addr().wrapping_sub(block.bytes().as_ptr().addr()) as u64;
                let at = At { at: block.at().saturating_add(start), space: Space::File };
                search.within(format_args!("trailer, {place}"), |search| {
                    search.text("trailer text", &self.encoding.decode(bytes), at);
                });
            };
            match block.content() {
                Ok(TrailerContent::Header(header)) => {
                    look(format_args!("wapmap_version"), header.wapmap_version);
                    look(format_args!("map_version"), header.map_version);
                    look(format_args!("description"), header.description);
                }
                Ok(TrailerContent::Favourites(favourites)) => {
                    for (index, (name, ..)) in favourites.flatten().enumerate() {
                        look(format_args!("favourite {index}"), name);
                    }
                }
                _ => {}
            }
        }
    }
}
