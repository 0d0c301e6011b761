//! The promises of lossy parsing.

use worldview_core::{Error, ErrorKind, FindingCode as _, OffsetBase, Severity, Source};
use worldview_corpus::island::naive;
use worldview_island::{Content, Contents, Database, Finding, FindingKind, Geometry, Lods, check};

use super::{inside, refused, same, same_content};
use crate::equal;

/// Parses a file leniently and checks the promises of that. A file that parses strictly gives the same result without
/// findings. For any other file, the first finding is the strict error, and everything returned exists in the file.
pub fn lossy_keeps_its_word(file: &[u8]) -> Result<(), String> {
    let whole = Source::new(file, OffsetBase::File);
    let mut findings = Vec::new();
    let lossy = Database::parse_lossy(file, &mut |finding| findings.push(finding));
    first_is_strict(&findings, lossy.as_ref().err(), Database::parse(file).err().as_ref())?;
    findings.iter().try_for_each(|finding| within(whole, finding))?;
    let database = match lossy {
        Ok(database) => database,
        Err(error) => return refused(whole, &error),
    };
    let is_limit =
        |finding: &Finding<'_>| matches!(finding.kind, FindingKind::Broken { kind: ErrorKind::Limit { .. } });
    if let (Ok(directory), false) = (naive::directory(file), findings.iter().any(is_limit)) {
        same::directory(&database, &directory)?;
    }
    contents_keep_their_word(&database, whole)?;
    let naive = naive::database(file).ok();
    for blob in database.blobs() {
        let mut findings = Vec::new();
        let lossy = blob.read_lossy(&mut |finding| findings.push(finding));
        let strict = blob.read();
        let why = |why: String| format!("blob {}: {why}", blob.index());
        first_is_strict(&findings, lossy.as_ref().err(), strict.as_ref().err()).map_err(why)?;
        findings.iter().try_for_each(|finding| within(blob.source, finding)).map_err(why)?;
        match (lossy, naive.as_ref().and_then(|naive| naive.blobs.get(blob.index())?.content.as_ref().ok())) {
            (Err(error), _) => refused(blob.source, &error).map_err(why)?,
            (Ok(content), Some(naive)) => same_content(&content, naive).map_err(why)?,
            (Ok(content), None) => is_there(&content, blob.source).map_err(why)?,
        }
    }
    Ok(())
}

/// Reads and checks all contents leniently. Both chunks must keep the promises, and all findings must lie inside the
/// file.
fn contents_keep_their_word(database: &Database<'_>, whole: Source<'_>) -> Result<(), String> {
    let (mut findings, mut checked) = (Vec::new(), Vec::new());
    let contents = Contents::read_lossy(database, &mut |finding| findings.push(finding));
    findings.iter().try_for_each(|finding| within(whole, finding))?;
    let strict = Contents::read(database);
    let said_of = |place| {
        let is_there =
            move |finding: &&Finding<'_>| finding.place.parts().next().is_some_and(|part| part.what == place);
        findings.iter().filter(is_there).copied().collect::<Vec<_>>()
    };
    let (textures, parts) = (said_of("global textures"), said_of("global parts"));
    first_is_strict(&textures, contents.textures.as_ref().err(), strict.textures.as_ref().err())?;
    first_is_strict(&parts, contents.parts.as_ref().err(), strict.parts.as_ref().err())?;
    if let Ok(textures) = contents.textures {
        equal("global textures there are", &textures.iter().count(), &textures.len())?;
    }
    if let Ok(parts) = &contents.parts {
        is_there(&Content::Parts(*parts), database.parts_chunk()).map_err(|why| format!("global parts: {why}"))?;
    }
    // Contents that parse strictly must give no findings when parsed leniently.
    let is_sound = strict.textures.is_ok() && strict.parts.is_ok() && strict.blobs.iter().all(Result::is_ok);
    equal("a valid file has no findings", &findings.is_empty(), &is_sound)?;
    check(database, &contents, &mut |finding| checked.push(finding));
    match checked.iter().find(|finding| finding.space != OffsetBase::File || !inside(whole, finding.at)) {
        Some(finding) => Err(format!("lies outside the file: {finding}")),
        None => Ok(()),
    }
}

/// Checks that the first finding, or the lossy error, is the strict error.
fn first_is_strict(findings: &[Finding<'_>], lossy: Option<&Error>, strict: Option<&Error>) -> Result<(), String> {
    let first = findings.first().map(|finding| match finding.kind {
        FindingKind::Broken { kind } => (Some(kind), finding.at),
        _ => (None, finding.at),
    });
    let first = first.or(lossy.map(|error| (Some(error.kind), error.at)));
    equal("what is wrong first, lossily and strictly", &first, &strict.map(|error| (Some(error.kind), error.at)))
}

fn within(window: Source<'_>, finding: &Finding<'_>) -> Result<(), String> {
    equal("severity", &finding.kind.severity(), &Severity::Fatal)?;
    equal("space", &finding.space, &OffsetBase::File)?;
    if inside(window, finding.at) {
        return Ok(());
    }
    Err(format!("lies outside its {} bytes from {} on: {finding}", window.len(), window.base()))
}

/// Checks that the parts returned for a broken blob exist, are in file order, and are inside the blob.
fn is_there(content: &Content<'_>, blob: Source<'_>) -> Result<(), String> {
    let textures = match content {
        Content::Parts(parts) => {
            equal("number of parts", &parts.iter().count(), &parts.len())?;
            rising("parts", blob, parts.iter().map(|part| part.at))?;
            equal("end of the parts is inside", &inside(blob, parts.end()), &true)?;
            parts.textures
        }
        Content::Model(model) => {
            let nodes = &model.animation.nodes;
            equal("nodes there are", &nodes.iter().count(), &nodes.len())?;
            rising("nodes", blob, nodes.iter().map(|node| node.at))?;
            let rois = &model.rois;
            equal("objects there are", &rois.iter().count(), &rois.len())?;
            rising("objects", blob, rois.iter().map(|roi| roi.at))?;
            let is_above = |index| rois.parent(index).is_some_and(|parent| parent < index);
            equal("objects are below earlier ones", &(1..rois.len()).all(is_above), &true)?;
            equal("end of the objects is inside", &inside(blob, rois.end()), &true)?;
            model.textures
        }
    };
    equal("textures there are", &textures.iter().count(), &textures.len())?;
    rising("textures", blob, textures.iter().map(|texture| texture.at))?;
    equal("end of the textures is inside", &inside(blob, textures.end()), &true)?;
    content.lods().try_for_each(|lods| levels(blob, lods))
}

fn levels(blob: Source<'_>, lods: Lods<'_>) -> Result<(), String> {
    equal("levels there are", &lods.iter().count(), &lods.len())?;
    rising("levels", blob, lods.iter().map(|lod| lod.at))?;
    equal("end of the levels is inside", &inside(blob, lods.end()), &true)?;
    let mut geometry = Geometry::default();
    for lod in lods.iter() {
        equal("meshes there are", &lod.meshes.iter().count(), &lod.meshes.len())?;
        rising("meshes", blob, lod.meshes.iter().map(|mesh| mesh.at))?;
        for mesh in lod.meshes.iter() {
            if let Err(error) = mesh.decode_into(&mut geometry) {
                refused(blob, &error)?;
            }
        }
    }
    Ok(())
}

fn rising(what: &str, blob: Source<'_>, offsets: impl Iterator<Item = u64>) -> Result<(), String> {
    let mut next = blob.base();
    for at in offsets {
        if at < next || !inside(blob, at) {
            return Err(format!("{what}: one at {at} behind {next}"));
        }
        next = at + 1;
    }
    Ok(())
}
