use worldview_core::Budget;
use worldview_island::{Content, Contents, Database, Lods, Model, Name, Parts, Textures};

use super::search::{At, Search};
use crate::place::Short;
use crate::{Encoding, Result};

pub(super) fn search(
    (database, contents): (&Database<'_>, &Contents<'_>),
    encoding: Encoding,
    search: &mut Search<'_>,
) -> Result<()> {
    let walk = Walk { database, encoding };
    walk.directory(search);
    if let Ok(textures) = &contents.textures {
        search.within(format_args!("global textures"), |search| walk.textures(textures, search));
    }
    if let Ok(parts) = &contents.parts {
        search.within(format_args!("global parts"), |search| walk.parts(parts, search));
    }
    let mut budget = Budget::for_bytes(database.source().len(), "search of overlapping blobs");
    let names = walk.blob_names();
    for (blob, content) in database.blobs().iter().zip(&contents.blobs) {
        let Ok(content) = content else { continue };
        budget.spend(blob.source.len(), blob.source.base(), blob.source.space())?;
        let name = names.get(blob.index()).copied().unwrap_or_default();
        let place = format!("blob {} {}", blob.index(), walk.short(name));
        search.within(format_args!("{place}"), |search| match content {
            Content::Parts(parts) => walk.parts(parts, search),
            Content::Model(model) => walk.model(model, search),
        });
    }
    Ok(())
}

struct Walk<'w, 'a> {
    database: &'w Database<'a>,
    encoding: Encoding,
}

impl<'a> Walk<'_, 'a> {
    fn short(&self, name: Name<'_>) -> String {
        Short(&self.encoding.decode(name.text())).to_string()
    }

    /// Looks at a name that is one of the thing where the walk is.
    fn name(&self, what: &'static str, name: Name<'_>, search: &mut Search<'_>) {
        let text = self.encoding.decode(name.text());
        search.text(what, &text, At::of(name.counted(), self.database.source()));
    }

    /// Looks at the name of a numbered thing, and at what is in it.
    fn named(
        &self,
        what: &'static str,
        index: usize,
        name: Name<'_>,
        search: &mut Search<'_>,
        look: impl FnOnce(&mut Search<'_>),
    ) {
        search.within(format_args!("{what} {index} {}", self.short(name)), |search| {
            self.name(what, name, search);
            look(search);
        });
    }

    fn directory(&self, search: &mut Search<'_>) {
        for world in self.database.worlds() {
            self.named("world", world.index, world.name, search, |search| {
                for (index, part) in world.parts.iter().enumerate() {
                    self.named("part", index, part.name, search, |_| {});
                }
                for (index, model) in world.models.iter().enumerate() {
                    self.named("model", index, model.name, search, |search| {
                        self.name("presenter", model.presenter, search);
                    });
                }
            });
        }
    }

    /// What each blob is called by the first reference to it.
    fn blob_names(&self) -> Vec<Name<'a>> {
        let mut names = vec![Name::default(); self.database.blobs().len()];
        let parts = self.database.part_refs().iter().map(|part| (part.blob(), part.name));
        let models = self.database.model_refs().iter().map(|model| (model.blob(), model.name));
        for (blob, name) in parts.chain(models) {
            if let Some(first) = blob.and_then(|blob| names.get_mut(blob)).filter(|first| first.is_absent()) {
                *first = name;
            }
        }
        names
    }

    fn textures(&self, textures: &Textures<'_>, search: &mut Search<'_>) {
        for (index, texture) in textures.iter().enumerate() {
            self.named("texture", index, texture.name, search, |_| {});
        }
    }

    fn parts(&self, parts: &Parts<'_>, search: &mut Search<'_>) {
        for (index, part) in parts.iter().enumerate() {
            self.named("part", index, part.name, search, |search| self.lods(part.lods, search));
        }
        self.textures(&parts.textures, search);
    }

    fn model(&self, model: &Model<'_>, search: &mut Search<'_>) {
        for (index, actor) in model.animation.actors().enumerate() {
            self.named("actor", index, actor.name, search, |_| {});
        }
        for (index, node) in model.animation.nodes.iter().enumerate() {
            self.named("animation node", index, node.name, search, |_| {});
        }
        for (index, roi) in model.rois.iter().enumerate() {
            self.named("ROI", index, roi.name, search, |search| {
                self.name("color", roi.color, search);
                self.lods(roi.lods, search);
            });
        }
        self.textures(&model.textures, search);
    }

    /// What meshes ask for.
    fn lods(&self, lods: Lods<'_>, search: &mut Search<'_>) {
        for (level, lod) in lods.iter().enumerate() {
            for (index, mesh) in lod.meshes.iter().enumerate() {
                search.within(format_args!("LOD {level}, mesh {index}"), |search| {
                    self.name("texture", mesh.texture, search);
                    self.name("material", mesh.material, search);
                });
            }
        }
    }
}
