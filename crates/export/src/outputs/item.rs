//! The items of a WORLD.WDB: its worlds, models, parts and textures.

use std::io::Write;
use std::ops::ControlFlow::{self, Continue};

use worldview_island::{
    Content, Contents, Database, Library, LodsAt, Parts, Scope, Texture, TextureAt, Textures, WorldNames,
};

use super::Origin;
use crate::model::glb;
use crate::{Error, Result};

/// An item of a WORLD.WDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The world with this index.
    World(usize),
    /// The model in the blob with this index.
    Model(usize),
    /// A part.
    Part(LodsAt),
    /// A texture.
    Texture(TextureAt),
}

impl Item {
    /// Returns the name of its kind: `world`, `model`, `part` or `texture`.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::World(_) => "world",
            Self::Model(_) => "model",
            Self::Part(_) => "part",
            Self::Texture(_) => "texture",
        }
    }

    /// Returns the index of the blob that it is in.
    pub const fn blob(self) -> Option<usize> {
        match self {
            Self::Model(blob)
            | Self::Part(LodsAt::Part { blob, .. } | LodsAt::Roi { blob, .. })
            | Self::Texture(TextureAt::Blob { blob, .. }) => Some(blob),
            _ => None,
        }
    }

    /// Returns the world whose names it needs, if they are resolved from `scope`.
    pub const fn world(self, scope: Scope) -> Option<usize> {
        match (self, scope) {
            (Self::World(world), _) | (_, Scope::Part { world, .. } | Scope::Model { world, .. }) => Some(world),
            _ => None,
        }
    }

    /// Writes a world, model or part as GLB. Its names are resolved from `scope`, with the `names` of its [`world`](Self::world).
    ///
    /// # Errors
    ///
    /// Returns an error as [`glb::world`], [`glb::model`] and [`glb::part`] do, and [`Error::Nothing`] for a texture, and for a world
    /// without names.
    pub fn write_glb<'a>(
        self,
        scope: Scope,
        library: &Library<'_, 'a>,
        names: Option<&WorldNames<'a>>,
        options: &glb::Options<'_>,
        out: impl Write,
    ) -> Result<glb::Report> {
        match (self, names) {
            (Self::World(world), Some(names)) => glb::world(library, world, names, options, out),
            (Self::Model(blob), names) => glb::model(library, blob, scope, names, options, out),
            (Self::Part(at), names) => glb::part(library, at, names, options, out),
            (Self::World(_) | Self::Texture(_), _) => Err(Error::Nothing { what: "model" }),
        }
    }
}

/// An item in a file.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The item.
    pub item: Item,
    /// The name that the file has for it.
    pub name: &'a [u8],
    /// The offset in the file.
    pub at: u64,
    /// The size in bytes, or of a texture in pixels.
    pub size: u64,
    /// The texture, if it is one.
    pub texture: Option<Texture<'a>>,
}

impl Found<'_> {
    /// Returns where it is.
    pub fn origin(&self) -> Origin {
        let (part, index, length) = match self.item {
            Item::World(world) => ("directory", Some(world), None),
            Item::Model(_) => ("blob", None, Some(self.size)),
            Item::Part(LodsAt::Global { part }) => ("global parts", Some(part), Some(self.size)),
            Item::Part(LodsAt::Part { part, .. } | LodsAt::Roi { roi: part, .. }) => {
                ("blob", Some(part), Some(self.size))
            }
            Item::Texture(TextureAt::Global(index)) => ("global textures", Some(index), None),
            Item::Texture(TextureAt::Parts(index)) => ("global parts", Some(index), None),
            Item::Texture(TextureAt::Blob { texture, .. }) => ("blob", Some(texture), None),
        };
        let (part, blob) = (Some(part.to_owned()), self.item.blob());
        Origin { part, blob, index, offset: self.at, length, ..Origin::default() }
    }
}

/// Returns the parts of a list: those of a blob, or the global ones.
pub fn parts<'a>(list: Parts<'a>, blob: Option<usize>) -> impl Iterator<Item = Found<'a>> {
    let base = list.source().base();
    list.into_iter().enumerate().map(move |(part, found)| {
        let at = blob.map_or(LodsAt::Global { part }, |blob| LodsAt::Part { blob, part });
        let size = (base + u64::from(found.end_offset)).saturating_sub(found.at);
        Found { item: Item::Part(at), name: found.name.text(), at: found.at, size, texture: None }
    })
}

/// Returns the textures of a list. `at` says where the texture with an index is.
pub fn textures<'a>(list: Textures<'a>, at: impl Fn(usize) -> TextureAt) -> impl Iterator<Item = Found<'a>> {
    list.into_iter().enumerate().map(move |(index, texture)| {
        let (item, image) = (Item::Texture(at(index)), texture.high());
        let size = image.pixels.len() as u64;
        Found { item, name: texture.real_name(), at: image.at, size, texture: Some(texture) }
    })
}

/// Calls `visit` with the contents of a file, each once however often worlds refer to it, until it breaks: if `models` are asked for,
/// the global parts, and the models and parts of blobs; then, if `pictures` are, the textures.
pub fn contents<'a>(
    database: &Database<'a>,
    contents: &Contents<'a>,
    (models, pictures): (bool, bool),
    visit: &mut dyn FnMut(Found<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if let (Ok(list), true) = (&contents.parts, models) {
        parts(*list, None).try_for_each(&mut *visit)?;
    }
    let names = if models { database.blob_names() } else { Vec::new() };
    for ((blob, content), name) in database.blobs().iter().zip(&contents.blobs).zip(names) {
        let (number, at, size) = (blob.index(), blob.source.base(), blob.source.len());
        match content {
            Ok(Content::Parts(list)) => parts(*list, Some(number)).try_for_each(&mut *visit)?,
            Ok(Content::Model(_)) => {
                visit(Found { item: Item::Model(number), name, at, size, texture: None })?;
            }
            Err(_) => {}
        }
    }
    if !pictures {
        return Continue(());
    }
    if let Ok(list) = contents.textures {
        textures(list, TextureAt::Global).try_for_each(&mut *visit)?;
    }
    if let Ok(list) = &contents.parts {
        textures(list.textures, TextureAt::Parts).try_for_each(&mut *visit)?;
    }
    for (blob, content) in contents.blobs.iter().enumerate() {
        if let Ok(content) = content {
            textures(content.textures(), |texture| TextureAt::Blob { blob, texture }).try_for_each(&mut *visit)?;
        }
    }
    Continue(())
}
