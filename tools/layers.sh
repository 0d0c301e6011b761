#!/usr/bin/env bash
# Checks that the modules of each library form layers: none imports another that imports it, directly or through others.
# Needs `cargo install cargo-modules`.
set -euo pipefail
cd "$(dirname "$0")/.."
for manifest in crates/*/Cargo.toml; do
    package=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -1)
    cargo modules dependencies --package "$package" --lib --all-features --acyclic --no-externs --no-sysroot --no-fns --no-types --no-traits > /dev/null ||
        { echo "$package: modules import each other in a circle"; exit 1; }
done
