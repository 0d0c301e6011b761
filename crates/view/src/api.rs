//! What the page can ask for. `web/src/api.ts` has the same shapes.

pub(crate) use children::Filter;

mod about;
mod children;
mod compare;
mod damage;
mod download;
mod edit;
mod fields;
mod level;
mod search;
mod table;

use axum::Router;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Json, Query, State as Extract};
use axum::http::{HeaderMap, header};
use axum::routing::{MethodRouter, get, post};
use serde::de::DeserializeOwned;

use crate::answer::{Answer, Failed};
use crate::state::{Shared, State};
use crate::work::{self, CancelToken, Sender, Stream};

/// The maximum size of a posted question, in bytes.
const MAX_POSTED: usize = 8 << 20;

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/session", whole(children::session))
        .route("/alive", get(async || Answer::empty().respond(None)))
        .route("/children", whole(children::children))
        .route("/about", whole(about::about))
        .route("/damage", posted(damage::damage))
        .route("/model.glb", whole(download::glb))
        .route("/picture.png", whole(download::picture))
        .route("/level", whole(level::level))
        .route("/level/at", whole(level::at))
        .route("/level/edits", posted(level::edits))
        .route("/level/cell", whole(level::cell))
        .route("/level/object", whole(level::object))
        .route("/level/objects", whole(level::objects))
        .route("/level/tile.png", whole(level::tile))
        .route("/level/thumbnail.png", whole(level::thumbnail))
        .route("/fields", whole(fields::fields))
        .route("/fields/way", whole(fields::way))
        .route("/bytes", whole(fields::bytes))
        .route("/locate", whole(fields::locate_byte))
        .route("/find", lines(search::find))
        .route("/findings", lines(search::check))
        .route("/download", get(download::download))
        .route("/table", whole(table::table))
        .route("/table/rows", whole(table::rows))
        .route("/table/find", whole(table::find))
        .route("/table/column", whole(table::column))
        .route("/table/values", whole(table::values))
        .route("/table/cell", whole(table::cell))
        .route("/compare", lines(compare::all))
        .route("/compare/diff", lines(compare::two))
        .route("/edit/check", posted(edit::check))
        .route("/edit/changes", posted(edit::changes))
        .route("/edit/apply", post(edit::apply).layer(DefaultBodyLimit::max(MAX_POSTED)))
        .fallback(|| async { Failed::missing("the viewer has no such answer") })
}

/// A request that is answered at once.
fn whole<Q>(answer: fn(&State, &Q, &CancelToken) -> Result<Answer, Failed>) -> MethodRouter<Shared>
where
    Q: DeserializeOwned + Send + 'static,
{
    get(async move |Extract(shared): Extract<Shared>, query: Result<Query<Q>, QueryRejection>, headers: HeaderMap| {
        let Query(query) = query?;
        let known = headers.get(header::IF_NONE_MATCH).cloned();
        work::run(known, move |cancel| answer(&shared, &query, cancel)).await
    })
}

/// A request that is answered by lines of JSON, as they are found.
fn lines<Q>(answer: fn(&State, &Q, &mut Sender) -> Result<(), Failed>) -> MethodRouter<Shared>
where
    Q: DeserializeOwned + Send + 'static,
{
    get(async move |Extract(shared): Extract<Shared>, query: Result<Query<Q>, QueryRejection>| {
        let Query(query) = query?;
        let media = ("application/x-ndjson", None);
        work::stream(Stream::Lines, media, move |out| answer(&shared, &query, out)).await
    })
}

/// A posted request that is answered at once.
fn posted<Q>(answer: fn(&State, &Q, &CancelToken) -> Result<Answer, Failed>) -> MethodRouter<Shared>
where
    Q: DeserializeOwned + Send + 'static,
{
    let respond = async move |Extract(shared): Extract<Shared>, body: Result<Json<Q>, JsonRejection>| {
        let Json(body) = body?;
        work::run(None, move |cancel| answer(&shared, &body, cancel)).await
    };
    post(respond).layer(DefaultBodyLimit::max(MAX_POSTED))
}

/// What the page has to know of the answers.
#[cfg(test)]
pub(crate) mod types {
    use ts_rs::{Config, TS as _};

    use super::{about, children, compare, damage, download, edit, fields, level, search, table};
    use crate::places::Node;

    /// The views that a place can have.
    pub(crate) const VIEWS: [&str; 8] = about::VIEWS;

    /// Returns the declarations of everything that is sent as JSON.
    pub(crate) fn declarations(config: &Config) -> String {
        macro_rules! declarations {
            ($($sent:ty),* $(,)?) => { [$(format!("\nexport {}\n", <$sent>::decl(config))),*].concat() };
        }
        declarations![
            Node,
            children::Session<'_>,
            children::Document,
            download::Link,
            about::Length,
            about::Document,
            damage::Damage,
            fields::Row,
            fields::Document,
            search::Hit,
            search::Found,
            search::Done,
            search::Finding,
            table::LinkedTable,
            table::Head,
            table::Document,
            table::RowDocument,
            table::RowsDocument,
            table::RecordPosition,
            table::Values,
            table::LinkedRecord,
            table::CellDocument,
            level::PlaneInfo,
            level::Pictures,
            level::Document,
            level::PictureName,
            level::ObjectDocument,
            level::Part,
            level::CellDocument,
            level::Target,
            level::Edited,
            compare::PairLine,
            compare::Line<'_>,
            compare::TwoDone,
            edit::Counts,
            edit::Checked,
            edit::Document,
        ]
    }
}
