// Builds the page into `dist`, which is committed: `npm ci && npm run build` must give the same bytes (CI checks).
//
// There are two scripts. `app.js` is the page; it loads `model.js`, which contains three.js, when the first model is
// shown.
//
// `node build.mjs FOLDER` builds only into another folder.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { three } from './three.mjs';

process.chdir(import.meta.dirname);
const out = process.argv[2] ?? 'dist';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const shared = { bundle: true, format: 'esm', target: 'es2022', minify: true, legalComments: 'none', logLevel: 'warning' };

const license = (name) => {
  const folder = join('node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((file) => /^license/i.test(file));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};
const licenses = (names) =>
  names
    .sort()
    .map(license)
    .join(`\n${'-'.repeat(72)}\n\n`);

await build({ ...shared, entryPoints: ['src/app.ts'], outfile: join(out, 'app.js'), external: ['./model.js'] });
await build({ ...shared, entryPoints: ['src/style/app.css'], outfile: join(out, 'app.css') });
await build({ ...shared, entryPoints: ['src/model.ts'], outfile: join(out, 'model.js'), plugins: [three] });

cpSync('src/index.html', join(out, 'index.html'));
cpSync('src/icon.svg', join(out, 'icon.svg'));
writeFileSync(join(out, 'LICENSES.txt'), licenses(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)));

// docs/decisions.md has the figures.
const MAX_GZIPPED = 250_000;
const gzipped = readdirSync(out).reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name)), { level: 9 }).length, 0);
if (gzipped > MAX_GZIPPED) throw new Error(`The page is ${gzipped} bytes long, gzipped; at most ${MAX_GZIPPED} are allowed.`);
