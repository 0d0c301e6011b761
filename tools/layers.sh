#!/usr/bin/env bash
# Checks that the modules of each library form layers: none imports another that imports it, directly or through others.
# A module and those inside it count as one. Needs `cargo install cargo-modules`.
#
# `cargo modules --acyclic` does not serve: it reports every type and its own methods as a circle. A type with an implementation in
# another module still counts as if its module imported that one.
set -euo pipefail
cd "$(dirname "$0")/.."
for manifest in crates/*/Cargo.toml; do
    package=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -1)
    cargo modules dependencies --package "$package" --lib --all-features --no-externs --no-sysroot --no-fns --no-types --no-traits 2> /dev/null |
        sed -nE 's/^ *"[^":]+::([^":]+)[^"]*" -> "[^":]+::([^":]+)[^"]*" \[label="uses".*/\1 \2/p' |
        sort -u | awk '$1 != $2' | tsort > /dev/null || { echo "$package: modules import each other in a circle"; exit 1; }
done
