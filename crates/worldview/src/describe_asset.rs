//! Descriptions of assets, by which they are printed, searched and compared.

#[cfg(feature = "owned")]
use std::io::Write;

#[cfg(feature = "rez")]
use worldview_core::describe::{Flow, Visit};
use worldview_inspect::Root;
#[cfg(feature = "owned")]
use worldview_inspect::text;
#[cfg(all(feature = "json", feature = "owned"))]
use worldview_inspect::{Select, json};

#[cfg(feature = "owned")]
use crate::Handle;
use crate::{Asset, At, Options};

impl Asset<'_> {
    /// Calls `then` with the description. For an archive, this covers its members but not their contents, and for a record its
    /// whole table. Returns `None` for the headers of a level and for data in no known format.
    pub fn describe<T>(&self, at: At, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        let name = self.format().unwrap_or_default();
        Some(match self {
            #[cfg(feature = "wwd")]
            Self::Level(level, file) => {
                let described = crate::wwd::LevelDescription::new(file, level);
                then(&Root::new(name, level.image(), &described).besides(file.trailing().len() as u64))
            }
            #[cfg(feature = "wwd")]
            Self::Outline(_) => return None,
            #[cfg(feature = "wpd")]
            Self::Table(table) => then(&Root::new(name, table.archive().source(), table)),
            #[cfg(feature = "wpd")]
            Self::Archive(archive) => {
                let described = crate::wpd::ArchiveDescription::new(archive).max_depth(0);
                then(&Root::new(name, archive.source(), &described))
            }
            #[cfg(feature = "rez")]
            Self::Rez(rez) => {
                let described = crate::rez::RezDescription::new(rez).directory(self.directory(at)?).opens_files(false);
                then(&Root::new(name, rez.source(), &described))
            }
            #[cfg(feature = "rez")]
            Self::Picture(picture) => then(&Root::new(name, picture.source(), picture)),
            #[cfg(feature = "island")]
            Self::Database(database) => {
                let contents = crate::island::Contents::read(database);
                let described = crate::island::DatabaseDescription::new(database, &contents);
                then(&Root::new(name, database.source(), &described))
            }
            #[cfg(feature = "island")]
            Self::Textures(file) => then(&Root::new(name, file.source(), file)),
            Self::Data(_) => return None,
        })
    }

    /// Calls `then` with the descriptions by which parts of two assets are compared, as by `worldview diff`. What is nested in
    /// archives is opened as `options` say.
    ///
    /// Returns `None` if they are of different kinds or cannot be compared.
    pub fn compare<T>(
        &self,
        at: At,
        (other, other_at): (&Asset<'_>, At),
        options: &Options,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        match (self, other) {
            _ if matches!((at, other_at), (At::Record(_), _) | (_, At::Record(_))) => None,
            #[cfg(feature = "wpd")]
            (Self::Table(left), Asset::Table(right)) => Some(wpd::compare_tables(left, right, then)),
            #[cfg(feature = "wpd")]
            (Self::Archive(left), Asset::Archive(right)) => Some(wpd::compare_archives(left, right, options, then)),
            #[cfg(feature = "rez")]
            (Self::Rez(_), Asset::Rez(_)) => {
                Some(compare_directories(self.directory(at)?, other.directory(other_at)?, then))
            }
            // Archives of different formats are of one kind.
            _ if self.format() != other.format() => None,
            _ => self
                .describe(at, |left| {
                    other.describe(other_at, |right| then(&left.file(self.file()), &right.file(other.file())))
                })
                .flatten(),
        }
    }

    /// Returns the bytes that alone determine the description.
    fn file(&self) -> &[u8] {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(_, file) => file.file(),
            _ => self.source().bytes(),
        }
    }
}

#[cfg(feature = "wpd")]
mod wpd {
    use worldview_core::Source;
    use worldview_core::describe::Describe;
    use worldview_inspect::Root;
    use worldview_wpd::{Archive, ArchiveDescription, NameOrigin, Table, TableDescription};

    use crate::Options;

    /// Calls `then` with the descriptions of two tables. If only one of them has field names, fields are matched by their words.
    pub(super) fn compare_tables<T>(
        left: &Table<'_>,
        right: &Table<'_>,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> T {
        let is_nameless = |table: &Table<'_>| table.name_origin() == NameOrigin::Generated;
        let (mut left_body, mut right_body) = (TableDescription::new(left), TableDescription::new(right));
        if is_nameless(left) != is_nameless(right) {
            (left_body, right_body) = (left_body.by_words(), right_body.by_words());
        }
        let (left, right) = (left.archive().source(), right.archive().source());
        then(&whole("wdb", left, &left_body), &whole("wdb", right, &right_body))
    }

    /// Calls `then` with the descriptions of two archives and of the archives and tables in them.
    pub(super) fn compare_archives<T>(
        left: &Archive<'_>,
        right: &Archive<'_>,
        options: &Options,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> T {
        let mut left_body = ArchiveDescription::new(left).max_depth(options.max_depth);
        let mut right_body = ArchiveDescription::new(right).max_depth(options.max_depth);
        if let Some(schemas) = &options.schemas {
            (left_body, right_body) = (left_body.schemas(schemas), right_body.schemas(schemas));
        }
        let (left, right) = (left.source(), right.source());
        then(&whole("wpd", left, &left_body), &whole("wpd", right, &right_body))
    }

    /// Returns the root of a description that depends only on the bytes of `source`.
    const fn whole<'r>(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Root<'r> {
        Root::new(format, source, body).file(source.bytes())
    }
}

/// Calls `then` with the descriptions of two directories of REZ archives, and of the levels and pictures below them.
#[cfg(feature = "rez")]
fn compare_directories<T>(
    left: crate::rez::Directory<'_, '_>,
    right: crate::rez::Directory<'_, '_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let left_body = crate::rez::RezDescription::new(left.archive()).directory(left).contents(&level_in);
    let right_body = crate::rez::RezDescription::new(right.archive()).directory(right).contents(&level_in);
    then(
        &Root::new("rez", left.archive().source(), &left_body).besides(unpacked_size(left)),
        &Root::new("rez", right.archive().source(), &right_body).besides(unpacked_size(right)),
    )
}

/// Returns the number of bytes that the levels and pictures below a directory have when they are unpacked.
#[cfg(feature = "rez")]
fn unpacked_size(directory: crate::rez::Directory<'_, '_>) -> u64 {
    let unpacked = |file: crate::rez::File<'_, '_>| {
        #[cfg(feature = "wwd")]
        if file.is_level() {
            return crate::wwd::Unpacker::new().image_len(file.data());
        }
        crate::rez::Picture::decoded_len(&file)
    };
    directory.all_files().map(unpacked).fold(0, u64::saturating_add)
}

/// Describes a level in a REZ archive.
#[cfg(feature = "rez")]
fn level_in(file: &crate::rez::File<'_, '_>, visitor: &mut dyn Visit) -> Option<Flow> {
    #[cfg(feature = "wwd")]
    if file.is_level() {
        return crate::wwd::describe_file(file.source(), visitor);
    }
    None
}

/// Selects everything in a table, except for the bytes of its sections and the string pool, whose values are in the records and
/// arrays: what the command writes of a table, with its string arrays, unless it is asked for everything.
#[cfg(all(feature = "json", feature = "owned"))]
struct Values;

#[cfg(all(feature = "json", feature = "owned"))]
impl Select for Values {
    fn list(&self, list: &crate::describe::List) -> bool {
        list.name != "strings"
    }

    fn array(&self, array: &crate::describe::Array<'_>) -> bool {
        array.name == "extra"
    }
}

#[cfg(feature = "owned")]
impl Handle {
    /// Calls `then` with the description, as [`Asset::describe`] does. The contents of a WORLD.WDB are those that this handle has
    /// read, or reads now.
    pub fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        #[cfg(feature = "island")]
        if let Some((database, contents)) = self.database().zip(self.contents()) {
            let described = crate::island::DatabaseDescription::new(database, contents);
            return Some(then(&Root::new("world", database.source(), &described)));
        }
        self.asset().describe(self.at(), then)
    }

    /// Calls `then` with the descriptions by which two parts are compared, as [`Asset::compare`] does.
    pub fn compare<T>(&self, other: &Self, then: impl FnOnce(&Root<'_>, &Root<'_>) -> T) -> Option<T> {
        #[cfg(feature = "island")]
        if let Some((left_file, right_file)) = self.database().zip(other.database()) {
            let files = [left_file.source().bytes(), right_file.source().bytes()];
            let with_left = |left: &Root<'_>| other.describe(|right| then(&left.file(files[0]), &right.file(files[1])));
            return self.describe(with_left).flatten();
        }
        self.asset().compare(self.at(), (other.asset(), other.at()), self.options(), then)
    }

    /// Writes the contents as JSON, as `worldview show` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    #[cfg(feature = "json")]
    pub fn write_json(
        &self,
        options: &worldview_inspect::Options<'_>,
        out: impl Write,
    ) -> worldview_inspect::Result<bool> {
        let table = worldview_inspect::Options { encoding: options.encoding, full: true, select: &Values };
        let options = if self.asset().format() == Some("wdb") && !options.full { &table } else { options };
        self.describe(|root| json::write(root, options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }

    /// Writes the contents as text, as `worldview show` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    pub fn write_text(
        &self,
        options: &worldview_inspect::Options<'_>,
        out: impl Write,
    ) -> worldview_inspect::Result<bool> {
        let full = options.full || self.asset().format() == Some("wdb");
        let options = worldview_inspect::Options { full, ..*options };
        self.describe(|root| text::write(root, &options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }
}
