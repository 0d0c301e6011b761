// Broken files and wrong arguments: errors say what and where, and nothing else happens.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { WorldviewError, open, sniff } from "worldview-wasm";
import { bytes, names, opened, walk } from "./support.mjs";

test("errors have the part, the offset and the path", () => {
    // A level that says to have two planes at offset 1524, and ends there.
    const header = new Uint8Array(1524);
    const words = new DataView(header.buffer);
    words.setUint32(0, 1524, true);
    words.setUint32(0x2dc, 2, true);
    words.setUint32(0x2e0, 1524, true);
    assert.throws(() => open(header, { name: "cut.wwd" }), (error) => {
        assert.ok(error instanceof WorldviewError && error instanceof Error);
        assert.equal(error.name, "WorldviewError");
        assert.deepEqual(Object.keys(error).sort(), ["offset", "part", "path", "space"]);
        assert.deepEqual([error.path, error.space], ["cut.wwd", "file"]);
        assert.ok(error.offset === 1524 || error.offset === 0x2e0, `${error.offset}`);
        assert.ok(error.message.startsWith("cut.wwd: ") && error.stack.includes("cut.wwd"));
        return true;
    });
});

test("broken tiles do not hide the objects", () => {
    const data = bytes("garden.wwd");
    const count = opened("garden.wwd").planes[0].objects().length;
    // Where the tiles of the plane are: behind the end.
    data.writeUInt32LE(0x7fffffff, data.readUInt32LE(0x2e0) + 0x84);
    assert.throws(() => open(data, { name: "garden.wwd" }), { name: "WorldviewError", part: /tile/ });
    const rest = open(data, { name: "garden.wwd", lossy: true });
    assert.ok(rest.findings.length > 0 && rest.findings.every(({ code, message }) => code && message));
    assert.equal(rest.planes[0].objects().length, count);
    assert.equal(rest.planes[0].tiles().length, 0);
});

test("errors in archives have the path of the member", () => {
    const rez = bytes("harbour.rez");
    const level = opened("harbour.rez").get("LEVEL1/WORLDS/WORLD.WWD");
    // The number of planes.
    const broken = new Uint8Array(rez);
    broken.set([255, 255, 255, 255], level.offset + 0x2dc);
    const archive = open(broken, { name: "harbour.rez" });
    assert.throws(() => archive.get("LEVEL1/WORLDS/WORLD.WWD"), { name: "WorldviewError", path: "harbour.rez/LEVEL1/WORLDS/WORLD.WWD" });
    // A broken level does not hide the pictures.
    assert.ok(archive.get("CLAW/SCREENS/TITLE.PCX").pixels().data.length > 0);
});

test("a truncated object hides neither those before it nor the plane", () => {
    const whole = bytes("garden.wwd");
    const plane = opened("garden.wwd").planes.findLast((plane) => plane.objects().length > 2);
    const count = plane.objects().length;
    // The object list is the last part of the file that this plane refers to.
    const cut = whole.subarray(0, plane.header.objects_offset + 400);
    const level = open(cut, { name: "garden.wwd", lossy: true });
    const found = level.planes[plane.index].objects();
    assert.ok(found.length >= 1 && found.length < count, `${found.length} of ${count}`);
    assert.ok([...level.findings, ...level.check()].length > 0);
});

test("files of no known format", () => {
    for (const [data, name, message] of [[[], "empty", /empty/], [[1, 2, 3, 4], "", /./], [[...Buffer.from("LIST")], "a.si", /./]]) {
        assert.throws(() => open(new Uint8Array(data), { name }), (error) => error instanceof WorldviewError && message.test(error.message) && error.part === undefined);
    }
    assert.throws(() => opened("harbour.rez").get("LEVEL1/PALETTES/MAIN.PAL").describe(), WorldviewError);
});

test("wrong arguments are a TypeError", () => {
    const level = bytes("garden.wwd");
    for (const options of [{ encoding: "utf-7" }, { lossy: "yes" }, { maxInflate: -1 }, { maxInflate: 1.5 }, { name: 7 }]) {
        assert.throws(() => open(level, options), { name: "TypeError", message: /^the option / });
    }
    for (const wrong of [undefined, null, "garden.wwd", 7, [1, 2], {}, new Uint16Array(4)]) {
        assert.throws(() => open(wrong), { name: "TypeError" });
        assert.throws(() => sniff(wrong), { name: "TypeError" });
    }
    assert.throws(() => open(level, { schemas: "\u0000 nonsense" }), WorldviewError);
    assert.throws(() => opened("world.wdb").models[0].toGlb({ lod: "worst" }), { name: "TypeError", message: /^the option lod / });
    assert.throws(() => opened("items.wdb").record({}), { name: "TypeError" });
    assert.throws(() => opened("harbour.wwd").toPng({ scale: 4096 }), WorldviewError);
    assert.throws(() => opened("harbour.wwd", { maxInflate: 100 }), { name: "WorldviewError", message: /100/ });
});

test("parts live longer than what they were opened in", () => {
    let rez = opened("harbour.rez");
    const picture = rez.get("CLAW/SCREENS/TITLE.PCX");
    rez.free();
    assert.throws(() => rez.names());
    assert.ok(picture.pixels().width > 0);
    const plane = opened("garden.wwd").planes[0];
    const tiles = plane.tiles();
    plane.free();
    assert.equal(tiles.length, opened("garden.wwd").planes[0].tiles().length);
    for (let round = 0; round < 300; round += 1) opened("harbour.rez").free();
});

/** Reads everything that a file offers, and fails if anything but a `WorldviewError` happens. */
const exercise = (data, name, what) => {
    const attempt = (act) => {
        try {
            return act();
        } catch (error) {
            assert.ok(error instanceof WorldviewError, `${what}: ${error.stack}`);
            return undefined;
        }
    };
    let count = 0;
    const file = attempt(() => open(data, { name, lossy: true, recover: true }));
    if (!file) return 0;
    const look = (asset) => {
        count += 1;
        if (count > 50) return;
        attempt(() => asset.check(100));
        attempt(() => asset.kind !== "data" && asset.describe());
        switch (asset.kind) {
            case "table":
                asset.fields.slice(0, 50).forEach(({ name }) => attempt(() => asset.column(name)));
                attempt(() => asset.toCsv());
                attempt(() => asset.arraysToCsv());
                attempt(() => asset.record(0));
                break;
            case "level":
                attempt(() => asset.toPng({ scale: 1 }));
                attempt(() => asset.objectsToCsv());
                attempt(() => asset.attributesToCsv());
                attempt(() => asset.tileAttributes());
                asset.planes.slice(0, 10).forEach((plane) => [() => plane.objects(), () => plane.tiles(), () => plane.imageSets(), () => plane.toPng({ scale: 1 })].forEach(attempt));
                break;
            case "database":
                asset.models.slice(0, 20).forEach((model) => {
                    attempt(() => model.toGlb());
                    attempt(() => model.pose(100));
                    (attempt(() => model.rois) ?? []).slice(0, 20).forEach((roi) => attempt(() => roi.meshes()));
                });
                asset.parts.slice(0, 20).forEach((part) => [() => part.meshes(), () => part.toGlb({ lod: 0 })].forEach(attempt));
                asset.textures.slice(0, 20).forEach((texture) => [() => texture.pixels(), () => texture.toPng()].forEach(attempt));
                asset.worlds.slice(0, 5).forEach((world) => [() => world.placements, () => world.toGlb({ visibleOnly: true })].forEach(attempt));
                break;
            case "textures":
                asset.textures.slice(0, 20).forEach((texture) => [() => texture.pixels(), () => texture.toPng()].forEach(attempt));
                break;
            case "picture":
                attempt(() => asset.pixels());
                attempt(() => asset.toPng());
                break;
            case "archive":
            case "directory":
                asset.entries.slice(0, 20).forEach((_, index) => {
                    const part = attempt(() => asset.at(index));
                    if (part) look(part);
                });
                break;
            default:
                asset.bytes();
        }
    };
    look(file);
    return count;
};

test("changed files cause nothing but errors", () => {
    // A small generator, so that a failure can be repeated.
    let seed = 7;
    const random = (below) => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return (seed >>> 8) % below;
    };
    let readable = 0;
    for (const name of names) {
        const whole = bytes(name);
        for (let round = 0; round < (whole.length > 50_000 ? 6 : 30); round += 1) {
            const data = new Uint8Array(whole.subarray(0, round % 5 === 4 ? random(whole.length) : whole.length));
            for (let change = 0; data.length > 0 && change < 1 + round / 2; change += 1) data[random(data.length)] = [0, 255, 127, random(256)][random(4)];
            readable += exercise(data, name, `${name}, round ${round}`);
        }
    }
    assert.ok(readable > 200, `${readable}`);
});

test("the seeds of the fuzz targets cause nothing but errors", () => {
    const seeds = new URL("../../../fuzz/seeds/", import.meta.url);
    const files = readdirSync(seeds, { recursive: true }).filter((file) => statSync(new URL(file, seeds)).isFile());
    assert.ok(files.length > 100);
    for (const file of files) exercise(readFileSync(new URL(file, seeds)), file, file);
});

test("hostile sizes are errors, and the module still works", () => {
    // A picture of 65535 by 65535 pixels without any data.
    const pcx = new Uint8Array(128);
    pcx.set([10, 5, 1, 8, 0, 0, 0, 0, 254, 255, 254, 255]);
    pcx[65] = 1;
    new DataView(pcx.buffer).setUint16(66, 65535, true);
    exercise(pcx, "large.pcx", "large.pcx");
    walk(opened("wdbpack.bin"), "wdbpack.bin", (asset) => assert.ok(asset.bytes().length > 0));
});
