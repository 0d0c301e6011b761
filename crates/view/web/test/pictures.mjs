// Takes the pictures of the page in docs/images: `node crates/view/web/test/pictures.mjs`, with the command built.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { program } from './program.mjs';

const root = resolve(import.meta.dirname, '../../../..');

/** The name of each picture, and the place that it shows. */
const pictures = {
  viewer: '/at/samples/world.wdb?path=world:BAY',
  'viewer-level': '/at/samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD?x=5900&y=1920&zoom=0.13&show=sprites',
};

const viewer = spawn(program, ['view', '--no-open', join(root, 'samples')], { stdio: ['ignore', 'pipe', 'pipe'] });
const address = await new Promise((done) => {
  const read = (chunk) => /http:\S+/.test(chunk) && done(/http:\S+/.exec(chunk)[0]);
  viewer.stdout.on('data', read);
  viewer.stderr.on('data', read);
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(address);
for (const [name, path] of Object.entries(pictures)) {
  await page.goto(new URL(path, address).href);
  await page.waitForLoadState('networkidle');
  // Animations of the page, and pictures of the graphics card.
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) });
}
await browser.close();
viewer.kill();
