// What is damaged, missing, stopped, selected or told apart, and how the page says so.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const atOf = (folder) => encodeURIComponent(basename(folder));

export default {
  'what cannot be read is marked wherever it is shown': async ({ page, open, serve, folder, samples, check, until }) => {
    const root = folder();
    const cut = (name, to, part) => {
      const bytes = readFileSync(join(samples, name));
      writeFileSync(join(root, to), bytes.subarray(0, bytes.length * part));
    };
    cut('items.wdb', 'whole.wdb', 1);
    cut('items.wdb', 'cut.wdb', 2 / 3);
    // No record is whole.
    cut('items.wdb', 'stub.wdb', 0.642);
    cut('world.wdb', 'world.wdb', 0.5);
    cut('garden.wwd', 'noise.wwd', 0.02);
    await serve(root);
    await open(`/at/${atOf(root)}`);
    const card = (name) => page.locator('.card').filter({ hasText: name });
    const row = (name) => page.getByRole('tree').getByRole('treeitem', { name });
    for (const name of ['cut.wdb', 'stub.wdb', 'world.wdb', 'noise.wwd']) {
      await until(async () => (await card(name).getAttribute('class')).includes('damaged'), `the card of ${name} is marked`);
      await until(async () => (await row(name).getAttribute('class')).includes('damaged'), `${name} is marked in the tree`);
    }
    check(
      (await page.locator('.card.damaged').count()) === 4 && (await page.locator('.tree-row.damaged').count()) === 4,
      'nothing else is',
    );
    const count = Number(/(\d+) parts/.exec(await card('cut.wdb').textContent())[1]);
    await card('cut.wdb').click();
    await page.getByRole('note').getByText(`${count} parts of this table cannot be read`).waitFor();
    await page.getByRole('note').getByRole('link', { name: 'Show the findings' }).click();
    await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
    // An empty list is not said to be whole.
    await open(`/at/${atOf(root)}/stub.wdb`);
    await page.getByText(/Nothing of it can be shown: \d+ parts? cannot be read/).waitFor();
    check((await page.getByText('This table has no records').count()) === 0, 'a table that cannot be read is not empty');
    // Each world counts its own.
    const parts = async (path) => {
      await open(`/at/${atOf(root)}/world.wdb`, path ? { path } : {});
      const note = page.getByRole('note');
      await note.or(page.locator('.model-picture')).first().waitFor();
      return Number(/(\d+) part/.exec((await note.count()) ? await note.textContent() : '0 parts')[1]);
    };
    const [all, bay, toybox] = [await parts(''), await parts('world:BAY'), await parts('world:TOYBOX')];
    check(bay > 0 && bay <= all && bay !== toybox, `the worlds have ${bay} and ${toybox} of ${all}`);
  },

  'kinds, titles and names that are long': async ({ page, open, serve, folder, samples, check, shot }) => {
    await open('/');
    await page
      .locator('.card')
      .filter({ hasText: 'pennant.tex' })
      .getByText(/^Textures/)
      .waitFor();
    const root = folder();
    copyFileSync(join(samples, 'harbour.wwd'), join(root, 'a-level-whose-name-is-very-long-and-ends-with-12.wwd'));
    await serve(root);
    await open(`/at/${atOf(root)}`);
    await page.locator('.card .middle').first().waitFor();
    await page.locator('.tree-row .middle').first().waitFor();
    // The end of a name can be seen, and screen readers hear it in one piece.
    const ends = await page
      .locator('.middle > [data-text]:last-child')
      .evaluateAll((all) =>
        all.map((one) => [
          one.dataset.text,
          ...[one, one.closest('.row, .card, .place-name')].map((each) => each.getBoundingClientRect().right),
        ]),
      );
    for (const [text, own, around] of ends) check(own <= around, `the end ${text} is inside`);
    check((await page.locator('.middle').count()) >= 3, 'names are cut in their middle');
    await page.getByRole('treeitem', { name: /a-level-whose-name-is-very-long-and-ends-with-12\.wwd Harbour - Level 1/ }).waitFor();
    await page.getByRole('navigation', { name: 'Files' }).getByRole('searchbox').fill('level 1 harbour');
    await page.waitForTimeout(600);
    check((await page.getByRole('treeitem', { name: /ends-with-12/ }).count()) === 1, 'the filter of the tree sees titles');
    await shot('names');
  },

  'a viewer that has stopped says so': async ({ page, open, serve, allow }) => {
    allow(/ERR_CONNECTION|Failed to fetch|net::/);
    const server = await serve('items.wdb');
    await open('/at/items.wdb');
    await page.locator('.grid-cell').first().waitFor();
    server.stop();
    await page.getByRole('alert').filter({ hasText: 'The viewer no longer runs.' }).waitFor({ timeout: 15_000 });
  },

  'only few colors': async ({ page, open, check }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('/at/samples/items.wdb');
    await page.locator('.grid-cell').nth(20).click();
    await page.keyboard.press('Shift+ArrowRight');
    const color = (locator) => locator.first().evaluate((one) => getComputedStyle(one).backgroundColor);
    const plain = await color(page.locator('.grid-cell[aria-selected=false]'));
    check((await page.locator('.grid-cell[aria-selected=true]').count()) === 2, 'two cells are selected');
    check((await color(page.locator('.grid-cell.active'))) !== plain, 'the active cell can be seen');
    check((await color(page.locator('.grid-cell.in-range:not(.active)'))) !== plain, 'and the other cells of the range');
    check(
      (await color(page.locator('.tree-row.selected'))) !== (await color(page.locator('.tree-row:not(.selected)'))),
      'the row of the tree, too',
    );
    await page.getByRole('toolbar').getByRole('button', { name: 'Plot' }).click();
    const pressed = page.getByRole('button', { name: 'Plot', pressed: true });
    check((await color(pressed)) !== (await color(page.getByRole('button', { name: 'Help' }))), 'and a button that is pressed');
  },

  'downloads are what is shown, all, or the file itself': async ({ page, open, samples, check }) => {
    await open('/at/samples/items.wdb', { q: 'oil' });
    await page.getByText(/^\d+ of 40 records$/).waitFor();
    const shown = Number((await page.locator('.table-count').textContent()).split(' ')[0]);
    const download = async (name) => {
      await page.getByRole('button', { name: 'Download' }).click();
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
      return readFileSync(await file.path());
    };
    const lines = (bytes) => bytes.toString().trim().split('\n').length - 1;
    check(shown > 1 && lines(await download(`CSV of the ${shown} shown`)) === shown, 'the records that are shown');
    check(lines(await download(/^CSV items/)) === 40, 'all records');
    check((await download('The file itself')).equals(readFileSync(join(samples, 'items.wdb'))), 'the file itself');
  },

  'both sides of a comparison have names': async ({ page, open, serve, folder, samples, check, allow }) => {
    allow(/status of 4\d\d/);
    const root = folder();
    for (const side of ['old', 'new']) mkdirSync(join(root, side));
    copyFileSync(join(samples, 'items.wdb'), join(root, 'old/items.wdb'));
    writeFileSync(join(root, 'new/items.wdb'), 'no table');
    await serve(join(root, 'old/items.wdb'), join(root, 'new/items.wdb'));
    await open('/compare');
    await page.getByRole('link', { name: 'old/items.wdb' }).waitFor();
    await page.getByRole('link', { name: 'new/items.wdb' }).waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: /^New\/items.wdb: |^new\/items.wdb: / })
      .waitFor();
    check((await page.locator('body').textContent()).includes('(2)') === false, 'no number stands for a folder');
    await open('/compare', { left: 'items.wdb' });
    await page.getByText('old/items.wdb is to be compared, but with what?').waitFor();
    await page.getByRole('button', { name: 'Compare with…' }).waitFor();
  },

  'a comparison says what cannot be read, and how many differences there are': async ({ page, open, serve, folder, samples, check }) => {
    const root = folder();
    for (const side of ['old', 'new']) mkdirSync(join(root, side));
    const bytes = readFileSync(join(samples, 'items.wdb'));
    writeFileSync(join(root, 'old/items.wdb'), bytes);
    writeFileSync(join(root, 'new/items.wdb'), bytes.subarray(0, (bytes.length * 2) / 3));
    await serve(join(root, 'old/items.wdb'), join(root, 'new/items.wdb'));
    await open('/compare');
    const note = page.locator('.damage');
    await note.waitFor();
    check(/^new\/items\.wdb: \d+ parts cannot be read\./.test(await note.textContent()), 'the damaged file is named');
    await note.getByRole('link', { name: 'Show the findings' }).click();
    await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
    // A list that was cut: two of 25,000 differences, in 12,000 records.
    const cut = ['apple_dried', 'bread_rye'].map((record) => ({
      change: 'changed',
      path: record,
      what: 'uPurchasePrice',
      left: '1',
      right: '2',
    }));
    const answer = [...cut, { done: true, count: 25_000, parts: 12_000, more: 24_998 }].map((line) => JSON.stringify(line)).join('\n');
    await page.route('**/api/compare/diff?*', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: `${answer}\n` }));
    await open('/compare');
    await page.getByText('25,000 differences; the first 2 are shown').waitFor();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByText(/12,000 records differ/).waitFor();
  },
};
