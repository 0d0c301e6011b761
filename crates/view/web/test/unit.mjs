// Runs the unit tests, test/unit/*.test.ts, which need no browser.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = join(import.meta.dirname, 'unit');
const out = mkdtempSync(join(tmpdir(), 'worldview-unit-'));
try {
  const entryPoints = readdirSync(here)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(here, name));
  await build({
    entryPoints,
    outdir: out,
    bundle: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  const files = readdirSync(out).map((name) => join(out, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
