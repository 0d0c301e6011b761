// node compile.mjs: compiles docs/formats/*.ksy to JavaScript and Python in target/kaitai. In target/kaitai/bits, floats are
// unsigned integers, since the benchmarks compare their bits.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import compiler from "kaitai-struct-compiler";
import { parse } from "yaml";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const descriptions = join(root, "docs/formats");
for (const [folder, change] of [
  ["target/kaitai", (text) => text],
  ["target/kaitai/bits", (text) => text.replaceAll(/\bf4\b/g, "u4")],
]) {
  const out = join(root, folder);
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(descriptions).filter((name) => name.endsWith(".ksy"))) {
    const description = parse(change(readFileSync(join(descriptions, name), "utf8")));
    for (const language of ["javascript", "python"]) {
      const files = await compiler.compile(language, description, null, false);
      for (const [file, text] of Object.entries(files)) {
        writeFileSync(join(out, file), text);
      }
    }
  }
}
