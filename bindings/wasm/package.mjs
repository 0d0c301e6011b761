// Writes what the modules of the package export, and its package.json.
import { readFileSync, writeFileSync } from "node:fs";

const [, , out] = process.argv;
const cargo = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8");
const version = /^version = "(.*)"$/m.exec(cargo)[1];
/** The folders of the modules: all formats, and one each. */
const PARTS = ["", "island", "levels", "tables"];

const exports = {};
for (const part of PARTS) {
    const folder = part ? `./${part}` : ".";
    const types = readFileSync(`${out}/${part}/worldview.d.ts`, "utf8");
    // `start` is called by the module itself.
    const names = [...types.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name).filter((name) => name !== "start");
    const all = `export { ${["default", ...names.sort()].join(", ")} } from "./worldview.js";\nexport { WorldviewError } from "./error.js";\n`;
    writeFileSync(`${out}/${part}/index.js`, `import "./classes.js";\n\n${all}`);
    writeFileSync(`${out}/${part}/index.d.ts`, `export type * from "./worldview.js";\n${all}`);
    exports[folder] = {
        node: { types: `${folder}/node.d.mts`, default: `${folder}/node.mjs` },
        default: { types: `${folder}/index.d.ts`, default: `${folder}/index.js` },
    };
    exports[`${folder}/worldview_bg.wasm`] = `${folder}/worldview_bg.wasm`;
}

const manifest = {
    name: "worldview-wasm",
    version,
    description: "Opens the data files of Final Fantasy XIII, Claw, Gruntz and LEGO Island: typed arrays, CSV, PNG and GLB",
    keywords: ["gamedev", "final-fantasy", "claw", "gruntz", "lego-island", "gltf", "wasm"],
    license: "MIT OR Apache-2.0",
    type: "module",
    // In Node.js the module is loaded when the package is.
    sideEffects: ["**/node.mjs", "**/index.js", "**/classes.js"],
    types: "./index.d.ts",
    exports,
    files: ["*"],
};
writeFileSync(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
