//! What can be saved: what `worldview export` writes.

use std::io::{self, Write as _};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as Ask, State as Extract};
use axum::http::Response;
use serde::{Deserialize, Serialize};
use worldview::Asset;
use worldview_export::level::png;
use worldview_export::names::file_name;
use worldview_export::outputs::{Fill, Note, Options as ExportOptions, Output, OutputKind, Sink};
use worldview_inspect::Options;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::answer::Failed;
use crate::catalog::write_glb;
use crate::files::Opened;
use crate::places::Node;
use crate::state::{Shared, State};
use crate::work::{self, Sender, Stream};

/// A file that the page offers.
#[derive(Serialize)]
pub(super) struct Link {
    label: &'static str,
    href: String,
    file: String,
}

#[derive(Deserialize)]
pub(super) struct Query {
    at: String,
    #[serde(default)]
    path: String,
    to: String,
}

/// Returns the downloads of a place.
pub(super) fn links(_: &State, opened: &Opened, node: &Node) -> Vec<Link> {
    let kinds: &[(&str, &str)] = match (opened.handle.asset(), node.kind) {
        (_, "world" | "model" | "part") => &[("GLB", "glb")],
        (_, "texture") | (Asset::Picture(_), _) => &[("PNG", "png")],
        (Asset::Database(_), "folder") => &[],
        (Asset::Table(_), _) => &[("CSV", "csv"), ("Parquet", "parquet"), ("JSON", "json")],
        (Asset::Level(..), _) => &[("Tiled map (ZIP)", "tmx"), ("PNG", "png"), ("JSON", "json")],
        (Asset::Data(_), _) => &[("Data", "data")],
        _ => &[("JSON", "json")],
    };
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let link = |&(label, to): &(&'static str, &'static str)| {
        let href = format!("/api/download?at={}&path={}&to={to}", encode(&node.at), encode(&node.path));
        Link { label, href, file: name(&node.name, to) }
    };
    kinds.iter().map(link).collect()
}

/// Returns the name of a saved file.
fn name(of: &str, to: &str) -> String {
    let of = file_name(of.as_bytes());
    match to {
        "data" => of,
        "tmx" => format!("{}.zip", of.rsplit_once('.').map_or(&*of, |(stem, _)| stem)),
        _ => format!("{}.{to}", of.rsplit_once('.').map_or(&*of, |(stem, _)| stem)),
    }
}

/// Sends a file while it is made.
pub(super) async fn download(
    Extract(shared): Extract<Shared>,
    query: Result<Ask<Query>, QueryRejection>,
) -> Response<Body> {
    let query = match query {
        Ok(Ask(query)) => query,
        Err(error) => return Failed::invalid(error).respond(),
    };
    let media = match &*query.to {
        "csv" => "text/csv; charset=utf-8",
        "glb" => "model/gltf-binary",
        "json" => "application/json",
        "png" => "image/png",
        "tmx" => "application/zip",
        "data" | "parquet" => "application/octet-stream",
        _ => return Failed::invalid("there is no download of this kind").respond(),
    };
    let last = query.at.rsplit('/').next().unwrap_or_default();
    let part = query.path.rsplit([':', '/']).next().filter(|part| !part.is_empty());
    let stem = percent_encoding::percent_decode_str(part.unwrap_or(last)).decode_utf8_lossy();
    let file = name(&stem, &query.to);
    work::stream(Stream::File, (media, Some(file)), move |out| {
        let opened = shared.open(&query.at)?;
        write(&shared, &opened, &query, out)
    })
    .await
}

fn write(state: &State, opened: &Arc<Opened>, query: &Query, out: &mut Sender) -> Result<(), Failed> {
    let handle = &opened.handle;
    let kinds: Vec<_> = OutputKind::named(&query.to).into_iter().collect();
    let options = ExportOptions { encoding: state.encoding, ..ExportOptions::default() };
    match (handle.asset(), &*query.to) {
        (Asset::Table(_), "csv" | "parquet") => {
            one(&format!("records.{}", query.to), out, |sink| handle.outputs(&kinds, &options, sink))?;
        }
        (Asset::Database(_), "glb") => {
            let catalog = state.catalog(opened)?;
            let item = catalog.find(&query.path).ok_or_else(|| Failed::missing("there is no such model"))?;
            write_glb(handle, &catalog.items[item], state.encoding, out)?;
        }
        (Asset::Level(..), "png" | "tmx") => {
            let session = state.level(&query.at)?;
            let pictures = png::Options::default().game(session.pictures());
            let options = ExportOptions { pictures, ..options };
            let outputs = |sink: &mut dyn Sink| handle.outputs(&kinds, &options, sink);
            if query.to == "tmx" { zip(out, outputs)? } else { one("level.png", out, outputs)? }
        }
        (_, "png") => {
            let png = super::model::png_of(state, opened, &query.path, &out.cancel().clone())?;
            out.write_all(&png)?;
        }
        (Asset::Data(source), "data") => out.write_all(source.bytes())?,
        (_, "json") => {
            let options = Options { encoding: state.encoding, ..Options::default() };
            if !handle.write_json(&options, out)? {
                return Err(Failed::invalid("has nothing that JSON could contain"));
            }
        }
        (_, to) => return Err(Failed::invalid(format_args!("a {} cannot be saved as {to}", handle.kind()))),
    }
    // Never a file whose end came from pages that were not there.
    Ok(opened.handle.part().file().check()?)
}

/// Sends the output that has a name.
fn one(name: &str, out: &mut Sender, outputs: impl FnOnce(&mut dyn Sink)) -> Result<(), Failed> {
    all(|found, fill| if found == name { Ok(fill(out)?) } else { Ok(()) }, outputs)
}

/// Sends all outputs in a ZIP archive, while it is made.
fn zip(out: &mut Sender, outputs: impl FnOnce(&mut dyn Sink)) -> Result<(), Failed> {
    let mut archive = ZipWriter::new_stream(out);
    let write = |name: &str, fill: Fill<'_>| {
        // Pictures and the layers of maps are compressed already.
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive.start_file(name, options).map_err(io::Error::from)?;
        Ok(fill(&mut archive)?)
    };
    all(write, outputs)?;
    archive.finish().map_err(io::Error::from)?;
    Ok(())
}

fn all(
    write: impl FnMut(&str, Fill<'_>) -> Result<(), Failed>,
    outputs: impl FnOnce(&mut dyn Sink),
) -> Result<(), Failed> {
    let mut sent = Sent { write, result: Ok(()) };
    outputs(&mut sent);
    sent.result
}

/// What is done with each output, until it fails.
struct Sent<W> {
    write: W,
    result: Result<(), Failed>,
}

impl<W: FnMut(&str, Fill<'_>) -> Result<(), Failed>> Sink for Sent<W> {
    fn one(&mut self, output: Output<'_>, fill: Fill<'_>) -> bool {
        if self.result.is_ok() {
            self.result = (self.write)(&output.name, fill);
        }
        self.result.is_ok()
    }

    fn note(&mut self, note: Note<'_>) {
        if let (Note::Failed(_, error), Ok(())) = (note, &self.result) {
            self.result = Err(error.into());
        }
    }
}
