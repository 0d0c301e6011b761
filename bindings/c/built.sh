#!/usr/bin/env bash
# Prints the folder that cargo builds the library into.
#
#     bindings/c/built.sh [PROFILE]
set -euo pipefail
cd "$(dirname "$0")"
target="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')"
profile="${1:-release}"
echo "$target/${profile/#dev/debug}"
