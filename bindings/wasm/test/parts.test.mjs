// The modules of one format: each opens its sample, says so of another one, and is small.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as all from "worldview-wasm";
import * as island from "worldview-wasm/island";
import * as levels from "worldview-wasm/levels";
import * as tables from "worldview-wasm/tables";
import { SAMPLES, bytes, shown } from "./support.mjs";

/** What a module reads of its sample, what the command says of it, and a sample of another format. */
const PARTS = [
    ["island", island, "world.wdb", (file) => file.worlds.map((world) => world.name), (said) => said.worlds.map((world) => world.name), "items.wdb"],
    ["levels", levels, "harbour.wwd", (file) => file.planes.map((plane) => [plane.name, plane.objects().length]), (said) => said.planes.map((plane) => [plane.name, plane.objects.length]), "world.wdb"],
    ["tables", tables, "items.wdb", (file) => file.describe(), (said) => said, "harbour.wwd"],
];
/** The largest module of one format that a page should load, in bytes with gzip. */
const MOST = 150_000;

for (const [name, part, own, read, want, other] of PARTS) {
    test(`${name} reads its files, and is small`, () => {
        assert.deepEqual(read(part.open(bytes(own), { name: own })), want(shown(own)));
        assert.throws(
            () => part.open(bytes(other), { name: other }),
            (error) => error instanceof all.WorldviewError && /built without/.test(error.message),
        );
        assert.ok(Object.keys(part).every((key) => key in all));
        const module = readFileSync(new URL(import.meta.resolve(`worldview-wasm/${name}/worldview_bg.wasm`)));
        const size = gzipSync(module, { level: 9 }).length;
        assert.ok(size <= MOST, `${size} bytes`);
    });
}

test("the example counts the objects of a level", () => {
    const example = fileURLToPath(new URL("../examples/objects.mjs", import.meta.url));
    const lines = execFileSync("node", [example, `${SAMPLES}harbour.wwd`], { encoding: "utf8" }).trimEnd().split("\n");
    const count = lines.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
    const want = shown("harbour.wwd").planes.reduce((sum, plane) => sum + plane.objects.length, 0);
    assert.equal(count, want);
});
