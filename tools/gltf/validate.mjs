// Validates GLB files, and all GLB files below folders, after `npm ci --prefix tools/gltf`:
//     node tools/gltf/validate.mjs PATH...
// Prints errors and warnings of the Khronos Group's validator. Fails if there are any, or if there is nothing to validate.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { validateBytes } from 'gltf-validator';

const inside = (folder) => {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.glb'));
  return names.sort().map((name) => join(folder, name));
};
const files = process.argv.slice(2).flatMap((path) => (statSync(path).isDirectory() ? inside(path) : [path]));
let failed = 0;
for (const file of files) {
  // Infos and hints report unused objects and extensions that the validator does not know. A world has many of them.
  const bytes = new Uint8Array(readFileSync(file));
  const { issues } = await validateBytes(bytes, { uri: file, format: 'glb', maxIssues: 0 });
  const found = issues.messages.filter(({ severity }) => severity < 2);
  for (const { severity, code, message, pointer } of found.slice(0, 20)) {
    console.log(`${file}: ${severity ? 'warning' : 'error'} ${code} at ${pointer ?? 'the file'}: ${message}`);
  }
  failed += found.length > 0;
}
console.log(`${files.length - failed} passed, ${failed} failed`);
process.exit(failed || !files.length ? 1 : 0);
