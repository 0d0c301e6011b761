// What the classes do besides reading files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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

test("options are those of the types", () => {
    const types = readFileSync(new URL("../src/options.d.ts", import.meta.url), "utf8");
    /** The options of an interface, those that it extends first. */
    const options = (name) => {
        const [, bases, body] = new RegExp(`interface ${name} (?:extends ([\\w, ]+) )?\\{([^}]*)\\}`).exec(types);
        return [...(bases?.split(", ") ?? []).flatMap(options), ...[...body.matchAll(/^ {4}(\w+)\?:/gm)].map(([, option]) => option)];
    };
    const { Level, Plane, Model, World, Part } = all();
    const taken = [
        ["OpenOptions", () => opened("items.wdb", { wat: 1 })],
        ["OutputOptions", () => Level.outputs(["csv"], { wat: 1 })],
        ...[Level, Plane].map((object) => ["PngOptions", () => object.toPng({ wat: 1 })]),
        ...[Model, World, Part].map((object) => ["GlbOptions", () => object.toGlb({ wat: 1 })]),
    ];
    for (const [name, call] of taken) {
        assert.throws(call, { name: "TypeError", message: `there is no option wat; there are ${options(name).join(", ")}` });
    }
});
