#!/usr/bin/env bash
# Builds the library and installs it with its headers and its files for pkg-config and CMake.
#
#     bindings/c/install.sh PREFIX [PROFILE [OPTION OF CARGO...]]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
prefix="${1:?usage: install.sh PREFIX [PROFILE [OPTION OF CARGO...]]}"
profile="${2:-release}"
mkdir -p "$prefix"/include "$prefix"/lib/pkgconfig
prefix="$(cd "$prefix" && pwd)"

cargo build --manifest-path "$here/Cargo.toml" --profile "$profile" "${@:3}"
built="$("$here/built.sh" "$profile")"
cp "$here"/include/worldview.h "$here"/include/worldview.hpp "$prefix/include"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../Cargo.toml" | head -n 1)"
# Programs load the library by the name that build.rs gives it, and the linker finds it by the name without a version.
case "$version" in
0.*) series="${version%.*}" ;;
*) series="${version%%.*}" ;;
esac
found=
for library in libworldview.a worldview.dll worldview.dll.lib worldview.lib; do
    if [ -e "$built/$library" ]; then
        cp "$built/$library" "$prefix/lib"
        found=1
    fi
done
if [ -e "$built/libworldview.so" ]; then
    cp "$built/libworldview.so" "$prefix/lib/libworldview.so.$version"
    ln -sf "libworldview.so.$version" "$prefix/lib/libworldview.so.$series"
    ln -sf "libworldview.so.$series" "$prefix/lib/libworldview.so"
    found=1
fi
if [ -e "$built/libworldview.dylib" ]; then
    cp "$built/libworldview.dylib" "$prefix/lib/libworldview.$version.dylib"
    ln -sf "libworldview.$version.dylib" "$prefix/lib/libworldview.$series.dylib"
    ln -sf "libworldview.$series.dylib" "$prefix/lib/libworldview.dylib"
    found=1
fi
[ -n "$found" ] || { echo "no library in $built" >&2; exit 1; }
sed -e "s|@VERSION@|$version|" "$here/worldview.pc.in" > "$prefix/lib/pkgconfig/worldview.pc"
mkdir -p "$prefix/lib/cmake/worldview"
cp "$here/worldview-config.cmake" "$prefix/lib/cmake/worldview/worldview-config.cmake"
sed -e "s|@VERSION@|$version|" "$here/worldview-config-version.cmake.in" > "$prefix/lib/cmake/worldview/worldview-config-version.cmake"
