//! What `info` and `list` say of parts of any kind. Only levels and databases have more to say in `info`.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use worldview::island::TextureFile;
use worldview::{Asset, Format};
use worldview_export::utf8;

use super::catalogue::Row;
use super::rez::PictureInfo;
use super::{ArchiveInfo, TableInfo};
use crate::open::Visit;
use crate::report::Head;
use crate::table;

/// The description of a part, which is also a line of NDJSON.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Info<L, D> {
    Level(L),
    Table(TableInfo),
    Archive(ArchiveInfo),
    Database(D),
    Picture(PictureInfo),
    Textures(TexturesInfo),
}

/// A document with a list for each kind.
#[derive(Serialize)]
pub(crate) struct Document<'o, L, D> {
    #[serde(flatten)]
    head: Head<'o>,
    #[serde(flatten)]
    lists: Lists<L, D>,
}

impl<'o, L: Serialize, D: Serialize> Document<'o, L, D> {
    pub(crate) const fn new(infos: Vec<Info<L, D>>, head: Head<'o>) -> Self {
        Self { head, lists: Lists(infos) }
    }
}

/// Descriptions, which are serialized as a list for each kind.
struct Lists<L, D>(Vec<Info<L, D>>);

impl<L: Serialize, D: Serialize> Serialize for Lists<L, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        macro_rules! list {
            ($variant:ident) => {
                self.0.iter().filter_map(|info| if let Info::$variant(info) = info { Some(info) } else { None })
            };
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("levels", &list!(Level).collect::<Vec<_>>())?;
        map.serialize_entry("tables", &list!(Table).collect::<Vec<_>>())?;
        map.serialize_entry("archives", &list!(Archive).collect::<Vec<_>>())?;
        map.serialize_entry("databases", &list!(Database).collect::<Vec<_>>())?;
        map.serialize_entry("pictures", &list!(Picture).collect::<Vec<_>>())?;
        map.serialize_entry("textures", &list!(Textures).collect::<Vec<_>>())?;
        map.end()
    }
}

impl<L, D> Info<L, D> {
    /// Describes a part of a kind of which both verbs say the same; `is_full` adds the members of archives. Returns `None`
    /// for other kinds.
    pub(crate) fn of(path: String, visit: &Visit<'_, '_>, is_full: bool) -> Option<Self> {
        Some(match visit.part {
            Asset::Table(table) if visit.row().is_none() => Self::Table(TableInfo::of(path, table)),
            Asset::Archive(archive) => Self::Archive(ArchiveInfo::of(path, archive, is_full)),
            Asset::Rez(_) => Self::Archive(ArchiveInfo::of_rez(path, visit.directory()?, is_full)),
            Asset::Picture(picture) => Self::Picture(PictureInfo::of(path, picture)),
            Asset::Textures(file) => Self::Textures(TexturesInfo::of(path, file)),
            _ => return None,
        })
    }

    /// Returns the row of a catalogue. Those of levels and databases depend on the verb.
    pub(crate) fn row(&self) -> Row {
        match self {
            Self::Table(info) => Row::of_table(info),
            Self::Archive(info) => Row::of_archive(info),
            Self::Picture(info) => Row::of_picture(info),
            Self::Textures(info) => {
                Row::of_kind("textures", Some("LEGO Island"), &info.path, info.length, Some(info.textures.len()))
            }
            Self::Level(_) | Self::Database(_) => Row::default(),
        }
    }

    /// Prints what `info` says for people of kinds that it does not know better.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Picture(info) => table::lines(&info.lines(), out),
            Self::Textures(info) => info.print(out),
            _ => Ok(()),
        }
    }
}

/// The description of a `.tex` file.
#[derive(Debug, Serialize)]
pub(crate) struct TexturesInfo {
    path: String,
    format: &'static str,
    length: u64,
    textures: Vec<TextureInfo>,
}

#[derive(Debug, Serialize)]
struct TextureInfo {
    name: String,
    width: u32,
    height: u32,
    colors: usize,
    offset: u64,
}

impl TexturesInfo {
    fn of(path: String, file: &TextureFile<'_>) -> Self {
        let textures = file.textures().iter().map(|texture| TextureInfo {
            name: utf8(texture.real_name()).into_owned(),
            width: texture.image.width,
            height: texture.image.height,
            colors: texture.image.palette.len(),
            offset: texture.at,
        });
        Self { path, format: Format::Tex.name(), length: file.source().len(), textures: textures.collect() }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        table::lines(
            &[
                ("format", "texture file of LEGO Island".into()),
                ("size", format!("{} bytes", self.length)),
                ("textures", self.textures.len().to_string()),
            ],
            out,
        )?;
        // All rows are held in memory to determine the column widths.
        const SHOWN: usize = 1000;
        let row = |texture: &TextureInfo| {
            let size = [texture.width, texture.height].map(|size| size.to_string());
            let start = [String::new(), texture.name.clone()].into_iter().chain(size);
            start.chain([texture.colors.to_string(), texture.offset.to_string()]).collect()
        };
        let rows: Vec<Vec<String>> = self.textures.iter().take(SHOWN).map(row).collect();
        table::write(out, &["  ", "texture", ">width", ">height", ">colors", ">offset"], &rows)?;
        if self.textures.len() > SHOWN {
            writeln!(out, "    and {} more; `worldview show` lists all of them", self.textures.len() - SHOWN)?;
        }
        Ok(())
    }
}
