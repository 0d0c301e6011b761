//! What a WORLD.WDB contains: worlds, models, parts and textures, with the paths by which they are named everywhere.

use std::collections::HashMap;
use std::io::Write;

use worldview::island::{BlobKind, Content, Contents, Database, Image, LodsAt, Scope, TextureAt, Textures};
use worldview::{Handle, Path, split_at_unescaped};
use worldview_export::model::glb;
use worldview_export::outputs::{self, Found, Item as What};
use worldview_inspect::Encoding;

use crate::answer::Failed;

/// The maximum number of items. A file can have a part for every twelve bytes.
const MAX: usize = 200_000;

/// An item of a database.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) path: String,
    /// The path of its blob, if it is a reference to one.
    blob: Option<String>,
    pub(crate) name: String,
    /// What it is; `None` for several parts or textures, which are listed.
    pub(crate) what: Option<What>,
    /// Where its names are resolved from.
    scope: Scope,
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
    pub(crate) fn kind(&self) -> &'static str {
        self.what.map_or("folder", What::kind)
    }
}

/// All items of a database.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    encoding: Encoding,
    pub(crate) items: Vec<Item>,
    /// The items that are not in others.
    pub(crate) roots: Vec<usize>,
    /// Items by their paths. A model has two: as a blob, and in a world.
    paths: HashMap<String, usize>,
}

/// An item, and where its names are resolved from.
type Scoped = (Option<What>, Scope);

/// Counts equal names of a kind in a list, as paths do.
#[derive(Default)]
struct Names(HashMap<(&'static str, Vec<u8>), u32>);

impl Names {
    /// Returns a path with one more element of the list.
    fn path(&mut self, parent: &Path, kind: &'static str, name: &[u8]) -> Path {
        let seen = self.0.entry((kind, name.to_vec())).or_insert(0);
        let mut path = parent.clone();
        path.push(kind, name, (*seen > 0).then_some(*seen));
        *seen += 1;
        path
    }
}

/// Builds a catalog.
struct Builder<'b> {
    catalog: Catalog,
    /// The item of each blob that was seen, and the path of the blob.
    blobs: Vec<(Option<usize>, Path)>,
    contents: &'b Contents<'b>,
    database: &'b Database<'b>,
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
            _ => textures(handle).map(|textures| {
                let mut catalog = Self { encoding, ..Self::default() };
                let found = outputs::textures_of(textures, TextureAt::Global);
                catalog.list(None, &Path::new(), found, Scope::Global);
                catalog
            }),
        }
    }

    /// Lists a database, and reads it for that.
    fn new(database: &Database<'_>, contents: &Contents<'_>, encoding: Encoding) -> Self {
        let mut names = Names::default();
        let blobs =
            database.blob_names().into_iter().map(|name| (None, names.path(&Path::new(), "blob", name))).collect();
        let catalog = Self { encoding, ..Self::default() };
        let mut builder = Builder { catalog, blobs, contents, database };
        for world in database.worlds() {
            let (name, index) = (world.name.text(), world.index);
            let path = names.path(&Path::new(), "world", name);
            let item = builder.catalog.add(None, &path, name, (Some(What::World(index)), Scope::Global), None);
            let models = world.models.iter().enumerate().map(|(model, found)| {
                let scope = Scope::Model { world: index, model };
                ("model", found.name, found.blob(), scope, found.placement.visible == 0)
            });
            let parts = world
                .parts
                .iter()
                .enumerate()
                .map(|(part, found)| ("part", found.name, found.blob(), Scope::Part { world: index, part }, false));
            let mut names = Names::default();
            for (kind, name, blob, scope, is_hidden) in models.chain(parts) {
                let path = names.path(&path, kind, name.text());
                builder.blob(item, (&path, name.text()), blob, scope);
                if let (Some(added), true) = (builder.catalog.items.last_mut(), is_hidden) {
                    added.note = Some("hidden at first");
                }
            }
        }
        builder.globals();
        builder.catalog
    }

    fn add(
        &mut self,
        parent: Option<usize>,
        path: &Path,
        name: &[u8],
        (what, scope): Scoped,
        size: Option<u64>,
    ) -> Option<usize> {
        let items = &mut self.items;
        if items.len() >= MAX {
            return None;
        }
        let index = items.len();
        let (path, name) = (path.as_str().to_owned(), self.encoding.visible(name).into_owned());
        self.paths.entry(path.clone()).or_insert(index);
        let (blob, note, error, children) = Default::default();
        items.push(Item { path, blob, name, what, scope, size, note, error, children, parent });
        match parent {
            Some(parent) => items[parent].children.push(index),
            None => self.roots.push(index),
        }
        Some(index)
    }

    /// Adds the parts or textures of a list.
    fn list<'f>(&mut self, parent: Option<usize>, path: &Path, found: impl Iterator<Item = Found<'f>>, scope: Scope) {
        let mut names = Names::default();
        for Found { item, name, texture, size, .. } in found {
            let key = texture.map_or(name, |texture| texture.name.text());
            let path = names.path(path, item.kind(), key);
            self.add(parent, &path, name, (Some(item), scope), Some(size));
        }
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
    /// Adds a reference to a blob.
    fn blob(&mut self, parent: Option<usize>, (path, name): (&Path, &[u8]), blob: Option<usize>, scope: Scope) {
        let Some(number) = blob else {
            if let Some(item) = self.catalog.add(parent, path, name, (None, scope), None) {
                self.catalog.items[item].error = Some("refers to bytes outside of the file".into());
            }
            return;
        };
        let (source, kind) = (self.database.blobs()[number].source, self.database.blobs()[number].kind);
        let content = self.contents.blobs.get(number);
        let what = match content {
            // Most blobs of parts have one, which is then what the reference means.
            Some(Ok(Content::Parts(parts))) if parts.len() == 1 => {
                Some(What::Part(LodsAt::Part { blob: number, part: 0 }))
            }
            _ => (kind == BlobKind::Model).then_some(What::Model(number)),
        };
        let Some(item) = self.catalog.add(parent, path, name, (what, scope), Some(source.len())) else { return };
        let own = self.blobs[number].1.clone();
        self.catalog.paths.entry(own.as_str().to_owned()).or_insert(item);
        self.catalog.items[item].blob = Some(own.as_str().to_owned());
        // What is in a blob is listed once, where it is first referred to.
        let is_first = self.blobs[number].0.replace(item).is_none();
        match content {
            Some(Ok(content)) if is_first => {
                if let Content::Parts(parts) = content
                    && parts.len() > 1
                {
                    self.catalog.list(Some(item), &own, outputs::parts(*parts, Some(number)), scope);
                }
                let at = |texture| TextureAt::Blob { blob: number, texture };
                let found = outputs::textures_of(content.textures(), at);
                self.catalog.list(Some(item), &own, found, scope);
            }
            Some(Err(error)) => self.catalog.items[item].error = Some(error.to_string()),
            _ => {}
        }
    }

    /// Adds the parts and textures that the game always has loaded.
    fn globals(&mut self) {
        let (parts, textures) = (self.contents.parts, self.contents.textures);
        let chunks = [
            ("parts", self.database.parts_chunk().len(), parts.map(|parts| (Some(parts), parts.textures))),
            ("textures", self.database.texture_chunk().len(), textures.map(|textures| (None, textures))),
        ];
        for (of, size, lists) in chunks {
            let mut path = Path::new();
            path.push_name(format!("global_{of}").as_bytes());
            let name = format!("Global {of}");
            let Some(item) = self.catalog.add(None, &path, name.as_bytes(), (None, Scope::Global), Some(size)) else {
                return;
            };
            match lists {
                Ok((parts, textures)) => {
                    let at = if parts.is_some() { TextureAt::Parts } else { TextureAt::Global };
                    let parts = parts.into_iter().flat_map(|parts| outputs::parts(parts, None));
                    self.catalog.list(Some(item), &path, parts, Scope::Global);
                    let textures = outputs::textures_of(textures, at);
                    self.catalog.list(Some(item), &path, textures, Scope::Global);
                }
                Err(error) => self.catalog.items[item].error = Some(error.to_string()),
            }
        }
    }
}

/// Writes a world, model or part as GLB.
pub(crate) fn write_glb(handle: &Handle, item: &Item, encoding: Encoding, out: &mut dyn Write) -> Result<(), Failed> {
    let options = glb::Options::default().encoding(encoding);
    let (what, scope) = match item.what {
        None | Some(What::Texture(_)) => return Err(Failed::invalid("is not a model")),
        Some(what) => (what, item.scope),
    };
    let report = match what.world(scope) {
        Some(world) => {
            handle.with_world_names(world, |library, names| what.write_glb(scope, library, Some(names), &options, out))
        }
        None => handle.with_names(|library| what.write_glb(scope, library, None, &options, out)),
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
        _ => handle.with_names(|library| library.texture_at(at).map(|texture| look(texture.high()))).flatten(),
    };
    looked.ok_or_else(|| Failed::missing("there is no such texture"))
}
