# Recipes for developers. CI runs `.ci/run`, as `just ci` does.

# List the recipes
default:
    @just --list

# Run everything that CI checks
ci:
    .ci/run

# Run CI, and what is too slow for every change: dependencies, cycles of modules, combinations of features, instruction counts, sanitizers, engines, fuzz targets, long random tests
ci-full: ci deny layers icount
    cargo test -p worldview-benches --features clock --benches --bins --tests
    cargo test -p worldview-readers -p worldview-tools --features worldview-readers/peers,worldview-tools/peers --test it peer
    cargo test -p worldview --all-features
    cargo machete
    command -v cargo-hack > /dev/null || cargo install --quiet --locked --debug cargo-hack --version 0.6.46
    cargo hack check --feature-powerset --depth 2 --no-dev-deps --workspace --ignore-private
    bindings/c/sanitize.sh
    bindings/wasm/test.sh
    target/python/bin/pip install --quiet -r bindings/python/tests/engines/requirements.txt
    target/python/bin/pytest --quiet bindings/python/tests/engines
    fuzz/smoke.sh 60
    ROUNDS=100 cargo test -p worldview-readers -p worldview-tools
    ROUNDS=50 cargo test --profile hostile -p worldview-edit -p worldview-import --test it -- --nocapture random_edits becomes_another of_another broken_originals

# Check licenses, sources, duplicates and advisories of all dependencies (`cargo install cargo-deny`)
deny:
    cargo deny check bans licenses sources
    cargo deny --manifest-path bindings/Cargo.toml --config deny.toml check bans licenses sources
    if cargo deny fetch db; then cargo deny check advisories; else echo "advisories: their data cannot be fetched here"; fi

# Check that no modules of a crate import each other in a circle (`cargo install cargo-modules`)
layers:
    tools/layers.sh

# Run all tests
test:
    cargo test --workspace

# Format everything
fmt:
    cargo fmt --all

# Run a fuzz target (nightly Rust and `cargo install cargo-fuzz`); new inputs go to fuzz/corpus, finds to fuzz/artifacts
fuzz target seconds:
    mkdir -p fuzz/corpus/{{target}}
    cargo +nightly fuzz run {{target}} fuzz/corpus/{{target}} fuzz/seeds/{{target}} -- -dict=fuzz/dictionaries/{{target}}.dict -max_total_time={{seconds}} -max_len=65536 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1

# Run a fuzz target, then minimize what it reached and pack it into fuzz/corpora
corpus target seconds:
    if [ -e fuzz/corpora/{{target}}.wpd.zlib ]; then cargo run -p worldview-tools --bin pack-corpus -- --unpack fuzz/corpora/{{target}}.wpd.zlib fuzz/corpus/{{target}}; fi
    just fuzz {{target}} {{seconds}}
    rm -rf fuzz/corpus/{{target}}.least && mkdir fuzz/corpus/{{target}}.least
    cargo +nightly fuzz run {{target}} fuzz/corpus/{{target}}.least fuzz/corpus/{{target}} fuzz/seeds/{{target}} -- -merge=1 -timeout=10 -rss_limit_mb=2048
    cargo run -p worldview-tools --bin pack-corpus -- fuzz/corpus/{{target}}.least fuzz/corpora/{{target}}.wpd.zlib

# Build all fuzz targets and run each for a few seconds
fuzz-smoke seconds="5":
    fuzz/smoke.sh {{seconds}}

# Regenerate the seeds of the fuzz targets
seeds:
    cargo run -p worldview-tools --bin make-seeds -- fuzz/seeds

# Run the random tests this many times as long, with bombs this many times as large
hostile rounds="100":
    ROUNDS={{rounds}} cargo test --profile hostile -p worldview-tools --test it -- bombs verbs changed_seeds

# Change the code that opens files and check that a test notices (`cargo install cargo-mutants`; takes hours, so use `--shard 0/8`)
mutants *args:
    cargo mutants --workspace --in-place {{args}}

# Show which lines of the reading crates are tested (needs `rustup component add llvm-tools`, or llvm-22)
coverage:
    tools/coverage.sh

# Rewrite the golden files; review the difference before committing
golden:
    UPDATE_GOLDEN=1 cargo test -p worldview-readers -p worldview-tools

# Regenerate the pictures of levels in docs
picture:
    cargo run -- export samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD -o target/picture --to png --scale 8
    cp target/picture/harbour.rez/WORLD.WWD/level.png docs/images/game.png
    cargo run -- export samples/harbour.wwd -o target/picture --to png --scale 6 --objects none
    cp target/picture/harbour.wwd/level.png docs/images/harbour.png

# Measure all groups (about 20 minutes), or some of open, scan, parse, unpack, world, export and bulk; writes benches/record and the tables of docs/speed.md and the README
bench *groups:
    cargo run --profile dist -p worldview-benches --features clock --bin record -- {{groups}}

# Compare the readers on files of your own
compare +paths:
    cargo run --release -p worldview-benches --features readers --bin compare -- {{paths}}

# Regenerate the tables of docs/speed.md and the README from benches/record
bench-tables:
    cargo run --profile dist -p worldview-benches --features clock --bin record -- --tables

# Count the instructions of one case per group under callgrind and compare them with benches/record/icount.csv
icount:
    command -v valgrind > /dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends valgrind; }
    cargo run -p worldview-benches --features clock --bin record -- --icount

# Accept changed counts in benches/record/icount.csv, with a reason
icount-accept reason:
    cargo run --profile dist -p worldview-benches --features clock --bin record -- --icount-accept "{{reason}}"

# Check with the oldest Rust that the crates declare, without the tests
msrv:
    rustup toolchain install --no-self-update --profile minimal "$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
    CARGO_TARGET_DIR=target/msrv cargo "+$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)" check --workspace --all-features

# Build for Windows and run the tests under Wine (installs mingw and Wine)
windows *args:
    tools/windows.sh {{args}}

# Run the tests of the format crates on s390x (big-endian) and i686 (32 bits) under qemu
qemu:
    tools/qemu.sh s390x
    tools/qemu.sh i686

# Pack all published crates, and test and install what is in the packages
packages:
    tools/packages.sh

# Compare the public interface of the libraries with that of a commit (`cargo install cargo-semver-checks`)
semver commit:
    cargo semver-checks --workspace --exclude worldview-benches --exclude worldview-corpus --exclude worldview-readers --exclude worldview-tools --baseline-rev {{commit}}

# Make the files of a release in target/dist: archives for Linux and Windows, the wheel, the npm package and demo page, the extension of Tiled, checksums
dist *parts:
    tools/dist.sh {{parts}}

# Install each file of a release on a clean path, and open a sample with it
dist-test:
    tools/dist/test.sh
