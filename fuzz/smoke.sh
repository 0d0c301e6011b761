#!/usr/bin/env bash
# Builds all fuzz targets and runs each for some seconds (5 by default) with fresh corpora.
#
# Needs a C++ compiler; without it, it prints a message and succeeds. Without nightly Rust there is no address sanitizer; panics,
# overflows and failed assertions are still found. cargo-fuzz is not needed.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-5}

if ! command -v c++ > /dev/null; then
    echo "fuzz targets: not built and not run, for there is no C++ compiler here"
    exit 0
fi
# cargo-fuzz lists the targets of Cargo.toml, each of which has a file here; a test checks that the two lists are equal.
if cargo fuzz --version > /dev/null 2>&1; then
    targets=$(cargo fuzz list)
else
    targets=$(basename -s .rs -- fuzz_targets/*.rs)
fi

# The flags of cargo-fuzz, but without `--cfg fuzzing`, which makes some decoders accept any checksum. With an explicit
# target, the flags do not apply to build scripts and procedural macros.
nightly=() sanitizer=
if cargo +nightly --version > /dev/null 2>&1; then
    nightly=(+nightly) sanitizer="-Zsanitizer=address "
fi
host=$(rustc "${nightly[@]}" --version --verbose | sed -n 's/^host: //p')
export RUSTFLAGS="${sanitizer}-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
 -Cllvm-args=-sanitizer-coverage-trace-compares"
RUSTFLAGS=${RUSTFLAGS//$'\n'/}
export RUSTC_WRAPPER=$PWD/rustc.sh
cargo "${nightly[@]}" build --quiet --profile smoke --locked --target "$host"
built=${CARGO_TARGET_DIR:-target}/$host/smoke

# A header of libdeflate has static data, which the address sanitizer mistakes for a duplicate definition.
export ASAN_OPTIONS=detect_odr_violation=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
run() {
    mkdir -p "$scratch/$1"
    # The fuzzer writes new inputs to the first folder and only reads the others. Counting how often each edge is reached, to choose
    # inputs with rare ones, takes longer than most targets and pays off only in longer runs.
    local seeds=("seeds/$1")
    if [ -d "regressions/$1" ]; then seeds+=("regressions/$1"); fi
    if ! "$built/$1" "$scratch/$1" "${seeds[@]}" -dict="dictionaries/$1.dict" -max_total_time="$seconds" -max_len=16384 \
        -entropic=0 -timeout=60 -seed=1 -rss_limit_mb=2048 -artifact_prefix="artifacts/$1-" > "$scratch/$1.log" 2>&1; then
        cat "$scratch/$1.log"
        echo "fuzz target $1: a find"
        return 1
    fi
    echo "fuzz target $1: $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$scratch/$1.log") runs"
}
mkdir -p artifacts
export -f run
export built scratch seconds
# Two at a time: as many as there are cores, or more.
printf '%s\n' $targets | xargs -P 2 -I '{}' bash -c 'run "$1"' _ '{}'
