# Recipes for developers. CI runs exactly the lines of `ci` (checked by crates/proof/tests/it/workspace.rs).

# List the recipes
default:
    @just --list

# Run everything that CI checks, in the same order
ci:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    cargo test --workspace
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps
    .ci/once deny .ci/deny Cargo.lock deny.toml Cargo.toml 'crates/*/Cargo.toml' benches/Cargo.toml bindings/Cargo.lock 'bindings/*/Cargo.toml' -- .ci/deny
    for crate in core map simd island rez wpd wwd inspect export handles edit view cli corpus proof benches; do cargo check -p "worldview-$crate" || exit 1; done
    for set in "" bulk guard inspect island json map rez wpd wwd bulk,guard,island,json,map,rez,wpd,wwd; do cargo check -p worldview --no-default-features --features "$set" || exit 1; done
    cargo check -p worldview-cli --no-default-features
    for set in "" json; do cargo check -p worldview-inspect --no-default-features --features "$set" || exit 1; done
    for set in "" html names table table,arrow table,csv table,json table,names table,parquet table,arrow,csv,json level level,arrow level,csv level,parquet level,png level,tiled level,png,tiled level,game level,game,tiled model model,glb model,png level,model,png level,model,table level,model,table,arrow,csv,game,glb,html,json,names,png,tiled; do cargo check -p worldview-export --no-default-features --features "$set" || exit 1; done
    for output in arrow csv glb json parquet png tiled; do cargo check -p worldview-export --no-default-features --features "$output" || exit 1; done
    cargo publish --workspace --exclude worldview-proof --exclude worldview-benches --dry-run --no-verify --allow-dirty --quiet
    "${CARGO_TARGET_DIR:-target}/debug/worldview" export samples -o target/ci-export --html
    cargo test --workspace --benches
    .ci/once icount .ci/icount Cargo.lock Cargo.toml benches 'crates/*/Cargo.toml' 'crates/*/src/*' ':!crates/cli' ':!crates/edit' ':!crates/proof' ':!crates/view' -- .ci/icount
    npm ci --prefix tools/gltf
    WORLDVIEW_GLB_OUT="$PWD/target/ci-glb" cargo test --workspace --test it glb::files::everything
    node tools/gltf/validate.mjs target/ci-glb target/ci-export
    command -v chromium > /dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core > /dev/null; }
    npm ci --prefix tools/sheet
    WORLDVIEW_HTML_OUT="$PWD/target/ci-html" cargo test --workspace --test it html::pages::pages
    node tools/sheet/test.mjs target/ci-html
    npm ci --prefix crates/view/web
    npm run build --prefix crates/view/web
    git diff --exit-code -- crates/view/web/dist crates/export/src/html
    node crates/view/web/test/run.mjs
    .ci/once bindings bindings samples Cargo.toml 'crates/*/Cargo.toml' 'crates/*/src/*' ':!crates/view' -- .ci/bindings
    .ci/once fuzz fuzz Cargo.toml 'crates/*/Cargo.toml' 'crates/*/src/*' ':!crates/cli' ':!crates/view' -- fuzz/smoke.sh

# Run CI without skipping recorded passes, with longer fuzz and random tests
ci-full:
    rm -rf .ci/passed
    just ci
    bindings/c/sanitize.sh
    target/python/bin/pip install --quiet -r bindings/python/tests/engines/requirements.txt
    target/python/bin/pytest --quiet bindings/python/tests/engines
    fuzz/smoke.sh 60
    ROUNDS=100 cargo test -p worldview-proof --test it
    ROUNDS=50 cargo test --profile hostile -p worldview-edit --test it -- --nocapture random_edits a_difference_applied the_map_of_another

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
    if [ -e fuzz/corpora/{{target}}.wpd.zlib ]; then cargo run -p worldview-proof --bin pack-corpus -- --unpack fuzz/corpora/{{target}}.wpd.zlib fuzz/corpus/{{target}}; fi
    just fuzz {{target}} {{seconds}}
    rm -rf fuzz/corpus/{{target}}.least && mkdir fuzz/corpus/{{target}}.least
    cargo +nightly fuzz run {{target}} fuzz/corpus/{{target}}.least fuzz/corpus/{{target}} fuzz/seeds/{{target}} -- -merge=1 -timeout=10 -rss_limit_mb=2048
    cargo run -p worldview-proof --bin pack-corpus -- fuzz/corpus/{{target}}.least fuzz/corpora/{{target}}.wpd.zlib

# Build all fuzz targets and run each for a few seconds
fuzz-smoke seconds="5":
    fuzz/smoke.sh {{seconds}}

# Regenerate the seeds of the fuzz targets
seeds:
    cargo run -p worldview-proof --bin make-seeds -- fuzz/seeds

# Run the random tests this many times as long, with bombs this many times as large
hostile rounds="100":
    ROUNDS={{rounds}} cargo test --profile hostile -p worldview-proof --test it -- bombs verbs changed_seeds

# Change the code that opens files and check that a test notices (`cargo install cargo-mutants`; takes hours, so use `--shard 0/8`)
mutants *args:
    cargo mutants --in-place {{args}}

# Show which lines of the reading crates are tested (needs `rustup component add llvm-tools`, or llvm-22)
coverage:
    tools/coverage.sh

# Regenerate the committed samples
samples:
    cargo run -p worldview-corpus --bin make-samples -- samples

# Rewrite the golden files; review the difference before committing
golden:
    UPDATE_GOLDEN=1 cargo test -p worldview-proof

# Regenerate the pictures of levels in docs
picture:
    cargo run --release -- export samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD -o target/picture --to png --scale 8
    cp target/picture/harbour.rez/WORLD.WWD/level.png docs/images/game.png
    cargo run --release -- export samples/harbour.wwd -o target/picture --to png --scale 6 --no-marks
    cp target/picture/harbour.wwd/level.png docs/images/harbour.png

# Measure all groups (about 20 minutes), or some of open, scan, parse, unpack, world, export and bulk; writes benches/record and the tables of docs/speed.md and the README
bench *groups:
    cargo run --release -p worldview-benches --bin record -- {{groups}}

# Regenerate the tables of docs/speed.md and the README from benches/record
bench-tables:
    cargo run --release -p worldview-benches --bin record -- --tables

# Count the instructions of one case per group under callgrind and compare them with benches/record/icount.csv
icount:
    cargo run -p worldview-benches --bin record -- --icount

# Accept changed counts in benches/record/icount.csv, with a reason
icount-accept reason:
    cargo run --release -p worldview-benches --bin record -- --icount-accept "{{reason}}"

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
    cargo semver-checks --workspace --exclude worldview-proof --exclude worldview-benches --exclude worldview-corpus --baseline-rev {{commit}}

# Make the files of a release in target/dist: archives for Linux and Windows, the wheel, the npm package, checksums
dist *parts:
    tools/dist.sh {{parts}}
