//! Everything that is nested in an archive.

#[cfg(feature = "rez")]
use worldview_core::Budget;
use worldview_core::Error;

use crate::asset::{Asset, At, Failed, Opened};
use crate::entry::Entry;
#[cfg(any(feature = "rez", feature = "wpd"))]
use crate::open;
#[cfg(feature = "rez")]
use crate::open::Form;
use crate::{OpenError, Options};

/// A walk over everything that is nested in an archive: the tables and archives in a WPD archive, however deep, or the levels and
/// pictures below a directory of a REZ archive. An archive comes before what is in it.
///
/// Each part is lent until the next one is asked for, so that all share one image. One that cannot be opened is an
/// error that ends nothing else. The walk has a budget, because a few bytes can be many archives: if it is spent, that is the last
/// error.
///
/// ```
/// # #[cfg(feature = "wpd")]
/// # fn main() -> Result<(), worldview::OpenError> {
/// use worldview::{Asset, Options, Walk, open};
///
/// let (file, options) = (include_bytes!("../../../samples/wdbpack.bin"), Options::new());
/// let (mut image, mut scratch) = (Vec::new(), Vec::new());
/// let opened = open(file, "wdbpack.bin", &mut image, &options)?;
/// let mut walk = Walk::new(&opened.asset, opened.at, &options);
/// while let Some(found) = walk.next(&mut scratch) {
///     match &found.opened {
///         Ok(part) => println!("{}: a {}", found.names().join("/"), part.kind()),
///         Err(failed) => eprintln!("{}: {}", found.names().join("/"), failed.error),
///     }
/// }
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "wpd"))]
/// # fn main() {}
/// ```
pub struct Walk<'v> {
    options: &'v Options,
    rest: Rest<'v>,
    wanted: Option<&'v Wanted<'v>>,
}

/// Says whether a walk opens what entries lead to; the last argument is whether it is a table.
pub type Wanted<'w> = dyn Fn(&[Entry<'_, '_>], bool) -> bool + 'w;

/// A step of a walk: the entries that lead to a part, and the part or its error.
#[non_exhaustive]
#[derive(Debug)]
pub struct Found<'v, 'e> {
    /// The members that lead to the part, outermost first, or the file of a REZ archive that it is; empty for the file itself.
    pub path: Vec<Entry<'v, 'v>>,
    /// The part.
    pub opened: Result<Opened<'e>, Failed<'e>>,
}

impl Found<'_, '_> {
    /// Returns the names that lead to the part, outermost first; empty for the file itself.
    pub fn names(&self) -> Vec<String> {
        Entry::names(&self.path)
    }
}

/// A part that was not visited.
enum Rest<'v> {
    Nothing,
    #[cfg(feature = "wpd")]
    Archives(crate::wpd::NestedArchives<'v>),
    #[cfg(feature = "rez")]
    Files(Affordable<'v, 'v>, u64),
    #[cfg(not(any(feature = "rez", feature = "wpd")))]
    Never(core::marker::PhantomData<&'v ()>),
}

/// A part that was not opened.
pub(crate) struct Step<'v> {
    pub(crate) path: Vec<Entry<'v, 'v>>,
    to: Result<To<'v>, Failed<'v>>,
}

enum To<'v> {
    #[cfg(feature = "wpd")]
    Archive(crate::wpd::Archive<'v>, Vec<crate::wpd::Finding<'v>>),
    /// A file, and the most that it may inflate to.
    #[cfg(feature = "rez")]
    File(Form, crate::rez::File<'v, 'v>, u64),
    #[cfg(not(any(feature = "rez", feature = "wpd")))]
    Never(core::marker::PhantomData<&'v ()>),
}

impl<'v> Walk<'v> {
    /// Starts a walk over what is nested in a part of an asset.
    pub fn new(asset: &'v Asset<'v>, at: At, options: &'v Options) -> Self {
        Self::within(asset, at, options, &[])
    }

    /// Starts a walk over an archive to which a [trail](Asset::follow) led, from another one.
    pub fn within(asset: &'v Asset<'v>, at: At, options: &'v Options, trail: &[Entry<'v, 'v>]) -> Self {
        let rest = match asset {
            #[cfg(feature = "wpd")]
            Asset::Archive(archive) => {
                let nesting = crate::wpd::Nesting::new(archive).deepest(options.max_depth);
                let nesting = if options.lossy { nesting } else { nesting.strict() };
                let members = trail.iter().filter_map(|entry| match entry {
                    Entry::Member(member) => Some(*member),
                    _ => None,
                });
                Rest::Archives(nesting.walk(archive, members.collect()))
            }
            #[cfg(feature = "rez")]
            Asset::Rez(rez) => match asset.directory(at) {
                Some(directory) => Rest::Files(Affordable::new(directory), most_inflated(rez)),
                None => Rest::Nothing,
            },
            _ => Rest::Nothing,
        };
        Self { options, rest, wanted: None }
    }

    /// Opens only what `wanted` accepts. What is in an archive is accepted or not whether the archive was.
    #[must_use]
    pub fn wanted(self, wanted: &'v Wanted<'v>) -> Self {
        Self { wanted: Some(wanted), ..self }
    }

    /// Opens the next part.
    pub fn next<'e>(&mut self, image: &'e mut Vec<u8>) -> Option<Found<'v, 'e>>
    where
        'v: 'e,
    {
        let Step { path, to } = self.step()?;
        let opened = match to {
            #[cfg(feature = "wpd")]
            Ok(To::Archive(archive, findings)) => {
                let name = path.last().map_or_else(String::new, Entry::text);
                open::archive(archive, findings, &name, self.options)
            }
            #[cfg(feature = "rez")]
            Ok(To::File(form, file, limit)) => {
                let opened = open_file(form, file, limit, image, self.options);
                if let Ok(opened) = &opened {
                    self.inflated(opened);
                }
                opened
            }
            #[cfg(not(any(feature = "rez", feature = "wpd")))]
            Ok(To::Never(_)) => return None,
            Err(failed) => Err(failed),
        };
        Some(Found { path, opened })
    }

    /// Subtracts the image of a level from what all levels may inflate to together.
    pub(crate) fn inflated(&mut self, opened: &Opened<'_>) {
        #[cfg(all(feature = "rez", feature = "wwd"))]
        if let (Rest::Files(_, left), Asset::Level(level, _)) = (&mut self.rest, &opened.asset) {
            *left = left.saturating_sub(level.image().len());
        }
    }

    /// Finds the next part.
    pub(crate) fn step(&mut self) -> Option<Step<'v>> {
        match &mut self.rest {
            Rest::Nothing => None,
            #[cfg(not(any(feature = "rez", feature = "wpd")))]
            Rest::Never(_) => None,
            #[cfg(feature = "wpd")]
            Rest::Archives(nested) => {
                let wanted = self.wanted;
                let is_wanted = |path: &[Entry<'_, '_>], is_table| wanted.is_none_or(|wanted| wanted(path, is_table));
                let (path, nested) = nested.find_map(|nested| {
                    let path: Vec<_> = nested.path.iter().copied().map(Entry::Member).collect();
                    is_wanted(&path, nested.is_table).then_some((path, nested))
                })?;
                let to = match nested.archive {
                    Ok(archive) => Ok(To::Archive(archive, nested.findings)),
                    Err(error) => {
                        let findings = crate::Findings::Archive(nested.findings);
                        Err(Failed { error: error.into(), findings })
                    }
                };
                Some(Step { path, to })
            }
            #[cfg(feature = "rez")]
            Rest::Files(files, left) => loop {
                let wanted = self.wanted;
                match files.next(|file| wanted.is_none_or(|wanted| wanted(&[Entry::File(file)], false)))? {
                    Ok(file) => {
                        let form = Form::of_file(&file);
                        if form != Form::Data {
                            let limit = own_limit(self.options, file).min(*left);
                            return Some(Step { path: vec![Entry::File(file)], to: Ok(To::File(form, file, limit)) });
                        }
                    }
                    Err((file, error)) => {
                        return Some(Step { path: vec![Entry::File(file)], to: Err(error.into()) });
                    }
                }
            },
        }
    }
}

impl Step<'_> {
    /// Returns the most that the part may inflate to, or why it is not opened.
    pub(crate) fn limit(self) -> Result<Option<u64>, OpenError> {
        match self.to? {
            #[cfg(feature = "wpd")]
            To::Archive(..) => Ok(None),
            #[cfg(feature = "rez")]
            To::File(_, _, limit) => Ok(Some(limit)),
            #[cfg(not(any(feature = "rez", feature = "wpd")))]
            To::Never(_) => Ok(None),
        }
    }
}

/// Returns how many bytes all levels of an archive may inflate to together.
#[cfg(feature = "rez")]
pub(crate) const fn most_inflated(rez: &crate::rez::Rez<'_>) -> u64 {
    rez.source().len().saturating_mul(16).saturating_add(1 << 30)
}

/// Returns the limit on what a file may inflate to, if there were no others.
#[cfg(feature = "rez")]
pub(crate) fn own_limit(options: &Options, file: crate::rez::File<'_, '_>) -> u64 {
    #[cfg(feature = "wwd")]
    return options.unpacker().limit(file.data().len());
    #[cfg(not(feature = "wwd"))]
    u64::MAX
}

/// Opens a file of an archive, whose image may have not more than `limit` bytes.
#[cfg(feature = "rez")]
pub(crate) fn open_file<'e>(
    form: Form,
    file: crate::rez::File<'_, 'e>,
    limit: u64,
    image: &'e mut Vec<u8>,
    options: &'e Options,
) -> Result<Opened<'e>, Failed<'e>> {
    #[cfg(feature = "wwd")]
    if form == Form::File(crate::Format::Wwd) {
        return open::level_within(file.data(), image, options, limit);
    }
    open::open_as(form, file.data().into(), "", image, options)
}

/// The files below a directory whose data is not truncated. Thousands of entries may share the same bytes, so they have a budget,
/// whose error and file are the last item.
#[cfg(feature = "rez")]
pub(crate) struct Affordable<'v, 'a> {
    files: crate::rez::Files<'v, 'a>,
    budget: Budget,
    is_spent: bool,
}

#[cfg(feature = "rez")]
impl<'v, 'a> Affordable<'v, 'a> {
    pub(crate) fn new(directory: crate::rez::Directory<'v, 'a>) -> Self {
        let len = directory.archive().source().len();
        let budget = Budget::for_bytes(len, "walk over the files of an archive");
        Self { files: directory.all_files(), budget, is_spent: false }
    }

    /// Returns the next file that is wanted and has data, or the error of the one for which the budget is spent.
    pub(crate) fn next(
        &mut self,
        wanted: impl Fn(crate::rez::File<'v, 'a>) -> bool,
    ) -> Option<Result<crate::rez::File<'v, 'a>, (crate::rez::File<'v, 'a>, Error)>> {
        if self.is_spent {
            return None;
        }
        let file = self.files.find(|file| !file.is_missing() && wanted(*file))?;
        let data = file.source();
        let spent = self.budget.spend(data.len(), data.base(), data.space());
        self.is_spent = spent.is_err();
        Some(spent.map(|()| file).map_err(|error| (file, error)))
    }
}

worldview_core::assert_send_sync!(Found<'_, '_>);

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("options", self.options).finish_non_exhaustive()
    }
}
