use worldview_core::Path;
use worldview_wpd::{Archive, Table, TableDescription};

use super::arrays::Arrays;
use super::layout::Draft;
use super::members::{self, Children, header};
use super::pool::Pool;
use crate::checked::index;
use crate::list::Hooks;
use crate::tree::Tree;
use crate::{EditError, EditErrorKind, Patches, Result};

/// Applies the changes of a tree to a table of this archive.
pub(super) fn edit<'a>(archive: &Archive<'a>, table: &Table<'_>, tree: &Tree<'_>, path: &Path) -> Result<Patches<'a>> {
    let children = Children::of(tree, path, Some("unknown_section"))?;
    let description = TableDescription::new(table);
    let (mut pool, mut arrays) = (Pool::of(table), Arrays::of(table));
    let mut draft = Draft::new(*archive);
    let sections = [table.sections().version(), table.sections().sheetname()];
    let sections: Vec<_> = sections.into_iter().flatten().collect();
    let new = header(&description, archive, children.own, &sections, &mut draft)?;
    let name = table.sections().sheetname().map(|section| section.index());
    for (section, new) in sections.iter().zip(new) {
        if new != section.data() {
            let is_name = name == Some(section.index());
            draft.replace(section.index(), if is_name { padded(new, section.data()) } else { new })?;
        }
    }
    let mut refer = |array: Option<u32>, name: &[u8], text: &[u8], path: &Path| match array {
        None => pool.offset(text, path),
        Some(array) => {
            let field = table.fields().iter().find(|field| field.name() == name);
            let field = field.ok_or_else(|| EditError::not_found(path))?;
            arrays.element(table, field, index(array.into())?, text, &mut pool, path)
        }
    };
    let hooks = Hooks { refer: Some(&mut refer), inside: None };
    let records = members::edit((&description, "record"), &children.elements, hooks, &mut draft);
    records.map_err(|error| match error.kind {
        EditErrorKind::NotFound if error.path.len().saturating_sub(path.len()) > 1 => {
            EditError::unsupported(&error.path, "the table has no field of this name")
        }
        _ => error,
    })?;
    members::edit((&description, "unknown_section"), &children.others, Hooks::default(), &mut draft)?;
    let notes = std::mem::take(&mut arrays.notes);
    let mut sections = arrays.finish(table, path)?;
    if let Some(bytes) = pool.finish() {
        let section = table.sections().string();
        let section =
            section.ok_or_else(|| EditError::unsupported(path, "the table has no pool of strings to append to"))?;
        sections.push((section.index(), bytes));
    }
    for (index, bytes) in sections {
        draft.replace(index, bytes)?;
    }
    Ok(draft.finish(path)?.counted(notes))
}

/// Gives a text with its NUL as many zeros behind it as its section has, or as make its size a multiple of 16 if it was one.
fn padded(mut new: Vec<u8>, old: &[u8]) -> Vec<u8> {
    // The text, and its NUL.
    let used = new.iter().rev().skip_while(|&&byte| byte == 0).count();
    let len = match used.saturating_add(1) {
        used if used <= old.len() => old.len(),
        used if old.len().is_multiple_of(16) => used.next_multiple_of(16),
        used => used,
    };
    new.resize(len, 0);
    new
}
