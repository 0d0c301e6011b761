#!/usr/bin/env bash
# Packs all published crates and tests what is in the packages: each is built, its unit tests and its documentation tests run,
# and the command is installed from them.
#
#   tools/packages.sh             packs and tests
#   tools/packages.sh publish     publishes the crates, in order
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0

# Each package contains the licenses, which lie in the root of the repository only.
for crate in crates/*/; do cp LICENSE-APACHE LICENSE-MIT "$crate"; done
trap 'rm -f crates/*/LICENSE-APACHE crates/*/LICENSE-MIT' EXIT
if [ "${1:-}" = publish ]; then
    # The copies are not committed, which Cargo would refuse.
    git diff --quiet HEAD || { echo "the work tree has changes"; exit 1; }
    cargo publish --workspace --allow-dirty
    exit
fi

target=$(realpath "${CARGO_TARGET_DIR:-target}")
rm -rf "$target/package" "$target/unpacked"
tests=(--exclude worldview-benches --exclude worldview-corpus --exclude worldview-readers --exclude worldview-tools)
cargo package --workspace "${tests[@]}" --no-verify --allow-dirty --quiet

# Documentation tests read the samples, which no package contains, from the place that they have in the repository.
mkdir -p "$target/unpacked/crates" "$target/unpacked/tests"
# A structure that unit tests of several crates share.
cp tests/every_form.rs "$target/unpacked/tests"
cp -r samples "$target/unpacked"
for package in "$target"/package/*.crate; do tar -C "$target/unpacked/crates" -xf "$package"; done
cd "$target/unpacked"
{
    printf '[workspace]\nresolver = "3"\nmembers = ["crates/*"]\n[patch.crates-io]\n'
    for folder in crates/*/; do
        name=$(basename "$folder" | sed 's/-[0-9].*//')
        printf '%s = { path = "%s" }\n' "$name" "${folder%/}"
    done
} > Cargo.toml
for folder in crates/*/; do
    for file in README.md LICENSE-MIT LICENSE-APACHE; do [ -s "$folder/$file" ] || { echo "$folder has no $file"; exit 1; }; done
done
cp "$OLDPWD/Cargo.lock" .
export CARGO_TARGET_DIR=$target/unpacked-target
cargo test --workspace
cargo install --path crates/worldview-cli-* --root "$target/installed"
"$target/installed/bin/worldview" --version
