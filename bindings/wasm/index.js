export * from "./worldview.js";
export { default } from "./worldview.js";
export { WorldviewError } from "./error.js";
