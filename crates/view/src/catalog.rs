//! What a WORLD.WDB contains: worlds, models, parts and textures, with the paths by which they are named everywhere.

use std::collections::HashMap;

use worldview::island::{
    BlobKind, Content, Contents, Database, Image, Library, LodsAt, Parts, Scope, TextureAt, Textures,
};
use worldview::{Handle, Path, split_at_unescaped};
use worldview_export::model::glb;
use worldview_inspect::Encoding;

use crate::answer::Failed;

/// The maximum number of items. A file can have a part for every twelve bytes.
const MAX: usize = 200_000;

/// What an item is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    World(usize),
    Model {
        blob: usize,
        scope: Scope,
    },
    Part {
        at: LodsAt,
        scope: Scope,
    },
    Texture(TextureAt),
    /// Several parts or textures, which are listed.
    Group,
}

/// An item of a database.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) path: String,
    /// The path of its blob, if it is a reference to one.
    blob: Option<String>,
    pub(crate) name: String,
    pub(crate) what: What,
    /// Size in bytes, if it is known.
    pub(crate) size: Option<u64>,
    /// What is worth saying about it.
    pub(crate) note: Option<&'static str>,
    pub(crate) error: Option<String>,
    /// The items in it, by index.
    pub(crate) children: Vec<usize>,
    pub(crate) parent: Option<usize>,
}

impl Item {
    /// The kind of the node in the tree.
    pub(crate) const fn kind(&self) -> &'static str {
        match self.what {
            What::World(_) => "world",
            What::Model { .. } => "model",
            What::Part { .. } => "part",
            What::Texture(_) => "texture",
            What::Group => "folder",
        }
    }
}

/// All items of a database.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) items: Vec<Item>,
    /// The items that are not in others.
    pub(crate) roots: Vec<usize>,
    /// Items by their paths. A model has two: as a blob, and in a world.
    paths: HashMap<String, usize>,
}

/// Counts equal names in a list, as paths do.
#[derive(Default)]
struct Names(HashMap<Vec<u8>, u32>);

impl Names {
    /// Returns a path with one more element of the list.
    fn path(&mut self, parent: &Path, kind: &'static str, name: &[u8]) -> Path {
        let seen = self.0.entry(name.to_vec()).or_insert(0);
        let mut path = parent.clone();
        path.push(kind, name, (*seen > 0).then_some(*seen));
        *seen += 1;
        path
    }
}

/// Builds a catalog.
struct Builder<'b> {
    catalog: Catalog,
    encoding: Encoding,
    database: &'b Database<'b>,
    /// The item of each blob that was seen.
    blobs: Vec<Option<usize>>,
    blob_paths: Vec<Path>,
}

impl Catalog {
    /// Returns whether an item, at any depth in another, has a name that is wanted.
    pub(crate) fn any_inside(&self, item: &Item, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        let mut children = item.children.iter().map(|&child| &self.items[child]);
        children.any(|child| is_wanted(&child.name) || self.any_inside(child, is_wanted))
    }

    /// Lists what is in a file. Returns `None` if its parts have no paths.
    pub(crate) fn of(handle: &Handle, encoding: Encoding) -> Option<Self> {
        match (handle.database(), handle.contents()) {
            (Some(database), Some(contents)) => Some(Self::new(database, contents, encoding)),
            _ => textures(handle).map(|textures| Self::of_textures(textures, encoding)),
        }
    }

    /// Lists a file that is a list of textures.
    fn of_textures(textures: Textures<'_>, encoding: Encoding) -> Self {
        let (mut catalog, mut names) = (Self::default(), Names::default());
        for (index, texture) in textures.iter().enumerate() {
            let path = names.path(&Path::new(), "texture", texture.name.text());
            let (name, what) =
                (encoding.visible(texture.real_name()).into_owned(), What::Texture(TextureAt::Global(index)));
            catalog.add(None, &path, name, what, Some(texture.image.pixels.len() as u64));
        }
        catalog
    }

    /// Lists a database, and reads it for that.
    fn new(database: &Database<'_>, contents: &Contents<'_>, encoding: Encoding) -> Self {
        let mut names = Names::default();
        let blob_paths: Vec<_> =
            database.blob_names().into_iter().map(|name| names.path(&Path::new(), "blob", name)).collect();
        let blobs = vec![None; database.blobs().len()];
        let mut builder = Builder { catalog: Self::default(), encoding, database, blobs, blob_paths };
        let mut names = Names::default();
        for world in database.worlds() {
            let path = names.path(&Path::new(), "world", world.name.text());
            let item = builder.add(None, &path, world.name.text(), What::World(world.index), None);
            let mut names = Names::default();
            for (model, reference) in world.models.iter().enumerate() {
                let path = names.path(&path, "model", reference.name.text());
                let scope = Scope::Model { world: world.index, model };
                builder.blob(item, (&path, reference.name.text()), reference.blob(), scope, contents);
                if let (Some(added), 0) = (builder.catalog.items.last_mut(), reference.placement.visible) {
                    added.note = Some("hidden at first");
                }
            }
            let mut names = Names::default();
            for (part, reference) in world.parts.iter().enumerate() {
                let path = names.path(&path, "part", reference.name.text());
                let scope = Scope::Part { world: world.index, part };
                builder.blob(item, (&path, reference.name.text()), reference.blob(), scope, contents);
            }
        }
        builder.globals(contents);
        builder.catalog
    }

    fn add(
        &mut self,
        parent: Option<usize>,
        path: &Path,
        name: String,
        what: What,
        size: Option<u64>,
    ) -> Option<usize> {
        let items = &mut self.items;
        if items.len() >= MAX {
            return None;
        }
        let index = items.len();
        let path = path.as_str().to_owned();
        self.paths.entry(path.clone()).or_insert(index);
        items.push(Item { path, blob: None, name, what, size, note: None, error: None, children: Vec::new(), parent });
        match parent {
            Some(parent) => items[parent].children.push(index),
            None => self.roots.push(index),
        }
        Some(index)
    }

    /// Returns the item that a path names, or the one that contains what it names.
    pub(crate) fn find(&self, path: &str) -> Option<usize> {
        let mut end = 0;
        let mut found = None;
        loop {
            let (segment, rest) = split_at_unescaped(&path[end..], '/');
            let here = &path[..end + segment.len()];
            match self.paths.get(here) {
                Some(&item) => found = Some(item),
                // A reference and its blob are the same item.
                None if segment == "blob" => {
                    if let Some((item, rest)) = found.zip(rest) {
                        let blob = self.items[item].blob.as_ref();
                        return blob.and_then(|blob| self.find(&format!("{blob}/{rest}"))).or(found);
                    }
                }
                None => {}
            }
            if rest.is_none() {
                return found;
            }
            end += segment.len() + 1;
        }
    }
}

impl Builder<'_> {
    fn add(&mut self, parent: Option<usize>, path: &Path, name: &[u8], what: What, size: Option<u64>) -> Option<usize> {
        self.catalog.add(parent, path, self.encoding.visible(name).into_owned(), what, size)
    }

    /// Adds a reference to a blob.
    fn blob(
        &mut self,
        parent: Option<usize>,
        (path, name): (&Path, &[u8]),
        blob: Option<usize>,
        scope: Scope,
        contents: &worldview::island::Contents<'_>,
    ) {
        let Some(number) = blob else {
            if let Some(item) = self.add(parent, path, name, What::Group, None) {
                self.catalog.items[item].error = Some("refers to bytes outside of the file".into());
            }
            return;
        };
        let source = self.database.blobs()[number].source;
        let kind = self.database.blobs()[number].kind;
        let what = if kind == BlobKind::Model { What::Model { blob: number, scope } } else { What::Group };
        let Some(item) = self.add(parent, path, name, what, Some(source.len())) else { return };
        let own = self.blob_paths[number].clone();
        self.catalog.paths.entry(own.as_str().to_owned()).or_insert(item);
        self.catalog.items[item].blob = Some(own.as_str().to_owned());
        // Most blobs of parts have one, which is then what the reference means.
        if let Some(Ok(Content::Parts(parts))) = contents.blobs.get(number)
            && parts.len() == 1
        {
            self.catalog.items[item].what = What::Part { at: LodsAt::Part { blob: number, part: 0 }, scope };
        }
        // What is in a blob is listed once, where it is first referred to.
        let is_first = self.blobs[number].replace(item).is_none();
        match contents.blobs.get(number) {
            Some(Ok(content)) if is_first => {
                if let Content::Parts(parts) = content
                    && parts.len() > 1
                {
                    self.parts(item, &own, parts, |part| LodsAt::Part { blob: number, part }, scope);
                }
                self.textures(Some(item), &own, content.textures(), |texture| TextureAt::Blob {
                    blob: number,
                    texture,
                });
            }
            Some(Err(error)) => self.catalog.items[item].error = Some(error.to_string()),
            _ => {}
        }
    }

    fn parts(&mut self, parent: usize, path: &Path, parts: &Parts<'_>, at: impl Fn(usize) -> LodsAt, scope: Scope) {
        let mut names = Names::default();
        for (number, part) in parts.iter().enumerate() {
            let path = names.path(path, "part", part.name.text());
            let end = parts.source().base() + u64::from(part.end_offset);
            let what = What::Part { at: at(number), scope };
            self.add(Some(parent), &path, part.name.text(), what, Some(end.saturating_sub(part.at)));
        }
    }

    fn textures(
        &mut self,
        parent: Option<usize>,
        path: &Path,
        textures: Textures<'_>,
        at: impl Fn(usize) -> TextureAt,
    ) {
        let mut names = Names::default();
        for (number, texture) in textures.iter().enumerate() {
            let path = names.path(path, "texture", texture.name.text());
            let size = texture.high().pixels.len() as u64;
            self.add(parent, &path, texture.real_name(), What::Texture(at(number)), Some(size));
        }
    }

    /// Adds the parts and textures that the game always has loaded.
    fn globals(&mut self, contents: &worldview::island::Contents<'_>) {
        let mut path = Path::new();
        path.push_name(b"global_parts");
        let size = self.database.parts_chunk().len();
        if let Some(item) = self.add(None, &path, b"Global parts", What::Group, Some(size)) {
            match &contents.parts {
                Ok(parts) => {
                    self.parts(item, &path, parts, |part| LodsAt::Global { part }, Scope::Global);
                    self.textures(Some(item), &path, parts.textures, TextureAt::Parts);
                }
                Err(error) => self.catalog.items[item].error = Some(error.to_string()),
            }
        }
        let mut path = Path::new();
        path.push_name(b"global_textures");
        let size = self.database.texture_chunk().len();
        if let Some(item) = self.add(None, &path, b"Global textures", What::Group, Some(size)) {
            match contents.textures {
                Ok(textures) => self.textures(Some(item), &path, textures, TextureAt::Global),
                Err(error) => self.catalog.items[item].error = Some(error.to_string()),
            }
        }
    }
}

/// Writes a world, model or part as GLB.
pub(crate) fn write_glb(
    handle: &Handle,
    what: What,
    encoding: Encoding,
    out: &mut dyn std::io::Write,
) -> Result<(), Failed> {
    let options = glb::Options::default().encoding(encoding);
    let scope = match what {
        What::World(world) => Scope::Model { world, model: 0 },
        What::Model { scope, .. } | What::Part { scope, .. } => scope,
        What::Texture(_) | What::Group => return Err(Failed::invalid("is not a model")),
    };
    let report = match scope {
        Scope::Part { world, .. } | Scope::Model { world, .. } => {
            handle.with_world_names(world, |library, names| match what {
                What::World(world) => glb::world(library, world, names, &options, out),
                What::Model { blob, scope } => glb::model(library, blob, scope, Some(names), &options, out),
                What::Part { at, .. } => glb::part(library, at, Some(names), &options, out),
                What::Texture(_) | What::Group => Ok(glb::Report::default()),
            })
        }
        Scope::Global | Scope::Blob(_) => handle.with_names(|library| match what {
            What::Model { blob, scope } => glb::model(library, blob, scope, None, &options, out),
            What::Part { at, .. } => glb::part(library, at, None, &options, out),
            _ => Ok(glb::Report::default()),
        }),
    };
    report.ok_or_else(|| Failed::invalid("has no models"))??;
    Ok(())
}

/// Returns the textures of a file that is a list of them.
fn textures(handle: &Handle) -> Option<Textures<'_>> {
    handle.textures().map(|file| file.textures())
}

/// Calls `look` with the image of a texture, the better one if there are two.
pub(crate) fn with_image<T>(handle: &Handle, at: TextureAt, look: impl FnOnce(Image<'_>) -> T) -> Result<T, Failed> {
    let looked = match (textures(handle), at) {
        (Some(textures), TextureAt::Global(index)) => textures.iter().nth(index).map(|texture| look(texture.high())),
        (Some(_), _) => None,
        (None, _) => {
            let look = |library: &Library<'_, '_>| library.texture_at(at).map(|texture| look(texture.high()));
            handle.with_names(look).flatten()
        }
    };
    looked.ok_or_else(|| Failed::missing("there is no such texture"))
}
