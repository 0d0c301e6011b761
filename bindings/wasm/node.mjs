// The package in Node.js, which loads the module by itself.
import { readFileSync } from "node:fs";
import { initSync } from "./worldview.js";

initSync({ module: readFileSync(new URL("./worldview_bg.wasm", import.meta.url)) });

export * from "./index.js";

/** Does nothing: browsers must load the module first, so that `await init()` works everywhere. */
export default async function init() {}
