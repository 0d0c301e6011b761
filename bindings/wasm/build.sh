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
# Builds a module into a folder of the package, with the features that follow.
module() {
    local folder=$1
    shift
    CARGO_TARGET_DIR=$target RUSTFLAGS=$flags \
        cargo build --quiet --profile wasm --locked -p worldview-wasm --target wasm32-unknown-unknown "$@"
    mkdir -p "$folder"
    "$tools/bin/wasm-bindgen" --target web --out-name worldview --out-dir "$folder" \
        "$target/wasm32-unknown-unknown/wasm/worldview_wasm.wasm"
    # It enables what the module says that it uses, and nothing that fewer engines know.
    node_modules/.bin/wasm-opt -Oz -o "$folder/worldview_bg.wasm" "$folder/worldview_bg.wasm"
    cp node.mjs node.d.mts classes.js "$folder"
}

rm -rf "$out"
module "$out"
cp error.js error.d.ts records.js values.js README.md ../../LICENSE-MIT ../../LICENSE-APACHE "$out"
# A module for each format: levels and models without what writes outputs, which is half of them. Errors are of one class, whichever
# module they come from.
for features in island levels tables,outputs; do
    part=${features%%,*}
    module "$out/$part" --no-default-features --features "$features"
    for file in error values; do echo "export * from \"../$file.js\";" > "$out/$part/$file.js"; done
    cp "$out/$part/error.js" "$out/$part/error.d.ts"
done
(cd .. && python3 ../tools/dist/licenses.py wasm32-unknown-unknown worldview-wasm) > "$out/LICENSES-DEPENDENCIES.txt"
node package.mjs "$out"
node demo/build.mjs "$out" "$target/demo.html"
for module in "$out"/worldview_bg.wasm "$out"/*/worldview_bg.wasm; do
    echo "${module#"$out"/}: $(stat -c %s "$module") bytes, $(gzip -9 -c "$module" | wc -c) with gzip -9"
done
