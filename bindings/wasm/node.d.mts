export * from "./index.js";

/** Does nothing: browsers must load the module first, so that `await init()` works everywhere. */
export default function init(): Promise<void>;
