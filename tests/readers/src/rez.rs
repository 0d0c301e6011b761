//! REZ archives and their pictures: compares the views with the naive readers.

use worldview_core::describe::FieldValue;
use worldview_core::{Error, FieldInfo};
use worldview_corpus::rez::naive::{self, NaiveArchive, NaiveEntry, NaiveFile, NaivePicture, NaiveTransparency};
use worldview_rez::{
    ColorKey, Directory, DirectoryEntry, File, Finding, Palette, Picture, PictureKind, Pid, Rez, Tokens, check_archive,
    check_picture,
};

use crate::tree::{Leaf, leaf};
use crate::{Verdict, equal, inside, judge};

/// Reads an archive with the views and with the naive reader, strictly and leniently, and compares every value.
pub fn archives_agree(file: &[u8]) -> Result<Verdict, String> {
    let refused = |error: &Error| inside(file, error.at, error);
    let strict = judge(Rez::parse(file), naive::archive(file), refused, |views, naive| same(&views, &naive, file))?;
    let (mut findings, mut outside) = (0, Ok(()));
    let mut note = |finding: Finding<'_>| {
        findings += 1;
        outside = outside.clone().and(inside(file, finding.at, finding));
    };
    let (views, naive) = (Rez::parse_lossy(file, &mut note), naive::lossy(file));
    outside?;
    judge(views, naive, refused, |views, (naive, problems)| {
        same(&views, &naive, file)?;
        equal("findings of a lossy parse", &findings, &problems.len())?;
        let mut outside = Ok(());
        check_archive(&views, &mut |finding| outside = outside.clone().and(inside(file, finding.at, finding)));
        outside
    })?;
    Ok(strict)
}

fn same(views: &Rez<'_>, naive: &NaiveArchive, file: &[u8]) -> Result<(), String> {
    let header = views.header();
    same_fields(header.fields(), &naive.header)?;
    equal("user_title", &header.user_title.raw()[..], &naive.user_title[..])?;
    let mut open = vec![(views.root(), 0)];
    while let Some((directory, index)) = open.pop() {
        let other = naive.directories.get(index).ok_or("a directory that the naive reader does not have")?;
        equal("name of a directory", directory.name(), &other.name[..])?;
        if let Some(entry) = directory.entry() {
            equal("entry of a directory", &[entry.pos.get(), entry.size.get(), entry.time.get()], &other.words)?;
        }
        equal("entries", &directory.len(), &other.entries.len())?;
        equal("entries of the iterator", &directory.entries().count(), &other.entries.len())?;
        for (entry, other) in directory.entries().zip(&other.entries) {
            match (entry, other) {
                (DirectoryEntry::Directory(child), NaiveEntry::Directory(index)) => {
                    same_parent(&child, &directory)?;
                    open.push((child, *index));
                }
                (DirectoryEntry::File(file_view), NaiveEntry::File(other)) => same_file(&file_view, other, file)?,
                _ => return Err("a directory for one is a file for the other".to_owned()),
            }
        }
    }
    same_paths(views, naive, file)
}

/// Compares the fields of a header that the naive reader has.
fn same_fields<'r, T: Copy + Into<Leaf>>(
    views: impl Iterator<Item = (&'static FieldInfo, FieldValue<'r>)>,
    naive: &[(&str, T)],
) -> Result<(), String> {
    let views: Vec<_> = views.map(|(field, value)| (field.name, leaf(&value))).collect();
    let found = |name: &str| views.iter().find(|(other, _)| *other == name).map(|(_, leaf)| leaf.clone());
    naive.iter().try_for_each(|&(name, value)| equal(name, &found(name), &Some(value.into())))
}

fn same_parent(child: &Directory<'_, '_>, parent: &Directory<'_, '_>) -> Result<(), String> {
    equal("parent", &child.parent().map(|parent| parent.path().names()), &Some(parent.path().names()))
}

fn same_file(views: &File<'_, '_>, naive: &NaiveFile, file: &[u8]) -> Result<(), String> {
    equal("name", views.name(), &naive.name[..])?;
    equal("extension", views.extension().as_bytes(), &naive.extension[..])?;
    equal("file name", &views.file_name(), &naive.file_name())?;
    let (entry, header) = (views.entry(), views.header());
    let kind = u32::from_le_bytes(*header.extension.raw());
    let words = [entry.pos.get(), entry.size.get(), entry.time.get(), header.id.get(), kind, header.key_count.get()];
    equal("entry of a file", &words, &naive.words)?;
    equal("comment", views.comment(), &naive.comment[..])?;
    equal("keys", &views.keys().iter().map(|key| key.get()).collect::<Vec<_>>(), &naive.keys)?;
    // A pointer says where the bytes are; overlapping files would take long to compare.
    let range = file.get(naive.data.clone()).unwrap_or(&[]);
    equal("length of the data", &views.data().len(), &range.len())?;
    if !range.is_empty() && !std::ptr::eq(views.data(), range) {
        return Err(format!("the data of {} is elsewhere", views.path()));
    }
    equal("missing", &views.is_missing(), &(naive.data.is_empty() && entry.size.get() > 0))
}

/// Compares what is found by path, for the first files.
fn same_paths(views: &Rez<'_>, naive: &NaiveArchive, file: &[u8]) -> Result<(), String> {
    let files = naive.files();
    equal("files", &views.files().count(), &files.len())?;
    for (view, (path, _)) in views.files().zip(&files).take(200) {
        equal("path", &view.path().names().join(&b'/'), path)?;
        let lower = path.to_ascii_lowercase();
        // A name with a separator in it cannot be looked up, and an empty one is skipped.
        let odd =
            view.path().names().iter().any(|name| name.is_empty() || name.contains(&b'/') || name.contains(&b'\\'));
        if !odd {
            let (found, other) = (views.by_path(&lower), naive.by_path(&lower));
            equal("found by path", &found.is_some(), &other.is_some())?;
            if let (Some(found), Some(other)) = (found, other) {
                same_file(&found, other, file)?;
            }
        }
    }
    Ok(())
}

/// Reads a picture with the views and with the naive reader, and compares header, palette, pixels and opacity.
pub fn pictures_agree(kind: PictureKind, file: &[u8]) -> Result<Verdict, String> {
    let naive = match kind {
        PictureKind::Pcx => naive::pcx(file),
        PictureKind::Rid => naive::rid(file),
        PictureKind::Bmp => naive::bmp(file),
        _ => naive::pid(file),
    };
    let refused = |error: &Error| inside(file, error.at, error);
    judge(Picture::parse(kind, file), naive, refused, |views, naive| same_picture(&views, &naive, file))
}

fn same_picture(views: &Picture<'_>, naive: &NaivePicture, file: &[u8]) -> Result<(), String> {
    let mut outside = Ok(());
    check_picture(views, &mut |finding| outside = outside.clone().and(inside(file, finding.at, finding)));
    outside?;
    equal("width", &(views.width() as usize), &naive.width)?;
    equal("height", &(views.height() as usize), &naive.height)?;
    equal("channels", &views.channels(), &naive.channels)?;
    let colors = views.palette().map(|palette| palette.colors.to_vec());
    equal("palette", &colors, &naive.palette)?;
    let (mut pixels, mut opacity) = (vec![0xA5; naive.width * naive.height * naive.channels], Vec::new());
    opacity.resize(naive.width * naive.height, 0xA5);
    match views {
        Picture::Pid(pid) => {
            same_header(pid, naive)?;
            for (key, other) in [
                (ColorKey::Index(0), NaiveTransparency::Index(0)),
                (ColorKey::GRUNTZ, NaiveTransparency::Color([0xFF, 0x00, 0x84])),
            ] {
                let complete = pid.decode_with_opacity(key, &mut pixels, &mut opacity);
                equal("complete", &complete.is_ok(), &naive.is_complete())?;
                same_bytes("pixels", &pixels, &naive.pixels)?;
                same_bytes("opacity", &opacity, &naive.opacity(other))?;
            }
            let plain = pid.decode_into(&mut pixels);
            equal("complete without opacity", &plain.is_ok(), &naive.is_complete())?;
            same_bytes("pixels without opacity", &pixels, &naive.pixels)?;
        }
        Picture::Pcx(pcx) => {
            let complete = pcx.decode_into(&mut pixels).is_ok();
            equal("complete", &complete, &naive.is_complete())?;
            if complete {
                same_bytes("pixels", &pixels, &naive.pixels)?;
            }
        }
        Picture::Bmp(bmp) => {
            equal("complete", &bmp.decode_into(&mut pixels).is_ok(), &true)?;
            same_bytes("pixels", &pixels, &naive.pixels)?;
        }
        _ => return Err("an unknown kind of picture".to_owned()),
    }
    Ok(())
}

fn same_header(pid: &Pid<'_>, naive: &NaivePicture) -> Result<(), String> {
    same_fields(pid.header().fields(), &naive.header)?;
    let decoded = pid.decoded();
    equal("pixels of the stream", &decoded.pixels, &naive.pixels.len())?;
    equal("overrun", &decoded.overrun, &naive.overrun)?;
    equal("bytes left", &decoded.left, &naive.left)?;
    // Where both readings yield the same, either is right.
    if naive.editor { equal("tokens", &decoded.tokens, &Tokens::Editor) } else { Ok(()) }
}

/// Compares the bytes that the naive reader has.
fn same_bytes(what: &str, views: &[u8], naive: &[u8]) -> Result<(), String> {
    let differs = views.iter().zip(naive).position(|(views, naive)| views != naive);
    if differs.is_some() || views.len() < naive.len() {
        return Err(format!("{what}: different at {differs:?}, {} bytes and {}", views.len(), naive.len()));
    }
    Ok(())
}

/// Reads a palette with both readers.
pub fn palettes_agree(file: &[u8]) -> Result<Verdict, String> {
    match (Palette::parse(file), naive::palette(file)) {
        (Ok(views), Ok(naive)) => equal("colors", &views.colors, &naive).map(|()| Verdict::Same),
        (Err(_), Err(_)) => Ok(Verdict::Refused),
        (views, naive) => Err(format!("only one refuses: {:?}, {:?}", views.is_ok(), naive.is_ok())),
    }
}
