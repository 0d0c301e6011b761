#!/usr/bin/env bash
# Measures which lines of the four format crates the tests run. Prints a table by crate and file, then the lines that no
# test ran. Fails if a crate is below 95 %.
#
#     tools/coverage.sh [ARGUMENT...]     arguments are passed to `cargo test`, for example `-- --skip NAME`
#
# Runs the tests of `core`, `wpd`, `wwd` and `island`, and the proofs, compiled with counters. If WORLDVIEW_CORPORA
# names a folder of fuzzer corpora, the proofs replay those as well. Test modules do not count.
#
# Needs the LLVM tools of the compiler's own version: `rustup component add llvm-tools`, or Debian's `llvm-22`.
set -euo pipefail

# Cargo calls this script instead of the compiler, but only for crates of the workspace. So the dependencies are shared
# with other builds, and only our own lines are counted.
case "${1:-}" in
    */rustc | rustc) exec "$@" -C instrument-coverage ;;
esac

cd "$(dirname "$0")/.."
crates="core wpd wwd island"
wanted=95

version=$(rustc -vV)
host=$(sed -n 's/^host: //p' <<< "$version")
llvm=$(sed -n 's/^LLVM version: \([0-9]*\).*/\1/p' <<< "$version")
tool() {
    local own
    own="$(rustc --print sysroot)/lib/rustlib/$host/bin/$1"
    if [ -x "$own" ]; then
        echo "$own"
    elif command -v "$1-$llvm" > /dev/null; then
        echo "$1-$llvm"
    else
        echo "no $1 of LLVM $llvm: 'rustup component add llvm-tools', or Debian's package llvm-$llvm" >&2
        return 1
    fi
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)

out="${CARGO_TARGET_DIR:-target}/coverage"
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)

export RUSTC_WORKSPACE_WRAPPER="$PWD/tools/coverage.sh"
packages=(--lib --tests -p worldview-readers)
for crate in $crates; do
    packages+=(-p "worldview-$crate")
done
cargo test "${packages[@]}" --no-run
LLVM_PROFILE_FILE="$out/%m.profraw" cargo test --quiet --no-fail-fast "${packages[@]}" "$@" >&2
cargo test --quiet "${packages[@]}" --no-run --message-format=json 2> /dev/null \
    | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' > "$out/tests"

"$profdata" merge --sparse "$out"/*.profraw -o "$out/all.profdata"
objects=()
while read -r test; do
    objects+=(--object "$test")
done < "$out/tests"
"$cov" export --format=lcov --instr-profile "$out/all.profdata" "${objects[@]}" > "$out/lcov.info"

# Test modules at the end of their files do not count.
sources=()
for crate in $crates; do
    while read -r file; do
        sources+=("$file")
    done < <(find "crates/$crate/src" -name '*.rs' ! -name tests.rs | sort)
done
awk -v root="$PWD/" -v wanted="$wanted" '
    function missed_lines(file,    text, line, from) {
        for (line = 1; line <= last[file] + 1; line++) {
            missed = (file, line) in count && count[file, line] == 0
            if (missed && !from) from = line
            # A line without a counter neither ends a gap nor belongs to it.
            if (missed) to = line
            if (from && (file, line) in count && !missed || from && line > last[file]) {
                text = text " " (from == to ? from : from "-" to)
                from = 0
            }
        }
        return text
    }
    function row(name, lines, ran) {
        printf "%-44s %6d %6d %7.2f %%\n", name, lines, lines - ran, lines ? 100 * ran / lines : 100
    }
    FNR == 1 { input++ }
    input < ARGC - 1 {
        if (FNR == 1) { inside = 1; files[++number] = FILENAME }
        if ($0 == "#[cfg(test)]") inside = 0
        if (inside) last[FILENAME] = FNR
        next
    }
    /^SF:/ { file = substr($0, 4); sub(root, "", file) }
    /^DA:/ && file in last {
        split(substr($0, 4), part, ",")
        if (part[1] <= last[file]) count[file, part[1] + 0] += part[2]
    }
    END {
        for (key in count) { split(key, part, SUBSEP); lines[part[1]]++; if (count[key] > 0) ran[part[1]]++ }
        printf "%-44s %6s %6s %9s\n", "file", "lines", "missed", "ran"
        for (i = 1; i <= number; i++) {
            if (!lines[files[i]]) continue
            row(files[i], lines[files[i]], ran[files[i]])
            split(files[i], part, "/")
            if (!(part[2] in crate_lines)) crates[++several] = part[2]
            crate_lines[part[2]] += lines[files[i]]
            crate_ran[part[2]] += ran[files[i]]
        }
        print ""
        for (i = 1; i <= several; i++) row(crates[i], crate_lines[crates[i]], crate_ran[crates[i]])
        print "\nlines that no test ran"
        for (i = 1; i <= number; i++) {
            text = missed_lines(files[i])
            if (text) print files[i] ":" text
        }
        for (i = 1; i <= several; i++) if (100 * crate_ran[crates[i]] < wanted * crate_lines[crates[i]]) {
            print "\n" crates[i] " is below " wanted " %"
            failed = 1
        }
        exit failed
    }' "${sources[@]}" "$out/lcov.info"
