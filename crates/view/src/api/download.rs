//! What can be saved: what `worldview export` writes. The page shows models and pictures in the same form.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as Ask, State as Extract};
use axum::http::Response;
use serde::Serialize;
use worldview::{Asset, At};
use worldview_export::level::png;
use worldview_export::names::{PartFolders, file_name};
use worldview_export::outputs::{self, Fill, Item, Note, Options, Output, OutputKind, Sink};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::table;
use crate::answer::{Answer, Failed};
use crate::catalog::write_item;
use crate::files::Opened;
use crate::places::{Node, Place};
use crate::state::{Shared, State};
use crate::work::{self, CancelToken, Stream};

/// The maximum number of pixels of a picture.
const MAX_PIXELS: u64 = 1 << 26;

/// The forms in which something can be saved: the name, what people call it, and the media type.
const FORMS: [(&str, &str, &str); 8] = [
    ("csv", "CSV", "text/csv; charset=utf-8"),
    ("data", "Data", "application/octet-stream"),
    ("file", "The file itself", "application/octet-stream"),
    ("glb", "GLB", "model/gltf-binary"),
    ("json", "JSON", "application/json"),
    ("parquet", "Parquet", "application/octet-stream"),
    ("png", "PNG", "image/png"),
    ("tmx", "Tiled map (ZIP)", "application/zip"),
];

/// A file that the page offers.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Download"))]
pub(super) struct Link {
    label: &'static str,
    href: String,
    file: String,
}

/// What is asked for: the place and the form, and for some records of a table, which.
pub(super) type Query = BTreeMap<String, String>;

/// Returns the downloads of a place.
pub(super) fn links(opened: &Opened, node: &Node) -> Vec<Link> {
    let forms: &[&str] = match (opened.handle.asset(), node.kind) {
        (_, "world" | "model" | "part") => &["glb"],
        (_, "texture") | (Asset::Picture(_), _) => &["png"],
        (Asset::Database(_), "folder") => &[],
        (Asset::Table(_), _) => &["csv", "parquet", "json"],
        (Asset::Level(..), _) => &["tmx", "png", "json"],
        (Asset::Data(_), _) => &["data"],
        _ => &["json"],
    };
    // A directory has no bytes of its own, and data is a download already.
    let is_whole = node.path.is_empty() && opened.handle.at() == At::Whole && !forms.contains(&"data");
    let file: &[&str] = if is_whole { &["file"] } else { &[] };
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let link = |form: &&str| {
        let (to, label, _) = FORMS.into_iter().find(|(name, ..)| name == form)?;
        let href = format!("/api/download?at={}&path={}&to={to}", encode(&node.at), encode(&node.path));
        Some(Link { label, href, file: name(&node.name, to) })
    };
    forms.iter().chain(file).filter_map(link).collect()
}

/// Returns the name of a saved file.
fn name(of: &str, to: &str) -> String {
    let of = file_name(of.as_bytes());
    let stem = of.rsplit_once('.').map_or(&*of, |(stem, _)| stem);
    match to {
        "data" | "file" => of,
        "tmx" => format!("{stem}.zip"),
        _ => format!("{stem}.{to}"),
    }
}

/// Sends a file while it is made.
pub(super) async fn download(
    Extract(shared): Extract<Shared>,
    query: Result<Ask<Query>, QueryRejection>,
) -> Result<Response<Body>, Failed> {
    let Ask(query) = query?;
    let get = |name: &str| query.get(name).cloned().unwrap_or_default();
    let (place, to) = (Place { at: get("at"), path: get("path") }, get("to"));
    let form = FORMS.into_iter().find(|(name, ..)| *name == to);
    let (to, _, media) = form.ok_or_else(|| Failed::invalid("there is no download of this kind"))?;
    let last = place.at.rsplit('/').next().unwrap_or_default();
    let part = place.path.rsplit([':', '/']).next().filter(|part| !part.is_empty());
    let stem = percent_encoding::percent_decode_str(part.unwrap_or(last)).decode_utf8_lossy();
    let file = name(&stem, to);
    let records = table::Query::try_from(query).map_err(Failed::invalid)?;
    work::stream(Stream::File, (media, Some(file)), move |out| {
        if to == "csv" && !records.is_whole() {
            return table::csv(&shared, &records, out);
        }
        write(&shared, &place, to, out)
    })
    .await
}

/// A world, model or part.
pub(super) fn glb(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    whole(state, place, ("glb", "model/gltf-binary"), cancel)
}

/// A texture or picture.
pub(super) fn picture(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    whole(state, place, ("png", "image/png"), cancel)
}

fn whole(
    state: &State,
    place: &Place,
    (to, media): (&str, &'static str),
    cancel: &CancelToken,
) -> Result<Answer, Failed> {
    let mut out = cancel.buffer();
    write(state, place, to, &mut out)?;
    Ok(Answer::new(media, out.into_bytes()))
}

/// Writes a place in a form.
fn write(state: &State, place: &Place, to: &str, out: &mut (impl Write + Send)) -> Result<(), Failed> {
    let opened = state.open(&place.at)?;
    let handle = &opened.handle;
    match (handle.asset(), to) {
        (_, "file") => out.write_all(handle.part().bytes())?,
        (Asset::Data(source), "data") => out.write_all(source.bytes())?,
        (Asset::Database(_) | Asset::Textures(_), "glb" | "png") => {
            let catalog = state.catalog(&opened)?;
            let item = catalog.find(&place.path).map(|item| &catalog.items[item]);
            let item = item.ok_or_else(|| Failed::missing("there is no such part"))?;
            if matches!(item.what, Some(Item::Texture(_))) != (to == "png") {
                return Err(Failed::invalid(format_args!("a {} cannot be saved as {to}", item.node("").kind)));
            }
            write_item(handle, item, state.encoding, out)?;
        }
        (_, "tmx") => {
            let mut archive = ZipWriter::new_stream(out);
            outputs(state, &opened, (place, to), |name, fill| {
                // Pictures and the layers of maps are compressed already.
                let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
                archive.start_file(name, options).map_err(io::Error::from)?;
                fill(&mut archive)?;
                Ok(true)
            })?;
            archive.finish().map_err(io::Error::from)?;
        }
        // The first output is what the asset is in this form.
        _ => outputs(state, &opened, (place, to), |_, fill| Ok(fill(out).map(|()| false)?))?,
    }
    // Never a file whose end came from pages that were not there.
    Ok(handle.part().file().check()?)
}

/// Passes the outputs of a place to `each`, until it returns `false`. Returns an error if there is none.
fn outputs(
    state: &State,
    opened: &Arc<Opened>,
    (place, to): (&Place, &str),
    each: impl FnMut(&str, Fill<'_>) -> Result<bool, Failed>,
) -> Result<(), Failed> {
    let handle = &opened.handle;
    let kinds: Vec<_> = OutputKind::named(to).into_iter().collect();
    let options = Options { encoding: state.encoding, ..Options::default() };
    let mut sink = Each { each, result: None };
    match (handle.asset(), to) {
        (Asset::Level(..), _) => {
            let session = state.level(&place.at)?;
            let pictures = png::Options::default().game(session.pictures());
            handle.outputs(&kinds, &Options { pictures, ..options }, &mut sink);
        }
        (Asset::Picture(picture), "png") => {
            // The palette of a picture can be another file of its archive.
            let archive = state.open_file(&opened.path, b"").ok();
            let file = archive.as_ref().and_then(|archive| archive.handle.rez()?.by_path(&opened.inside));
            let pictures = png::Options::default().max_pixels(MAX_PIXELS);
            let (options, mut folders) = (Options { pictures, ..options }, PartFolders::default());
            // Pixels that end early are shown as far as they go; the findings say so.
            outputs::picture(*picture, file, 0, &options, &mut folders, &mut sink);
        }
        (Asset::Archive(archive), "json") => outputs::archive(archive, "", &|_| false, &mut sink),
        (Asset::Rez(archive), "json") => {
            let directory = handle.directory().unwrap_or_else(|| archive.root());
            let (kinds, mut folders) = ([OutputKind::Members], PartFolders::default());
            outputs::directory(directory, &|_| false, &kinds, &options, &mut folders, &mut sink);
        }
        (Asset::Table(_) | Asset::Database(_) | Asset::Textures(_), _) => {
            handle.outputs(&kinds, &options, &mut sink);
        }
        _ => {}
    }
    let cannot = || Err(Failed::invalid(format_args!("a {} cannot be saved as {to}", handle.kind())));
    sink.result.unwrap_or_else(cannot).map(drop)
}

/// What is done with each output, until it fails or no more are wanted.
struct Each<W> {
    each: W,
    result: Option<Result<bool, Failed>>,
}

impl<W> Each<W> {
    const fn has_ended(&self) -> bool {
        matches!(self.result, Some(Ok(false) | Err(_)))
    }
}

impl<W: FnMut(&str, Fill<'_>) -> Result<bool, Failed>> Sink for Each<W> {
    fn one(&mut self, output: Output<'_>, fill: Fill<'_>) -> bool {
        if !self.has_ended() {
            self.result = Some((self.each)(&output.name, fill));
        }
        !self.has_ended()
    }

    fn note(&mut self, note: Note<'_>) {
        if let (Note::Failed(_, error), false) = (note, self.has_ended()) {
            self.result = Some(Err(error.into()));
        }
    }
}
