#!/usr/bin/env bash
# Builds the package and the page, and tests both: in Node.js, by TypeScript, and by clicking in Chromium.
#
# `$WORLDVIEW` is the command to compare with, and `$CHROMIUM` the browser.
set -euo pipefail
cd "$(dirname "$0")"
root=$(realpath ../..)
target=$(realpath -m "${CARGO_TARGET_DIR:-../target}")
export WORLDVIEW=${WORLDVIEW:-$root/target/debug/worldview}
./build.sh
# The name of the package leads to what was built.
ln -sfn "$target/npm" node_modules/worldview-wasm
node --test test/*.test.mjs

# The examples of the README have the right types, and run.
mkdir -p node_modules/.readme
node test/readme.mjs node_modules/.readme
tsc=(node_modules/.bin/tsc --strict --target es2022 --module nodenext --types node --lib es2022,esnext.disposable,dom)
"${tsc[@]}" --outDir node_modules/.readme node_modules/.readme/*.mts
ln -sfn "$root/samples" node_modules/.readme/samples
(cd node_modules/.readme && for example in *.mjs; do node "$example" > /dev/null; done)
# The types of a program for browsers.
"${tsc[@]}" --noEmit --moduleResolution bundler --module esnext test/types.ts
# What the README says about bundlers, in Chromium.
node test/bundlers.mjs

node test/page.mjs "$target/demo.html"
