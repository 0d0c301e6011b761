#!/usr/bin/env bash
# Builds the library and compares what C, C++ and Node.js programs see with the JSON of the command.
#
#     bindings/c/test.sh
#
# The command is $WORLDVIEW; by default it is built.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
samples="$root/samples"
step() { echo "== $1 (${SECONDS}s)"; }

step "command"
if [ -z "${WORLDVIEW:-}" ]; then
    (cd "$root" && cargo build -p worldview-cli)
    WORLDVIEW="$(cd "$root" && cargo metadata --format-version 1 --no-deps |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/worldview"
fi
step "library and header"
(cd "$here" && cargo test --quiet -p worldview-c)
"$here/install.sh" "$out/prefix" dev
export PKG_CONFIG_PATH="$out/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$out/prefix/lib"
strict=(-g -Wall -Wextra -Wpedantic -Wshadow -Werror)
# shellcheck disable=SC2207
flags=($(pkg-config --cflags --libs worldview))
cc -std=c11 "${strict[@]}" -O1 "$here/examples/samples.c" "${flags[@]}" -o "$out/samples"

step "C program, dynamic"
# The program asks for the library of its series, whatever others are installed.
series="$(sed -n 's/^#define WV_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' "$here/include/worldview.h")"
readelf -d "$out/samples" | grep "NEEDED.*\[libworldview\.so\.$series\]" > /dev/null
"$out/samples" "$samples"/* > "$out/samples.txt"
grep -q 'plane "Action": 160 by 60 tiles, 4895 of them drawn, 41 objects' "$out/samples.txt"
for part in "$samples"/* "$samples/wdbpack.bin/r_lamps.wdb" "$samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD"; do
    "$out/samples" --json "$part" > "$out/c.json"
    "$WORLDVIEW" show --format json "$part" | cmp - "$out/c.json"
done

step "bytes of the program"
cc -std=c11 "${strict[@]}" -O1 "$here/tests/open.c" "${flags[@]}" -o "$out/open"
"$out/open" "$samples"

step "broken files"
"$out/samples" --break "${BROKEN:-100}" "$samples"/*

step "C and C++ programs, static, with CMake"
cmake -S "$here" -B "$out/cmake" -DWORLDVIEW_LIBRARY="$out/prefix/lib/libworldview.a" > "$out/cmake.txt" || {
    cat "$out/cmake.txt"
    exit 1
}
cmake --build "$out/cmake" > "$out/cmake.txt" || {
    cat "$out/cmake.txt"
    exit 1
}
"$out/cmake/samples" "$samples"/* | cmp - "$out/samples.txt"
"$out/cmake/samples-cpp" "$samples"

step "C program, find_package"
mkdir "$out/found"
cat > "$out/found/CMakeLists.txt" << EOF
cmake_minimum_required(VERSION 3.21)
project(found C)
find_package(worldview 0.1 CONFIG REQUIRED)
add_executable(found "$here/examples/samples.c")
target_link_libraries(found PRIVATE worldview::worldview)
EOF
cmake -S "$out/found" -B "$out/found/build" -DCMAKE_PREFIX_PATH="$out/prefix" > "$out/cmake.txt" &&
    cmake --build "$out/found/build" > "$out/cmake.txt" || {
    cat "$out/cmake.txt"
    exit 1
}
"$out/found/build/found" "$samples"/* | cmp - "$out/samples.txt"
sed -i 's/worldview 0.1 CONFIG/worldview 0.2 CONFIG/' "$out/found/CMakeLists.txt"
if cmake -S "$out/found" -B "$out/found/other" -DCMAKE_PREFIX_PATH="$out/prefix" > /dev/null 2>&1; then
    echo "a package of another version was found" >&2
    exit 1
fi

step "README"
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$here/README.md" > "$out/readme.c"
awk '/^```cpp$/ { on = 1; next } /^```/ { on = 0 } on' "$here/README.md" > "$out/readme.cpp"
cc -std=c11 "${strict[@]}" "$out/readme.c" "${flags[@]}" -o "$out/readme-c"
c++ -std=c++17 "${strict[@]}" "$out/readme.cpp" "${flags[@]}" -o "$out/readme-cpp"
(cd "$root" && "$out/readme-c" && "$out/readme-cpp")
if c++ -std=c++14 -fsyntax-only "$out/readme.cpp" "${flags[@]}" 2> "$out/old.txt"; then
    echo "worldview.hpp is accepted as C++14" >&2
    exit 1
fi
grep -q 'worldview.hpp needs C++17' "$out/old.txt"

step "moved prefix"
mv "$out/prefix" "$out/moved"
PKG_CONFIG_PATH="$out/moved/lib/pkgconfig" pkg-config --libs worldview | grep -F "$out/moved/lib" > /dev/null
# shellcheck disable=SC2046
cc -std=c11 "$out/readme.c" $(PKG_CONFIG_PATH="$out/moved/lib/pkgconfig" pkg-config --cflags --libs worldview) -o "$out/moved-c"
mv "$out/moved" "$out/prefix"

step "library with outputs"
"$here/install.sh" "$out/export-prefix" dev --features export
for program in examples/export tests/export; do
    cc -std=c11 "${strict[@]}" -O1 "$here/$program.c" -I"$here/include" -L"$out/export-prefix/lib" -lworldview -o "$out/${program//\//-}"
done
export LD_LIBRARY_PATH="$out/export-prefix/lib"
"$out/tests-export" "$samples"
# Every output is that of the command.
for sample in harbour.wwd items.wdb pennant.tex world.wdb; do
    kinds=tmx,glb,png,bmp,csv,parquet,json
    "$out/examples-export" "$samples/$sample" $kinds "$out/export/$sample" > /dev/null
    "$WORLDVIEW" export "$samples/$sample" --to $kinds -o "$out/export-command" --quiet
    diff -r -x manifest.ndjson "$out/export/$sample" "$out/export-command/$sample"
done
export LD_LIBRARY_PATH="$out/prefix/lib"

step "Node.js"
npm ci --prefix "$here/tests/node" --ignore-scripts --no-audit --no-fund --silent
node "$here/tests/node/test.mjs" "$out/prefix/lib/libworldview.so" "$WORLDVIEW" "$samples"
step "passed"
