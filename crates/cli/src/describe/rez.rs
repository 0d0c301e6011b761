//! Descriptions of REZ archives and of pictures for `info` and `list`.

use serde::Serialize;
use worldview::Kind;
use worldview::rez::{self, Directory, DirectoryEntry, File, Picture, flags};
use worldview_export::outputs::kind_of;

use super::{ArchiveInfo, MemberInfo};

impl ArchiveInfo {
    /// Describes a directory of a REZ archive, with everything below it.
    pub(crate) fn of_rez(path: String, directory: Directory<'_, '_>, with_members: bool) -> Self {
        let source = directory.archive().source();
        let (mut count, mut levels, mut pictures, mut members) = (0, 0, 0, Vec::new());
        for file in directory.all_files() {
            let content = content(&file);
            count += 1;
            levels += usize::from(content == "level");
            pictures += usize::from(content == "picture");
            if with_members {
                members.push(MemberInfo::of_file(&file, content));
            }
        }
        Self {
            path,
            format: "rez",
            length: source.len(),
            offset: source.base(),
            count,
            tables: 0,
            archives: 0,
            levels: Some(levels),
            pictures: Some(pictures),
            recovered: false,
            members: with_members.then_some(members),
        }
    }
}

impl MemberInfo {
    fn of_file(file: &File<'_, '_>, content: &'static str) -> Self {
        Self {
            index: file.index(),
            path: Some(file.path().to_string()),
            name: String::from_utf8_lossy(file.name()).into_owned(),
            extension: String::from_utf8_lossy(file.extension().as_bytes()).into_owned(),
            offset: file.source().base(),
            size: file.data().len(),
            content,
        }
    }
}

/// Returns the kind of a file in a REZ archive: `level`, `picture`, `palette` or `data`.
fn content(file: &File<'_, '_>) -> &'static str {
    match kind_of(file) {
        Kind::Data if file.extension().is("PAL") => "palette",
        kind => kind.name(),
    }
}

/// Returns the entries of a directory as rows: name, kind, number of files, bytes.
pub(crate) fn rows(directory: Directory<'_, '_>) -> impl Iterator<Item = Vec<String>> {
    directory.entries().map(|entry| match entry {
        DirectoryEntry::Directory(directory) => {
            let (mut files, mut bytes) = (0_u64, 0_u64);
            for file in directory.all_files() {
                files += 1;
                bytes += file.data().len() as u64;
            }
            let name = String::from_utf8_lossy(directory.name()).into_owned();
            vec![String::new(), format!("{name}/"), "directory".into(), files.to_string(), bytes.to_string()]
        }
        DirectoryEntry::File(file) => {
            let name = String::from_utf8_lossy(&file.file_name()).into_owned();
            vec![String::new(), name, content(&file).into(), String::new(), file.data().len().to_string()]
        }
    })
}

/// The description of a picture.
#[derive(Debug, Serialize)]
pub(crate) struct PictureInfo {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) length: u64,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Distance from an object's position to the center of the picture.
    pub(crate) offset: [i32; 2],
    pub(crate) flags: Vec<&'static str>,
    /// `own` or `level`; none for a picture without palette indices.
    pub(crate) palette: Option<&'static str>,
}

impl PictureInfo {
    pub(crate) fn of(path: String, picture: &Picture<'_>) -> Self {
        let (format, length, flags) = match picture {
            Picture::Pid(pid) => {
                let set = pid.header().flags.get();
                let names = flags::NAMES.iter().filter(|(bit, _)| set & bit != 0).map(|(_, name)| *name);
                (if pid.is_raw() { "rid" } else { "pid" }, pid.source().len(), names.collect())
            }
            Picture::Pcx(pcx) => ("pcx", pcx.source().len(), Vec::new()),
            Picture::Bmp(bmp) => ("bmp", bmp.source().len(), Vec::new()),
            _ => ("picture", 0, Vec::new()),
        };
        let (x, y) = picture.offset();
        let palette = match (picture.channels(), picture.palette()) {
            (1, Some(_)) => Some("own"),
            (1, None) => Some("level"),
            _ => None,
        };
        let (width, height) = (picture.width(), picture.height());
        Self { path, format, length, width, height, offset: [x, y], flags, palette }
    }

    /// Returns the lines for people.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let [x, y] = self.offset;
        let palette = match self.palette {
            Some("own") => "its own",
            Some(_) => "that of its level",
            None => "none: red, green and blue",
        };
        let flags = if self.flags.is_empty() { "none".to_owned() } else { self.flags.join(" ") };
        vec![
            ("format", format!("{} picture", self.format.to_uppercase())),
            ("size", format!("{} bytes", self.length)),
            ("pixels", format!("{} x {}", self.width, self.height)),
            ("offset", format!("{x}, {y}")),
            ("palette", palette.to_owned()),
            ("flags", flags),
        ]
    }
}

/// Returns when an archive was written, as UTC, or `None` if it does not say.
pub(crate) fn written(archive: &rez::Rez<'_>) -> Option<String> {
    let seconds = archive.header().time.get();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.into());
    (seconds != 0).then(|| humantime::format_rfc3339_seconds(time).to_string())
}
