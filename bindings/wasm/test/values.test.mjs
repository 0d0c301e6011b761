// Columns, tiles, objects, meshes and pixels, compared with the full descriptions and the exports of the command.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { exported, glbParts, names, opened, shown, walk } from "./support.mjs";

const ARRAYS = { i32: Int32Array, u32: Uint32Array, f32: Float32Array, u64: BigUint64Array, utf8: Array };
const floats = (values) => [...Float32Array.from(values)];

/** Whether an object has the members that an interface of TypeScript has, in this order. */
const follows = (object, name) => {
    const text = readFileSync(new URL("../src/records.d.ts", import.meta.url), "utf8");
    const [, body] = new RegExp(`interface ${name} \\{(.*?)^\\}`, "ms").exec(text);
    const members = [...body.matchAll(/^ {4}(\w+): (\w+);/gm)];
    const type = (value) => (Array.isArray(value) ? "Rect" : typeof value);
    assert.deepEqual(Object.entries(object).map(([key, value]) => [key, type(value)]), members.map(([, key, type]) => [key, type]));
};

test("columns and records have the values of the description", () => {
    const types = new Set();
    for (const name of names) {
        walk(opened(name), name, (table, path) => {
            if (table.kind !== "table") return;
            const want = shown(path, "--full");
            assert.equal(table.length, want.records.length);
            assert.deepEqual(table.names(), want.records.map(({ record }) => record));
            assert.deepEqual(table.fields, want.fields.map(({ name, type, kind, word, bit, width }) => ({ name, type, kind, word, bit, width })));
            for (const { name: field, type } of want.fields) {
                types.add(type);
                const column = table.column(field);
                assert.ok(column instanceof ARRAYS[type], `${path} ${field}`);
                const convert = { f32: Math.fround, u64: BigInt }[type] ?? ((value) => value);
                const values = want.records.map((record) => convert(record[field]));
                assert.deepEqual([...column], values, `${path} ${field}`);
                assert.deepEqual(want.records.map((_, index) => table.record(index)[field]), values);
            }
            assert.deepEqual(table.record(want.records[1].record), table.record(1));
            const { all } = exported(path, "csv");
            assert.ok(all(".csv").some((csv) => csv.toString() === table.toCsv()), path);
            if (want.string_arrays.length) assert.ok(all(".csv").some((csv) => csv.toString() === table.arraysToCsv()), path);
        });
    }
    assert.ok(types.size >= 4, [...types]);
    const items = opened("items.wdb");
    assert.equal(items.record(99), undefined);
    assert.equal(items.record("nothing"), undefined);
    assert.throws(() => items.column("uPrice"), { name: "WorldviewError", message: /no field "uPrice"/ });
});

test("planes have the tiles and objects of the description", () => {
    const kinds = new Set();
    for (const name of names.filter((name) => name.endsWith(".wwd"))) {
        const level = opened(name);
        const want = shown(name, "--full");
        assert.deepEqual([level.name, level.author, level.game], [want.header.name, want.header.author, want.game ?? level.game]);
        follows(level.header, "LevelHeader");
        assert.equal(level.planes.length, want.planes.length);
        assert.equal(level.mainPlane.index, level.planes.findIndex((plane) => plane.isMain));
        for (const [index, plane] of level.planes.entries()) {
            const told = want.planes[index];
            follows(plane.header, "PlaneHeader");
            for (const [member, value] of Object.entries(plane.header)) if (member in told && member !== "flags") assert.deepEqual(value, told[member], member);
            assert.deepEqual([plane.name, plane.tileWidth, plane.tileHeight], [told.name, told.tile_width, told.tile_height]);
            assert.deepEqual([...plane.tiles()], told.tiles.flat());
            assert.deepEqual([plane.rows, plane.columns], [told.tiles.length, told.tiles[0].length]);
            assert.deepEqual(plane.imageSets(), told.image_sets);
            const objects = plane.objects();
            assert.equal(objects.length, told.objects.length);
            for (const [number, object] of objects.entries()) {
                follows(object, "LevelObject");
                for (const [member, value] of Object.entries(object)) if (member in told.objects[number]) assert.deepEqual(value, told.objects[number][member], member);
            }
        }
        for (const [frame, attribute] of level.tileAttributes().entries()) {
            const told = want.tile_attributes.records[frame];
            kinds.add(attribute.kind);
            const { kind, mask, ...rest } = attribute;
            assert.equal(["", "single", "double", "mask"].indexOf(kind), told.kind);
            for (const [member, value] of Object.entries(rest)) assert.deepEqual(value, told[member], member);
            if (mask) assert.equal(Buffer.from(mask).toString("hex"), [told.pixels].flat().join("").replaceAll(/[^0-9a-f]/g, ""));
        }
        assert.equal(level.tileAttributes().length, want.tile_attributes.records.length);
        const csv = exported(name, "csv");
        assert.equal(level.objectsToCsv(), csv.file("objects.csv").toString());
        assert.equal(level.attributesToCsv(), csv.file("attributes.csv").toString());
        const png = exported(name, "png", "--scale", "4");
        assert.deepEqual(Buffer.from(level.toPng({ scale: 4 })), png.file("level.png"));
        const drawn = png.all(".png").map((file) => file.toString("base64"));
        for (const plane of level.planes) assert.ok(drawn.includes(Buffer.from(plane.toPng({ scale: 4 })).toString("base64")), plane.name);
    }
    assert.ok(kinds.size >= 2, [...kinds]);
});

test("meshes, textures and placements have the values of the description", () => {
    const world = opened("world.wdb");
    const want = shown("world.wdb", "--full");
    let meshes = 0;
    const same = (found, lods) => {
        assert.equal(found.levels, lods.length);
        for (const [level, lod] of lods.entries()) {
            const list = found.meshes(level);
            assert.equal(list.length, lod.meshes.length);
            for (const [index, mesh] of list.entries()) {
                const told = lod.meshes[index];
                assert.equal(mesh.level, level);
                assert.deepEqual([...mesh.positions], floats(told.positions.flat()));
                assert.deepEqual([...mesh.uvs], floats(told.uvs.flat()));
                assert.deepEqual([...mesh.indices], told.triangle_corners.flat());
                assert.equal(mesh.normals.length, mesh.positions.length);
                assert.equal(mesh.material, told.material ?? "");
                assert.equal(mesh.texture?.toUpperCase(), (told.texture || undefined)?.toUpperCase());
                meshes += 1;
            }
        }
        assert.equal(found.meshes().length, lods.reduce((sum, lod) => sum + lod.meshes.length, 0));
    };
    const parts = [...want.global_parts.parts, ...want.blobs.flatMap((blob) => blob.parts ?? [])];
    assert.deepEqual(world.parts.map(({ name }) => name).sort(), parts.map(({ name }) => name).sort());
    world.parts.slice(0, want.global_parts.parts.length).forEach((part, index) => same(part, parts[index].lods));
    for (const scene of want.worlds) {
        const found = world.worlds.find(({ name }) => name === scene.name);
        const placements = found.placements;
        assert.equal(placements.length, scene.models.length);
        for (const [index, told] of scene.models.entries()) {
            const { model, ...placement } = placements[index];
            assert.deepEqual(placement, {
                name: told.name, isVisible: told.visible !== 0,
                location: floats(told.location), direction: floats(told.direction), up: floats(told.up),
            });
            const blob = want.blobs[told.blob];
            const rois = world.models[model].rois;
            assert.equal(rois.length, blob.rois.length);
            for (const [number, roi] of rois.entries()) {
                const wanted = blob.rois[number];
                assert.deepEqual([roi.name, roi.index, roi.parent ?? null, roi.isShared], [wanted.name, number, wanted.parent ?? null, wanted.shared !== 0]);
                if (wanted.shared) assert.ok(roi.meshes().length > 0, roi.name);
                else same(roi, wanted.lods);
            }
            const pose = world.models[model].pose(0);
            assert.equal(pose.matrices.length, 16 * rois.length);
            assert.equal(pose.isVisible.length, rois.length);
        }
    }
    assert.ok(meshes > 20, `${meshes}`);
    const textures = [...want.global_textures.textures, ...want.global_parts.textures, ...want.blobs.flatMap((blob) => blob.textures)];
    assert.equal(world.textures.length, textures.length);
    for (const [index, texture] of world.textures.entries()) {
        assert.equal(texture.name, textures[index].real_name);
        const image = textures[index].images.at(-1);
        const palette = image.palette.map((color) => [...Buffer.from(color.replace("#", ""), "hex"), 255]);
        const indices = Buffer.from(image.pixels.join(""), "hex");
        const { width, height, data } = texture.pixels();
        assert.equal(width * height, indices.length);
        assert.deepEqual([...data], [...indices].flatMap((color) => palette[color]));
    }
});

test("models, parts and worlds are the exported GLB files", () => {
    const world = opened("world.wdb");
    const out = exported("world.wdb", "glb,png");
    const same = (list, folder) => {
        const files = out.files.filter((file) => file.includes(`/${folder}/`) && file.endsWith(".glb"));
        assert.equal(list.length, files.length, folder);
        for (const item of list) {
            const [name] = files.filter((file) => file.endsWith(`/${item.name}.glb`));
            assert.deepEqual(glbParts(Buffer.from(item.toGlb())), glbParts(out.file(name)), name);
        }
    };
    same(world.models, "models");
    same(world.parts, "parts");
    same(world.worlds, "worlds");
    const textures = out.all(".png").map((file) => file.toString("base64"));
    for (const texture of world.textures) assert.ok(textures.includes(Buffer.from(texture.toPng()).toString("base64")), texture.name);
    // The scene of the best level has the triangles of the best levels.
    const { json } = glbParts(Buffer.from(world.models[0].toGlb({ lod: "best" })));
    const triangles = json.meshes.flatMap((mesh) => mesh.primitives).reduce((sum, { indices }) => sum + json.accessors[indices].count / 3, 0);
    const best = world.models[0].rois.filter(({ levels }) => levels > 0).flatMap((roi) => roi.meshes(roi.levels - 1));
    assert.equal(triangles, best.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0));
});

/** The pixels of a PNG with 8 bits per channel, without filters of rows that this does not know. */
const decoded = (png) => {
    const chunks = [];
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))]);
    const of = (name) => Buffer.concat(chunks.filter(([found]) => found === name).map(([, data]) => data));
    const [head, colors, opacity] = [of("IHDR"), of("PLTE"), of("tRNS")];
    const [width, height, depth, type] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
    assert.ok(depth === 8 && type in { 2: 1, 3: 1, 6: 1 }, `depth ${depth}, type ${type}`);
    const size = { 2: 3, 3: 1, 6: 4 }[type];
    const stride = width * size;
    const data = inflateSync(of("IDAT"));
    const rows = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y += 1) {
        const filter = data[y * (stride + 1)];
        for (let x = 0; x < stride; x += 1) {
            const left = x < size ? 0 : rows[y * stride + x - size];
            const up = y === 0 ? 0 : rows[(y - 1) * stride + x];
            const corner = x < size || y === 0 ? 0 : rows[(y - 1) * stride + x - size];
            const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
            const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
            rows[y * stride + x] = data[y * (stride + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
        }
    }
    const pixel = (at) => (type === 3 ? [...colors.subarray(3 * rows[at], 3 * rows[at] + 3), opacity[rows[at]] ?? 255] : [...rows.subarray(at, at + size), 255].slice(0, 4));
    return { width, height, data: Array.from({ length: width * height }, (_, index) => pixel(index * size)).flat() };
};

test("pictures have the pixels of the exported PNG files", () => {
    const rez = opened("harbour.rez");
    let count = 0;
    for (const path of ["CLAW/IMAGES/FRAME001.PID", "CLAW/SCREENS/TITLE.PCX", "LEVEL1/TILES/BACK/031.PID"]) {
        const picture = rez.get(path);
        const palette = picture.palette ?? rez.paletteFor(path);
        const png = exported(`harbour.rez/${path}`, "png").file(".png");
        assert.deepEqual(Buffer.from(picture.toPng(palette)), png, path);
        const { width, height, data } = picture.pixels(palette);
        const want = decoded(png);
        assert.deepEqual([width, height], [want.width, want.height]);
        // The color of a transparent pixel does not matter.
        const seen = (pixels) => Array.from({ length: width * height }, (_, at) => (pixels[4 * at + 3] === 0 ? "" : [...pixels.slice(4 * at, 4 * at + 4)].join()));
        assert.deepEqual(seen(data), seen(want.data), path);
        count += data.filter((value) => value > 0).length;
    }
    assert.ok(count > 1000);
    assert.throws(() => rez.get("CLAW/IMAGES/FRAME001.PID").pixels(new Uint8Array(3)), { name: "WorldviewError", path: "palette" });
});
