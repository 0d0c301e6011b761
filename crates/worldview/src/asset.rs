use std::fmt;

use worldview_core::{Error, ErrorKind, Source, Space};
use worldview_island::Database;
use worldview_wpd::{Archive, Nesting, Schemas, Table, TableOptions};
use worldview_wwd::{Level, Unpacked, Unpacker};

use crate::{Container, Format};

/// What a file is, or a part of an archive, opened: for tools that meet files of every kind.
///
/// `'v` is how long the view is lent, `'a` how long the bytes live that it looks into.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Asset<'v, 'a> {
    /// A WWD level, and the unpacked file it lies in.
    Level(&'v Level<'a>, &'v Unpacked<'a>),
    /// A WDB table.
    Table(&'v Table<'a>),
    /// A WPD archive that is no table.
    Archive(&'v Archive<'a>),
    /// WORLD.WDB.
    Database(&'v Database<'a>),
}

impl Asset<'_, '_> {
    /// The kind's name: `level`, `table`, `archive` or `database`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Level(..) => "level",
            Self::Table(_) => "table",
            Self::Archive(_) => "archive",
            Self::Database(_) => "database",
        }
    }
}

/// Why bytes are no asset.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// They are of no format that worldview reads.
    Unknown,
    /// They are a container that must be unpacked first.
    Container(Container),
    /// They are, and broken.
    Format(Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("is of no known format"),
            Self::Container(container) => f.write_str(container.advice()),
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unknown | Self::Container(_) => None,
            Self::Format(error) => Some(error),
        }
    }
}

impl OpenError {
    /// What there is to say of bytes, the first of a file at least, that are of no format.
    pub(crate) fn unknown(start: &[u8]) -> Self {
        Container::sniff(start).map_or(Self::Unknown, Self::Container)
    }
}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

/// How files of any kind are opened: a small policy value with the bounds that a caller can move.
#[derive(Clone, Copy, Debug)]
pub struct Opener<'s> {
    unpacker: Unpacker,
    deepest: u32,
    schemas: Option<&'s Schemas>,
    lossy: bool,
}

impl Default for Opener<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s> Opener<'s> {
    /// Strict, with the bounds of [`Unpacker::new`] and [`Nesting::DEEPEST`], and the field names that are built in.
    pub const fn new() -> Self {
        Self { unpacker: Unpacker::new(), deepest: Nesting::DEEPEST, schemas: None, lossy: false }
    }

    /// How levels are unpacked, with the bound on what one may inflate to.
    #[must_use]
    pub const fn unpacker(self, unpacker: Unpacker) -> Self {
        Self { unpacker, ..self }
    }

    /// How deep archives inside archives are opened; 0 opens the outermost alone.
    #[must_use]
    pub const fn max_depth(self, deepest: u32) -> Self {
        Self { deepest, ..self }
    }

    /// Field names for tables that have none, which go before those built in.
    #[must_use]
    pub const fn schemas(self, schemas: &'s Schemas) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Opens all that can be opened: only a broken header or directory is an error then, and a part out of range is empty.
    #[must_use]
    pub const fn lossy(self, lossy: bool) -> Self {
        Self { lossy, ..self }
    }

    /// Opens a file and hands it to `visit`, and after an archive all tables and archives in it, however deep.
    ///
    /// `visit` gets the way to each inside the file, member names joined by `/`, empty for the file itself; and the asset,
    /// or why there is none, which ends nothing but that part. `file_name` tells the field names of some tables.
    /// `scratch` is what the strict door inflates a packed level into; the lossy one takes memory of its own.
    pub fn open(
        &self,
        bytes: &[u8],
        file_name: &str,
        scratch: &mut Vec<u8>,
        visit: &mut dyn FnMut(&str, Result<Asset<'_, '_>, OpenError>),
    ) {
        match Format::sniff(bytes) {
            Some(Format::Wwd) => self.level(bytes, scratch, visit),
            Some(Format::Wpd) => self.archive(bytes, file_name, visit),
            Some(Format::Island) => {
                let database =
                    if self.lossy { Database::parse_lossy(bytes, &mut |_| {}) } else { Database::parse(bytes) };
                hand_over("", database.as_ref().map(Asset::Database), visit);
            }
            None => visit("", Err(OpenError::unknown(bytes))),
        }
    }

    fn level(&self, bytes: &[u8], scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let file = if self.lossy {
            self.unpacker.unpack_lossy(bytes, &mut |_| {})
        } else {
            self.unpacker.unpack_in(bytes, scratch)
        };
        let level = file.as_ref().map_err(|error| *error).and_then(|file| {
            let level = if self.lossy { Level::parse_lossy(file, &mut |_| {}) } else { Level::parse(file) };
            level.map(|level| (level, file))
        });
        hand_over("", level.as_ref().map(|(level, file)| Asset::Level(level, file)), visit);
    }

    fn archive(&self, bytes: &[u8], file_name: &str, visit: Visit<'_>) {
        let source = Source::new(bytes, Space::File);
        match self.parse(source) {
            Ok(archive) => {
                let nesting = Nesting::new(&archive).deepest(self.deepest);
                Walk { opener: self, nesting, visit }.archive(&archive, "", file_name, 0);
            }
            Err(error) => visit("", Err(error.into())),
        }
    }

    fn parse<'a>(&self, source: Source<'a>) -> worldview_core::Result<Archive<'a>> {
        if self.lossy { Archive::parse_lossy(source, &mut |_| {}) } else { Archive::parse_at(source) }
    }
}

type Visit<'v> = &'v mut dyn FnMut(&str, Result<Asset<'_, '_>, OpenError>);

fn hand_over(inside: &str, opened: Result<Asset<'_, '_>, &Error>, visit: Visit<'_>) {
    visit(inside, opened.map_err(|error| OpenError::Format(*error)));
}

/// The way through nested archives.
struct Walk<'w> {
    opener: &'w Opener<'w>,
    nesting: Nesting,
    visit: Visit<'w>,
}

impl Walk<'_> {
    // As deep as the nesting allows, 16 archives by default.
    fn archive(&mut self, archive: &Archive<'_>, inside: &str, name: &str, depth: u32) {
        if archive.is_table() {
            let options = TableOptions::new().file_name(name);
            let options = match self.opener.schemas {
                Some(schemas) => options.schemas(schemas),
                None => options,
            };
            let table =
                if self.opener.lossy { options.table_lossy(*archive, &mut |_| {}) } else { options.table(*archive) };
            return hand_over(inside, table.as_ref().map(Asset::Table), self.visit);
        }
        (self.visit)(inside, Ok(Asset::Archive(archive)));
        for member in archive.members() {
            let entered = self.nesting.enter(&member, depth, &mut |_| {});
            // The strict door is for what is entered, too.
            let entered = match entered {
                Ok(Some(nested)) if !self.opener.lossy => self.opener.parse(nested.source()).map(Some),
                entered => entered,
            };
            if matches!(entered, Ok(None)) {
                continue;
            }
            let mut label = String::from_utf8_lossy(member.name()).into_owned();
            if !member.extension().is_empty() {
                label.push('.');
                label.push_str(&String::from_utf8_lossy(member.extension()));
            }
            let way = if inside.is_empty() { label.clone() } else { format!("{inside}/{label}") };
            match entered {
                Ok(Some(nested)) => self.archive(&nested, &way, &label, depth.saturating_add(1)),
                Ok(None) => {}
                Err(error) => {
                    (self.visit)(&way, Err(error.into()));
                    if matches!(error.kind, ErrorKind::Limit { .. }) {
                        // The others would be told the same.
                        return;
                    }
                }
            }
        }
    }
}

worldview_core::assert_send_sync!(Asset<'_, '_>, OpenError, Opener<'_>);
