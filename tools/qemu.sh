#!/usr/bin/env bash
# Runs the tests of the format crates on another kind of processor, emulated by qemu: s390x is big-endian, i686 has 32 bits.
#
#   tools/qemu.sh s390x|i686 [arguments of `cargo test`]
#
# Needs rustup; installs qemu and a cross linker (Debian).
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    s390x) qemu=qemu-s390x ;;
    i686) qemu=qemu-i386 ;;
    *) sed -n '2,6s/^# \?//p' "$0"; exit 2 ;;
esac
cross=$1-linux-gnu
target=$1-unknown-linux-gnu
# The C library has Debian's name of the architecture.
libc=libc6-dev-${1/i686/i386}-cross
shift
command -v "$qemu" > /dev/null && command -v "$cross-gcc" > /dev/null || {
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends qemu-user "gcc-$cross" "$libc"
} > /dev/null
rustup --quiet target add "$target"

name=CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')
export "${name}_LINKER=$cross-gcc" "${name}_RUNNER=$qemu -L /usr/$cross" CARGO_INCREMENTAL=0
[ $# -gt 0 ] || set -- -p worldview-core -p worldview-simd -p worldview-wpd -p worldview-wwd -p worldview-island -p worldview-rez
cargo test --target "$target" --no-fail-fast "$@"
