#!/usr/bin/env bash
# House rules that no tool checks. Prints each violation, and fails if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0

# Reads violations, one a line: `... | none "what they violate"`.
none() {
    local found
    found=$(cat)
    [ -z "$found" ] || { printf '%s:\n%s\n' "$1" "$found" >&2; failed=1; }
}
shopt -s lastpipe

git ls-files -s | sed -n 's/^120000.*\t//p' | none "links, which a Windows clone turns into text files"
git ls-files '*/Cargo.toml' ':!fuzz' | while read -r manifest; do
    grep -qzP '\n\[lints\]\nworkspace = true' "$manifest" || grep -q '^\[workspace\]' "$manifest" || echo "$manifest"
done | none "crates that do not inherit the lints of the workspace"
git ls-files 'crates/*/Cargo.toml' 'tests/*/Cargo.toml' | while read -r manifest; do
    ! grep -qzP '\n\[lib\]\ntest = false' "$manifest" || git grep -n 'cfg(test)' -- "$(dirname "$manifest")/src" || true
done | none "unit tests that are not compiled, because the manifest says that there are none"
{ git grep -nE '^(<{7}|>{7}) ' || true; } | none "marks of a merge"
git ls-files '*.rs' | xargs wc -l | awk '$2 != "total" && $1 > 600' | none "files over 600 lines"
for crate in core edit format import inspect island rez wpd wwd; do
    grep -q '^#!\[forbid(unsafe_code)\]' "crates/$crate/src/lib.rs" || echo "$crate"
done | none "crates that must forbid unsafe code"
{ git grep -l 'expect(unsafe_code' -- 'crates/*/src/*' || true; } |
    { grep -vE '^crates/(map|simd)/|^crates/cli/src/main.rs$' || true; } | none "unsafe code outside of map, simd and the command's promise"
for crate in core island map rez simd wpd wwd; do git grep -n '#!\[allow(clippy' -- "crates/$crate/src/*" || true; done |
    none "format crates that relax a lint for a whole module"
# What only writes lies in modules `edit`. Descriptions, and selections of them, hand it on with `.editable(…)`; of the crates that
# read, nothing looks at it.
{ git grep -nE '\bedit::|\.editable\(\)' -- crates/{core,format,inspect,island,map,rez,simd,wpd,wwd}/src \
    ':!crates/*/src/edit.rs' ':!crates/*/src/edit/*' || true; } |
    { grep -vE '^crates/(core/src/describe/(items|list)|inspect/src/selected)\.rs:[0-9]+:(use [a-z_]+::edit::EditableList;| *self\.parts\.editable\(\))$|:[0-9]+: *//' || true; } |
    none "uses of what only writes, where files are read"
for crate in core edit export format import inspect island map rez simd worldview wpd wwd; do
    git grep -nE -e '[^-]--[a-z]' -- "crates/$crate/src/*.rs" | grep -v 'cargo ' || true
done | none "libraries that name an option of the command"
# `cargo run` and `cargo test --workspace`: a difference in features compiles a crate, and all that depend on it, once more.
features() { cargo tree --locked --prefix none --format '{p} {f}' "$@" | sed 's/ (\*)$//' | sort -u; }
comm -23 <(features -p worldview-cli -e normal,build) <(features --workspace -e normal,build,dev) |
    none "features that cargo test --workspace has otherwise than cargo run"
# `read.rs` bounds what is read, and refuses pipes; the others are of outputs. Unit tests are at the end of a file.
git ls-files 'crates/cli/src/*.rs' 'crates/verbs/src/*.rs' | grep -vE '/(read|output/(compare|lock|single))\.rs$' | while read -r file; do
    sed '/^#\[cfg(test)\]/q' "$file" | { grep -nE 'fs::read(_to_string)?\(|File::(open|options)\(' || true; } | sed "s,^,$file:,"
done | none "files of the command that are read around its bounds"
# One place writes files. It follows no links, and leaves nothing half-written.
{ git grep -nE 'fs::(write|create_dir|remove|rename|copy|hard_link|set_permissions)|File::(create|options)|OpenOptions::new|generate_to|tempfile_in|persist' \
    -- 'crates/cli/src/*.rs' 'crates/verbs/src/*.rs' ':!crates/verbs/src/output.rs' ':!crates/verbs/src/output/' || true; } |
    { grep -vE '^crates/verbs/src/interrupt.rs:|:[0-9]+://!|assert!' || true; } | none "files that are written past the output writer"
# Rustdoc checks links to modules, but not to their sections.
for crate in island rez wpd wwd; do
    { git grep -hoE '\(crate::format#[a-z0-9-]+' -- "crates/$crate/src/*"
        git grep -hoE "worldview_$crate::format#[a-z0-9-]+" -- 'crates/*/src/*' || true; } | sed 's/.*#//' | sort -u |
        { grep -vxF "$(sed -n 's/^#* *//p' "crates/$crate/FORMAT.md" | tr 'A-Z ' 'a-z-')" || true; } | sed "s/^/crates\/$crate\/FORMAT.md#/"
done | none "links to sections that do not exist"
exit "$failed"
