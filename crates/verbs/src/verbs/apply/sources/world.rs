//! Edited textures, parts and models of WORLD.WDB, and textures of `.tex` files.

use worldview::island::{Content, Contents, Database, Library, LodsAt, Part, Scope, Texture, TextureFile, Textures};
use worldview::{Asset, Path};
use worldview_edit::{Changes, EditError, Planned, island};
use worldview_export::hex;
use worldview_export::model::glb as export;
use worldview_import::{Again, glb, glb_part, glb_world, png};

use super::{not_applicable, unsupported};
use crate::options::{ExportOptions, Options as _};
use crate::output::{Entry, Origin};

/// Finds the changes that an edited picture or model makes, at each place that the manifest names: what a file contains several times is
/// exported once.
pub(crate) fn plan(asset: &Asset<'_>, entry: Option<&Entry>, edited: &[u8]) -> Result<Planned, EditError> {
    let database = match asset {
        Asset::Database(database) => database,
        Asset::Textures(file) => return textures(*file, entry, edited),
        _ => return Err(not_applicable()),
    };
    let why = "cannot tell which texture or model this is: put it back beside the export's manifest.ndjson";
    let entry = entry.ok_or_else(|| unsupported(why))?;
    let contents = Contents::read(database);
    let names = database.blob_names();
    let mut all = Planned::default();
    for origin in &entry.from {
        if entry.kind == "world" {
            all.append(world((database, &contents), entry, origin, edited)?);
            continue;
        }
        all.append(place((database, &contents, &names), entry, origin, edited)?);
    }
    Ok(all)
}

/// Finds where the models of a world were moved, by comparing with what the same export gives.
fn world(
    (database, contents): (&Database<'_>, &Contents<'_>),
    entry: &Entry,
    origin: &Origin,
    edited: &[u8],
) -> Result<Planned, EditError> {
    let index = origin.index.unwrap_or_default();
    let world = database.world(index).ok_or_else(|| unsupported("the input has no such world"))?;
    is_same(entry, world.name.text())?;
    let mut path = Path::new();
    let names: Vec<&[u8]> = database.worlds().map(|world| world.name.text()).collect();
    element(&mut path, "world", names.into_iter(), index);
    compared(
        (database, contents),
        entry,
        path,
        |library, options, out| export::world(library, index, &library.world_names(index), options, out),
        |exported, again| glb_world(&world, exported, edited, again),
    )
}

/// Plans with an export with the options of the manifest, and with a way to export what changes below a path make of the input.
fn compared(
    (database, contents): (&Database<'_>, &Contents<'_>),
    entry: &Entry,
    path: Path,
    export: impl Fn(&Library<'_, '_>, &export::Options<'_>, &mut Vec<u8>) -> worldview_export::Result<export::Report>,
    plan: impl FnOnce(&[u8], Again<'_>) -> Result<Planned, EditError>,
) -> Result<Planned, EditError> {
    let lods = entry.with.lod.as_deref().unwrap_or("all");
    let mut asked = ExportOptions::default();
    let set = asked.set_texts("lod", &[lods.into()]);
    set.map_err(|_| unsupported("manifest.ndjson names levels of detail that do not exist"))?;
    let options = export::Options::default().lods(asked.lod).visible_only(entry.with.visible_only);
    let exported = |database: &Database<'_>, contents: &Contents<'_>| {
        let mut out = Vec::new();
        let done = export(&Library::new(database, contents), &options, &mut out);
        done.map(|_| out).map_err(|error| EditError::malformed(None, error.to_string()))
    };
    let again = |changes: &Changes| {
        let file = island::apply(database.source().bytes(), &changes.clone().prefixed(&path))?.to_vec();
        let database = Database::parse(&file)?;
        exported(&database, &Contents::read(&database))
    };
    Ok(plan(&exported(database, contents)?, &again)?.prefixed(&path))
}

/// Returns the scope in which a blob is exported: that of the first world that uses it.
fn scope(database: &Database<'_>, blob: usize) -> (Scope, Option<usize>) {
    let found = database.worlds().find_map(|world| {
        let index = world.index;
        let part = world.parts.iter().position(|part| part.blob() == Some(blob));
        let model = || world.models.iter().position(|model| model.blob() == Some(blob));
        let part = part.map(|part| Scope::Part { world: index, part });
        Some((part.or_else(|| Some(Scope::Model { world: index, model: model()? }))?, Some(index)))
    });
    found.unwrap_or((Scope::Blob(blob), None))
}

/// Finds the changes that edited pictures make to a `.tex` file. Without a manifest, the picture is that of the only texture.
fn textures(file: TextureFile<'_>, entry: Option<&Entry>, edited: &[u8]) -> Result<Planned, EditError> {
    let only = [Origin { index: Some(0), ..Origin::default() }];
    let from = match entry {
        Some(entry) if entry.kind == "texture" => &entry.from[..],
        None if file.textures().len() == 1 => &only[..],
        None => {
            return Err(unsupported(
                "cannot tell which texture this is: put it back beside the export's manifest.ndjson",
            ));
        }
        Some(_) => return Err(not_applicable()),
    };
    let mut all = Planned::default();
    for origin in from {
        let index = origin.index.unwrap_or(usize::MAX);
        all.append(texture(file.textures(), index, false, Path::new(), edited)?);
    }
    Ok(all)
}

/// Finds the changes of one texture of a list with a path.
fn texture(
    textures: Textures<'_>,
    index: usize,
    is_low: bool,
    mut path: Path,
    edited: &[u8],
) -> Result<Planned, EditError> {
    let list: Vec<Texture<'_>> = textures.iter().collect();
    let texture = list.get(index).ok_or_else(|| unsupported(MISSING))?;
    element(&mut path, "texture", list.iter().map(|texture| texture.name.text()), index);
    // The high-quality image of a pair follows the other one.
    let (image, nth) = match texture.second {
        Some(_) if !is_low => (texture.high(), 1),
        _ => (texture.low(), 0),
    };
    path.push_nth(b"image", nth);
    Ok(png(&image, edited)?.prefixed(&path))
}

fn place(
    (database, contents, names): (&Database<'_>, &Contents<'_>, &[&[u8]]),
    entry: &Entry,
    origin: &Origin,
    edited: &[u8],
) -> Result<Planned, EditError> {
    let missing = || unsupported(MISSING);
    let mut path = Path::new();
    let blob = origin.blob.map(|blob| contents.blobs.get(blob).ok_or_else(missing)).transpose()?;
    let blob = blob.map(|blob| blob.as_ref().map_err(|error| EditError::from(*error))).transpose()?;
    let textures = match (origin.part.as_deref(), blob) {
        (Some("global textures"), _) => {
            path.push_name(b"global_textures");
            contents.textures?
        }
        (Some("global parts"), _) => {
            path.push_name(b"global_parts");
            contents.parts.as_ref().map_err(|error| *error)?.textures
        }
        (Some("blob"), Some(content)) => {
            let blob = origin.blob.ok_or_else(missing)?;
            match names.get(blob) {
                Some(name) if !name.is_empty() => element(&mut path, "blob", names.iter().copied(), blob),
                _ => path.push_nth(b"blob", u32::try_from(blob).map_err(|_| missing())?),
            }
            content.textures()
        }
        _ => return Err(missing()),
    };
    let (scope, world) = origin.blob.map_or((Scope::Global, None), |blob| scope(database, blob));
    match (&*entry.kind, blob) {
        ("texture", _) => {
            let is_low = entry.file.ends_with(".low.png");
            texture(textures, origin.index.ok_or_else(missing)?, is_low, path, edited)
        }
        ("model", Some(Content::Model(model))) => {
            let blob = origin.blob.ok_or_else(missing)?;
            is_same(entry, names.get(blob).copied().unwrap_or_default())?;
            compared(
                (database, contents),
                entry,
                path,
                |library, options, out| {
                    let names = world.map(|world| library.world_names(world));
                    export::model(library, blob, scope, names.as_ref(), options, out)
                },
                |exported, again| glb(model, exported, edited, again),
            )
        }
        ("part", content) => {
            let parts = match content {
                Some(Content::Parts(parts)) => parts,
                _ => contents.parts.as_ref().map_err(|error| *error)?,
            };
            let list: Vec<Part<'_>> = parts.iter().collect();
            let index = origin.index.ok_or_else(missing)?;
            let part = list.get(index).ok_or_else(missing)?;
            is_same(entry, part.name.text())?;
            element(&mut path, "part", list.iter().map(|part| part.name.text()), index);
            let at = match (content, origin.blob) {
                (Some(Content::Parts(_)), Some(blob)) => LodsAt::Part { blob, part: index },
                _ => LodsAt::Global { part: index },
            };
            compared(
                (database, contents),
                entry,
                path,
                |library, options, out| {
                    let names = world.map(|world| library.world_names(world));
                    export::part(library, at, names.as_ref(), options, out)
                },
                |exported, again| glb_part(part, parts.textures, exported, edited, again),
            )
        }
        _ => Err(not_applicable()),
    }
}

/// Returns an error if what is in the place of an export has another name.
fn is_same(entry: &Entry, name: &[u8]) -> Result<(), EditError> {
    let why = "the input has changed where this was exported from; export it again";
    if entry.name_bytes == hex(name) { Ok(()) } else { Err(unsupported(why)) }
}

/// Adds an element of a list to a path, with its number if names repeat.
fn element<'n>(path: &mut Path, kind: &'static str, names: impl Iterator<Item = &'n [u8]>, index: usize) {
    let names: Vec<_> = names.collect();
    let Some(name) = names.get(index) else { return };
    let nth = names.iter().take(index).filter(|other| *other == name).count();
    let is_repeated = names.iter().filter(|other| *other == name).count() > 1;
    path.push(kind, name, u32::try_from(nth).ok().filter(|_| is_repeated));
}

const MISSING: &str = "the input has no such texture, part or model";
