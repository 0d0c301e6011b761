use std::cell::LazyCell;

use worldview_core::Error;
use worldview_inspect::{Encoding, utf8};

use super::{About, Audience as A, Value, counted, fact};
use crate::island::{Blob, BlobKind, Content, Contents, Database, Texture, TextureFile, World};

/// States the facts about a WORLD.WDB. Its contents are read if they are not given.
pub(super) fn database<'a>(
    facts: &mut About<'_, ()>,
    database: &Database<'a>,
    contents: Option<&Contents<'a>>,
    encoding: Encoding,
) {
    let read = LazyCell::new(|| Contents::read(database));
    let contents = || contents.unwrap_or_else(|| &read);
    let (length, directory_length) = (database.source().len(), database.directory_end());
    let (part_refs, model_refs) = (database.part_refs().len(), database.model_refs().len());
    let part_blobs = database.blobs().iter().filter(|blob| blob.kind == BlobKind::Parts).count();
    let model_blobs = database.blobs().len() - part_blobs;
    let references = |references: usize, blobs: usize| {
        format!("{} to {}", counted(references as u64, "reference"), counted(blobs as u64, "blob"))
    };
    let textures = || contents().textures.map_or(0, |textures| textures.len());
    let parts = || contents().parts.map_or(0, |parts| parts.len());
    // As many as the file says there are, of which some may not be readable; 0 if that cannot be read.
    let parts_stored = || contents().parts.map_or(0, |parts| parts.stored_count());
    facts.add(fact("game", A::SHEET), |()| "LEGO Island");
    facts.add(fact("format", A::TEXT), |()| "WORLD.WDB of LEGO Island");
    facts.length(length, A::BRIEF);
    facts.add(fact("directory_length", A::JSON), |()| directory_length);
    facts.add(fact("size", A::TEXT), |()| format!("{length} bytes, {directory_length} of them the directory"));
    let worlds = fact("world_count", A::JSON | A::SHEET | A::TEXT | A::CARD).column("worlds").label("worlds");
    facts.add(worlds, |()| database.worlds().len());
    facts.add(fact("models and parts", A::CARD), |()| database.blobs().len());
    facts.add(fact("part_references", A::JSON | A::SHEET).column("parts"), |()| part_refs);
    facts.add(fact("model_references", A::JSON | A::SHEET).column("models"), |()| model_refs);
    facts.add(fact("part_blobs", A::JSON), |()| part_blobs);
    facts.add(fact("model_blobs", A::JSON), |()| model_blobs);
    facts.add(fact("parts", A::TEXT), |()| references(part_refs, part_blobs));
    facts.add(fact("models", A::TEXT), |()| references(model_refs, model_blobs));
    let global_textures = fact("global_textures", A::JSON | A::SHEET | A::TEXT);
    facts.add(global_textures.column("textures").label("global textures"), |()| textures());
    facts.add(fact("global_parts", A::JSON), |()| parts());
    facts.add(fact("global_parts_stored", A::JSON), |()| parts_stored());
    facts.add(fact("global parts", A::TEXT), |()| match (parts(), parts_stored()) {
        (parts, stored) if parts == stored as usize => parts.to_string(),
        (parts, stored) => format!("{parts} of {stored} (the others cannot be read)"),
    });
    facts.each(fact("worlds", A::INFO | A::TEXT), || database.worlds(), |facts| world(facts, encoding));
    let blobs = || database.blobs().iter().zip(&contents().blobs).zip(database.blob_names()).map(BlobFacts::new);
    facts.each(fact("blobs", A::INFO | A::TEXT), blobs, |facts| blob(facts, encoding));
}

fn world(facts: &mut About<'_, World<'_, '_>>, encoding: Encoding) {
    facts.add(fact("index", A::INFO | A::TEXT).label(">world"), |world| world.index);
    facts.add(fact("name", A::INFO | A::TEXT), |world| encoding.decode(world.name.text()).into_owned());
    facts.add(fact("parts", A::INFO | A::TEXT).label(">parts"), |world| world.parts.len());
    facts.add(fact("models", A::INFO | A::TEXT).label(">models"), |world| world.models.len());
    facts.add(fact("visible_models", A::INFO | A::TEXT).label(">initially visible"), |world| {
        world.models.iter().filter(|model| model.placement.is_visible()).count()
    });
}

struct BlobFacts<'b, 'a> {
    blob: &'b Blob<'a>,
    /// The name given by the first reference.
    name: &'a [u8],
    /// The numbers of parts or objects, of levels of detail, of triangles in the best ones, of textures and of animated nodes, if
    /// it could be opened.
    counts: Option<[u64; 5]>,
    error: Option<Error>,
}

impl<'b, 'a> BlobFacts<'b, 'a> {
    fn new(((blob, content), name): ((&'b Blob<'a>, &Result<Content<'a>, Error>), &'a [u8])) -> Self {
        let content = content.as_ref();
        let error = content.map_or_else(|error| Some(*error), Content::broken);
        Self { blob, name, counts: content.ok().map(counts), error }
    }
}

fn counts(content: &Content<'_>) -> [u64; 5] {
    let (elements, textures, animated) = match content {
        Content::Parts(parts) => (parts.len(), parts.textures.len(), 0),
        Content::Model(model) => {
            let animated = model.animation.nodes.iter().filter(|node| node.key_count() > 0).count();
            (model.rois.len(), model.textures.len(), animated)
        }
    };
    let lods = content.lods().map(|lods| lods.len() as u64).sum();
    // The best level is the last one.
    let triangles = content.lods().filter_map(|lods| lods.iter().last()).map(|lod| lod.triangles()).sum();
    [elements as u64, lods, triangles, textures as u64, animated as u64]
}

fn blob(facts: &mut About<'_, BlobFacts<'_, '_>>, encoding: Encoding) {
    facts.add(fact("index", A::INFO | A::TEXT).label(">blob"), |of| of.blob.index());
    facts.add(fact("kind", A::INFO | A::TEXT), |of| of.blob.kind.name());
    facts.add(fact("name", A::INFO | A::TEXT), |of| encoding.decode(of.name).into_owned());
    facts.add(fact("offset", A::INFO | A::TEXT).label(">offset"), |of| of.blob.source.base());
    facts.add(fact("length", A::INFO | A::TEXT).label(">bytes"), |of| of.blob.source.len());
    facts.add(fact("references", A::INFO | A::TEXT).label(">references"), |of| of.blob.references);
    let counts = [
        fact("elements", A::INFO | A::TEXT).label(">parts or objects"),
        fact("lods", A::INFO | A::TEXT).label(">LODs"),
        fact("triangles", A::INFO | A::TEXT).label(">best triangles"),
        fact("textures", A::INFO | A::TEXT).label(">textures"),
        fact("animated_nodes", A::INFO | A::TEXT).label(">animated nodes"),
    ];
    for (index, count) in counts.into_iter().enumerate() {
        facts.add(count, |of| Value::if_any(of.counts.and_then(|counts| counts.get(index).copied())));
    }
    facts.add(fact("error", A::INFO), |of| Value::if_any(of.error.map(|error| error.to_string())));
    facts.add(fact("", A::TEXT), |of| match (of.counts, of.error) {
        (None, _) => "unreadable",
        (_, Some(_)) => "in part",
        _ => "",
    });
}

/// States the facts about a `.tex` file.
pub(super) fn textures(facts: &mut About<'_, ()>, file: &TextureFile<'_>) {
    facts.add(fact("game", A::SHEET), |()| "LEGO Island");
    facts.add(fact("format", A::TEXT), |()| "texture file of LEGO Island");
    facts.length(file.source().len(), A::TEXT);
    facts.add(fact("textures", A::BRIEF).unit("texture"), |()| file.textures().len());
    facts.add(fact("textures", A::SHEET | A::TEXT), |()| file.textures().len());
    facts.each(fact("textures", A::JSON | A::TEXT), || file.textures().iter(), texture);
}

fn texture(facts: &mut About<'_, Texture<'_>>) {
    facts.add(fact("name", A::JSON | A::TEXT).label("texture"), |texture| utf8(texture.real_name()).into_owned());
    facts.add(fact("width", A::JSON | A::TEXT).label(">width"), |texture| texture.image.width);
    facts.add(fact("height", A::JSON | A::TEXT).label(">height"), |texture| texture.image.height);
    facts.add(fact("colors", A::JSON | A::TEXT).label(">colors"), |texture| texture.image.palette.len());
    facts.add(fact("offset", A::JSON | A::TEXT).label(">offset"), |texture| texture.at);
}
