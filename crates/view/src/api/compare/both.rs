//! What is compared of two parts: the same as by `worldview diff`.

use worldview::describe::{Describe, Flow, Single, Span, Visit};
use worldview::wpd::{ArchiveDescription, FieldNames, Table, TableDescription};
use worldview::{Source, rez, wwd};
use worldview_handles::{Handle, Options};
use worldview_inspect::Root;

/// Calls `then` with the descriptions of two parts, if they have the same format.
pub(super) fn both<T>(
    options: &Options,
    left: &Handle,
    right: &Handle,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> Option<T> {
    match (left, right) {
        (Handle::Table(left), Handle::Table(right)) => {
            let (left, right) = (left.table(), right.table());
            let is_nameless = |table: &Table<'_>| table.names() == FieldNames::Generated;
            let (mut left_body, mut right_body) = (TableDescription::new(left), TableDescription::new(right));
            if is_nameless(left) != is_nameless(right) {
                // The tables have different field names, so their fields are matched by their words.
                (left_body, right_body) = (left_body.by_words(), right_body.by_words());
            }
            let (left, right) = (left.archive().source(), right.archive().source());
            Some(then(&whole("wdb", left, &left_body), &whole("wdb", right, &right_body)))
        }
        (Handle::Archive(left), Handle::Archive(right)) => {
            let (left, right) = (left.archive(), right.archive());
            let mut left_body = ArchiveDescription::new(left).max_depth(options.max_depth);
            let mut right_body = ArchiveDescription::new(right).max_depth(options.max_depth);
            if let Some(schemas) = &options.schemas {
                (left_body, right_body) = (left_body.schemas(schemas), right_body.schemas(schemas));
            }
            let (left, right) = (left.source(), right.source());
            Some(then(&whole("wpd", left, &left_body), &whole("wpd", right, &right_body)))
        }
        (Handle::Directory(left), Handle::Directory(right)) => {
            let (left_source, right_source) = (left.rez().source(), right.rez().source());
            let (left_directory, right_directory) = (left.directory(), right.directory());
            let left_body = rez::RezDescription::new(left.rez()).directory(left_directory).contents(&level_in);
            let right_body = rez::RezDescription::new(right.rez()).directory(right_directory).contents(&level_in);
            let (left_besides, right_besides) = (besides(left_directory), besides(right_directory));
            Some(then(
                &Root::new("rez", left_source, &left_body).besides(left_besides),
                &Root::new("rez", right_source, &right_body).besides(right_besides),
            ))
        }
        (Handle::Level(_), Handle::Level(_))
        | (Handle::Database(_), Handle::Database(_))
        | (Handle::Picture(_), Handle::Picture(_)) => {
            let (left_bytes, right_bytes) = (left.part().bytes(), right.part().bytes());
            let with_left =
                |left: &Root<'_>| right.describe(|right| then(&left.file(left_bytes), &right.file(right_bytes)));
            left.describe(with_left).flatten()
        }
        _ => None,
    }
}

/// Returns the number of bytes that the levels and pictures below a directory have when they are unpacked.
fn besides(directory: rez::Directory<'_, '_>) -> u64 {
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
    Some(visitor.children(&Single { name: "level", body: Some(&described), at }))
}

/// Returns the root of a description that depends only on the bytes of `source`.
const fn whole<'r>(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Root<'r> {
    Root::new(format, source, body).file(source.bytes())
}
