//! The entries of archives, tables and directories.

use std::borrow::Cow;

use worldview_core::Source;

use crate::asset::{Asset, At, Failed, Opened};
use crate::open::{self, Form};
use crate::{OpenError, Options};

/// An entry of an archive, a table or a directory. It is opened by where it is, not by its name, which others may have, too.
///
/// `'v` is the lifetime of the view, `'a` that of the bytes, which a part opened from it borrows.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Entry<'v, 'a> {
    /// A record of a table.
    #[cfg(feature = "wpd")]
    Record(crate::wpd::Row<'v, 'a>),
    /// A member of a WPD archive, or a section of a table.
    #[cfg(feature = "wpd")]
    Member(crate::wpd::Member<'a>),
    /// A record of a table that is a member of an archive: the table, and the entry of the record.
    #[cfg(feature = "wpd")]
    RecordIn(crate::wpd::Member<'a>, crate::wpd::Member<'a>),
    /// A directory of a REZ archive.
    #[cfg(feature = "rez")]
    Directory(crate::rez::Directory<'v, 'a>),
    /// A file of a REZ archive.
    #[cfg(feature = "rez")]
    File(crate::rez::File<'v, 'a>),
    #[cfg(not(all(feature = "rez", feature = "wpd")))]
    #[doc(hidden)]
    Never(core::convert::Infallible, core::marker::PhantomData<(&'v (), &'a ())>),
}

impl<'a> Entry<'_, 'a> {
    /// Returns the name, with its extension.
    pub fn name(&self) -> Cow<'a, [u8]> {
        match self {
            #[cfg(feature = "wpd")]
            Self::Record(row) => Cow::Borrowed(row.name()),
            #[cfg(feature = "wpd")]
            Self::Member(member) | Self::RecordIn(_, member) => member.label(),
            #[cfg(feature = "rez")]
            Self::Directory(directory) => Cow::Borrowed(directory.name()),
            #[cfg(feature = "rez")]
            Self::File(file) => Cow::Owned(file.file_name()),
            #[cfg(not(all(feature = "rez", feature = "wpd")))]
            Self::Never(never, _) => match *never {},
        }
    }

    /// Returns the name as text, with replacement characters for what is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.name()).into_owned()
    }

    /// Returns the part of the same asset that a record or a directory is, which is not opened.
    pub const fn at(&self) -> Option<At> {
        match self {
            #[cfg(feature = "wpd")]
            Self::Record(row) => Some(At::Record(row.index())),
            #[cfg(feature = "rez")]
            Self::Directory(directory) => Some(At::Directory(directory.index())),
            _ => None,
        }
    }

    /// Returns the bytes of a record, a member or a file; none for a directory.
    pub fn source(&self) -> Source<'a> {
        match self {
            #[cfg(feature = "wpd")]
            Self::Record(row) => Source::from(row.data()),
            #[cfg(feature = "wpd")]
            Self::Member(member) | Self::RecordIn(_, member) => member.source(),
            #[cfg(feature = "rez")]
            Self::Directory(_) => Source::from(&[][..]),
            #[cfg(feature = "rez")]
            Self::File(file) => file.source(),
            #[cfg(not(all(feature = "rez", feature = "wpd")))]
            Self::Never(never, _) => match *never {},
        }
    }

    /// Opens a member or a file; the image of a packed level goes into `image`. What was opened may outlive the archive.
    ///
    /// ```
    /// # #[cfg(all(feature = "rez", feature = "wwd"))]
    /// # fn main() -> Result<(), worldview::OpenError> {
    /// use worldview::{Asset, Options, open};
    ///
    /// let (file, options) = (include_bytes!("../../../samples/harbour.rez"), Options::new());
    /// let (mut image, mut scratch) = (Vec::new(), Vec::new());
    /// let archive = open(file, "harbour.rez", &mut image, &options)?;
    /// let path = archive.asset.follow(archive.at, b"LEVEL1/WORLDS/WORLD.WWD").map_err(|(_, error)| error)?;
    /// let [.., entry] = path[..] else { unreachable!("a path has an end") };
    /// let Asset::Level(level, _) = entry.open(&mut scratch, &options)?.asset else { unreachable!("it is a level") };
    /// assert_eq!(level.planes().len(), 3);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(all(feature = "rez", feature = "wwd")))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be opened, or if it is a [part of the same asset](Self::at).
    pub fn open<'e>(&self, image: &'e mut Vec<u8>, options: &'e Options) -> Result<Opened<'e>, OpenError>
    where
        'a: 'e,
    {
        Ok(self.open_noting(image, options)?)
    }

    /// Opens a member or a file as [`open`](Self::open) does, for those who report findings.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`open`](Self::open), and the findings before.
    pub fn open_noting<'e>(&self, image: &'e mut Vec<u8>, options: &'e Options) -> Result<Opened<'e>, Failed<'e>>
    where
        'a: 'e,
    {
        match *self {
            #[cfg(feature = "wpd")]
            Self::RecordIn(table, record) => {
                let name = Entry::Member(table).text();
                let mut opened = open::open_as(Form::Member, table.source(), &name, image, options)?;
                let row = match &opened.asset {
                    Asset::Table(table) => table.by_name(record.name()).map(|row| row.index()),
                    _ => None,
                };
                // A section of the table is data.
                let Some(row) = row else { return Ok(Asset::Data(record.source()).into()) };
                opened.at = At::Record(row);
                Ok(opened)
            }
            _ => match self.form() {
                Some((form, source)) => open::open_as(form, source, &self.text(), image, options),
                None => Err(OpenError::NotFound.into()),
            },
        }
    }

    /// Returns the names of entries that lead to a part, outermost first. A directory or a file of a REZ archive has its whole path.
    pub fn names(path: &[Self]) -> Vec<String> {
        #[cfg(feature = "rez")]
        {
            let names = match path.last() {
                Some(Self::Directory(directory)) => Some(directory.path().names()),
                Some(Self::File(file)) => Some(file.path().names()),
                _ => None,
            };
            if let Some(names) = names {
                return names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
            }
        }
        path.iter().map(Self::text).collect()
    }

    /// Returns what a member or a file is opened as.
    pub(crate) fn form(&self) -> Option<(Form, Source<'a>)> {
        match self {
            #[cfg(feature = "wpd")]
            Self::Member(member) => {
                Some((if member.is_archive() { Form::Member } else { Form::Data }, member.source()))
            }
            #[cfg(feature = "rez")]
            Self::File(file) => {
                let form = Form::of_file(file);
                // Offsets in levels and pictures count from their first byte.
                Some((form, if form == Form::Data { file.source() } else { Source::from(file.data()) }))
            }
            _ => None,
        }
    }
}

/// The entries along a path: members of nested archives, outermost first, or the directory or file of a REZ archive.
pub type Trail<'v, 'a> = Vec<Entry<'v, 'a>>;

impl<'a> Asset<'a> {
    /// Returns the members of an archive, the records of a table, or the entries of a directory of a REZ archive.
    ///
    /// ```
    /// # #[cfg(feature = "wpd")]
    /// # fn main() -> Result<(), worldview::OpenError> {
    /// use worldview::{Options, open};
    ///
    /// let (file, options) = (include_bytes!("../../../samples/wdbpack.bin"), Options::new());
    /// let (mut image, mut scratch) = (Vec::new(), Vec::new());
    /// let archive = open(file, "wdbpack.bin", &mut image, &options)?;
    /// for entry in archive.asset.entries(archive.at) {
    ///     println!("{}: a {}", entry.text(), entry.open(&mut scratch, &options)?.kind());
    /// }
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "wpd"))]
    /// # fn main() {}
    /// ```
    pub fn entries(&self, at: At) -> impl Iterator<Item = Entry<'_, 'a>> {
        (0..self.len(at)).filter_map(move |index| self.entry(at, index))
    }

    /// Returns the number of [`entries`](Self::entries).
    pub fn len(&self, at: At) -> usize {
        match (self, at) {
            #[cfg(feature = "wpd")]
            (Self::Archive(archive), At::Whole) => archive.len(),
            #[cfg(feature = "wpd")]
            (Self::Table(table), At::Whole) => table.len(),
            #[cfg(feature = "rez")]
            _ => self.directory(at).map_or(0, |directory| directory.len()),
            #[cfg(not(feature = "rez"))]
            _ => 0,
        }
    }

    /// Returns one of the [`entries`](Self::entries).
    pub fn entry(&self, at: At, index: usize) -> Option<Entry<'_, 'a>> {
        match (self, at) {
            #[cfg(feature = "wpd")]
            (Self::Archive(archive), At::Whole) => archive.get(index).map(Entry::Member),
            #[cfg(feature = "wpd")]
            (Self::Table(table), At::Whole) => table.get(index).map(Entry::Record),
            #[cfg(feature = "rez")]
            _ => Some(match self.directory(at)?.get(index)? {
                crate::rez::DirectoryEntry::Directory(directory) => Entry::Directory(directory),
                crate::rez::DirectoryEntry::File(file) => Entry::File(file),
            }),
            #[cfg(not(feature = "rez"))]
            _ => None,
        }
    }

    /// Follows a path of names, separated by `/`, from a part of this asset, and returns the entries along it. Paths in REZ
    /// archives ignore case, and names in WPD archives may lack their extension.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing with this path, and the entries before.
    pub fn follow(&self, at: At, path: &[u8]) -> Result<Trail<'_, 'a>, (Trail<'_, 'a>, OpenError)> {
        #[cfg(feature = "rez")]
        if let Some(directory) = self.directory(at) {
            let file = directory.by_path(path).map(Entry::File);
            let found = file.or_else(|| directory.descend(path).map(Entry::Directory));
            return found.map(|found| vec![found]).ok_or((Vec::new(), OpenError::NotFound));
        }
        #[cfg(feature = "wpd")]
        match (self, at) {
            (Self::Archive(archive), At::Whole) => return in_archive(*archive, None, path),
            (Self::Table(table), At::Whole) => return in_archive(table.archive(), Some(table), path),
            (Self::Table(_), _) => return Err((Vec::new(), OpenError::InsideRecord)),
            _ => {}
        }
        Err((Vec::new(), self.without_members()))
    }
}

#[cfg(feature = "wpd")]
fn in_archive<'v, 'a>(
    archive: crate::wpd::Archive<'a>,
    table: Option<&'v crate::wpd::Table<'a>>,
    path: &[u8],
) -> Result<Trail<'v, 'a>, (Trail<'v, 'a>, OpenError)> {
    let mut members = Vec::new();
    let found = archive.follow(path, &mut |member| members.push(member));
    let mut trail: Trail<'v, 'a> = members.iter().copied().map(Entry::Member).collect();
    match found {
        Ok(Some((holder, member))) => {
            match (&members[..], table.and_then(|table| table.by_name(member.name()))) {
                ([_], Some(row)) => trail = vec![Entry::Record(row)],
                ([.., table, _], _) if holder.is_table() => {
                    trail.pop();
                    trail.push(Entry::RecordIn(*table, member));
                }
                _ => {}
            }
            Ok(trail)
        }
        Ok(None) => Err((trail, OpenError::NotFound)),
        Err(error) => {
            let error = match &members[..] {
                [.., last] if last.is_archive() => error.into(),
                [before @ .., _] => {
                    let holder = before.last().map_or(Ok(archive), crate::wpd::Member::archive);
                    let is_record = holder.is_ok_and(|holder| holder.is_table());
                    if is_record { OpenError::InsideRecord } else { OpenError::InsideData }
                }
                [] => error.into(),
            };
            Err((trail, error))
        }
    }
}

worldview_core::assert_send_sync!(Entry<'_, '_>);
