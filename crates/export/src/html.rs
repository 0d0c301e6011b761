//! A single HTML page for browsing the results of an export: pictures, models, tables, and links to the exported
//! files.
//!
//! The page needs neither a network connection nor other files. Entries are written as they arrive, and are not held
//! in memory. The browser only creates elements for the entries near the visible area, so the page stays responsive
//! with thousands of them. It inflates a model when its entry comes into view or is opened, and draws it with the
//! [`MODEL_SCRIPT`] of the viewer.
//!
//! Text from a file is always data in the page, never markup: entries are JSON in non-script blocks, escaped so that
//! they cannot end the block. A content security policy only allows the page's own scripts and style, identified by
//! their hashes, and no loading of resources.
//!
//! `page.html#7` is the page with its seventh entry open.

mod escape;
mod model;

use std::fmt;
use std::io::Write;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Result;
use escape::{html, json, path};
use model::Contents;

pub use model::Model;

/// The script that shows models, with three.js: an ES module without dependencies.
///
/// It exports the function `showModel(host, glb)`, which shows the GLB in an `ArrayBuffer` inside of the element
/// `host`, and returns an object whose method `destroy` ends that. `drawThumbnail(canvas, glb)` draws a small picture, where
/// `glb` is a function that returns a promise of the GLB. Both are in `globalThis.worldviewModel`, too, for scripts that
/// cannot import. The other export, `mountModel`, is for the page of `worldview view`.
///
/// The file is built from `crates/view/web`, and ends with the licenses of the libraries in it.
pub const MODEL_SCRIPT: &str = include_str!("html/model.js");

/// What the viewer and the page have in common: colors, buttons, and the style of the model view. It is built from
/// `crates/view/web`, too.
const SHARED_STYLE: &str = include_str!("html/model.css");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The page before its script has run.
const FRAME: &str = include_str!("html/page.html");

/// A page that is being written. A page that is not [finished](Page::finish) shows nothing.
///
/// ```
/// use worldview_export::html::{Entry, Page, Rows};
///
/// let mut page = Page::new(Vec::new(), "My files")?;
/// let rows = [vec!["potion".to_owned(), "50".to_owned()]];
/// let entry = Entry::new("table", "Items", "items.wdb").rows(Rows::new(&["record", "iPrice"], &rows, 1));
/// page.entry(&entry.links(&[("CSV", "items.wdb/records.csv")]))?;
/// let html = page.finish(&[("files", "1".to_owned())])?;
/// assert!(html.starts_with(b"<!doctype html>"));
/// # Ok::<(), worldview_export::Error>(())
/// ```
pub struct Page<W: Write> {
    out: W,
    /// The size of the models so far.
    models: u64,
}

impl<W: Write> fmt::Debug for Page<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}

/// An entry of a page: a card in the overview, and a page of its own when opened.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// The kind of the entry, by which it can be filtered: `level`, `table`, `archive`, `database`, `world`, `model`,
    /// `part`, `texture`, or any other word.
    pub kind: &'e str,
    /// The title.
    pub title: &'e str,
    /// The file that the entry comes from.
    pub source: &'e str,
    /// Facts about the entry: names and values.
    pub facts: &'e [(&'e str, String)],
    /// The picture.
    pub picture: Option<Picture<'e>>,
    /// The model. The browser draws its picture if there is none, and shows the model when the entry is opened.
    pub model: Option<&'e Model>,
    /// What colors in the picture mean: names, and red, green and blue.
    pub legend: &'e [(&'e str, [u8; 3])],
    /// The contents as a table.
    pub rows: Option<Rows<'e>>,
    /// Links to the exported files: labels, and paths relative to the page's folder, separated by `/` and not
    /// percent-encoded.
    pub links: &'e [(&'e str, &'e str)],
}

impl<'e> Entry<'e> {
    /// Creates an entry with only a kind, a title and a source file.
    pub const fn new(kind: &'e str, title: &'e str, source: &'e str) -> Self {
        Self { kind, title, source, facts: &[], picture: None, model: None, legend: &[], rows: None, links: &[] }
    }

    /// Sets the facts: names and values.
    #[must_use]
    pub const fn facts(mut self, facts: &'e [(&'e str, String)]) -> Self {
        self.facts = facts;
        self
    }

    /// Sets the picture.
    #[must_use]
    pub fn picture(mut self, picture: impl Into<Option<Picture<'e>>>) -> Self {
        self.picture = picture.into();
        self
    }

    /// Sets the model, which the browser draws.
    #[must_use]
    pub fn model(mut self, model: impl Into<Option<&'e Model>>) -> Self {
        self.model = model.into();
        self
    }

    /// Sets what colors in the picture mean.
    #[must_use]
    pub const fn legend(mut self, legend: &'e [(&'e str, [u8; 3])]) -> Self {
        self.legend = legend;
        self
    }

    /// Sets the rows.
    #[must_use]
    pub fn rows(mut self, rows: impl Into<Option<Rows<'e>>>) -> Self {
        self.rows = rows.into();
        self
    }

    /// Sets the links to the exported files: labels, and paths relative to the page's folder.
    #[must_use]
    pub const fn links(mut self, links: &'e [(&'e str, &'e str)]) -> Self {
        self.links = links;
        self
    }
}

/// The picture of an entry.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Picture<'e> {
    /// The PNG file.
    pub png: &'e [u8],
    /// Whether pixels stay sharp when the picture is enlarged.
    pub pixelated: bool,
}

impl<'e> Picture<'e> {
    /// Creates a picture from a PNG file. Its pixels are smoothed when it is enlarged.
    pub const fn new(png: &'e [u8]) -> Self {
        Self { png, pixelated: false }
    }

    /// Sets whether pixels stay sharp when the picture is enlarged.
    #[must_use]
    pub const fn pixelated(mut self, is_sharp: bool) -> Self {
        self.pixelated = is_sharp;
        self
    }
}

impl fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { png, pixelated } = self;
        f.debug_struct("Picture").field("bytes", &png.len()).field("pixelated", pixelated).finish()
    }
}

/// The rows of an entry, or the first of them.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rows<'e> {
    /// The names of the columns.
    pub columns: &'e [&'e str],
    /// The rows to include in the page.
    pub rows: &'e [Vec<String>],
    /// The total number of rows. If the page includes fewer, it says so.
    pub total: u64,
}

impl<'e> Rows<'e> {
    /// Creates rows from the names of their columns, the rows to include in the page, and the total number of rows.
    pub const fn new(columns: &'e [&'e str], rows: &'e [Vec<String>], total: u64) -> Self {
        Self { columns, rows, total }
    }
}

/// An entry as stored in the page, without the bytes of its picture and its model, which follow in blocks of their own.
#[derive(Serialize)]
struct Card<'e> {
    kind: &'e str,
    title: &'e str,
    source: &'e str,
    facts: &'e [(&'e str, String)],
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Rendering>,
    /// Whether there is a model.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    model: bool,
    /// Why there is no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// Names, and colors as in CSS.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legend: Vec<(&'e str, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Rows<'e>>,
    links: Vec<(&'e str, String)>,
}

#[derive(Serialize)]
struct Rendering {
    pixelated: bool,
}

impl<W: Write> Page<W> {
    /// Starts a page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn new(mut out: W, title: &str) -> Result<Self> {
        let title = html(title);
        let style = format!("{SHARED_STYLE}{STYLE}");
        let policy = format!(
            "default-src 'none'; img-src data:; style-src {}; script-src {} {}; base-uri 'none'; form-action 'none'",
            hash(&style),
            hash(SCRIPT),
            hash(MODEL_SCRIPT),
        );
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        )?;
        out.write_all(FRAME.replace("{title}", &title).as_bytes())?;
        Ok(Self { out, models: 0 })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails. The page is then incomplete.
    pub fn entry(&mut self, entry: &Entry<'_>) -> Result<()> {
        let Entry { kind, title, source, facts, picture, model, legend, rows, links } = *entry;
        let look = picture.map(|Picture { pixelated, .. }| Rendering { pixelated });
        let (packed, note) = match model.map(|model| model.within(&mut self.models)) {
            Some(Contents::Packed(packed)) => (Some(packed), None),
            Some(Contents::LeftOut(why)) => (None, Some(*why)),
            None => (None, None),
        };
        let links = links.iter().map(|&(label, to)| (label, path(to))).collect();
        let legend = legend.iter().map(|&(name, [r, g, b])| (name, format!("#{r:02x}{g:02x}{b:02x}"))).collect();
        let card =
            Card { kind, title, source, facts, picture: look, model: packed.is_some(), note, legend, rows, links };
        writeln!(self.out, "<script type=\"application/json\" class=\"entry\">{}</script>", json(&card)?)?;
        let blocks = [("picture", picture.map(|picture| picture.png)), ("model", packed.map(Vec::as_slice))];
        for (class, bytes) in blocks {
            let Some(bytes) = bytes else { continue };
            let text = Base64Display::new(bytes, &STANDARD);
            writeln!(self.out, "<script type=\"text/plain\" class=\"{class}\">{text}</script>")?;
        }
        Ok(())
    }

    /// Ends the page with a summary of names and values, shown at the top, and returns the writer.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn finish(mut self, summary: &[(&str, String)]) -> Result<W> {
        let summary = json(&summary)?;
        writeln!(self.out, "<script type=\"application/json\" id=\"summary\">{summary}</script>")?;
        if self.models > 0 {
            writeln!(self.out, "<script type=\"module\">{MODEL_SCRIPT}</script>")?;
        }
        write!(self.out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the hash by which a content security policy identifies an inline script or style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", Base64Display::new(&Sha256::digest(text), &STANDARD))
}
