// Compiles the format descriptions to JavaScript and Python in target/kaitai.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import compiler from "kaitai-struct-compiler";
import { parse } from "yaml";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../../target/kaitai");
mkdirSync(out, { recursive: true });
for (const format of ["wwd", "wdb", "world"]) {
  const description = parse(readFileSync(join(here, `${format}.ksy`), "utf8"));
  for (const language of ["javascript", "python"]) {
    const files = await compiler.compile(language, description, null, false);
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(out, name), text);
    }
  }
}
