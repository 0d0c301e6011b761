#!/usr/bin/env bash
# Installs what cross-compiling for Windows needs (Debian), prepares a folder for Wine, and prints the settings as
# `export` lines for the shell.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
wine=$(realpath "$here/../..")/target/wine

x86_64-w64-mingw32-gcc --version > /dev/null 2>&1 && [ -x /usr/lib/wine/wine64 ] || {
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends gcc-mingw-w64-x86-64-win32 wine64
} > /dev/null
rustup --quiet target add x86_64-pc-windows-gnu > /dev/null

export WINEPREFIX=$wine/prefix WINEDEBUG=-all
mkdir -p "$wine"
if [ ! -e "$wine/ready" ]; then
    /usr/lib/wine/wine64 wineboot --init > /dev/null 2>&1
    x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$here/prng.c" -ladvapi32
    touch "$wine/ready"
fi
echo "export WINEPREFIX='$WINEPREFIX' WINEDEBUG=-all CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64"
