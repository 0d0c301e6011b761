#!/usr/bin/env bash
# Makes the files of a release in target/dist: archives of the command for Linux and Windows with manual pages, completions
# and all licenses, the Python wheel, the npm package with the demo page, the extension of Tiled, and their checksums. Two runs make
# the same bytes. tools/dist/test.sh installs each of them.
#
#   tools/dist.sh [linux] [windows] [python] [npm] [tiled]     all of them by default
#
# Needs rustup, Python and Node.js; installs musl, mingw and Wine's settings (Debian).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- linux windows python npm tiled
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=$PWD/target/dist
mkdir -p "$out"

# What makes builds differ: the time, the folder, and the order of what is compiled in parallel.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
cargo_home=${CARGO_HOME:-$HOME/.cargo}
RUSTFLAGS="--remap-path-prefix=$PWD=worldview --remap-path-prefix=$cargo_home=cargo"
CFLAGS="-ffile-prefix-map=$cargo_home=cargo"
export SOURCE_DATE_EPOCH CFLAGS CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=symbols
export CARGO_TARGET_DIR=$PWD/target/dist/build TZ=UTC LC_ALL=C
linux=x86_64-unknown-linux-musl
program=$CARGO_TARGET_DIR/$linux/dist/worldview

# Copies what goes with the program into a folder. The pages and completions are the same on every system.
besides() {
    local folder=$1 target=$2
    cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
    python3 tools/dist/licenses.py "$target" worldview-cli > "$folder/LICENSES-DEPENDENCIES.txt"
    mkdir -p "$folder/man" "$folder/completions"
    "$program" man -o "$folder/man" --quiet
    "$program" completions bash > "$folder/completions/worldview.bash"
    "$program" completions fish > "$folder/completions/worldview.fish"
    "$program" completions zsh > "$folder/completions/_worldview"
    "$program" completions powershell > "$folder/completions/_worldview.ps1"
    find "$folder" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# The program for Linux also writes the manual pages and completions for Windows.
build_linux() {
    command -v musl-gcc > /dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends musl-tools > /dev/null; }
    rustup --quiet target add "$linux"
    RUSTFLAGS=$RUSTFLAGS cargo build --profile dist --features dist --locked -p worldview-cli --target "$linux"
}

linux() {
    local target=$linux
    build_linux
    local name=worldview-$version-$target
    rm -rf "$out/$name" && mkdir "$out/$name"
    cp "$program" "$out/$name/worldview"
    besides "$out/$name" "$target"
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -C "$out" -c "$name" |
        gzip --no-name -9 > "$out/$name.tar.gz"
    rm -r "${out:?}/$name"
}

windows() {
    local target=x86_64-pc-windows-gnu
    tools/wine/prepare.sh > /dev/null
    # The linker writes the time into the program unless told otherwise.
    RUSTFLAGS="$RUSTFLAGS -Clink-arg=-Wl,--no-insert-timestamp" \
        cargo build --profile dist --features dist --locked -p worldview-cli --target "$target"
    build_linux
    local name=worldview-$version-$target
    rm -rf "${out:?}/$name" "$out/$name.zip" && mkdir "$out/$name"
    cp "$CARGO_TARGET_DIR/$target/dist/worldview.exe" "$out/$name"
    besides "$out/$name" "$target"
    (cd "$out" && find "$name" -type f | sort | python3 "$OLDPWD/tools/dist/zip.py" "$name.zip")
    rm -r "${out:?}/$name"
}

python() {
    python3 -m venv "$CARGO_TARGET_DIR/venv"
    "$CARGO_TARGET_DIR/venv/bin/pip" install --quiet 'maturin>=1.9,<2' ziglang
    # zig links for the oldest glibc that Rust supports.
    RUSTFLAGS=$RUSTFLAGS PATH="$CARGO_TARGET_DIR/venv/bin:$PATH" \
        maturin build --release --locked --zig --compatibility manylinux2014 --manifest-path bindings/python/Cargo.toml --out "$out"
}

npm() {
    bindings/wasm/build.sh
    (cd "$CARGO_TARGET_DIR/npm" && command npm pack --silent --pack-destination "$out" > /dev/null)
    cp "$CARGO_TARGET_DIR/demo.html" "$out/worldview-demo-$version.html"
}

tiled() {
    local name=worldview-tiled-$version
    rm -rf "${out:?}/$name" "$out/$name.zip" && mkdir -p "$out/$name"
    cp -r integrations/tiled/worldview integrations/tiled/README.md LICENSE-APACHE LICENSE-MIT "$out/$name"
    (cd "$out" && find "$name" -type f | sort | python3 "$OLDPWD/tools/dist/zip.py" "$name.zip")
    rm -r "${out:?}/$name"
}

for part in "$@"; do "$part"; done
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs sha256sum > SHA256SUMS && cat SHA256SUMS)
