#!/usr/bin/env bash
# Packs all published crates and tests what is in the packages: each is built, its unit tests and its documentation tests run,
# and the command is installed from them.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
target=$(realpath "${CARGO_TARGET_DIR:-target}")
rm -rf "$target/package"
cargo package --workspace --exclude worldview-proof --exclude worldview-benches --no-verify --allow-dirty --quiet

rm -rf "$target/unpacked" && mkdir -p "$target/unpacked"
for package in "$target"/package/*.crate; do tar -C "$target/unpacked" -xf "$package"; done
cd "$target/unpacked"
{
    printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n[patch.crates-io]\n'
    for folder in */; do printf '%s = { path = "%s" }\n' "$(echo "$folder" | sed 's/-[0-9].*//')" "${folder%/}"; done
} > Cargo.toml
for folder in */; do
    for file in README.md LICENSE-MIT LICENSE-APACHE; do [ -s "$folder/$file" ] || { echo "$folder has no $file"; exit 1; }; done
done
cp "$OLDPWD/Cargo.lock" .
export CARGO_TARGET_DIR=$target/unpacked-target
cargo test --workspace
cargo install --path worldview-cli-* --root "$target/installed"
"$target/installed/bin/worldview" --version
