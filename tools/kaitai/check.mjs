// node check.mjs [FILE...]: reads files, by default all samples, with the code that Kaitai generated, and compares every value
// with what `worldview show --full --format json` prints. Files inside of archives are compared, too.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Comparison } from "./compare.mjs";
import { pid, rez } from "./rez.mjs";
import { tex, world } from "./island.mjs";
import { wdb, wpd } from "./wpd.mjs";
import { wwd } from "./wwd.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const worldview = process.env.WORLDVIEW ?? join(target, "debug/worldview");
const require = createRequire(import.meta.url);
const KaitaiStream = require("kaitai-struct/KaitaiStream");
const formats = { pid, rez, tex, wdb, world, wpd, wwd };

// The generated code is in a folder from which it would not find the runtime.
function generated(format) {
  const name = format[0].toUpperCase() + format.slice(1);
  const text = readFileSync(join(root, "target/kaitai", `${name}.js`), "utf8");
  const module = { exports: {} };
  new Function("exports", "require", "module", text)(module.exports, require, module);
  return module.exports[name];
}

// What the command says about files, or parts of archives, by path; one that it refuses is left out.
function show(paths) {
  const found = new Map();
  // A command line has a maximum length.
  for (let i = 0; i < paths.length; i += 100) {
    const several = paths.slice(i, i + 100);
    let text;
    try {
      const options = { encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] };
      text = execFileSync(worldview, ["show", "--full", "--format", "json", "--", ...several], options);
    } catch (error) {
      if (error.stdout === undefined || error.status === null) {
        throw error;
      }
      text = error.stdout;
    }
    for (const line of text.split("\n").filter(Boolean)) {
      const shown = JSON.parse(line);
      // Of a single file, the path is not repeated.
      found.set(shown.path ?? several[0], shown);
    }
  }
  return found;
}

const totals = {};
let failures = 0;

function check(path, shown, bytes) {
  const format = shown.format;
  const total = (totals[format] ??= { files: 0, values: 0 });
  if (!formats[format]) {
    console.log(`${path}: ${format} has no description`);
    return;
  }
  const comparison = new Comparison(path);
  let inner = [];
  try {
    const Format = generated(format);
    inner = formats[format](comparison, shown, new Format(new KaitaiStream(new Uint8Array(bytes).buffer)), bytes) ?? [];
  } catch (error) {
    comparison.fail("", error.stack);
  }
  total.files += 1;
  total.values += comparison.count;
  failures += comparison.failures;
  const found = show(inner.map((part) => `${path}/${part.path}`));
  for (const part of inner) {
    const place = `${path}/${part.path}`;
    const shown = found.get(place);
    if (shown) {
      check(place, shown, part.bytes);
    } else {
      console.log(`${place}: the command does not read it`);
      failures += 1;
    }
  }
}

const samples = join(root, "samples");
const given = process.argv.slice(2);
const paths = given.length ? given : readdirSync(samples).map((name) => join(samples, name));
for (const path of paths) {
  const shown = show([path]).get(path);
  if (shown) {
    check(path, shown, readFileSync(path));
  } else {
    console.log(`${path}: the command does not read it`);
  }
}
for (const [format, { files, values }] of Object.entries(totals)) {
  console.log(`${format}: ${files} files, ${values.toLocaleString("en")} values`);
}
console.log(failures ? `${failures} differences` : "no difference");
process.exitCode = failures || !Object.keys(totals).length ? 1 : 0;
