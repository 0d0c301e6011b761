#!/usr/bin/env bash
# Installs each file of a release in target/dist on a clean path, and opens a sample with it.
#
#   tools/dist/test.sh
#
# Needs Python and Node.js; Wine for the program for Windows, Chromium for the demo page, and Debian's Tiled for its extension.
set -euo pipefail
cd "$(dirname "$0")/../.."
dist=$PWD/target/dist
samples=$PWD/samples
wine=$PWD/target/wine
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT
# Nothing of this checkout is found by its name.
cd "$clean"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
passed=0 skipped=0
pass() { echo "passed: $(basename "$1")"; passed=$((passed + 1)); }
skip() { echo "skipped: $1"; skipped=$((skipped + 1)); }

for file in "$dist"/worldview-*-linux-musl.tar.gz; do
    [ -e "$file" ] || { skip "the program for Linux is not there"; continue; }
    mkdir linux && tar -xzf "$file" -C linux --strip-components 1
    env -i linux/worldview export "$samples/items.wdb" -o linux/out --to csv --quiet
    head -1 linux/out/items.wdb/records.csv | grep -q '^record,'
    test -s linux/LICENSES-DEPENDENCIES.txt && test -s linux/man/worldview.1 && test -s linux/completions/worldview.bash
    pass "$file"
done

for file in "$dist"/worldview-*-windows-gnu.zip; do
    [ -e "$file" ] || { skip "the program for Windows is not there"; continue; }
    [ -d "$wine/prefix" ] || { skip "no Wine for $(basename "$file")"; continue; }
    python3 -m zipfile -e "$file" windows
    cp "$samples/items.wdb" .
    cp "$wine"/*.dll windows/*/ 2> /dev/null || true
    WINEPREFIX=$wine/prefix WINEDEBUG=-all /usr/lib/wine/wine64 windows/*/worldview.exe info items.wdb | grep -q 'WDB table'
    pass "$file"
done

for file in "$dist"/worldview*.whl; do
    [ -e "$file" ] || { skip "the wheel is not there"; continue; }
    python3 -m venv python && python/bin/pip install --quiet "$file"
    python/bin/python -c "import worldview; assert len(worldview.open('$samples/items.wdb')) > 30"
    pass "$file"
done

for file in "$dist"/*.tgz; do
    [ -e "$file" ] || { skip "the npm package is not there"; continue; }
    mkdir npm && (cd npm && npm init --yes > /dev/null && npm install --silent "$file" > /dev/null)
    cat > npm/test.mjs << 'END'
import { readFileSync } from "node:fs";
import { open } from "worldview-wasm";
const level = open(readFileSync(process.argv[2]), { name: "harbour.wwd" });
if (level.kind !== "level") throw new Error(`expected a level, found ${level.kind}`);
END
    node npm/test.mjs "$samples/harbour.wwd"
    pass "$file"
done

for file in "$dist"/worldview-demo-*.html; do
    [ -e "$file" ] || { skip "the demo page is not there"; continue; }
    command -v chromium > /dev/null || { skip "no Chromium for $(basename "$file")"; continue; }
    # The page works without a server.
    chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "file://$file" 2> /dev/null > page.html
    grep -q '<title>' page.html
    pass "$file"
done

for file in "$dist"/worldview-tiled-*.zip; do
    [ -e "$file" ] || { skip "the extension of Tiled is not there"; continue; }
    command -v tiled > /dev/null || { skip "no Tiled for $(basename "$file")"; continue; }
    [ -x linux/worldview ] || { skip "no program for $(basename "$file")"; continue; }
    mkdir -p home/.config/tiled/extensions && python3 -m zipfile -e "$file" tiled
    cp -r tiled/*/worldview home/.config/tiled/extensions
    HOME=$clean/home XDG_CONFIG_HOME=$clean/home/.config WORLDVIEW=$clean/linux/worldview QT_QPA_PLATFORM=offscreen \
        tiled --export-map tmx "$samples/harbour.wwd" harbour.tmx
    grep -q '<layer ' harbour.tmx
    pass "$file"
done

echo "$passed passed, 0 failed, $skipped skipped"
