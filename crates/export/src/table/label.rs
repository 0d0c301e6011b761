use worldview_wpd::Member;

use worldview_inspect::utf8;

/// Returns a member's name and extension for display, with a dot between them; invalid bytes appear as `\xNN`.
pub fn label(member: &Member<'_>) -> String {
    let name = utf8(member.name());
    match member.extension() {
        [] => name.into_owned(),
        extension => format!("{name}.{}", utf8(extension)),
    }
}
