use worldview_core::{Budget, Error};
use worldview_rez::{Directory, File, Picture, PictureKind, Rez};

use super::{Opener, Visit};
use crate::asset::{Asset, Failed, Findings, Opened};
use crate::{Format, OpenError};

impl Opener<'_> {
    pub(super) fn rez(&self, bytes: &[u8], scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let archive = if self.lossy { Rez::parse_lossy(bytes, &mut note) } else { Rez::parse(bytes) };
        let archive = match &archive {
            Ok(archive) => archive,
            Err(error) => return visit(Err(Failed::new(*error, Findings::Rez(&findings)))),
        };
        let Some(path) = self.path else {
            return self.directory(archive.root(), Findings::Rez(&findings), scratch, visit);
        };
        if let Some(file) = archive.by_path(path) {
            if !self.file(file, scratch, visit) {
                visit(Ok(Opened { file: Some(file), ..Opened::new(Asset::Data(file.source()), Findings::None) }));
            }
            return;
        }
        match archive.directory(path) {
            Some(directory) => self.directory(directory, Findings::None, scratch, visit),
            None => visit(Err(Failed::new(OpenError::NotFound, Findings::None))),
        }
    }

    /// Passes on a directory of a REZ archive, and the levels and pictures below it.
    fn directory(
        &self,
        directory: Directory<'_, '_>,
        findings: Findings<'_, '_>,
        scratch: &mut Vec<u8>,
        visit: Visit<'_>,
    ) {
        visit(Ok(Opened::new(Asset::Rez(directory), findings)));
        if !self.nested {
            return;
        }
        #[cfg(feature = "wwd")]
        let mut left = Self::most_inflated(directory);
        for file in affordable(directory) {
            match file {
                #[cfg(feature = "wwd")]
                Ok(file) => self.file_within(file, &mut left, scratch, visit),
                #[cfg(not(feature = "wwd"))]
                Ok(file) => {
                    self.file(file, scratch, visit);
                }
                Err(error) => return visit(Err(unaffordable(error))),
            }
        }
    }

    /// Returns how many bytes all levels below a directory may inflate to together.
    #[cfg(feature = "wwd")]
    pub(crate) const fn most_inflated(directory: Directory<'_, '_>) -> u64 {
        directory.archive().source().len().saturating_mul(16).saturating_add(1 << 30)
    }

    /// Passes on a file of a REZ archive, which may inflate to not more than `left` bytes. They are subtracted.
    #[cfg(feature = "wwd")]
    pub(crate) fn file_within(&self, file: File<'_, '_>, left: &mut u64, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let limit = self.unpacker.limit(file.data().len()).min(*left);
        self.unpacker(self.unpacker.max_inflate(limit)).file(file, scratch, &mut |opened| {
            if let Ok(Opened { asset: Asset::Level(level, _), .. }) = &opened {
                *left = left.saturating_sub(level.image().len());
            }
            visit(opened);
        });
    }

    /// Returns the limit on what a file may inflate to, if there were no others.
    #[cfg(all(feature = "bulk", feature = "wwd"))]
    pub(crate) fn own_limit(&self, file: File<'_, '_>) -> u64 {
        self.unpacker.limit(file.data().len())
    }

    /// Passes on a file of a REZ archive. Returns whether it is in a known format.
    fn file(&self, file: File<'_, '_>, scratch: &mut Vec<u8>, visit: Visit<'_>) -> bool {
        #[cfg(feature = "wwd")]
        if is_level(file) {
            self.level(file.data(), scratch, &mut |opened| {
                visit(match opened {
                    Ok(opened) => Ok(Opened { file: Some(file), ..opened }),
                    Err(failed) => Err(Failed { file: Some(file), ..failed }),
                });
            });
            return true;
        }
        let Some(kind) = PictureKind::of_extension(file.extension()) else { return false };
        visit(match Picture::parse(kind, file.data()) {
            Ok(picture) => Ok(Opened { file: Some(file), ..Opened::new(Asset::Picture(picture), Findings::None) }),
            Err(error) => Err(Failed { file: Some(file), ..Failed::new(error, Findings::None) }),
        });
        true
    }

    /// Passes on a picture that is a file of its own.
    pub(super) fn picture(&self, format: Format, bytes: &[u8], visit: Visit<'_>) {
        let Some(kind) = picture_kind(format) else { return };
        visit(match Picture::parse(kind, bytes) {
            Ok(picture) => Ok(Opened::new(Asset::Picture(picture), Findings::None)),
            Err(error) => Err(Failed::new(error, Findings::None)),
        });
    }
}

/// Returns the kind of picture that a format is.
pub(crate) const fn picture_kind(format: Format) -> Option<PictureKind> {
    match format {
        Format::Pid => Some(PictureKind::Pid),
        Format::Pcx => Some(PictureKind::Pcx),
        Format::Rid => Some(PictureKind::Rid),
        _ => None,
    }
}

/// Returns the files below a directory whose data is not truncated. Thousands of entries may share the same bytes, so they
/// have a budget, whose error and file are the last item.
pub(crate) fn affordable<'v, 'a>(
    directory: Directory<'v, 'a>,
) -> impl Iterator<Item = Result<File<'v, 'a>, (File<'v, 'a>, Error)>> {
    let mut budget = Budget::for_bytes(directory.archive().source().len(), "walk over the files of an archive");
    let mut is_spent = false;
    directory.all_files().filter(|file| !file.is_missing()).map_while(move |file| {
        if is_spent {
            return None;
        }
        let data = file.source();
        let spent = budget.spend(data.len(), data.base(), data.space());
        is_spent = spent.is_err();
        Some(spent.map(|()| file).map_err(|error| (file, error)))
    })
}

/// Returns how the error of [`affordable`] is passed on.
pub(crate) fn unaffordable<'v, 'a>((file, error): (File<'v, 'a>, Error)) -> Failed<'v, 'a> {
    Failed { file: Some(file), ..Failed::new(error, Findings::None) }
}

/// Returns whether a file of a REZ archive is opened as a level.
#[cfg(feature = "wwd")]
pub(crate) fn is_level(file: File<'_, '_>) -> bool {
    file.extension().is("WWD") || Format::sniff(file.data()) == Some(Format::Wwd)
}
