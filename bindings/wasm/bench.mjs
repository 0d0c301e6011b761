// node bench.mjs FORMAT FILE RUNS: reads a file with the package, for a second to let node compile it and then RUNS times, and
// prints a line of JSON. FORMAT is wwd or wdb. benches/kaitai/run.sh compares it with the readers of Kaitai Struct.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const { open } = await import(new URL("../target/npm/node.mjs", import.meta.url));

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

const [format, path, runs] = process.argv.slice(2);
const read = readers[format];
const bytes = readFileSync(path);
// The digest has the length of texts in bytes. Strings know only their length in characters.
const digest = read(bytes, Buffer.byteLength);
const once = () => {
    const start = performance.now();
    read(bytes, (text) => text.length);
    return (performance.now() - start) / 1000;
};
for (const begin = performance.now(); performance.now() - begin < 1000; ) once();
const seconds = Array.from({ length: Number(runs) }, once).sort((a, b) => a - b);
const line = {
    reader: "npm package in node",
    format,
    bytes: bytes.length,
    digest,
    seconds_min: seconds[0],
    seconds_median: seconds[seconds.length >> 1],
};
console.log(JSON.stringify(line));
