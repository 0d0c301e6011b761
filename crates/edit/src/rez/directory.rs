use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use worldview_core::describe::PartList;
use worldview_core::{Path, Segment};
use worldview_rez::raw::{EntryHeader, RezHeader};
use worldview_rez::{Directory, DirectoryEntry, Rez, RezDescription};
use worldview_wwd::Unpacker;
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::layout::{Content, Draft, Planned};
use super::{LEVEL, is_directory, is_field, is_level};
use crate::account::Entry;
use crate::checked::Checked as _;
use crate::fields::{self, Wish, replaced};
use crate::list::{self, Hooks, Inside, Place, Plan};
use crate::tree::Tree;
use crate::{Change, Changes, EditError, Patches, Result, wwd};

/// What was done in the levels of an archive.
#[derive(Default)]
pub(super) struct Levels {
    pub(super) notes: Vec<Entry>,
    /// The changes that were made along with those that were given.
    pub(super) also: Changes,
    /// How many more changes these are.
    pub(super) more: u64,
}

/// Applies the changes of a tree to an archive, those of the header's fields to `header`.
pub(super) fn edit<'v, 'a>(
    archive: &'v Rez<'a>,
    tree: &Tree<'_>,
    (unpacker, follow): (Unpacker, bool),
    (header, levels): (&mut RezHeader, &mut Levels),
) -> Result<Draft<'v, 'a>> {
    let fields = tree.elements().filter(|(segment, _)| is_field(segment));
    let wishes = fields.map(|(segment, node)| Wish::of(segment, node));
    fields::set_structure(header, &wishes.collect::<Result<Vec<_>>>()?)?;
    let mut empty = *archive.header();
    empty.root_dir_size.set(0);
    let nothing = Rez::parse(empty.as_bytes())?;
    let edit = Edit { nothing: &nothing, unpacker, follow, levels: RefCell::new(levels) };
    edit.directory(Some(archive.root()), tree, &Path::new(), Rez::MAX_DEPTH.saturating_add(1))
}

struct Edit<'n> {
    /// An archive without entries, whose root stands for directories that are added.
    nothing: &'n Rez<'n>,
    unpacker: Unpacker,
    /// Whether more changes go along with those of levels.
    follow: bool,
    levels: RefCell<&'n mut Levels>,
}

impl Edit<'_> {
    /// Applies changes to a directory, or fills a new one. `path` is where it is, and `depth` how many may be nested from here on.
    fn directory<'v, 'a>(
        &self,
        original: Option<Directory<'v, 'a>>,
        tree: &Tree<'_>,
        path: &Path,
        depth: u32,
    ) -> Result<Draft<'v, 'a>> {
        let too_deep = || EditError::unsupported(path, "the directories are nested too deeply");
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let mut changes = Vec::new();
        for (segment, node) in tree.in_order().into_iter().filter(|(segment, _)| !is_field(segment)) {
            if segment.kind.is_some() {
                let why = "a directory has only files, directories and fields such as @time";
                return Err(EditError::unsupported(&node.path(), why));
            }
            check(node)?;
            changes.push((segment, node));
        }
        let described: Directory<'_, '_> = original.unwrap_or(self.nothing.root());
        let description = RezDescription::new(described.archive()).directory(described).opens_files(false);
        let entries = list::of_kind(&description, "entry", |parts| {
            let mut contents = HashMap::new();
            let mut edit = |index: usize, segment: &Segment<'_>, node: &Tree<'_>| {
                let entry = original.and_then(|directory| directory.get(index)).checked()?;
                let inner = path.with(|path| path.push_segment(segment));
                contents.extend(self.content(&entry, node, &inner, depth)?.map(|content| (index, content)));
                Ok(())
            };
            let hooks = Hooks { inside: Some(Inside { is_own: is_field, edit: &mut edit }), refer: None };
            let plan = list::plan(parts, described.archive().source(), &changes, hooks)?;
            self.arrange(original, parts, plan, contents, depth)
        });
        Ok(Draft { original, entries: entries.checked()?? })
    }

    /// Makes the entries of a directory what a plan says. `contents` has what becomes of what is in some of them.
    fn arrange<'v, 'a>(
        &self,
        original: Option<Directory<'v, 'a>>,
        parts: &dyn PartList,
        mut plan: Plan<'_>,
        mut contents: HashMap<usize, Content<'v, 'a>>,
        depth: u32,
    ) -> Result<Vec<Planned<'v, 'a>>> {
        let entry = |place: Place<'_>| {
            if let Some(index) = place.origin {
                let entry = original.and_then(|directory| directory.get(index)).checked()?;
                return planned(parts, Some((index, &entry)), place.new, contents.remove(&index));
            }
            let mut entry = planned(parts, None, place.new, None)?;
            if let Some(node) = place.node.filter(|_| entry.is_directory()) {
                if let Some(Change::Add { path, like: Some(_), .. }) = node.change {
                    return Err(EditError::unsupported(path, "only a file can be added like another one"));
                }
                entry.content = Content::Directory(self.directory(None, node, &node.path(), depth)?);
            }
            Ok(entry)
        };
        plan.order().into_iter().map(entry).collect()
    }

    /// Applies changes to what is in an entry. Returns nothing if that stays as it is.
    fn content<'v, 'a>(
        &self,
        entry: &DirectoryEntry<'v, 'a>,
        node: &Tree<'_>,
        path: &Path,
        depth: u32,
    ) -> Result<Option<Content<'v, 'a>>> {
        match (entry, node.change) {
            (DirectoryEntry::Directory(_), Some(Change::Set { path, .. })) => {
                Err(EditError::unsupported(path, "a directory has no data; set the files in it"))
            }
            (DirectoryEntry::Directory(directory), change) => {
                let removal = change.filter(|change| matches!(change, Change::Remove { .. }));
                let is_other = |change: &&Change| !matches!(change, Change::Remove { .. });
                if let (Some(removal), Some(other)) =
                    (removal, Tree::all(node.children.values()).into_iter().find(is_other))
                {
                    return Err(EditError::conflict(other.path(), removal.path()));
                }
                // What goes with a directory only has to be as the changes say.
                let draft = self.directory(Some(*directory), node, path, depth)?;
                Ok(removal.is_none().then_some(Content::Directory(draft)))
            }
            (DirectoryEntry::File(file), Some(Change::Set { path, from, to })) => {
                if let Some(other) = inside(node).next().and_then(Tree::any) {
                    return Err(EditError::conflict(path, other.path()));
                }
                let new = replaced(node, path, from.as_ref(), to, file.data())?;
                Ok(new.map(|new| Content::New(Patches::whole(file.data(), new.to_vec()))))
            }
            (DirectoryEntry::File(file), _) if is_level(&file.file_name(), file.data()) => {
                let edited = self.level(file.data(), node, path)?;
                Ok((!edited.is_empty()).then_some(Content::New(edited)))
            }
            (DirectoryEntry::File(_), _) => {
                let why = "this file is not a level, so there is nothing to edit inside it";
                Err(EditError::unsupported(path, why))
            }
        }
    }

    /// Applies changes to a level in the archive.
    fn level<'a>(&self, data: &'a [u8], node: &Tree<'_>, path: &Path) -> Result<Patches<'a>> {
        let changes: Changes = Tree::all(inside(node)).into_iter().cloned().collect();
        let level = path.with(|path| path.push("@", LEVEL, None));
        let changes = changes.inside(&[&level, path]);
        let apply = if self.follow { wwd::apply_following } else { wwd::apply_with };
        let edited =
            apply(data, &changes, self.unpacker).map_err(|error| error.with_paths(|path| level.joined(&path)))?;
        node.done_already_inside(edited.account().equal);
        let (levels, account) = (&mut **self.levels.borrow_mut(), edited.account());
        let all = account.done.saturating_add(account.equal);
        levels.more = levels.more.saturating_add(all.saturating_sub(changes.len() as u64));
        let notes = account.entries().cloned();
        levels.notes.extend(notes.map(|note| Entry { path: level.joined(&note.path), ..note }));
        levels.also.extend(edited.also().clone().prefixed(&level));
        Ok(edited)
    }
}

/// An entry of the original with its number, or a new one, as its new bytes and those of its data say.
fn planned<'v, 'a>(
    parts: &dyn PartList,
    entry: Option<(usize, &DirectoryEntry<'v, 'a>)>,
    new: Option<Vec<u8>>,
    content: Option<Content<'v, 'a>>,
) -> Result<Planned<'v, 'a>> {
    let old = entry.and_then(|(_, entry)| entry.bytes());
    let (bytes, data): (Cow<'a, [u8]>, _) = match new {
        None => (old.checked()?.into(), None),
        Some(mut new) => {
            let mut len = None;
            parts.editable().alone(&new, &mut |part| len = part.at.and_then(|at| usize::try_from(at.len).ok()));
            let data = new.split_off(len.filter(|len| *len <= new.len()).checked()?);
            (new.into(), Some(data))
        }
    };
    let is_new = |data: &Vec<u8>| match entry {
        Some((_, DirectoryEntry::File(file))) => file.data() != data.as_slice(),
        Some((_, DirectoryEntry::Directory(_))) => false,
        None => true,
    };
    let content =
        content.or(data.filter(is_new).map(|data| Content::New(Patches::whole(&[], data)))).unwrap_or(Content::Kept);
    let header = EntryHeader::read_from_prefix(&bytes).ok().checked()?.0;
    let rest = match bytes {
        Cow::Borrowed(bytes) => bytes.get(size_of::<EntryHeader>()..).map(Cow::from),
        Cow::Owned(mut bytes) => Some(bytes.split_off(size_of::<EntryHeader>()).into()),
    };
    Ok(Planned { origin: entry.map(|(index, _)| index), header, rest: rest.checked()?, content })
}

/// The changes inside an entry, other than those of its fields.
fn inside<'t, 'c>(node: &'t Tree<'c>) -> impl Iterator<Item = &'t Tree<'c>> {
    node.elements().filter(|(segment, _)| !is_field(segment)).map(|(_, node)| node)
}

/// Returns an error for what no entry can be, and for changes that contradict each other.
fn check(node: &Tree<'_>) -> Result<()> {
    let (path, fields, data) = match node.change {
        Some(Change::Add { path, fields, data, .. } | Change::Remove { path, fields, data, .. }) => {
            (path, fields, data)
        }
        _ => return Ok(()),
    };
    if is_directory(fields) && data.is_some() {
        return Err(EditError::unsupported(
            path,
            "a directory has no data; changes of their own are about the files in it",
        ));
    }
    match node.elements().find(|(segment, _)| is_field(segment)).and_then(|(_, node)| node.any()) {
        Some(other) => Err(EditError::conflict(other.path(), path)),
        None => Ok(()),
    }
}
