// The samples, and what the command says about them: what the tests expect never comes from the package.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { open } from "worldview-wasm";

export const SAMPLES = fileURLToPath(new URL("../../../samples/", import.meta.url));
export const names = readdirSync(SAMPLES);
export const bytes = (name) => readFileSync(SAMPLES + name);
export const opened = (name, options = {}) => open(bytes(name), { name, ...options });

export const command = (...args) => execFileSync(process.env.WORLDVIEW, args, { encoding: "utf8", maxBuffer: 1 << 30 });

/** The description of a path by the command. */
export const shown = (path, ...more) => JSON.parse(command("show", SAMPLES + path, "--format", "json", ...more));

/** Exports a sample, and returns a function that reads the only exported file whose path ends with a suffix. */
export const exported = (path, to, ...more) => {
    const out = mkdtempSync(join(tmpdir(), "worldview-wasm-"));
    after(() => rmSync(out, { recursive: true }));
    command("export", SAMPLES + path, "-o", out, "--to", to, "--quiet", ...more);
    const files = readdirSync(out, { recursive: true }).filter((file) => statSync(join(out, file)).isFile());
    return {
        files,
        all: (suffix) => files.filter((file) => file.endsWith(suffix)).map((file) => readFileSync(join(out, file))),
        file(suffix) {
            const found = this.all(suffix);
            if (found.length !== 1) throw new Error(`${path}: ${found.length} files end with ${suffix}: ${files}`);
            return found[0];
        },
    };
};

/** What the command finds in a file with these bytes. */
export const checked = (name, data) => {
    const folder = mkdtempSync(join(tmpdir(), "worldview-wasm-"));
    writeFileSync(join(folder, name), data);
    const { stdout } = spawnSync(process.env.WORLDVIEW, ["check", join(folder, name), "--format", "json"], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    return JSON.parse(stdout).files[0].findings;
};

/** Calls `look` with everything in an archive, and with the path of each part in the samples. */
export const walk = (asset, path, look) => {
    look(asset, path);
    if (asset.kind !== "archive" && asset.kind !== "directory") return;
    asset.entries.forEach((entry, index) => walk(asset.at(index), `${path}/${entry.name}`, look));
};

/** The JSON and the bytes of a GLB. The last digits of the colors depend on the platform's `powf`. */
export const glbParts = (glb) => {
    const length = glb.readUInt32LE(12);
    const json = JSON.parse(glb.subarray(20, 20 + length));
    for (const material of json.materials ?? []) {
        const look = material.pbrMetallicRoughness;
        look.baseColorFactor = look.baseColorFactor.map((value) => value.toFixed(6));
    }
    return { json, bytes: glb.subarray(20 + length) };
};
