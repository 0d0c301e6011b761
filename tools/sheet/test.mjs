// Tests the HTML pages that the Rust tests write, after `npm ci --prefix tools/sheet`:
//     WORLDVIEW_HTML_OUT=DIR cargo test -p worldview-export --test it html::pages::pages
//     node tools/sheet/test.mjs DIR
// The browser is `$CHROMIUM`, or the system's Chromium. If `$SHOTS` is set, it names a folder for screenshots.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = resolve(process.argv[2] ?? '.');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

// What drawing without a graphics card says about its speed.
const harmless = /GL Driver Message .*(GPU stall|ReadPixels)/;

/// Opens a page and runs `look` on it. The page must cause no errors, dialogs or network requests.
const open = async (name, look, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  const wrong = [];
  page.on('console', (message) => {
    if (!harmless.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && request.url() !== address) wrong.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  if (options.before) await page.addInitScript(options.before);
  await page.goto(address + (options.hash ?? ''));
  await page.locator('#bar').waitFor();
  const shot = async (what) => {
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}-${what}.png`) });
  };
  await look(page, shot);
  assert.deepEqual(wrong, []);
  await context.close();
  console.log(`${name}: passed`);
};

/// Returns the entries of a page, as written to the file.
const entries = (name) => {
  const text = readFileSync(join(folder, `${name}.html`), 'utf8');
  return [...text.matchAll(/<script type="application\/json" class="entry">(.*)<\/script>/g)].map(([, json]) => JSON.parse(json));
};
const count = (page) => page.locator('#count').textContent();
const cards = (page) => page.locator('.card').count();
/// Types into the search field, and waits until the count shows the effect.
const search = async (page, text, wanted) => {
  await page.fill('#search', text);
  await page.waitForFunction((wanted) => document.querySelector('#count').textContent === wanted, wanted);
};

/// Waits until a condition holds.
const until = async (page, condition) => {
  for (let turn = 0; turn < 100; turn += 1) {
    if (await condition()) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`never: ${condition}`);
};
/// Closes the entry that is open. Its `close` event comes later, and moves the focus back to the entry's card.
const leave = async (page) => {
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash);
};

/// Returns the number of colors in a picture.
const colors = (page, png) =>
  page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer)).size;
  }, png.toString('base64'));

/// Returns the number of colors in a canvas, without its background.
const drawnColors = (canvas) =>
  canvas.evaluate((canvas) => {
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    context.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });

await open('sample', async (page, shot) => {
  const all = entries('sample');
  assert.equal(await count(page), String(all.length));
  assert.ok((await cards(page)) > 4);
  assert.equal(await page.locator('.card b').first().textContent(), all[0].title);
  // All visible pictures are loaded.
  const loaded = () => [...document.querySelectorAll('.card img')].every((img) => img.complete && img.naturalWidth > 0);
  await page.waitForFunction(loaded);
  // Models are drawn, and look the same when they come back into view.
  await page.locator('#kinds button', { hasText: 'world' }).click();
  const drawn = page.locator('.card canvas').first();
  await until(page, async () => (await drawnColors(drawn)) > 20);
  const handle = await drawn.elementHandle();
  await search(page, 'nothing has this', `0 of ${all.length}`);
  assert.equal(await cards(page), 0);
  await search(page, '', `${all.filter(({ kind }) => kind === 'world').length} of ${all.length}`);
  assert.ok(await drawn.evaluate((now, then) => now === then, handle));
  assert.ok((await drawnColors(drawn)) > 20);
  await page.locator('#kinds button', { hasText: 'world' }).click();
  // What cannot be drawn is described.
  await search(page, 'No GLB', `1 of ${all.length}`);
  await page.locator('.card .picture.none', { hasText: 'bytes in the file' }).waitFor();
  assert.equal(await page.locator('.card canvas').count(), 0);
  await search(page, '', String(all.length));
  await page.waitForFunction(loaded);
  await shot('grid');

  // The legend of a level is on its card, with the colors of the picture.
  const level = all.find(({ legend }) => legend);
  const swatches = page.locator('.card', { hasText: level.title }).locator('.legend');
  assert.equal((await swatches.textContent()), level.legend.map(([name]) => name).join(''));
  const rgb = level.legend[0][1].match(/\w\w/g).map((part) => parseInt(part, 16)).join(', ');
  assert.equal(await swatches.locator('i').first().evaluate((swatch) => getComputedStyle(swatch).backgroundColor), `rgb(${rgb})`);

  // The filters.
  const models = all.filter(({ kind }) => kind === 'model');
  await page.locator('#kinds button', { hasText: 'model' }).click();
  assert.equal(await count(page), `${models.length} of ${all.length}`);
  await search(page, 'LIGHTHOUSE', `1 of ${all.length}`);
  assert.equal(await cards(page), 1);
  await search(page, 'nothing has this', `0 of ${all.length}`);
  assert.ok(await page.locator('#nothing').isVisible());
  await page.locator('#kinds button', { hasText: 'model' }).click();
  await search(page, '', String(all.length));
  // The search includes rows: this value occurs nowhere else on the page.
  const table = all.find(({ kind, rows }) => kind === 'table' && rows.rows.length > 5);
  await search(page, table.rows.rows[3][0], (await count(page)).replace(/^/, '1 of '));
  assert.equal(await page.locator('.card b').first().textContent(), table.title);
  await search(page, '', String(all.length));
  await page.selectOption('#sort', 'title');
  const names = await page.locator('.card b').allTextContents();
  assert.ok(names.length > 4);
  assert.deepEqual(names, [...names].sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare));
  await page.selectOption('#sort', '');

  // An opened model is drawn.
  await search(page, 'lighthouse', `${all.filter((entry) => JSON.stringify(entry).toLowerCase().includes('lighthouse')).length} of ${all.length}`);
  await page.locator('.card', { hasText: 'model' }).first().click();
  const canvas = page.locator('#detail .view canvas').first();
  await canvas.waitFor();
  await until(page, async () => (await colors(page, await canvas.screenshot())) > 20);
  await shot('model');
  const links = await page.locator('#detail .links a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.deepEqual(links, ['./world.wdb/model.glb']);
  // It turns by keys, and the page does not take them for its own.
  const before = await canvas.screenshot();
  await canvas.focus();
  const title = await page.locator('#detail-title').textContent();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'PageDown']) await page.keyboard.press(key);
  await until(page, async () => !before.equals(await canvas.screenshot()));
  assert.equal(await page.locator('#detail-title').textContent(), title);
  // Closing ends it.
  await page.locator('#detail button[title="Close"]').click();
  assert.equal(await page.locator('#detail').isVisible(), false);
  await until(page, async () => (await page.locator('#detail canvas').count()) === 0);
  await page.waitForFunction(() => location.hash === '');
  await search(page, '', String(all.length));

  // A table: rows, filter, and sorting.
  await page.locator('#kinds button', { hasText: 'table' }).click();
  await page.locator('.card b', { hasText: table.title }).click();
  const rows = page.locator('#detail tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), Math.min(table.rows.rows.length, 200));
  const cells = await rows.first().locator('td').allTextContents();
  assert.deepEqual(cells, table.rows.rows[0]);
  assert.deepEqual(await page.locator('#detail th').allTextContents(), table.rows.columns);
  await shot('table');
  const first = table.rows.rows.map(([name]) => name);
  await page.locator('#detail th button').first().click();
  await page.locator('#detail th button').first().click();
  const last = [...first].sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare).at(-1);
  assert.equal(await rows.first().locator('td').first().textContent(), last);
  await page.fill('#detail input', first[2]);
  const found = table.rows.rows.filter((row) => row.join('\n').toLowerCase().includes(first[2].toLowerCase()));
  assert.equal(await rows.count(), found.length);

  // Keyboard only; the first Escape clears the filter.
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#detail').isVisible());
  assert.equal(await page.locator('#detail input').inputValue(), '');
  await leave(page);
  await page.locator('.card').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('#detail[open]').waitFor();
  await leave(page);
  await page.waitForFunction(() => document.activeElement.dataset.at === '1');
});

// An address opens a world at once, whose animation plays; one model follows another.
const number = (kind) => entries('sample').findIndex((entry) => entry.kind === kind && entry.model) + 1;
await open('sample', async (page, shot) => {
  const canvas = page.locator('#detail .view canvas').first();
  await canvas.waitFor();
  await until(page, async () => (await colors(page, await canvas.screenshot())) > 20);
  await shot('world');
  const play = page.getByRole('button', { name: 'Play', exact: true });
  const still = await canvas.screenshot();
  await play.click();
  await until(page, async () => !still.equals(await canvas.screenshot()));
  await shot('playing');
  for (let step = 0; step < 3; step += 1) {
    await page.locator('#detail button[title="Next"]').click();
    await canvas.waitFor();
    assert.equal(await page.locator('#detail .view').count(), 1);
  }
  await leave(page);
  await until(page, async () => (await page.locator('#detail canvas').count()) === 0);
}, { hash: `#${number('world')}` });

// Without WebGL, or without the script of the viewer, the page says why, and cards describe their models.
const without = {
  webgl: { says: 'no WebGL', before: () => { HTMLCanvasElement.prototype.getContext = () => null; } },
  script: { says: 'did not run', before: () => { Object.defineProperty(globalThis, 'worldviewModel', { set() {} }); } },
};
for (const [what, { says, before }] of Object.entries(without)) {
  await open('sample', async (page, shot) => {
    await page.locator('#detail .view', { hasText: says }).waitFor();
    assert.equal(await page.locator('#detail canvas').count(), 0);
    await shot(`no-${what}`);
    await leave(page);
    await page.locator('#kinds button', { hasText: 'model' }).click();
    await page.locator('.card .picture.none', { hasText: 'materials' }).first().waitFor();
    await until(page, async () => (await page.locator('.card canvas').count()) === 0);
    await shot(`no-${what}-grid`);
  }, { before, hash: `#${number('model')}` });
}

// A URL with an entry's number opens that entry, also in dark mode and on a narrow screen.
const narrow = { viewport: { width: 390, height: 760 }, colorScheme: 'dark', hasTouch: true };
await open('sample', async (page, shot) => {
  await page.locator('#detail[open]').waitFor();
  assert.equal(await page.locator('#detail-title').textContent(), entries('sample')[3].title);
  await shot('narrow-detail');
  await leave(page);
  await page.evaluate(() => scrollTo(0, 300));
  await shot('narrow');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
}, { ...narrow, hash: '#4' });

// A model on a narrow screen, in dark mode.
await open('sample', async (page, shot) => {
  const canvas = page.locator('#detail .view canvas').first();
  await canvas.waitFor();
  await until(page, async () => (await colors(page, await canvas.screenshot())) > 20);
  await shot('narrow-model');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
}, { ...narrow, hash: `#${number('model')}` });

await open('sample', async (page, shot) => {
  await page.locator('#detail[open]').waitFor();
  await shot('dark-level');
  await leave(page);
  await shot('dark');
}, { colorScheme: 'dark', hash: '#1' });

// However many entries there are, only those near the viewport are in the DOM.
await open('many', async (page, shot) => {
  assert.equal(await count(page), '5,000');
  const most = 90;
  assert.ok((await cards(page)) < most);
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  for (const part of [0.2, 0.5, 0.8, 1]) {
    await page.evaluate((to) => scrollTo(0, to), high * part);
    await page.waitForTimeout(60);
    assert.ok((await cards(page)) < most);
    const seen = page.locator('.card').nth(Math.floor((await cards(page)) / 2));
    assert.ok(await seen.isVisible());
  }
  await until(page, async () => (await page.locator('.card b').last().textContent()) === 'level number 4999');
  await search(page, 'number 4321', '1 of 5,000');
  assert.equal(await page.locator('.card b').first().textContent(), 'model number 4321'.replace('model', ['model', 'level', 'table'][4321 % 3]));
  await search(page, '', '5,000');
  await page.evaluate(() => scrollTo(0, 0));
  // A long table shows its first rows, more on request, and the total number.
  await page.locator('.card', { hasText: 'table number 2' }).first().click();
  const rows = page.locator('#detail tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 200);
  assert.ok((await page.locator('#detail output').textContent()).includes('the first 250 of 100,000 rows'));
  await page.locator('#detail .more').click();
  assert.equal(await rows.count(), 250);
  await leave(page);
  // The keys reach entries that are not in the DOM yet.
  await page.locator('.card').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement.dataset.at === '4999');
  await shot('end');
});

// Names are always shown as text, even if they look like HTML.
await open('hostile', async (page, shot) => {
  const all = entries('hostile');
  const title = await page.title();
  assert.equal(title, all[0].title);
  assert.equal(await page.locator('h1').textContent(), all[0].title);
  assert.equal(await count(page), String(all.length));
  for (const [number, entry] of all.entries()) {
    await page.evaluate((to) => { location.hash = to; }, `#${number + 1}`);
    await page.waitForFunction((name) => document.querySelector('#detail-title')?.textContent === name, entry.title);
    assert.equal(await page.locator('#detail dd').last().textContent(), entry.title);
    assert.equal(await page.locator('#detail td').first().textContent(), entry.title);
    const link = page.locator('#detail .links a').first();
    assert.equal(await link.textContent(), entry.title);
    assert.ok((await link.evaluate((link) => link.href)).startsWith('file:'), entry.title);
  }
  await shot('detail');
  await leave(page);
  await shot('grid');
  assert.equal(await page.title(), title);
  assert.equal(await page.locator('body img, body svg, #grid script, #detail script').count(), 0);
});

await browser.close();
