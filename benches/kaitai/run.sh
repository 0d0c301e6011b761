#!/usr/bin/env bash
# benches/kaitai/run.sh [FOLDER] [RUNS]: times Kaitai's readers in node and Python on the files that ours reads, and the npm
# package if bindings/wasm/build.sh has built it.
# Prints a line of JSON for each, and fails if a digest differs from ours. Needs node, npm, python3 and pip.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
folder=${1:-$root/target/kaitai/inputs}
runs=${2:-10}
{
    npm ci --silent --prefix "$root/tools/kaitai"
    node "$root/tools/kaitai/compile.mjs"
    [ -f "$root/target/kaitai/python/kaitaistruct.py" ] ||
        python3 -m pip install --quiet --target "$root/target/kaitai/python" -r "$here/requirements.txt"
    cargo build --quiet --profile dist --manifest-path "$root/Cargo.toml" -p worldview-benches --features readers --bin make-inputs
} >&2
cargo run --quiet --profile dist --manifest-path "$root/Cargo.toml" -p worldview-benches --features readers --bin make-inputs -- "$folder"
for digest in "$folder"/*.digest; do
    file=${digest%.digest}
    readers=("node $here/run.mjs" "python3 $here/run.py")
    case $file in
    # The digest of a WORLD.WDB has values that the package does not return.
    *.world) ;;
    *) [ ! -e "$root/bindings/target/npm" ] || readers+=("node $root/bindings/wasm/bench.mjs") ;;
    esac
    for run in "${readers[@]}"; do
        line=$($run "${file##*.}" "$file" "$runs")
        echo "$line"
        if ! grep -q "\"digest\":$(cat "$digest")," <<< "$line"; then
            echo "the digest of $file is $(cat "$digest") by ours" >&2
            exit 1
        fi
    done
done
