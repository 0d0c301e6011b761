//! Name resolution.

use std::collections::BTreeSet;

use worldview_corpus::island::naive::{self, LodSource, NaiveDatabase, NaiveLod, Scope, TextureSource};
use worldview_island::{self as island, Contents, Database, FindingKind, Library, LodsAt, TextureAt};

use crate::{Verdict, equal};

/// Looks up every name of a file from every scope with the views and with the naive reader, and compares the results.
pub fn names_agree(file: &[u8]) -> Result<Verdict, String> {
    let Ok(database) = Database::parse(file) else { return Ok(Verdict::Refused) };
    let Ok(naive) = naive::database(file) else { return Ok(Verdict::TooMuch) };
    let contents = Contents::read(&database);
    let library = Library::new(&database, &contents);
    let keys = Keys::of(&naive);
    let scopes = scopes(&naive);
    if scopes.len() * (keys.textures.len() + keys.lists.len()) > 20_000 {
        return Ok(Verdict::TooMuch);
    }
    for (scope, rois) in scopes {
        same_scope(&library, &naive, scope, rois, &keys).map_err(|why| format!("from {scope:?}: {why}"))?;
    }
    same_unresolved(&database, &naive)
}

/// All names to look up, including some that do not exist.
#[derive(Default)]
struct Keys {
    textures: BTreeSet<Vec<u8>>,
    lists: BTreeSet<Vec<u8>>,
}

impl Keys {
    fn of(naive: &NaiveDatabase) -> Self {
        let mut keys = Self::default();
        keys.textures.extend([b"nowhere".to_vec(), Vec::new()]);
        keys.lists.extend([b"nowhere".to_vec(), Vec::new()]);
        keys.textures.extend(naive.textures.iter().flatten().map(|texture| texture.key.clone()));
        for parts in naive.parts.iter().chain((0..naive.blobs.len()).filter_map(|blob| naive.parts_of(blob))) {
            keys.textures.extend(parts.textures.iter().map(|texture| texture.key.clone()));
            keys.lists.extend(parts.parts.iter().map(|part| part.name.key()));
            parts.parts.iter().for_each(|part| keys.meshes(&part.lods));
        }
        for model in (0..naive.blobs.len()).filter_map(|blob| naive.model_of(blob)) {
            keys.textures.extend(model.textures.iter().map(|texture| texture.key.clone()));
            for roi in &model.rois {
                keys.lists.extend([roi.list_key(), roi.name.key()]);
                keys.textures.extend(roi.texture.key().strip_prefix(b"t_").map(<[u8]>::to_vec));
                keys.meshes(&roi.lods);
            }
        }
        keys
    }

    fn meshes(&mut self, lods: &[NaiveLod]) {
        self.textures.extend(lods.iter().flat_map(|lod| &lod.meshes).map(|mesh| mesh.texture.key()));
    }
}

/// Returns every scope in which names are looked up, with its number of objects.
fn scopes(naive: &NaiveDatabase) -> Vec<(Scope, usize)> {
    let rois = |blob: Option<usize>| blob.and_then(|blob| naive.model_of(blob)).map_or(0, |model| model.rois.len());
    let mut scopes = vec![(Scope::Global, 0)];
    scopes.extend((0..naive.blobs.len()).map(|blob| (Scope::Blob(blob), rois(Some(blob)))));
    for (world, found) in naive.directory.worlds.iter().enumerate() {
        scopes.extend((0..found.parts.len()).map(|part| (Scope::Part { world, part }, 0)));
        for (model, reference) in found.models.iter().enumerate() {
            scopes.push((Scope::Model { world, model }, rois(naive.find(reference.place, naive::Kind::Model))));
        }
    }
    scopes
}

fn same_scope(
    library: &Library<'_, '_>,
    naive: &NaiveDatabase,
    scope: Scope,
    rois: usize,
    keys: &Keys,
) -> Result<(), String> {
    let (views, world) = match scope {
        Scope::Global => (island::Scope::Global, None),
        Scope::Blob(blob) => (island::Scope::Blob(blob), None),
        Scope::Part { world, part } => (island::Scope::Part { world, part }, Some(world)),
        Scope::Model { world, model } => (island::Scope::Model { world, model }, Some(world)),
    };
    let world = world.map(|world| library.world_names(world));
    let names = library.names(views, world.as_ref());
    for key in &keys.textures {
        let found = names.texture(key.to_ascii_uppercase());
        let what = || format!("texture \"{}\"", key.escape_ascii());
        equal(&what(), &found.map(texture_source), &naive::texture_of(naive, scope, key))?;
        if let Some(found) = found {
            let real_name = library.texture_at(found).map(|texture| texture.real_name().to_ascii_lowercase());
            equal(&what(), &real_name.as_ref(), &Some(key))?;
        }
    }
    // Before the first object, between objects, and after the last. If there are many, a few are enough.
    for before in (0..=rois).filter(|before| *before < 12 || *before == rois) {
        for key in &keys.lists {
            let found = names.lods(before, key.to_ascii_uppercase());
            let what = || format!("levels \"{}\" before {before}", key.escape_ascii());
            equal(&what(), &found.map(lod_source), &naive::lods_of(naive, scope, before, key))?;
            if let Some(found) = found {
                let at = library.lods_at(found).map(|lods| lods.offset());
                equal(&what(), &at.is_some(), &true)?;
            }
        }
    }
    Ok(())
}

fn texture_source(at: TextureAt) -> TextureSource {
    match at {
        TextureAt::Global(texture) => TextureSource::Global(texture),
        TextureAt::Parts(texture) => TextureSource::Parts(texture),
        TextureAt::Blob { blob, texture } => TextureSource::Blob { blob, texture },
    }
}

fn lod_source(at: LodsAt) -> LodSource {
    match at {
        LodsAt::Global { part } => LodSource::Global { part },
        LodsAt::Part { blob, part } => LodSource::Part { blob, part },
        LodsAt::Roi { blob, roi } => LodSource::Roi { blob, roi },
    }
}

/// Compares the names that `check` reports as unresolved with those of the naive reader. If anything in the file is
/// broken, the check reports less, and the comparison is skipped.
fn same_unresolved(database: &Database<'_>, naive: &NaiveDatabase) -> Result<Verdict, String> {
    let mut is_broken = false;
    let contents = Contents::read_lossy(database, &mut |_| is_broken = true);
    let Ok(unresolved) = naive::unresolved(naive) else { return Ok(Verdict::TooMuch) };
    let (mut found, mut is_limited) = (Vec::new(), false);
    island::check(database, &contents, &mut |finding| match finding.kind {
        FindingKind::TextureUnresolved => found.push((finding.at, true)),
        FindingKind::LodsUnresolved => found.push((finding.at, false)),
        FindingKind::WalkLimit { .. } => is_limited = true,
        _ => {}
    });
    if is_broken || is_limited {
        return Ok(Verdict::TooMuch);
    }
    let naive: Vec<_> = unresolved.iter().map(|name| (name.at, name.is_texture)).collect();
    equal("unresolved names", &found, &naive)?;
    Ok(Verdict::Same)
}
