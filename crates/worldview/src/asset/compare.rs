//! The descriptions by which two assets are compared, as by `worldview diff`.

use worldview_core::Source;
use worldview_core::describe::{Describe, Flow, OnePart, Span, Visit};
use worldview_inspect::Root;
use worldview_rez as rez;
use worldview_wpd::{Archive, ArchiveDescription, NameOrigin, Schemas, Table, TableDescription};
use worldview_wwd as wwd;

use super::Asset;

impl Asset<'_, '_> {
    /// Calls `then` with the descriptions by which two assets are compared, as by `worldview diff`. `bytes` are those of
    /// their files. What is nested in archives is opened up to `max_depth` levels deep, with these field names.
    ///
    /// Returns `None` if they are of different kinds or cannot be compared.
    pub fn compare<T>(
        &self,
        other: &Asset<'_, '_>,
        bytes: [&[u8]; 2],
        (max_depth, schemas): (u32, Option<&Schemas>),
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        match (self, other) {
            (Self::Table(left), Asset::Table(right)) => Some(tables(left, right, then)),
            (Self::Archive(left), Asset::Archive(right)) => Some(archives(left, right, (max_depth, schemas), then)),
            (Self::Rez(left), Asset::Rez(right)) => Some(directories(*left, *right, then)),
            (Self::Record(..), _) => None,
            _ if self.kind() != other.kind() => None,
            _ => {
                let [left_bytes, right_bytes] = bytes;
                let with_left =
                    |left: &Root<'_>| other.describe(|right| then(&left.file(left_bytes), &right.file(right_bytes)));
                self.describe(with_left).flatten()
            }
        }
    }
}

/// Calls `then` with the descriptions of two tables. If only one of them has field names, fields are matched by their
/// words.
fn tables<T>(left: &Table<'_>, right: &Table<'_>, then: impl FnOnce(&Root<'_>, &Root<'_>) -> T) -> T {
    let is_nameless = |table: &Table<'_>| table.name_origin() == NameOrigin::Generated;
    let (mut left_body, mut right_body) = (TableDescription::new(left), TableDescription::new(right));
    if is_nameless(left) != is_nameless(right) {
        (left_body, right_body) = (left_body.by_words(), right_body.by_words());
    }
    let (left, right) = (left.archive().source(), right.archive().source());
    then(&whole("wdb", left, &left_body), &whole("wdb", right, &right_body))
}

/// Calls `then` with the descriptions of two archives and of the archives and tables in them.
fn archives<T>(
    left: &Archive<'_>,
    right: &Archive<'_>,
    (max_depth, schemas): (u32, Option<&Schemas>),
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let mut left_body = ArchiveDescription::new(left).max_depth(max_depth);
    let mut right_body = ArchiveDescription::new(right).max_depth(max_depth);
    if let Some(schemas) = schemas {
        (left_body, right_body) = (left_body.schemas(schemas), right_body.schemas(schemas));
    }
    let (left, right) = (left.source(), right.source());
    then(&whole("wpd", left, &left_body), &whole("wpd", right, &right_body))
}

/// Calls `then` with the descriptions of two directories of REZ archives, and of the levels and pictures below them.
fn directories<T>(
    left: rez::Directory<'_, '_>,
    right: rez::Directory<'_, '_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let left_body = rez::RezDescription::new(left.archive()).directory(left).contents(&level_in);
    let right_body = rez::RezDescription::new(right.archive()).directory(right).contents(&level_in);
    then(
        &Root::new("rez", left.archive().source(), &left_body).besides(unpacked_size(left)),
        &Root::new("rez", right.archive().source(), &right_body).besides(unpacked_size(right)),
    )
}

/// Returns the number of bytes that the levels and pictures below a directory have when they are unpacked.
fn unpacked_size(directory: rez::Directory<'_, '_>) -> u64 {
    let unpacked = |file: rez::File<'_, '_>| {
        if file.extension().is("WWD") {
            let header = file.source().view::<wwd::raw::LevelHeader>(0, "header");
            let claimed = header.map_or(0, |header| u64::from(header.main_block_length.get()));
            return claimed.min(wwd::Unpacker::new().limit(file.data().len()));
        }
        match rez::Picture::of_file(&file) {
            // Pixels and their opacity.
            Some(Ok(picture)) => (picture.pixels() as u64).saturating_mul(4),
            _ => 0,
        }
    };
    directory.all_files().map(unpacked).fold(0, u64::saturating_add)
}

/// Describes a level in a REZ archive.
fn level_in(file: &rez::File<'_, '_>, visitor: &mut dyn Visit) -> Option<Flow> {
    if !file.extension().is("WWD") {
        return None;
    }
    let data = file.source();
    let unpacked = wwd::Unpacker::new().unpack_lossy(file.data(), &mut |_| {}).ok()?;
    let level = wwd::Level::parse_lossy(&unpacked, &mut |_| {}).ok()?;
    let described = wwd::LevelDescription::new(&unpacked, &level);
    let at = Some(Span::new(data.base(), data.len(), data.space()));
    Some(visitor.parts(&OnePart { name: "level", body: Some(&described), at }))
}

/// Returns the root of a description that depends only on the bytes of `source`.
const fn whole<'r>(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Root<'r> {
    Root::new(format, source, body).file(source.bytes())
}
