//! What a WORLD.WDB contains: worlds, models, parts and textures, with the paths by which they are named everywhere.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow::{Break, Continue};

use worldview::island::{BlobKind, Contents, Database, Scope, TextureAt, Textures};
use worldview::{Handle, Path, split_at_unescaped};
use worldview_edit::order::numbered;
use worldview_export::model::{glb, png};
use worldview_export::outputs::{self, Found, Item as What};
use worldview_inspect::Encoding;

use crate::answer::Failed;
use crate::places::Node;

/// The maximum number of items. A file can have a part for every twelve bytes.
const MAX: usize = 200_000;

/// An item of a database.
#[derive(Debug)]
pub(crate) struct Item {
    /// The row of the tree, without the address of the file.
    node: Node,
    /// The path of its blob, if it is a reference to one.
    blob: Option<String>,
    /// What it is; `None` for several parts or textures, which are listed.
    pub(crate) what: Option<What>,
    /// Where its names are resolved from.
    scope: Scope,
    /// The items in it, by index.
    pub(crate) children: Vec<usize>,
    pub(crate) parent: Option<usize>,
}

impl Item {
    /// Returns the row of the tree, in the file with an address.
    pub(crate) fn node(&self, at: &str) -> Node {
        Node { at: at.to_owned(), open: !self.children.is_empty(), ..self.node.clone() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.node.name
    }

    fn fail(&mut self, error: impl ToString) {
        (self.node.kind, self.node.error) = ("broken", Some(error.to_string()));
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

/// Lists a database.
struct Builder<'b> {
    catalog: Catalog,
    database: &'b Database<'b>,
    contents: &'b Contents<'b>,
    /// The path of each blob, and what is in it.
    blobs: Vec<(Path, Vec<Found<'b>>)>,
}

/// Returns the path of something in a list, which is the one with this number of those of its kind that have its name.
fn below(parent: &Path, ((kind, name), nth): ((&'static str, &[u8]), u32)) -> Path {
    let mut path = parent.clone();
    path.push(kind, name, (nth > 0).then_some(nth));
    path
}

impl Catalog {
    /// Returns whether an item, at any depth in another, has a name that is wanted.
    pub(crate) fn any_inside(&self, item: &Item, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        let mut children = item.children.iter().map(|&child| &self.items[child]);
        children.any(|child| is_wanted(child.name()) || self.any_inside(child, is_wanted))
    }

    /// Returns how many of an item and all that is in it could not be read. What several refer to counts once.
    pub(crate) fn unreadable(&self, item: usize) -> usize {
        let (mut found, mut open) = (HashSet::new(), vec![item]);
        while let Some(item) = open.pop() {
            let Item { node, blob, children, .. } = &self.items[item];
            if node.error.is_some() {
                found.insert(blob.as_deref().unwrap_or(&node.path));
            }
            open.extend(children);
        }
        found.len()
    }

    /// Lists what is in a file. Returns `None` if its parts have no paths.
    pub(crate) fn of(handle: &Handle, encoding: Encoding) -> Option<Self> {
        let mut catalog = Self { encoding, ..Self::default() };
        if let Some((database, contents)) = handle.database().zip(handle.contents()) {
            return Some(Builder { catalog, database, contents, blobs: Vec::new() }.build());
        }
        let found: Vec<_> = outputs::textures_of(textures(handle)?, TextureAt::Global).collect();
        catalog.list(None, &Path::new(), &found, Scope::Global);
        Some(catalog)
    }

    fn add(
        &mut self,
        parent: Option<usize>,
        path: &Path,
        name: &[u8],
        (what, scope): Scoped,
        size: Option<u64>,
    ) -> Option<usize> {
        let index = self.items.len();
        if index >= MAX {
            return None;
        }
        let (path, name) = (path.as_str().to_owned(), self.encoding.visible(name).into_owned());
        self.paths.entry(path.clone()).or_insert(index);
        let node = Node { path, size, ..Node::new(String::new(), name, what.map_or("folder", What::kind)) };
        self.items.push(Item { node, blob: None, what, scope, children: Vec::new(), parent });
        match parent {
            Some(parent) => self.items[parent].children.push(index),
            None => self.roots.push(index),
        }
        Some(index)
    }

    /// Adds the parts or textures of a list.
    fn list(&mut self, parent: Option<usize>, path: &Path, list: &[Found<'_>], scope: Scope) {
        let keys = list
            .iter()
            .map(|found| (found.item.kind(), found.texture.map_or(found.name, |texture| texture.name.text())));
        for (found, key) in list.iter().zip(numbered(keys)) {
            self.add(parent, &below(path, key), found.name, (Some(found.item), scope), Some(found.size));
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

impl<'b> Builder<'b> {
    fn build(mut self) -> Catalog {
        let (database, contents) = (self.database, self.contents);
        let paths = numbered(database.blob_names().into_iter().map(|name| ("blob", name)));
        self.blobs = paths.into_iter().map(|key| (below(&Path::new(), key), Vec::new())).collect();
        let (mut parts, mut textures, mut count) = (Vec::new(), Vec::new(), 0);
        let _ = outputs::contents(database, contents, (true, true), &mut |found| {
            match (found.item, found.item.blob()) {
                (What::World(_) | What::Model(_), _) => {}
                (What::Texture(TextureAt::Global(_)), _) => textures.push(found),
                (_, None) => parts.push(found),
                (_, Some(blob)) => self.blobs[blob].1.push(found),
            }
            count += 1;
            if count > MAX { Break(()) } else { Continue(()) }
        });
        let worlds = numbered(database.worlds().map(|world| ("world", world.name.text())));
        for (world, key) in database.worlds().zip(worlds) {
            let (path, index) = (below(&Path::new(), key), world.index);
            let what = (Some(What::World(index)), Scope::Global);
            let item = self.catalog.add(None, &path, world.name.text(), what, None);
            let models = world.models.iter().enumerate().map(|(model, found)| {
                let is_hidden = found.placement.visible == 0;
                (("model", found.name.text()), found.blob(), Scope::Model { world: index, model }, is_hidden)
            });
            let parts = world.parts.iter().enumerate().map(|(part, found)| {
                (("part", found.name.text()), found.blob(), Scope::Part { world: index, part }, false)
            });
            let keys = numbered(models.clone().chain(parts.clone()).map(|(key, ..)| key));
            for (key, (_, blob, scope, is_hidden)) in keys.into_iter().zip(models.chain(parts)) {
                let added = self.reference(item, (&below(&path, key), key.0.1), blob, scope);
                if let (Some(added), true) = (added, is_hidden) {
                    self.catalog.items[added].node.note = Some("hidden at first".to_owned());
                }
            }
        }
        // The parts and textures that the game always has loaded.
        let chunks = [
            ("parts", database.parts_chunk().len(), parts, contents.parts.err()),
            ("textures", database.texture_chunk().len(), textures, contents.textures.err()),
        ];
        for (of, size, found, error) in chunks {
            let mut path = Path::new();
            path.push_name(format!("global_{of}").as_bytes());
            let name = format!("Global {of}");
            let item = self.catalog.add(None, &path, name.as_bytes(), (None, Scope::Global), Some(size));
            self.catalog.list(item, &path, &found, Scope::Global);
            if let (Some(item), Some(error)) = (item, error) {
                self.catalog.items[item].fail(error);
            }
        }
        self.catalog
    }

    /// Adds a reference to a blob.
    fn reference(
        &mut self,
        parent: Option<usize>,
        (path, name): (&Path, &[u8]),
        blob: Option<usize>,
        scope: Scope,
    ) -> Option<usize> {
        let catalog = &mut self.catalog;
        let Some(number) = blob else {
            let item = catalog.add(parent, path, name, (None, scope), None)?;
            catalog.items[item].fail("refers to bytes outside of the file");
            return Some(item);
        };
        let (blob, (own, found)) = (&self.database.blobs()[number], &self.blobs[number]);
        let mut parts = found.iter().filter(|found| matches!(found.item, What::Part(_)));
        let what = match (parts.next(), parts.next()) {
            // Most blobs of parts have one, which is then what the reference means.
            (Some(part), None) => Some(part.item),
            _ => (blob.kind == BlobKind::Model).then_some(What::Model(number)),
        };
        let item = catalog.add(parent, path, name, (what, scope), Some(blob.source.len()))?;
        catalog.items[item].blob = Some(own.as_str().to_owned());
        // What is in a blob is listed once, where it is first referred to.
        if let Entry::Vacant(first) = catalog.paths.entry(own.as_str().to_owned()) {
            first.insert(item);
            let found: Vec<_> = found.iter().filter(|found| Some(found.item) != what).copied().collect();
            catalog.list(Some(item), own, &found, scope);
        }
        if let Some(Err(error)) = self.contents.blobs.get(number) {
            catalog.items[item].fail(error);
        }
        Some(item)
    }
}

/// Writes an item: a world, model or part as GLB, or a texture as PNG, the better one if there are two.
pub(crate) fn write_item(handle: &Handle, item: &Item, encoding: Encoding, out: &mut dyn Write) -> Result<(), Failed> {
    let options = glb::Options::default().encoding(encoding);
    let Some(what) = item.what else { return Err(Failed::invalid("is not a model")) };
    let written = match (what, what.world(item.scope), textures(handle)) {
        (What::Texture(TextureAt::Global(index)), _, Some(textures)) => {
            textures.iter().nth(index).map(|texture| png::image(texture.high(), out))
        }
        (What::Texture(at), ..) => {
            handle.with_names(|library| Some(png::image(library.texture_at(at)?.high(), out))).flatten()
        }
        (_, Some(world), _) => handle.with_world_names(world, |library, names| {
            what.write_glb(item.scope, library, Some(names), &options, out).map(drop)
        }),
        _ => handle.with_names(|library| what.write_glb(item.scope, library, None, &options, out).map(drop)),
    };
    Ok(written.ok_or_else(|| Failed::missing("there is no such part"))??)
}

/// Returns the textures of a file that is a list of them.
fn textures(handle: &Handle) -> Option<Textures<'_>> {
    handle.textures().map(|file| file.textures())
}
