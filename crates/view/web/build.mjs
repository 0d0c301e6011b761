// Builds the page into `dist`, which is committed: `npm ci && npm run build` must give the same bytes (CI checks).
//
// There are two scripts. `app.js` is the page; it loads `model.js`, which contains three.js, when the first model is
// shown. The pages of `worldview export --html` contain `model.js`, too, with the styles that it needs. Those two are
// committed once, in `crates/export/src/html`; the server gets the script from there. The copy in `dist` is for trying
// things out.
//
// `node build.mjs FOLDER` builds only into another folder.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { three } from './three.mjs';

process.chdir(import.meta.dirname);
const given = process.argv[2];
const out = given ?? 'dist';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const shared = { bundle: true, format: 'esm', target: 'es2022', minify: true, legalComments: 'none', logLevel: 'warning' };
const styles = { contents: "@import './base.css'; @import './controls.css'; @import './model.css';", loader: 'css', resolveDir: 'src/style' };

const license = (name) => {
  const folder = join('node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((file) => /^license/i.test(file));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};
const licenses = (names) => names.sort().map(license).join(`\n${'-'.repeat(72)}\n\n`);

await build({ ...shared, entryPoints: ['src/app.ts'], outfile: join(out, 'app.js'), external: ['./model.js'] });
await build({ ...shared, entryPoints: ['src/style/app.css'], outfile: join(out, 'app.css') });
await build({ ...shared, stdin: styles, outfile: join(out, 'model.css') });
const model = join(out, 'model.js');
const { metafile } = await build({ ...shared, entryPoints: ['src/model.ts'], outfile: model, metafile: true, plugins: [three] });
// A page with this script is a copy of its libraries, so it has to contain their licenses.
const libraries = new Set(Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
writeFileSync(model, `/*!\n${licenses([...libraries])}*/\n`, { flag: 'a' });
if (given === undefined) for (const name of ['model.js', 'model.css']) copyFileSync(join(out, name), join('../../export/src/html', name));

cpSync('src/index.html', join(out, 'index.html'));
cpSync('src/icon.svg', join(out, 'icon.svg'));
writeFileSync(join(out, 'LICENSES.txt'), licenses(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)));

// docs/decisions.md has the figures.
const MAX_GZIPPED = 250_000;
const gzipped = readdirSync(out).filter((name) => name !== 'model.css').reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name)), { level: 9 }).length, 0);
if (gzipped > MAX_GZIPPED) throw new Error(`The page is ${gzipped} bytes long, gzipped; at most ${MAX_GZIPPED} are allowed.`);
