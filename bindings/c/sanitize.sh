#!/usr/bin/env bash
# Runs the C and C++ programs with the sanitizers for addresses, leaks and undefined behavior, and with Valgrind.
#
#     bindings/c/sanitize.sh
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
samples="$(cd "$here/../../samples" && pwd)"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
step() { echo "== $1 (${SECONDS}s)"; }

step "library"
"$here/install.sh" "$out/prefix" dev
export PKG_CONFIG_PATH="$out/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$out/prefix/lib"
# shellcheck disable=SC2207
flags=($(pkg-config --cflags --libs worldview) -pthread)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
cc -std=c11 -g -O1 "${sanitizers[@]}" "$here/examples/samples.c" "${flags[@]}" -o "$out/samples-sanitized"
c++ -std=c++17 -g -O1 "${sanitizers[@]}" "$here/examples/samples.cpp" "${flags[@]}" -o "$out/cpp-sanitized"
cc -std=c11 -g -O1 "${sanitizers[@]}" "$here/tests/open.c" "${flags[@]}" -o "$out/open-sanitized"
cc -std=c11 -g -O1 "$here/examples/samples.c" "${flags[@]}" -o "$out/samples"
cc -std=c11 -g -O1 "$here/tests/open.c" "${flags[@]}" -o "$out/open"
c++ -std=c++17 -g -O1 "$here/examples/samples.cpp" "${flags[@]}" -o "$out/cpp"

step "ASan, LSan and UBSan"
"$out/samples-sanitized" "$samples"/* > /dev/null
"$out/samples-sanitized" --break "${BROKEN:-100}" "$samples"/*
"$out/cpp-sanitized" "$samples"
"$out/open-sanitized" "$samples"

step "Valgrind"
valgrind=(valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect,possible)
for sample in "$samples"/*; do
    "${valgrind[@]}" "$out/samples" "$sample" > /dev/null
    "${valgrind[@]}" "$out/samples" --break "${BROKEN_VALGRIND:-4}" "$sample"
done
"${valgrind[@]}" "$out/cpp" "$samples"
"${valgrind[@]}" "$out/open" "$samples"
step "passed"
