use worldview_core::{Path, Segment};
use worldview_wpd::{Archive, ArchiveDescription, TableOptions};

use super::layout::Draft;
use super::members::{Children, edit, header};
use super::table;
use crate::account::Account;
use crate::checked::Checked as _;
use crate::fields::replaced;
use crate::list::{Hooks, Inside};
use crate::tree::Tree;
use crate::{Change, EditError, Patches, Result};

/// Applies the changes of a tree to an archive or table; `path` is where it is, for errors.
pub(super) fn apply<'a>(
    archive: &Archive<'a>,
    tree: &Tree<'_>,
    path: &Path,
    depth: u32,
    options: TableOptions<'_, '_>,
) -> Result<Patches<'a>> {
    let children = Children::of(tree, path, None)?;
    if archive.is_table() {
        return table::edit(archive, &options.table(*archive)?, tree, path);
    }
    let description = ArchiveDescription::new(archive).max_depth(0);
    let mut draft = Draft::new(*archive);
    header(&description, archive, children.own, &[], &mut draft)?;
    let (mut edited, mut notes) = (Vec::new(), Account::new());
    let mut inside = |index: usize, name: &Segment<'_>, node: &Tree<'_>| {
        let member = archive.get(index).checked()?;
        if let Some(Change::Set { path, from, to }) = node.change {
            let new = replaced(node, path, from.as_ref(), to, member.data())?;
            edited.extend(new.map(|new| (index, Patches::whole(member.data(), new.to_vec()))));
            return Ok(());
        }
        let inner = path.with(|path| path.push_segment(name));
        let too_deep = || EditError::unsupported(&inner, "the archives are nested too deeply");
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let why = "this member is not an archive, so there is nothing to edit inside it";
        let nested = member.archive().map_err(|_| EditError::unsupported(&inner, why))?;
        let label = member.label();
        let label = String::from_utf8_lossy(&label);
        let new = apply(&nested, node, &inner, depth, options.file_name(&label))?;
        notes.append(new.account().clone());
        edited.push((index, new));
        Ok(())
    };
    let hooks = Hooks { inside: Some(Inside { is_own: Children::is_of_entry, edit: &mut inside }), refer: None };
    edit((&description, "member"), &children.elements, hooks, &mut draft)?;
    edited.into_iter().for_each(|(index, data)| draft.put(index, data));
    Ok(draft.finish(path)?.counted(notes))
}
