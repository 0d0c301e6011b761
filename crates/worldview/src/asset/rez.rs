//! REZ archives and pictures.

use worldview_core::AnyFinding;
#[cfg(feature = "inspect")]
use worldview_core::describe::{Flow, Visit};
#[cfg(feature = "inspect")]
use worldview_inspect::Root;
use worldview_rez::{Directory, EntryPath, Picture, PictureKind, check_archive, check_picture};
#[cfg(feature = "inspect")]
use worldview_rez::{File, RezDescription};

use super::View;
use crate::Kind;

impl View for Directory<'_, '_> {
    fn kind(&self) -> Kind {
        Kind::Archive
    }

    fn format(&self) -> Option<&'static str> {
        Some("rez")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        let described = RezDescription::new(self.archive()).directory(*self).opens_files(false);
        then(&Root::new("rez", self.archive().source(), &described));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        if self.parent().is_none() {
            check_archive(self.archive(), &mut |finding| report(&finding.any()));
        }
    }
}

impl View for Picture<'_> {
    fn kind(&self) -> Kind {
        Kind::Picture
    }

    fn format(&self) -> Option<&'static str> {
        Some(match Picture::kind(self) {
            PictureKind::Pid => "pid",
            PictureKind::Pcx => "pcx",
            PictureKind::Rid => "rid",
            _ => "bmp",
        })
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        then(&Root::new(View::format(self).unwrap_or_default(), self.source(), self));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        check_picture(self, &mut |finding| report(&finding.any()));
    }
}

/// Calls `then` with the descriptions of two directories of REZ archives, and of the levels and pictures below them.
#[cfg(feature = "inspect")]
pub(super) fn compare_directories<T>(
    left: Directory<'_, '_>,
    right: Directory<'_, '_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let left_body = RezDescription::new(left.archive()).directory(left).contents(&level_in);
    let right_body = RezDescription::new(right.archive()).directory(right).contents(&level_in);
    then(
        &Root::new("rez", left.archive().source(), &left_body).besides(unpacked_size(left)),
        &Root::new("rez", right.archive().source(), &right_body).besides(unpacked_size(right)),
    )
}

/// Returns the number of bytes that the levels and pictures below a directory have when they are unpacked.
#[cfg(feature = "inspect")]
fn unpacked_size(directory: Directory<'_, '_>) -> u64 {
    let unpacked = |file: File<'_, '_>| {
        #[cfg(feature = "wwd")]
        if file.extension().is("WWD") {
            return worldview_wwd::Unpacker::new().image_len(file.data());
        }
        Picture::decoded_len(&file)
    };
    directory.all_files().map(unpacked).fold(0, u64::saturating_add)
}

/// Describes a level in a REZ archive.
#[cfg(feature = "inspect")]
fn level_in(file: &File<'_, '_>, visitor: &mut dyn Visit) -> Option<Flow> {
    #[cfg(feature = "wwd")]
    if file.extension().is("WWD") {
        return worldview_wwd::describe_file(file.source(), visitor);
    }
    None
}

/// Returns the names of a path as text.
pub(super) fn texts(path: EntryPath<'_, '_>) -> Vec<String> {
    path.names().iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}
