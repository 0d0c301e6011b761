//! What can be saved: what `worldview export` writes.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as Ask, State as Extract};
use axum::http::Response;
use serde::{Deserialize, Serialize};
use worldview::Asset;
use worldview_export::names::file_name;
use worldview_export::table::{Selection, csv, parquet};
use worldview_inspect::Options;

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
    match (handle.asset(), &*query.to) {
        (Asset::Table(table), "csv") => csv::records(table, &Selection::ALL, out)?,
        (Asset::Table(table), "parquet") => parquet::records(table, &Selection::ALL, out)?,
        (Asset::Database(_), "glb") => {
            let catalog = state.catalog(opened)?;
            let item = catalog.find(&query.path).ok_or_else(|| Failed::missing("there is no such model"))?;
            write_glb(handle, catalog.items[item].what, state.encoding, out)?;
        }
        (Asset::Level(..), "png") => super::level::png(state, &query.at, out)?,
        (_, "png") => {
            let png = super::model::png_of(state, opened, &query.path, &out.cancel().clone())?;
            std::io::Write::write_all(out, &png)?;
        }
        (Asset::Level(..), "tmx") => super::level::tmx(state, &query.at, out)?,
        (Asset::Data(source), "data") => std::io::Write::write_all(out, source.bytes())?,
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
