// Compares what the C functions return with the JSON of the command, for all samples.
// node test.mjs LIBRARY COMMAND SAMPLES
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "./worldview.mjs";

const [library, command, samples] = process.argv.slice(2);
const wv = load(library, new URL("../../include/worldview.h", import.meta.url));
const { constants: c, get, fill, run, text, bytes } = wv;

function shown(file) {
    const buffer = execFileSync(command, ["show", "--format", "json", "--full", file], { maxBuffer: 1 << 30 });
    return JSON.parse(buffer);
}

function json(handle) {
    const written = get("wv_json", handle, true);
    const value = JSON.parse(text(wv.wv_text(written)));
    wv.wv_text_free(written);
    return value;
}

/** Compares all fields of a record with its JSON, which leaves out what it has in another form. */
function fields(found, want, most) {
    const value = (field) => {
        if (typeof field !== "object") return field;
        return "len" in field ? text(field) : [field.left, field.top, field.right, field.bottom];
    };
    const compared = Object.entries(found).filter(([name]) => name in want);
    assert.ok(compared.length >= most, `${compared.length}`);
    for (const [name, field] of compared) assert.deepEqual(value(field), want[name], name);
}

function level(handle, want) {
    const header = get("wv_level", handle);
    fields(header.fields, want.header, 20);
    assert.equal(Number(header.plane_count), want.planes.length);
    for (const [index, plane] of want.planes.entries()) {
        const found = get("wv_plane", handle, index);
        fields(found.fields, plane, 16);
        const tiles = fill("wv_tiles", new Uint32Array(Number(found.columns) * Number(found.rows)), handle, index);
        assert.deepEqual([...tiles], plane.tiles.flat());
        const walk = get("wv_objects", handle, index);
        for (const object of plane.objects) {
            const [next, count, error] = [{ size: wv.sizes.WvObject }, [0], {}];
            assert.equal(wv.wv_objects_next(walk, next, 1, count, error), c.WV_STATUS_OK);
            assert.equal(Number(count[0]), 1);
            assert.equal(text(next.logic), object.logic);
            assert.equal(Number(next.offset), object.at);
            fields(next.fields, object, 53);
        }
        wv.wv_objects_free(walk);
    }
    for (const [frame, record] of want.tile_attributes.records.entries()) {
        const found = get("wv_attribute", handle, frame);
        assert.equal(found.kind, record.kind);
        assert.equal(found.inside, record.attribute ?? record.inside ?? 0);
        if (record.rect) assert.deepEqual([found.rect.left, found.rect.top, found.rect.right, found.rect.bottom], record.rect);
    }
}

function table(handle, want) {
    // Tables of Final Fantasy XIII do not store the name of their sheet.
    assert.equal(text(get("wv_table", handle).sheet_name), want.sheet_name ?? want.schema ?? "");
    const { record_count } = get("wv_table", handle);
    assert.equal(Number(record_count), want.records.length);
    const columns = { i32: Int32Array, u32: Uint32Array, f32: Float32Array, u64: BigUint64Array };
    for (const [index, field] of want.fields.entries()) {
        const found = get("wv_field", handle, index);
        assert.deepEqual([text(found.name), found.word, found.bit, found.width], [field.name, field.word, field.bit, field.width]);
        assert.equal(Number(get("wv_field_index", handle, field.name)), index);
        if (field.type === "utf8") {
            for (const [row, record] of want.records.entries()) {
                assert.equal(text(get("wv_value", handle, row, index).text), record[field.name]);
            }
        } else {
            const values = fill(`wv_column_${field.type}`, new columns[field.type](want.records.length), handle, index);
            const expected = want.records.map((record) => record[field.name]);
            assert.deepEqual([...values].map(Number), expected.map((value) => Number(new columns[field.type]([field.type === "u64" ? BigInt(value) : value])[0])));
        }
    }
    assert.equal(Number(get("wv_record_index", handle, want.records[1].record)), 1);
}

function database(handle, want) {
    const counts = get("wv_database", handle);
    assert.equal(Number(counts.world_count), want.worlds.length);
    let meshes = 0;
    const lists = (blob, index, lods) => {
        const found = get("wv_lods", handle, blob, index);
        assert.equal(Number(wv.wv_lods_count(found)), lods.length);
        for (const [l, lod] of lods.entries()) {
            assert.equal(get("wv_lod", found, l).flags, lod.flags);
            for (const [m, mesh] of lod.meshes.entries()) {
                const [n, t] = [mesh.vertex_count, mesh.triangle_count];
                const [positions, normals, uvs] = [3 * n, 3 * n, 2 * n].map((len) => new Float32Array(len));
                const indices = new Uint16Array(3 * t);
                run("wv_decode_mesh", found, l, m, n, t, positions, normals, uvs, indices);
                assert.deepEqual([...positions], [...Float32Array.from(mesh.positions.flat())]);
                assert.deepEqual([...uvs], [...Float32Array.from(mesh.uvs.flat())]);
                assert.deepEqual([...indices], mesh.triangle_corners.flat());
                assert.equal(text(get("wv_mesh", found, l, m).material), mesh.material ?? "");
                meshes += 1;
            }
        }
        wv.wv_lods_free(found);
    };
    const textures = (blob, list) => {
        for (const [index, texture] of list.entries()) {
            const found = get("wv_texture", handle, blob, index);
            assert.equal(text(found.name), texture.real_name);
            assert.equal(bytes(found.high.pixels).toString("hex"), texture.images.at(-1).pixels.join(""));
            assert.equal(bytes(found.high.palette).toString("hex"), texture.images.at(-1).palette.join("").replaceAll("#", ""));
        }
    };
    textures(c.WV_GLOBAL_TEXTURES, want.global_textures.textures);
    textures(c.WV_GLOBAL_PARTS, want.global_parts.textures);
    want.global_parts.parts.forEach((part, index) => lists(c.WV_GLOBAL_PARTS, index, part.lods));
    for (const [index, blob] of want.blobs.entries()) {
        textures(index, blob.textures);
        blob.parts?.forEach((part, number) => {
            assert.equal(text(get("wv_shared_part", handle, index, number).name), part.name);
            lists(index, number, part.lods);
        });
        blob.rois?.forEach((roi, number) => {
            const found = get("wv_roi", handle, index, number);
            assert.equal(text(found.name), roi.name);
            assert.equal(found.radius, Math.fround(roi.radius));
            assert.equal(BigInt(found.parent), BigInt(roi.parent ?? c.WV_NONE));
            if (roi.lods.length) lists(index, number, roi.lods);
        });
        blob.nodes?.forEach((node, number) => {
            const found = get("wv_node", handle, index, number);
            assert.deepEqual([...found.key_counts], [node.translation_count, node.rotation_count, node.scale_count, node.morph_count]);
            assert.equal(bytes(found.rotations).length, 20 * node.rotation_count);
            for (const [track, name] of ["translations", "rotations", "scales", "morphs"].entries()) {
                const keys = node[name].map(() => ({}));
                if (keys.length === 0) continue;
                // The first key; koffi fills one structure.
                run("wv_keys", handle, index, number, track, keys[0], 1, [0]);
                const { time, flags, value } = node[name][0];
                assert.deepEqual([keys[0].time, keys[0].flags], [time, flags]);
                const want = [value ?? node[name][0].visible].flat().map(Math.fround);
                assert.deepEqual([...keys[0].value].slice(0, want.length), want);
            }
        });
    }
    assert.ok(meshes > 20);
    names(handle, want);
}

/** What names refer to, and where models are placed. */
function names(handle, want) {
    let shared = 0;
    for (const [world, { models }] of want.worlds.entries()) {
        for (const [index, model] of models.entries()) {
            const found = get("wv_model_ref", handle, world, index);
            assert.deepEqual([...found.location], model.location.map(Math.fround));
            assert.equal(Number(found.blob), model.blob);
            const root = {};
            run("wv_poses", handle, world, index, 0, root, 1, [0]);
            assert.deepEqual([...root.matrix.slice(12)], [...found.location, 1]);
            assert.equal(root.visible, model.visible);
            const blob = want.blobs[model.blob];
            for (const [roi, { name, shared: isShared }] of blob.rois.entries()) {
                if (!isShared) continue;
                const place = get("wv_find_lods", handle, c.WV_SCOPE_MODEL, world, index, roi);
                // A part, or an object with levels of its own.
                const owner = want.blobs[place.blob]?.kind === "model" ? "wv_roi" : "wv_shared_part";
                const found = text(get(owner, handle, place.blob, place.index).name);
                assert.equal(found.toLowerCase(), name.replace(/[0-9]+$/, "").toLowerCase());
                shared += 1;
            }
            for (const [number, texture] of blob.textures.entries()) {
                const name = Buffer.from(texture.real_name.toUpperCase());
                const place = get("wv_find_texture", handle, c.WV_SCOPE_MODEL, world, index, name, name.length);
                assert.deepEqual([Number(place.blob), Number(place.index)], [model.blob, number]);
            }
        }
    }
    assert.ok(shared > 4);
}

/** Opens everything in an archive by its index, and returns how many pictures it has. */
function entries(handle) {
    let pictures = 0;
    for (let index = 0; index < Number(get("wv_entry_count", handle)); index++) {
        const member = get("wv_open_entry", handle, index);
        const { kind } = get("wv_part", member);
        if (kind === c.WV_KIND_DIRECTORY) pictures += entries(member);
        if (kind === c.WV_KIND_PICTURE) {
            const picture = get("wv_picture", member);
            const rgba = new Uint8Array(4 * Number(picture.pixels));
            run("wv_decode_rgba", member, c.WV_KEY_CLAW, new Uint8Array(768).fill(9), rgba, rgba.length);
            assert.equal(rgba[0], picture.channels == 1 ? 9 : rgba[0]);
            pictures += 1;
        }
        wv.wv_free(member);
    }
    return pictures;
}

const parts = [...readdirSync(samples), "wdbpack.bin/r_lamps.wdb", "harbour.rez/LEVEL1/WORLDS/WORLD.WWD", "harbour.rez/LEVEL1"];
for (const name of parts) {
    const file = path.join(samples, name);
    const handle = get("wv_open", file, null);
    const want = shown(file);
    assert.deepEqual(json(handle), want, name);
    const { kind } = get("wv_part", handle);
    if (kind === c.WV_KIND_LEVEL) level(handle, want);
    if (kind === c.WV_KIND_TABLE) table(handle, want);
    if (kind === c.WV_KIND_DATABASE) database(handle, want);
    if (name === "harbour.rez") assert.equal(entries(handle), 172);
    wv.wv_free(handle);
}

// Parts by their path from an open archive.
for (const [name, inside] of [["wdbpack.bin", "r_lamps.wdb"], ["harbour.rez/LEVEL1", "worlds/WORLD.WWD"]]) {
    const archive = get("wv_open", path.join(samples, name), null);
    const part = get("wv_open_path", archive, inside);
    assert.deepEqual(json(part), shown(path.join(samples, name, inside)));
    assert.throws(() => get("wv_open_path", archive, "none.wdb"), { status: c.WV_STATUS_NOT_FOUND });
    wv.wv_free(part);
    wv.wv_free(archive);
}

// Errors have all members, and functions for another kind are errors.
const broken = readFileSync(path.join(samples, "harbour.wwd")).subarray(0, 700);
assert.throws(() => get("wv_open_bytes", broken, broken.length, "harbour.wwd", null, null), (error) => {
    assert.equal(error.status, c.WV_STATUS_BROKEN);
    assert.equal(error.part, "header of a WWD level");
    assert.match(error.message, /needs 1524 bytes, but only 700/);
    return error.space === c.WV_SPACE_FILE && error.offset === 0;
});
const items = get("wv_open", path.join(samples, "items.wdb"), null);
assert.throws(() => get("wv_level", items), { status: c.WV_STATUS_KIND });
assert.throws(() => get("wv_level", null), { status: c.WV_STATUS_NULL });

// A structure has the size that it had when the program was compiled.
assert.ok(Object.keys(wv.sizes).length > 20);
for (const size of [0, 8, wv.sizes.WvTable - 8, wv.sizes.WvTable + 1, 5000]) {
    const error = {};
    assert.equal(wv.wv_table(items, { size }, error), c.WV_STATUS_ARGUMENT);
    assert.equal(error.message, `the member size of WvTable is ${size}, expected sizeof(WvTable): ${wv.sizes.WvTable}`);
}
wv.wv_free(items);

// Options: a broken file opens as far as possible, and what is left out is listed.
const garden = readFileSync(path.join(samples, "garden.wwd")).subarray(0, 12000);
const opened = (options) => get("wv_open_bytes", garden, garden.length, "garden.wwd", null, { max_depth: 0, max_inflate: 0, ...options });
assert.throws(() => opened({ size: 24, flags: 0 }), { status: c.WV_STATUS_BROKEN });
assert.throws(() => opened({ size: 24, flags: 64 }), { status: c.WV_STATUS_ARGUMENT });
assert.throws(() => opened({ size: 3, flags: 0 }), { status: c.WV_STATUS_ARGUMENT });
const lossy = opened({ size: 24, flags: c.WV_LOSSY });
const findings = get("wv_findings", lossy);
assert.ok(wv.wv_findings_count(findings) > 0);
const finding = get("wv_finding", findings, 0);
assert.deepEqual([finding.severity, text(finding.code)], [c.WV_SEVERITY_FATAL, "broken"]);
wv.wv_findings_free(findings);
wv.wv_free(lossy);

// Every function takes NULL and zeros, and a handle of any kind.
const data = get("wv_open", path.join(samples, "harbour.rez/LEVEL1/PALETTES/MAIN.PAL"), null);
const kinds = new Set([c.WV_STATUS_KIND, c.WV_STATUS_ARGUMENT]);
const forAll = new Set(["wv_part", "wv_findings", "wv_check"]);
for (const [name, called] of Object.entries(wv.functions)) {
    const zeros = called.parameters.map((parameter) => {
        if (/bool/.test(parameter)) return false;
        return /[*]/.test(parameter) ? null : 0;
    });
    const status = called(...zeros);
    if (/^WvStatus|wv_open_all/.test(name) || called.parameters.at(-1)?.includes("WvError")) {
        assert.equal(status, c.WV_STATUS_NULL, name);
    }
    if (!/const WvHandle \*/.test(called.parameters[0]) || name === "wv_share") continue;
    const results = called.parameters.map((parameter, index) => {
        if (index === 0) return data;
        if (/\*\*|size_t \*/.test(parameter)) return [null];
        if (/_Out_/.test(parameter)) return {};
        const type = /_Inout_ (\w+)/.exec(parameter)?.[1];
        if (type) return { size: wv.sizes[type] };
        return /char \*/.test(parameter) ? "name" : zeros[index];
    });
    const found = called(...results);
    assert.ok(forAll.has(name) ? found === c.WV_STATUS_OK : kinds.has(found), `${name}: ${found}`);
}
wv.wv_free(data);

// Every status has a text of its own, and messages are without numbers of the operating system.
const statuses = Object.entries(c).filter(([name]) => name.startsWith("WV_STATUS_"));
const texts = new Set(statuses.map(([, status]) => wv.wv_status_text(status)));
assert.equal(texts.size, statuses.length);
assert.ok(!texts.has("unknown status") && wv.wv_status_text(statuses.length) === "unknown status" && wv.wv_status_text(-1) === "unknown status");
assert.throws(() => get("wv_open", path.join(samples, "nothing.wdb"), null), (error) => !error.message.includes("os error"));

// Everything nested, by a callback.
let nested = 0;
run("wv_open_all", path.join(samples, "wdbpack.bin"), null, (_, handle) => {
    nested += 1;
    wv.wv_free(handle);
}, null);
assert.equal(nested, 4);
console.log(`${parts.length} parts equal the command's JSON`);
