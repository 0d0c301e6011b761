//! Archives and pictures.

use worldview_rez::{PictureKind, Rez, check_picture};

use super::outputs;
use crate::paths;
use worldview_readers::{MAX_LEN, holds};

/// Reads an archive, and the pictures in it.
pub fn rez_archive(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::rez::archives_agree(data));
    if let Ok(archive) = Rez::parse_lossy(data, &mut |_| {}) {
        for file in archive.files().take(100) {
            if let Some(Ok(picture)) = worldview_rez::Picture::of_file(&file) {
                check_picture(&picture, &mut |finding| assert!(finding.at <= data.len() as u64, "{finding}"));
            }
        }
    }
    outputs(data, |each| {
        paths::rez::archive(data, each);
        0
    });
}

/// Reads the bytes as a picture of each kind, and as a palette.
pub fn pid_decode(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::rez::palettes_agree(data));
    // A few bytes may be millions of pixels, which take the naive reader long.
    let most = 1 << 20;
    for kind in [PictureKind::Pid, PictureKind::Rid, PictureKind::Pcx, PictureKind::Bmp] {
        let Ok(picture) = worldview_rez::Picture::parse(kind, data) else {
            holds(worldview_readers::rez::pictures_agree(kind, data));
            continue;
        };
        if picture.pixels() <= most {
            holds(worldview_readers::rez::pictures_agree(kind, data));
            outputs(data, |each| {
                paths::rez::picture(kind, data, each);
                0
            });
        }
    }
}
