use std::collections::HashMap;

use worldview_core::Path;
use worldview_wpd::{Archive, Field, FieldKind, Row, Table, TableDescription, TableOptions};

use super::arrays::Arrays;
use super::layout::{Data, Draft};
use super::members::{Edit, Names, joined, wrong};
use super::pool::Pool;
use super::record::{Words, expect};
use crate::fields::{self, Wish};
use crate::list;
use crate::tree::Tree;
use crate::{Change, EditError, EditErrorKind, Patches, Result, Value};

/// Applies the changes of a tree to a table.
pub(super) fn apply<'a>(
    archive: &Archive<'a>,
    tree: &Tree<'_>,
    path: &Path,
    options: TableOptions<'_>,
) -> Result<Patches<'a>> {
    edit(archive, &options.table(*archive)?, tree, path)
}

/// Applies the changes of a tree to a table of this archive.
pub(super) fn edit<'a>(archive: &Archive<'a>, table: &Table<'_>, tree: &Tree<'_>, path: &Path) -> Result<Patches<'a>> {
    let names = Names::of(archive, Some(table));
    let mut rows = Rows { table, fields: HashMap::new(), pool: Pool::of(table), arrays: Arrays::of(table) };
    let mut edit = Edit { archive, draft: Draft::new(*archive), path, names };
    for (name, node) in tree.in_order() {
        let place = edit.place(name, node)?;
        match node.change {
            Some(Change::Set { path, .. }) => {
                return Err(EditError::unsupported(path, "a record cannot be set as a whole; set its fields"));
            }
            Some(Change::Add { path, like, position, fields, data }) => {
                if data.is_some() {
                    return Err(EditError::unsupported(path, "a record has fields and no `data`"));
                }
                let mut words = match like {
                    Some(like) => Words::of(edit.sibling(like, path)?.data()),
                    None => rows.empty(fields, path)?,
                };
                for (field, value) in fields {
                    rows.set(&mut words, field.as_bytes(), value, path)?;
                }
                edit.add(path, name, place, position, words.into_bytes())?;
            }
            Some(Change::Remove { path, fields, data, was: _ }) => {
                if data.is_some() {
                    return Err(EditError::unsupported(path, "a record has fields and no `data`"));
                }
                let index = edit.found(&place, name)?.index();
                for (field, expected) in fields {
                    let row = table.row_of(index).ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
                    let field = rows.field(field.as_bytes(), path)?;
                    expect(&row, &field, Some(expected), path)?;
                }
                edit.remove(index);
            }
            change @ (None | Some(Change::Rename { .. } | Change::Move { .. })) => {
                let member = edit.found(&place, name)?;
                match change {
                    Some(Change::Rename { path, to }) => edit.rename(path, member.index(), to)?,
                    Some(Change::Move { path, position, was: _ }) => edit.shift(path, member.index(), position)?,
                    _ => {}
                }
                let not_found = || EditError::new(&joined(path, name), EditErrorKind::NotFound);
                let row = table.row_of(member.index()).ok_or_else(not_found)?;
                let data = rows.edit(&row, node, member.data())?;
                if data != member.data() {
                    edit.draft.put(member.index(), Data::New(data.into()));
                }
            }
        }
    }
    let Rows { pool, arrays, .. } = rows;
    let mut sections = arrays.finish(table, path)?;
    if let Some(bytes) = pool.finish() {
        let section = table.sections().string;
        let section =
            section.ok_or_else(|| EditError::unsupported(path, "the table has no pool of strings to append to"))?;
        sections.push((section.index(), bytes));
    }
    for (index, bytes) in sections {
        edit.draft.put(index, Data::New(bytes.into()));
    }
    edit.draft.finish(path)
}

/// The records of a table, and what their edits need.
struct Rows<'t, 'a> {
    table: &'t Table<'a>,
    fields: HashMap<Vec<u8>, Field<'a>>,
    pool: Pool<'a>,
    arrays: Arrays,
}

impl<'a> Rows<'_, 'a> {
    fn field(&mut self, name: &[u8], path: &Path) -> Result<Field<'a>> {
        if self.fields.is_empty() {
            self.fields = self.table.fields().iter().map(|field| (field.name().to_owned(), field.clone())).collect();
            self.fields.extend(self.table.unowned_bits().map(|field| (field.name().to_owned(), field)));
        }
        let not_found = || EditError::unsupported(path, "the table has no field of this name");
        self.fields.get(name).cloned().ok_or_else(not_found)
    }

    /// A record in which everything but the given fields is zero or empty.
    fn empty(&mut self, given: &[(String, Value)], path: &Path) -> Result<Words> {
        let size = usize::try_from(self.table.record_size()).unwrap_or(0);
        let mut words = Words::of(&vec![0; size]);
        for field in self.table.fields() {
            let is_given = || given.iter().any(|(name, _)| name.as_bytes() == field.name());
            if matches!(field.kind(), FieldKind::String | FieldKind::Element) && !is_given() {
                self.text(&mut words, field, b"", path)?;
            }
        }
        Ok(words)
    }

    /// Applies the changes of a record's fields, and returns its data.
    fn edit(&mut self, row: &Row<'_, 'a>, node: &Tree<'_>, data: &[u8]) -> Result<Vec<u8>> {
        let wishes = node.children.iter().filter_map(|(name, node)| Some(Wish::of(name.segments().next()?, node)));
        let wishes = wishes.collect::<Result<Vec<_>>>()?;
        let Self { table, pool, arrays, .. } = self;
        let table = *table;
        let mut refer = |array: Option<u32>, name: &[u8], text: &[u8], path: &Path| match array {
            None => pool.offset(text, path),
            Some(array) => {
                let field = table.fields().iter().find(|field| field.name() == name);
                let field = field.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
                arrays.element(table, field, usize::try_from(array).unwrap_or(usize::MAX), text, pool, path)
            }
        };
        let number = u32::try_from(row.index()).unwrap_or(u32::MAX);
        let mut result = Ok(data.to_vec());
        let table = TableDescription::new(table);
        list::of_kind(&table, "record", |parts| {
            parts.get(number, 0, &mut |part| {
                let mut draft = fields::Draft::new(part.at.map_or(0, |at| at.at), data).refer(&mut refer);
                let set = fields::set(part.body, &wishes, &mut draft).map_err(|error| match error.kind {
                    EditErrorKind::NotFound => {
                        EditError::unsupported(&error.path, "the table has no field of this name")
                    }
                    _ => error,
                });
                result = set.map(|()| draft.finish());
            });
        });
        result
    }

    fn set(&mut self, words: &mut Words, name: &[u8], to: &Value, path: &Path) -> Result<()> {
        let field = self.field(name, path)?;
        self.put(words, &field, to, path)
    }

    fn put(&mut self, words: &mut Words, field: &Field<'_>, to: &Value, path: &Path) -> Result<()> {
        match field.kind() {
            FieldKind::String | FieldKind::Element => {
                let text = to.as_bytes().ok_or_else(|| wrong(path, "text", to))?;
                self.text(words, field, text, path)
            }
            _ => words.number(field, to, path),
        }
    }

    fn text(&mut self, words: &mut Words, field: &Field<'_>, text: &[u8], path: &Path) -> Result<()> {
        let bits = match field.array() {
            None => self.pool.offset(text, path)?,
            Some(array) => self.arrays.element(self.table, field, array, text, &mut self.pool, path)?,
        };
        words.put(field, bits, path)
    }
}
