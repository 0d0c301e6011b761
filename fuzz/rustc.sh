#!/usr/bin/env bash
# The compiler for fuzz targets (`RUSTC_WRAPPER`), which leaves out coverage feedback where there is nothing to find: in the naive
# readers, the generators, the comparisons, and what only serves them. The fuzzer spends several times as long on the edges and
# comparisons that an input reaches as the input takes.
set -euo pipefail
feedback=-Cpasses=sancov-module
without=
for name in worldview_corpus worldview_readers worldview_tools arbitrary unicode_normalization; do
    case " $* " in *" --crate-name $name "*) without=$feedback ;; esac
done
arguments=()
for argument; do
    if [ -z "$without" ] || [ "$argument" != "$without" ]; then arguments+=("$argument"); fi
done
exec "${arguments[@]}"
