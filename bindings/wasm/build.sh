#!/usr/bin/env bash
# Builds the npm package in bindings/target/npm, with the page that shows what a file is. Two runs make the same bytes.
#
# Needs rustup, Node.js and Python. The command of wasm-bindgen, in exactly the version of the library, is installed into
# bindings/target/tools.
set -euo pipefail
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-../target}")
tools=$target/tools
out=$target/npm
export CARGO_INCREMENTAL=0

rustup --quiet target add wasm32-unknown-unknown
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' ../Cargo.lock)
if [ "$("$tools/bin/wasm-bindgen" --version 2> /dev/null)" != "wasm-bindgen $version" ]; then
    # Its own lock file may name crates that are gone.
    cargo install --quiet wasm-bindgen-cli --version "$version" --root "$tools" --target-dir "$target/tools-build"
fi
npm ci --silent

# Paths of this machine are not part of the package.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
flags="--remap-path-prefix=$(realpath ../..)=worldview"
for registry in "$cargo_home"/registry/src/*; do flags+=" --remap-path-prefix=$registry=crates"; done
CARGO_TARGET_DIR=$target RUSTFLAGS=$flags \
    cargo build --profile wasm --locked -p worldview-wasm --target wasm32-unknown-unknown

rm -rf "$out" && mkdir -p "$out"
"$tools/bin/wasm-bindgen" --target web --out-name worldview --out-dir "$out" \
    "$target/wasm32-unknown-unknown/wasm/worldview_wasm.wasm"
# It enables what the module says that it uses, and nothing that fewer engines know.
node_modules/.bin/wasm-opt -Oz -o "$out/worldview_bg.wasm" "$out/worldview_bg.wasm"
cp index.js index.d.ts node.mjs node.d.mts classes.js error.js error.d.ts values.js README.md ../../LICENSE-MIT ../../LICENSE-APACHE "$out"
(cd .. && python3 ../tools/dist/licenses.py wasm32-unknown-unknown worldview-wasm) > "$out/LICENSES-DEPENDENCIES.txt"
node package.mjs "$out"
node demo/build.mjs "$out" "$target/demo.html"
ls -l "$out/worldview_bg.wasm" "$target/demo.html"
