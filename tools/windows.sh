#!/usr/bin/env bash
# Builds the command and the tests for Windows with mingw, and runs the tests under Wine. Arguments are those of
# `cargo test`; without any, the tests of all crates are run except the comparisons with other readers, which know no
# platform. Then the samples are exported, and compared with an export by the command for Linux.
#
# Needs rustup; installs mingw and Wine (Debian). docs/platforms.md says what passes.
set -euo pipefail
cd "$(dirname "$0")/.."
settings=$(tools/wine/prepare.sh)
eval "$settings"
export CARGO_INCREMENTAL=0
target=${CARGO_TARGET_DIR:-target}

[ $# -gt 0 ] || set -- --workspace --exclude worldview-benches --exclude worldview-readers --exclude worldview-tools
# Newer versions of the standard library make pipes that Wine 8 does not know.
rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rustup --quiet toolchain install --no-self-update --profile minimal --target x86_64-pc-windows-gnu "$rust"
failed=0
cargo "+$rust" test --target x86_64-pc-windows-gnu --no-fail-fast "$@" || failed=1

# Of the whole workspace, so that nothing is compiled again with other features.
cargo build --workspace --bin worldview
cargo "+$rust" build --workspace --bin worldview --target x86_64-pc-windows-gnu
rm -rf "$target/export"
"$target/debug/worldview" export samples -o "$target/export/linux" --quiet
/usr/lib/wine/wine64 "$target/x86_64-pc-windows-gnu/debug/worldview.exe" export samples -o "$target/export/windows" --quiet
diff -r "$target/export/linux" "$target/export/windows"
echo "the samples are exported to the same $(find "$target/export/windows" -type f | wc -l) files as on Linux"
exit $failed
