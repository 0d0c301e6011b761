// What the classes do besides reading files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as worldview from "worldview-wasm";
import { opened } from "./support.mjs";

/** Every class, by an object of it. */
const all = () => {
    const [level, rez, world] = [opened("harbour.wwd"), opened("harbour.rez"), opened("world.wdb")];
    const model = world.models.find((model) => model.rois.length > 0);
    return {
        Archive: opened("effects.bin"),
        Data: opened("effects.bin").get("dust"),
        Database: world,
        Directory: rez,
        Level: level,
        Model: model,
        Part: world.parts[0],
        Picture: rez.get("CLAW/SCREENS/TITLE.PCX"),
        Plane: level.planes[1],
        Roi: model.rois[0],
        Table: opened("items.wdb"),
        Texture: world.textures[0],
        Textures: opened("pennant.tex"),
        World: world.worlds[0],
    };
};

test("the package exports its classes and functions, and nothing else", () => {
    const names = Object.keys(all()).concat("WorldviewError", "default", "initSync", "open", "sniff");
    assert.deepEqual(Object.keys(worldview).sort(), names.sort());
});

test("a summary says what an object is", () => {
    const objects = all();
    for (const [name, object] of Object.entries(objects)) {
        assert.ok(inspect(object).startsWith(`${name} {`), inspect(object));
        assert.equal(String(object), `[object ${name}]`);
    }
    assert.equal(inspect(objects.Level), "Level { fileName: 'harbour.wwd', name: 'Harbour - Level 1', game: 'Claw' }");
    assert.equal(inspect([objects.Table]), "[ Table { fileName: 'items.wdb', sheet: 'Item', length: 40 } ]");
});

test("what was freed throws, and is freed once", () => {
    for (const [name, object] of Object.entries(all())) {
        const { prototype } = worldview[name];
        object.free();
        object.free();
        assert.equal(inspect(object), `${name} (freed)`);
        for (const [key, member] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
            if (["constructor", "free", "__destroy_into_raw"].includes(key)) continue;
            const used = member.get ? () => object[key] : () => object[key]();
            assert.throws(used, { name: "WorldviewError", message: `this ${name} was freed` }, `${name}.${key}`);
        }
    }
});

test("unknown options are errors", () => {
    const unknown = (option, known) => ({ name: "TypeError", message: `there is no option ${option}; there are ${known}` });
    const open = () => opened("items.wdb", { encodng: "utf-8" });
    assert.throws(open, unknown("encodng", "name, lossy, recover, encoding, schemas, maxInflate"));
    const { Level, Plane, Model, World, Part } = all();
    for (const object of [Level, Plane]) assert.throws(() => object.toPng({ size: 1 }), unknown("size", "scale, marks"));
    for (const object of [Model, World, Part]) {
        assert.throws(() => object.toGlb({ lod: "all" }), unknown("lod", "lods, visibleOnly"));
    }
});
