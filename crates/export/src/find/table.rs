use std::collections::HashMap;

use worldview_core::{Budget, Limit};
use worldview_wpd::{Archive, Column, Element, Error, Field, FieldKind, Member, Nesting, Row, Table, Value};

use super::Options;
use super::search::{At, Search};
use crate::Result;
use crate::place::Short;
use crate::wdb::nested::{label, options};
use crate::wdb::write::{byte_cost, utf8};

pub(super) fn search(table: &Table<'_>, search: &mut Search<'_>) -> Result<()> {
    let source = table.archive().source();
    let strings = source.len().saturating_mul(16).saturating_add(16 << 20);
    let mut walk = Walk {
        table,
        parts: Budget::for_bytes(source.len(), "search of overlapping records or string arrays"),
        strings: Budget::new(strings, Limit::Work, "search of strings that are referred to again and again"),
        byte: byte_cost(table),
        used: HashMap::new(),
    };
    walk.names(search);
    walk.open_arrays()?;
    let columns = columns(table);
    for row in table.rows() {
        walk.row(&row, &columns, search)?;
    }
    walk.unused_elements(search)
}

/// The fields that hold text; of an array's elements the column, which knows their numbers.
fn columns<'t, 'a>(table: &'t Table<'a>) -> Vec<(&'t Field<'a>, Option<Column<'t, 'a, Element<'a>>>)> {
    let texts = table.fields().iter().filter(|field| matches!(field.kind(), FieldKind::String | FieldKind::Element));
    texts.map(|field| (field, table.column_of::<Element<'a>>(field))).collect()
}

struct Walk<'t, 'a> {
    table: &'t Table<'a>,
    parts: Budget,
    strings: Budget,
    /// What a byte of a string costs.
    byte: u64,
    /// Of each array, which elements a record has.
    used: HashMap<u32, Vec<bool>>,
}

impl<'a> Walk<'_, 'a> {
    /// Names in the sections: of the sheet, and of the fields.
    fn names(&self, search: &mut Search<'_>) {
        let sections = self.table.sections();
        if let (Some(name), Some(section)) = (sections.sheet_name(), sections.sheetname) {
            search.within(format_args!("table"), |search| {
                search.text("sheet name", &utf8(name), At::of(name, section.source()));
            });
        }
        if let (Some(names), Some(section)) = (sections.item_names(), sections.structitem) {
            for (index, name) in names.enumerate() {
                let text = utf8(name);
                if search.wants(&text) {
                    let at = At::of(name, section.source());
                    search.within(format_args!("field {index}"), |search| search.tell("field", &text, at));
                }
            }
        }
    }

    fn open_arrays(&mut self) -> Result<()> {
        let source = self.table.archive().source();
        for field in self.table.fields() {
            let Some(number) = field.array() else { continue };
            let Some(array) = self.table.string_arrays().get(number) else { continue };
            self.parts.spend(array.len(), source.base(), source.space())?;
            self.used.insert(number, vec![false; usize::try_from(array.len()).unwrap_or(0)]);
        }
        Ok(())
    }

    fn row(
        &mut self,
        row: &Row<'_, 'a>,
        columns: &[(&Field<'a>, Option<Column<'_, 'a, Element<'a>>>)],
        search: &mut Search<'_>,
    ) -> Result<()> {
        let source = self.table.archive().source();
        self.parts.spend(row.data().len() as u64, source.base(), source.space())?;
        let name = utf8(row.name());
        let place = |what: std::fmt::Arguments<'_>, search: &mut Search<'_>, tell: &mut dyn FnMut(&mut Search<'_>)| {
            search.within(format_args!("record {} {}{what}", row.index(), Short(&name)), |search| tell(search));
        };
        if search.wants(&name) {
            let at = At::of(row.name(), source);
            place(format_args!(""), search, &mut |search| search.tell("record", &name, at));
        }
        for (field, elements) in columns {
            let text = match elements {
                Some(elements) => {
                    let Some(element) = elements.get(row.index()) else { continue };
                    let used = field.array().and_then(|array| self.used.get_mut(&array));
                    if let Some(used) = used.and_then(|used| used.get_mut(usize::try_from(element.index).ok()?)) {
                        *used = true;
                    }
                    element.text
                }
                None => match row.value(field) {
                    Some(Value::Text(text)) => text,
                    _ => None,
                },
            };
            let Some(bytes) = text else { continue };
            let at = self.string(bytes)?;
            let text = utf8(bytes);
            if search.wants(&text) {
                let field = utf8(field.name());
                place(format_args!(", field {}", Short(&field)), search, &mut |search| {
                    search.tell("string", &text, at);
                });
            }
        }
        Ok(())
    }

    /// Pays for a string, and says where it lies.
    fn string(&mut self, bytes: &[u8]) -> Result<At> {
        let source = self.table.archive().source();
        self.strings.spend((bytes.len() as u64).saturating_mul(self.byte), source.base(), source.space())?;
        let pool = self.table.sections().string.map_or(source, |section| section.source());
        Ok(At::of(bytes, pool))
    }

    fn unused_elements(&mut self, search: &mut Search<'_>) -> Result<()> {
        for field in self.table.fields() {
            let Some(number) = field.array() else { continue };
            let Some(array) = self.table.string_arrays().get(number) else { continue };
            let Some(used) = self.used.remove(&number) else { continue };
            // What only fills the last word reads as the string at offset 0.
            let is_filler = |index: usize| {
                let offset = u32::try_from(index).ok().and_then(|index| array.offset(index));
                !used[index] && offset == Some(0)
            };
            let end = (0..used.len()).rev().find(|&index| !is_filler(index)).map_or(0, |last| last + 1);
            for (index, used) in (0..).zip(used.into_iter().take(end)) {
                let Some(bytes) = array.get(index).filter(|_| !used) else { continue };
                let at = self.string(bytes)?;
                let text = utf8(bytes);
                if search.wants(&text) {
                    let name = utf8(field.name());
                    search.within(format_args!("string array {}, element {index}", Short(&name)), |search| {
                        search.tell("string", &text, at);
                    });
                }
            }
        }
        Ok(())
    }
}

pub(super) fn archive(archive: &Archive<'_>, options: &Options<'_>, search: &mut Search<'_>) -> Result<()> {
    let nesting = Nesting::new(archive).deepest(options.deepest);
    let mut way = Down { nesting, options, left_out: None };
    way.archive(archive, 0, search)?;
    way.left_out.map_or(Ok(()), |error| Err(error.into()))
}

pub(super) fn members(archive: &Archive<'_>, wanted: &dyn Fn(&Member<'_>) -> bool, search: &mut Search<'_>) {
    for member in archive.members().filter(wanted) {
        let label = label(&member);
        search.within(format_args!("member {} {}", member.index(), Short(&label)), |search| {
            name(archive, &member, &label, search);
        });
    }
}

/// The name of a member, which matches with its extension as well as without.
fn name(archive: &Archive<'_>, member: &Member<'_>, label: &str, search: &mut Search<'_>) {
    let name = utf8(member.name());
    if search.wants(&name) || (!name.is_empty() && search.wants(label)) {
        search.tell("member", &name, At::of(member.name(), archive.source()));
    }
}

/// The way down into nested archives.
struct Down<'o> {
    nesting: Nesting,
    options: &'o Options<'o>,
    /// Why something was not searched.
    left_out: Option<Error>,
}

impl Down<'_> {
    fn archive(&mut self, archive: &Archive<'_>, depth: u32, search: &mut Search<'_>) -> Result<()> {
        for member in archive.members() {
            let label = label(&member);
            let place = format!("member {} {}", member.index(), Short(&label));
            search.within(format_args!("{place}"), |search| {
                name(archive, &member, &label, search);
                self.member(&member, &label, depth, search)
            })?;
        }
        Ok(())
    }

    fn member(&mut self, member: &Member<'_>, label: &str, depth: u32, search: &mut Search<'_>) -> Result<()> {
        match self.nesting.enter(member, depth, &mut |_| {}) {
            Ok(None) => Ok(()),
            Ok(Some(nested)) if nested.is_table() => {
                match options(self.options.schemas, label).table_lossy(nested, &mut |_| {}) {
                    Ok(table) => self::search(&table, search),
                    Err(error) => {
                        self.left_out.get_or_insert(error);
                        Ok(())
                    }
                }
            }
            Ok(Some(nested)) => self.archive(&nested, depth + 1, search),
            Err(error) => {
                self.left_out.get_or_insert(error);
                Ok(())
            }
        }
    }
}
