//! Everything that an archive or a picture goes through.

use worldview_inspect::Root;
use worldview_rez::{Picture, PictureKind, Rez, check_archive, check_picture};

use super::{Each, Tally};

/// Passes every path of an archive to `each`.
pub fn archive(bytes: &[u8], each: Each<'_>) {
    each("rez sniff", &mut |tally| tally.items = u64::from(Rez::sniff(bytes)));
    each("rez parse", &mut |tally| tally.end(Rez::parse(bytes).map(drop)));
    let mut opened = None;
    each("rez parse_lossy", &mut |tally| opened = Rez::parse_lossy(bytes, &mut |_| tally.item()).ok());
    let Some(archive) = &opened else { return };
    each("rez check", &mut |tally| check_archive(archive, &mut |_| tally.item()));
    each("rez look", &mut |tally| look(archive, tally));
    let root = Root::new("rez", archive.source(), archive);
    let names = ["rez find", "rez diff", "rez text", "rez text full", "rez json", "rez json full"];
    super::inspect(names, &root, bytes.len(), each);
}

/// Iterates over all files, and looks some of them up.
pub(crate) fn look(archive: &Rez<'_>, tally: &mut Tally) {
    for (index, file) in archive.files().enumerate() {
        tally.item();
        if index % 1024 == 0 {
            let path = file.path().names().join(&b'/');
            let _ = (archive.by_path(&path), archive.directory(&path));
        }
    }
}

/// Passes every path of a picture to `each`.
pub fn picture(kind: PictureKind, bytes: &[u8], each: Each<'_>) {
    let mut opened = None;
    each("picture parse", &mut |tally| match Picture::parse(kind, bytes) {
        Ok(picture) => opened = Some(picture),
        Err(error) => tally.end(Err(error)),
    });
    let Some(picture) = &opened else { return };
    each("picture check", &mut |tally| check_picture(picture, &mut |_| tally.item()));
    let source = match picture {
        Picture::Pcx(pcx) => pcx.source(),
        Picture::Pid(pid) => pid.source(),
        Picture::Bmp(bmp) => bmp.source(),
        _ => return,
    };
    let root = Root::new("picture", source, picture);
    let names =
        ["picture find", "picture diff", "picture text", "picture text full", "picture json", "picture json full"];
    super::inspect(names, &root, bytes.len(), each);
}
