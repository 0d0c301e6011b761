use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use worldview_core::{Result as ViewResult, Source};
use worldview_island::{Content, Contents, Database, ModelRef, PartRef, World};

use super::value::{Habit, How, List, Members, Object, Of, point, put_error, put_name};
use crate::hex;
use crate::island::{BlobNames, Selection};

/// A file.
pub(super) struct File<'f, 'a> {
    pub(super) database: &'f Database<'a>,
    pub(super) contents: &'f Contents<'a>,
    pub(super) selection: &'f Selection<'f>,
}

impl Members for Of<'_, File<'_, '_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(&File { database, contents, selection }, how) = *self;
        map.serialize_entry("length", &database.source().len())?;
        map.serialize_entry("directory_end", &database.directory_end())?;
        map.serialize_entry("texture_chunk", &Object(database.texture_chunk()))?;
        map.serialize_entry("parts_chunk", &Object(database.parts_chunk()))?;
        let worlds = || database.worlds().filter(|world| (selection.worlds)(world.index));
        map.serialize_entry("worlds", &List(|| worlds().map(|world| Object(WorldJson(world, how)))))?;
        if selection.globals {
            map.serialize_entry("global_textures", &Object(GlobalTextures { database, contents, how }))?;
            map.serialize_entry("global_parts", &Object(Opened(contents.parts.as_ref(), how)))?;
        }
        map.serialize_entry("blobs", &Blobs { database, contents, selection, how })
    }
}

/// A range of the file.
impl Members for Source<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("offset", &self.base())?;
        map.serialize_entry("length", &self.len())
    }
}

struct WorldJson<'d, 'a>(World<'d, 'a>, How);

impl Members for WorldJson<'_, '_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(world, how) = *self;
        map.serialize_entry("world", &world.index)?;
        map.serialize_entry("at", &world.at)?;
        put_name(map, "name", world.name, Habit::Directory, how.encoding)?;
        map.serialize_entry("parts", &List(|| world.parts.iter().map(|part| Object(Of(part, how)))))?;
        map.serialize_entry("models", &List(|| world.models.iter().map(|model| Object(Of(model, how)))))
    }
}

impl Members for Of<'_, PartRef<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(part, how) = *self;
        map.serialize_entry("at", &part.at)?;
        put_name(map, "name", part.name, Habit::Directory, how.encoding)?;
        map.serialize_entry("length", &part.range.length.get())?;
        map.serialize_entry("offset", &part.range.offset.get())?;
        map.serialize_entry("blob", &part.blob())
    }
}

impl Members for Of<'_, ModelRef<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(model, how) = *self;
        map.serialize_entry("at", &model.at)?;
        put_name(map, "name", model.name, Habit::Directory, how.encoding)?;
        map.serialize_entry("length", &model.range.length.get())?;
        map.serialize_entry("offset", &model.range.offset.get())?;
        map.serialize_entry("blob", &model.blob())?;
        put_name(map, "presenter", model.presenter, Habit::Directory, how.encoding)?;
        map.serialize_entry("location", &point(model.placement.location))?;
        map.serialize_entry("direction", &point(model.placement.direction))?;
        map.serialize_entry("up", &point(model.placement.up))?;
        map.serialize_entry("visible", &model.placement.visible)
    }
}

/// The global textures, and what lies behind them in their chunk.
struct GlobalTextures<'f, 'a> {
    database: &'f Database<'a>,
    contents: &'f Contents<'a>,
    how: How,
}

impl Members for GlobalTextures<'_, '_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        Opened(self.contents.textures.as_ref(), self.how).members(map)?;
        if let Ok(textures) = &self.contents.textures {
            let trailing = behind(self.database.texture_chunk(), textures.end());
            map.serialize_entry("trailing_length", &trailing.len())?;
            if self.how.full {
                map.serialize_entry("trailing", &hex(trailing))?;
            }
        }
        Ok(())
    }
}

/// The bytes of a chunk from an offset of the file on.
fn behind(chunk: Source<'_>, at: u64) -> &[u8] {
    let from = at.saturating_sub(chunk.base());
    chunk.slice(from, chunk.len().saturating_sub(from), "trailing bytes").unwrap_or(&[])
}

/// What was opened, or why it was not.
struct Opened<'o, T>(Result<&'o T, &'o worldview_core::Error>, How);

impl<'o, T> Members for Opened<'o, T>
where
    Of<'o, T>: Members,
{
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self.0 {
            Ok(view) => Of(view, self.1).members(map),
            Err(error) => put_error(map, error),
        }
    }
}

impl Members for Of<'_, Content<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self.0 {
            Content::Parts(parts) => Of(parts, self.1).members(map),
            Content::Model(model) => Of(model.as_ref(), self.1).members(map),
        }
    }
}

/// The blobs, each once.
struct Blobs<'f, 'a> {
    database: &'f Database<'a>,
    contents: &'f Contents<'a>,
    selection: &'f Selection<'f>,
    how: How,
}

impl Serialize for Blobs<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = BlobNames::of(self.database);
        let blobs = self.database.blobs().iter().zip(&self.contents.blobs);
        let blobs = blobs.filter(|(blob, _)| (self.selection.blobs)(blob.index()));
        serializer
            .collect_seq(blobs.map(|(blob, content)| Object(BlobJson { blob, content, names: &names, how: self.how })))
    }
}

struct BlobJson<'f, 'a> {
    blob: &'f worldview_island::Blob<'a>,
    content: &'f ViewResult<Content<'a>>,
    names: &'f BlobNames<'a>,
    how: How,
}

impl Members for BlobJson<'_, '_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self { blob, content, names, how } = *self;
        map.serialize_entry("blob", &blob.index())?;
        map.serialize_entry("kind", blob.kind.name())?;
        blob.source.members(map)?;
        map.serialize_entry("references", &blob.references)?;
        map.serialize_entry("names", &List(|| names.get(blob.index()).map(|name| how.encoding.decode(name))))?;
        match content {
            Ok(content) => map.serialize_entry("content", &Object(Of(content, how))),
            Err(error) => put_error(map, error),
        }
    }
}
