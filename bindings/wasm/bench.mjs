// Compares the package with what Kaitai Struct generates from benches/kaitai, in Node.js, on generated files. Both read the
// same values and sum them, and the sums must be those of the Rust reader that generated the files.
//
//     bindings/wasm/build.sh && npm ci --prefix benches/kaitai && node benches/kaitai/compile.mjs
//     cargo run --release -p worldview-benches --bin make-inputs
//     node bindings/wasm/bench.mjs [RUNS]
//
// Of a WORLD.WDB, Kaitai's digest has values that this package does not hand out, so only levels and tables are compared.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const [, , runs = "20"] = process.argv;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { open } = await import(new URL(process.env.PACKAGE ?? "../target/npm/node.mjs", import.meta.url));
const inputs = at("../../target/kaitai/inputs/");

// Sums wrap at 32 bits.
const words = (list) => {
    let sum = 0;
    for (let i = 0; i < list.length; i += 1) sum = (sum + list[i]) | 0;
    return sum;
};

const readers = {
    wwd(bytes) {
        const level = open(bytes, { name: "level.wwd" });
        let sum = 0;
        for (const plane of level.planes) {
            sum = (sum + words(plane.tiles())) | 0;
            for (const object of plane.objects()) {
                for (const name in object) {
                    const value = object[name];
                    if (typeof value !== "string") sum = (sum + (typeof value === "number" ? value : words(value))) | 0;
                }
            }
            // Garbage collection would free it, too, but not while this runs.
            plane.free();
        }
        for (const record of level.tileAttributes()) sum = (sum + attribute(record)) | 0;
        level.free();
        return sum >>> 0;
    },
    wdb(bytes, length) {
        const table = open(bytes, { name: "table.wdb" });
        let sum = 0;
        for (const { name, type } of table.fields) {
            const column = table.column(name);
            if (type === "utf8") {
                for (const text of column) sum = (sum + length(text)) | 0;
            } else {
                sum = (sum + words(type === "f32" ? new Uint32Array(column.buffer) : column)) | 0;
            }
        }
        table.free();
        return sum >>> 0;
    },
};
const attribute = (record) => {
    const head = ["", "single", "double", "mask"].indexOf(record.kind) + record.width + record.height;
    switch (record.kind) {
        case "single": return head + record.attribute;
        case "double": return head + record.inside + record.outside + words(record.rect);
        default: return head + words(record.mask);
    }
};

/** The median of the seconds that reading takes, after a second in which Node.js compiles it. */
const measured = (read, bytes, digest) => {
    // Kaitai's texts are bytes, whose length is in the digest. Ours are strings, which know only their length in characters.
    const found = read(bytes, Buffer.byteLength);
    if (found !== digest) throw new Error(`the digest is ${digest}, not ${found}`);
    const once = () => {
        const start = performance.now();
        read(bytes, (text) => text.length);
        return (performance.now() - start) / 1000;
    };
    for (const begin = performance.now(); performance.now() - begin < 1000; ) once();
    return Array.from({ length: Number(runs) }, once).sort((a, b) => a - b)[Number(runs) >> 1];
};

for (const name of readdirSync(inputs).filter((name) => /\.(wwd|wdb)$/.test(name))) {
    const format = name.split(".").at(-1);
    const digest = Number(readFileSync(`${inputs}${name}.digest`, "utf8"));
    const theirs = JSON.parse(execFileSync("node", [at("../../benches/kaitai/run.mjs"), format, inputs + name, runs], { encoding: "utf8" }));
    if (theirs.digest !== digest) throw new Error(`${name}: Kaitai's digest is ${theirs.digest}, not ${digest}`);
    const ours = measured(readers[format], readFileSync(inputs + name), digest);
    const ms = (seconds) => `${(seconds * 1000).toFixed(2)} ms`;
    console.log(`${name}: ${ms(ours)}, Kaitai ${ms(theirs.seconds_median)}, ${(theirs.seconds_median / ours).toFixed(1)} times as long`);
}
