use worldview_wpd::Member;

use worldview_inspect::utf8;

/// A member's name and extension, as they are shown: UTF-8, what is none replaced, with a dot between them.
pub fn label(member: &Member<'_>) -> String {
    let name = utf8(member.name());
    match member.extension() {
        [] => name.into_owned(),
        extension => format!("{name}.{}", utf8(extension)),
    }
}
