// All outputs of a file: those that the command writes, and what their formats say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open } from "worldview-wasm";
import { bytes, exported, glbParts, names, opened, shown } from "./support.mjs";

const types = readFileSync(new URL("../src/options.d.ts", import.meta.url), "utf8");
/** Every kind that the types have. */
const KINDS = [.../type OutputKind = ([^;]*);/.exec(types)[1].matchAll(/"(\w+)"/g)].map(([, kind]) => kind);

/** A PCX of 3 by 2 pixels in three planes: a header of 128 bytes, and the rows. */
const pcx = (rows) => {
    const data = new Uint8Array(128 + 9 * rows).fill(1, 128);
    data.set([10, 5, 1, 8, 0, 0, 0, 0, 2, 0, 1, 0]);
    data.set([3, 3], 65);
    return data;
};

test("outputs are what the command writes", () => {
    const seen = new Set();
    for (const name of names) {
        const files = exported(name, KINDS.join(","));
        const outputs = opened(name).outputs(KINDS);
        for (const { name: path, kind, bytes } of outputs) {
            seen.add(kind);
            const want = files.file(`${name}/${path}`);
            if (kind === "glb") assert.deepEqual(glbParts(Buffer.from(bytes)), glbParts(want), `${name} ${path}`);
            else assert.ok(want.equals(bytes), `${name} ${path}`);
        }
        assert.equal(new Set(outputs.map(({ name }) => name)).size, outputs.length);
        // The command also goes into archives.
        if (!/\.rez|\.bin/.test(name)) assert.equal(outputs.length, files.files.filter((file) => !file.endsWith("manifest.ndjson")).length, name);
    }
    assert.deepEqual([...seen].sort(), [...KINDS].sort());
});

test("outputs are files of their formats", () => {
    const [{ name, kind, bytes: png }] = open(pcx(2), { name: "small.pcx" }).outputs(["png", "csv"]);
    assert.deepEqual([name, kind], ["picture.png", "png"]);
    // The signature, and the first chunk, which has the size.
    assert.equal(Buffer.from(png.subarray(0, 24)).toString("latin1"), "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02");

    const maps = opened("harbour.wwd").outputs(["tmx"]).filter(({ name }) => name.endsWith(".tmx"));
    const layers = maps.map(({ bytes }) => new TextDecoder().decode(bytes)).join("").matchAll(/<layer [^>]*width="(\d+)" height="(\d+)"/g);
    const { planes } = shown("harbour.wwd", "--full");
    assert.deepEqual([...layers].map(([, ...size]) => size.map(Number)), planes.map(({ tiles }) => [tiles[0].length, tiles.length]));

    const pack = opened("wdbpack.bin");
    const members = pack.outputs(["members"]).filter(({ name }) => name.startsWith("members/"));
    assert.deepEqual(members.map(({ bytes }) => Buffer.from(bytes)), pack.entries.map(({ offset, size }) => bytes("wdbpack.bin").subarray(offset, offset + size)));
});

test("options are those of each output", () => {
    const level = opened("garden.wwd");
    const drawn = level.outputs(["png"], { scale: 4, objects: "none" });
    assert.deepEqual(drawn.find(({ name }) => name === "level.png").bytes, level.toPng({ scale: 4, objects: "none" }));
    const map = (options) => level.outputs(["tmj"], options).find(({ name }) => name.endsWith(".tmj")).bytes.length;
    assert.ok(map({ full: true }) > map());
    const models = (options) => opened("world.wdb").outputs(["glb"], options);
    assert.ok(models({ lod: "best" })[0].bytes.length < models()[0].bytes.length);
});

test("data has no outputs, and wrong arguments are errors", () => {
    const data = opened("effects.bin").get("dust");
    assert.deepEqual([data.outputs(KINDS), data.outputs([])], [[], []]);
    const known = new RegExp(`^there is no output "psd"; there are ${KINDS.join(", ")}$`);
    assert.throws(() => data.outputs(["png", "psd"]), { name: "TypeError", message: known });
    assert.throws(() => data.outputs("png"), { name: "TypeError", message: /array/ });
    assert.throws(() => data.outputs([7]), { name: "TypeError", message: /string/ });
    assert.throws(() => data.outputs(["png"], { size: 1 }), { name: "TypeError", message: /no option size/ });
});

test("an output that is cut is an error, or left out", () => {
    assert.throws(() => open(pcx(1), { name: "cut.pcx" }).outputs(["png"]), { name: "WorldviewError", path: "cut.pcx", space: "file" });
    assert.equal(open(pcx(1), { name: "cut.pcx", lossy: true }).outputs(["png"]).length, 1);
});
