// Puts the page, its style, its script and the module into one file.
import { readFileSync, writeFileSync } from "node:fs";

const [, , npm, out] = process.argv;
const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
// The script is one module, so what the files of the package import from each other is at hand.
const library = ["error.js", "records.js", "values.js", "worldview.js"]
    .map((name) => readFileSync(`${npm}/${name}`, "utf8"))
    .join("\n")
    .replace(/^import \{[^}]*\} from ['"]\.\/(error|records|values)\.js['"];?$/gm, "")
    .replace(/^import \* as (\w+) from ['"]\.\/values\.js['"];?$/gm, "const $1 = { splitTexts, makeEntries, makeAttributes, makeObjects };")
    .replace(/^export (class|const|function|async function)/gm, "$1")
    .replace(/^export (default|\{).*$/gm, "")
    .replaceAll("import.meta.url", '"page:"');
const module = readFileSync(`${npm}/worldview_bg.wasm`).toString("base64");
const page = here("page.html")
    .replace("/* style */", () => here("page.css"))
    .replace("/* library */", () => library)
    .replace("/* module */", () => module)
    .replace("/* script */", () => here("page.js"));
// What is left would be a request.
const left = /^\s*(import\s.*|export\s.*)$/m.exec(page);
if (left) throw new Error(`the page still has: ${left[0]}`);
writeFileSync(out, page);
