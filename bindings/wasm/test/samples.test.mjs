// Every sample and everything in it: descriptions, texts, entries and findings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Archive, Data, Database, Directory, Level, Picture, Table, Textures, open, sniff } from "worldview-wasm";
import { SAMPLES, bytes, checked, command, names, opened, shown, walk } from "./support.mjs";

const CLASSES = { archive: Archive, data: Data, database: Database, directory: Directory, level: Level, picture: Picture, table: Table, textures: Textures };

test("everything is described as the command shows it", () => {
    assert.ok(names.length >= 9);
    const seen = {};
    for (const name of names) {
        walk(opened(name), name, (asset, path) => {
            assert.ok(asset instanceof CLASSES[asset.kind], path);
            seen[asset.kind] = (seen[asset.kind] ?? 0) + 1;
            assert.equal(asset.fileName, path.split("/").at(-1));
            assert.deepEqual(asset.inside, path.split("/").slice(1));
            // The command is slow to start: of the many pictures, some are enough.
            if (asset.kind === "data" || (asset.kind === "picture" && seen.picture % 40 !== 1)) return;
            const want = shown(path);
            assert.deepEqual(asset.describe(), want, path);
            assert.deepEqual(JSON.parse(asset.toJson()), want, path);
            if (asset.kind !== "archive" && asset.kind !== "directory") assert.equal(asset.toText(), command("show", SAMPLES + path, "--raw"), path);
        });
    }
    assert.deepEqual(Object.keys(seen).sort(), Object.keys(CLASSES).sort());
});

test("with bulk data as well", () => {
    for (const name of ["cellar.wwd", "items.wdb", "world.wdb"]) {
        assert.deepEqual(opened(name).describe(true), shown(name, "--full"), name);
    }
});

test("formats are recognized by bytes and names", () => {
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, sniff(bytes(name))])), {
        "bestiary.wdb": "wpd", "cellar.wwd": "wwd", "effects.bin": "wpd", "garden.wwd": "wwd", "harbour.rez": "rez",
        "harbour.wwd": "wwd", "items.wdb": "wpd", "wdbpack.bin": "wpd", "world.wdb": "world",
        // It has no signature: only its name says what it is.
        "pennant.tex": undefined,
    });
    assert.equal(sniff(bytes("pennant.tex"), "pennant.tex"), "tex");
    assert.equal(sniff(new Uint8Array([1, 2, 3])), undefined);
    assert.equal(sniff(new Uint8Array([1, 2, 3]), "TITLE.PCX"), "pcx");
    const { buffer, byteOffset, byteLength } = bytes("world.wdb");
    assert.equal(sniff(buffer.slice(byteOffset, byteOffset + byteLength)), "world");
});

test("findings are those of check", () => {
    const key = ({ severity, code, offset, space }) => JSON.stringify([severity, code, offset, space]);
    let count = 0;
    for (const name of names.filter((name) => !name.endsWith(".rez") && name !== "wdbpack.bin")) {
        for (const at of [0.1, 0.5, 0.9]) {
            const data = bytes(name);
            data.fill(255, Math.floor(data.length * at), Math.floor(data.length * at) + 40);
            let file;
            try {
                file = open(data, { name, lossy: true });
            } catch {
                // What cannot be opened at all has no findings here.
                continue;
            }
            const found = [...file.findings, ...file.check()];
            const wanted = checked(name, data);
            const codes = (findings) => [...new Set(findings.map(({ code }) => code))].sort();
            assert.deepEqual(codes(found), codes(wanted), `${name} ${at}`);
            // The command merges findings about names that one broken part explains.
            const single = wanted.filter(({ code }) => code !== "lods-unresolved");
            // Here the message begins with the place.
            for (const want of single) assert.ok(found.some((other) => key(other) === key(want) && other.message.endsWith(want.message)), want.message);
            count += found.length;
            const few = file.check(1);
            assert.equal(few.length + few.more, file.check().length);
        }
    }
    assert.ok(count > 10, `${count}`);
    for (const name of names) assert.deepEqual([...opened(name).check()], [], name);
});

test("archives open their entries by index, name and path", () => {
    const rez = opened("harbour.rez");
    const level = rez.get("level1/worlds/world.wwd");
    assert.deepEqual(level.inside, ["LEVEL1", "WORLDS", "WORLD.WWD"]);
    const listed = [];
    const files = (entries, path) => entries.forEach((entry) => {
        if (entry.entries) files(entry.entries, `${path}${entry.name}/`);
        else listed.push([`${path}${entry.name}.${entry.extension}`, entry.pos, entry.size]);
    });
    files(shown("harbour.rez").entries, "");
    assert.deepEqual(rez.files().sort(), listed.map(([path]) => path).sort());
    for (const [path, pos, size] of listed) {
        const part = rez.get(path);
        assert.deepEqual([part.offset, part.bytes().length], [pos, size], path);
    }
    const pack = opened("wdbpack.bin");
    const members = shown("wdbpack.bin").members;
    assert.deepEqual(pack.entries, members.map(({ name, offset, size }) => ({ name, isDirectory: false, offset, size })));
    assert.deepEqual(pack.names().map((name) => pack.get(name).offset), members.map(({ offset }) => offset));
    assert.equal(pack.length, members.length);
    assert.deepEqual(Buffer.from(pack.at(1).bytes()), bytes("wdbpack.bin").subarray(members[1].offset, members[1].offset + members[1].size));
    assert.throws(() => pack.get("nothing"), { name: "WorldviewError", path: "wdbpack.bin", message: /no member "nothing"/ });
    assert.throws(() => pack.at(99), { name: "WorldviewError" });
});
