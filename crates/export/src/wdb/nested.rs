use worldview_wpd::{Member, Schemas, TableOptions};

use super::write::utf8;

/// A member's name and extension, as they are shown: UTF-8, what is none replaced, with a dot between them.
pub fn label(member: &Member<'_>) -> String {
    let name = utf8(member.name());
    match member.extension() {
        [] => name.into_owned(),
        extension => format!("{name}.{}", utf8(extension)),
    }
}

/// How a table is opened that is the member `label` of an archive.
pub(crate) fn options<'o>(schemas: Option<&'o Schemas>, label: &'o str) -> TableOptions<'o> {
    let options = TableOptions::new().file_name(label);
    match schemas {
        Some(schemas) => options.schemas(schemas),
        None => options,
    }
}
