//! One page that holds everything to look through: pictures, models that turn, tables, and links to the exported files.
//!
//! The page needs no network and no other file. It is written as its entries come, and holds none of them in memory.
//! A browser makes elements of those only that are near what is to be seen, so that it stays quick with thousands.
//!
//! What comes from a file is data in the page and never markup: entries are JSON in blocks that are no scripts, in
//! which nothing can end the block. Only the page's own script and style may run, by their hashes, and nothing may be
//! loaded.
//!
//! `page.html#7` is the page with its seventh entry open.

mod escape;

use std::fmt;
use std::io::Write;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Result;
use escape::{html, json, path};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// What there is before the script has made anything of it.
const FRAME: &str = include_str!("html/page.html");

/// A page that is being written; a page that is not [finished](Page::finish) shows nothing.
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
}

impl<W: Write> fmt::Debug for Page<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}

/// An entry of a page: a card among the others, and a page of its own when it is opened.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// What it is, by which it can be filtered: `level`, `table`, `archive`, `database`, `world`, `model`, `part`,
    /// `texture`, or any other word.
    pub kind: &'e str,
    /// What it is called.
    pub title: &'e str,
    /// The file that it comes from.
    pub source: &'e str,
    /// What is known of it: names and values.
    pub facts: &'e [(&'e str, String)],
    /// What it looks like.
    pub picture: Option<Picture<'e>>,
    /// What is in it, as a table.
    pub rows: Option<Rows<'e>>,
    /// What it was exported to: labels, and paths from the page's folder, with `/` between their parts and nothing
    /// encoded.
    pub links: &'e [(&'e str, &'e str)],
}

impl<'e> Entry<'e> {
    /// Returns an entry of this kind, title and source file, and nothing else.
    pub const fn new(kind: &'e str, title: &'e str, source: &'e str) -> Self {
        Self { kind, title, source, facts: &[], picture: None, rows: None, links: &[] }
    }

    /// Sets what is known of it: names and values.
    #[must_use]
    pub const fn facts(mut self, facts: &'e [(&'e str, String)]) -> Self {
        self.facts = facts;
        self
    }

    /// Sets its picture.
    #[must_use]
    pub fn picture(mut self, picture: impl Into<Option<Picture<'e>>>) -> Self {
        self.picture = picture.into();
        self
    }

    /// Sets its rows.
    #[must_use]
    pub fn rows(mut self, rows: impl Into<Option<Rows<'e>>>) -> Self {
        self.rows = rows.into();
        self
    }

    /// Sets what it was exported to: labels, and paths from the page's folder.
    #[must_use]
    pub const fn links(mut self, links: &'e [(&'e str, &'e str)]) -> Self {
        self.links = links;
        self
    }
}

/// The picture of an entry.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub enum Picture<'e> {
    /// A picture that is just that.
    Still {
        /// The file.
        png: &'e [u8],
        /// Whether its pixels are to stay sharp when it is enlarged.
        pixelated: bool,
    },
    /// Square pictures side by side, of something that turns a full circle; they show one after the other as the mouse
    /// moves.
    Strip {
        /// The file.
        png: &'e [u8],
        /// How many pictures there are in it.
        views: u32,
    },
}

impl fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, png) = match self {
            Self::Still { png, .. } => ("Still", png),
            Self::Strip { png, .. } => ("Strip", png),
        };
        f.debug_struct(name).field("bytes", &png.len()).finish_non_exhaustive()
    }
}

/// The rows of an entry, or the first of them.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rows<'e> {
    /// The names of the columns.
    pub columns: &'e [&'e str],
    /// The rows that the page has.
    pub rows: &'e [Vec<String>],
    /// How many there are in all; the page says so if it has fewer.
    pub total: u64,
}

impl<'e> Rows<'e> {
    /// Returns the rows that the page has, the names of their columns, and how many there are in all.
    pub const fn new(columns: &'e [&'e str], rows: &'e [Vec<String>], total: u64) -> Self {
        Self { columns, rows, total }
    }
}

/// An entry as it is in the page, all but the bytes of its picture.
#[derive(Serialize)]
struct Card<'e> {
    kind: &'e str,
    title: &'e str,
    source: &'e str,
    facts: &'e [(&'e str, String)],
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Look>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Rows<'e>>,
    links: Vec<(&'e str, String)>,
}

#[derive(Serialize)]
struct Look {
    views: u32,
    pixelated: bool,
}

impl<W: Write> Page<W> {
    /// Begins a page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn new(mut out: W, title: &str) -> Result<Self> {
        let title = html(title);
        let policy = format!(
            "default-src 'none'; img-src data:; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            hash(STYLE),
            hash(SCRIPT)
        );
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        )?;
        out.write_all(FRAME.replace("{title}", &title).as_bytes())?;
        Ok(Self { out })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails, after which the page is incomplete.
    pub fn entry(&mut self, entry: &Entry<'_>) -> Result<()> {
        let Entry { kind, title, source, facts, picture, rows, links } = *entry;
        let (look, png) = match picture {
            Some(Picture::Still { png, pixelated }) => (Some(Look { views: 1, pixelated }), png),
            Some(Picture::Strip { png, views }) => (Some(Look { views: views.max(1), pixelated: false }), png),
            None => (None, &[][..]),
        };
        let links = links.iter().map(|&(label, to)| (label, path(to))).collect();
        let is_drawn = look.is_some();
        let card = Card { kind, title, source, facts, picture: look, rows, links };
        writeln!(self.out, "<script type=\"application/json\" class=\"entry\">{}</script>", json(&card)?)?;
        if is_drawn {
            let png = Base64Display::new(png, &STANDARD);
            writeln!(self.out, "<script type=\"text/plain\" class=\"picture\">{png}</script>")?;
        }
        Ok(())
    }

    /// Ends the page with a summary for its top, names and values, and returns what it was written to.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn finish(mut self, summary: &[(&str, String)]) -> Result<W> {
        let summary = json(&summary)?;
        writeln!(self.out, "<script type=\"application/json\" id=\"summary\">{summary}</script>")?;
        write!(self.out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// What a policy knows an inline script or style by.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", Base64Display::new(&Sha256::digest(text), &STANDARD))
}
