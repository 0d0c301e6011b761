// Writes the package.json of the package.
import { readFileSync, writeFileSync } from "node:fs";

const [, , out] = process.argv;
const cargo = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8");
const version = /^version = "(.*)"$/m.exec(cargo)[1];

const manifest = {
    name: "worldview-wasm",
    version,
    description: "Opens the data files of Final Fantasy XIII, Claw, Gruntz and LEGO Island: typed arrays, CSV, PNG and GLB",
    keywords: ["gamedev", "final-fantasy", "claw", "gruntz", "lego-island", "gltf", "wasm"],
    license: "MIT OR Apache-2.0",
    type: "module",
    // In Node.js the module is loaded when the package is.
    sideEffects: ["./node.mjs", "./index.js", "./classes.js"],
    types: "./index.d.ts",
    exports: {
        ".": {
            node: { types: "./node.d.mts", default: "./node.mjs" },
            default: { types: "./index.d.ts", default: "./index.js" },
        },
        "./worldview_bg.wasm": "./worldview_bg.wasm",
    },
    files: ["*"],
};
writeFileSync(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
