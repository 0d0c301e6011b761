// Tables: grid, order, filters, details, plot, and editing in place. What is expected comes from the command.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worldview } from './program.mjs';

const recordsOf = (file) =>
  worldview('show', file, '--format', 'ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const cell = (page, row, column) => page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
const header = (page, name) => page.getByRole('columnheader').filter({ has: page.getByText(name, { exact: true }) });
const names = (page) => page.locator('.grid-cell.first').allTextContents();

/** Waits until a condition holds. */
const until = async (condition) => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await condition()) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
};

const openTable = async (tools, path, query) => {
  await tools.open(`/at/samples/${path}`, query);
  await tools.page.getByRole('rowheader').first().waitFor();
};

export default {
  'shows records and columns': async (tools) => {
    const { page, check, shot, samples } = tools;
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    check(await page.getByText(`${records.length} records`).isVisible(), 'the number of records is shown');
    const grid = page.getByRole('grid');
    const columns = Object.keys(records[0]);
    check((await grid.getAttribute('aria-rowcount')) === String(records.length + 1), 'the grid says how many rows it has');
    check((await grid.getAttribute('aria-colcount')) === String(columns.length), 'the grid says how many columns it has');
    check(
      (await names(page)).slice(0, 5).join() ===
        records
          .slice(0, 5)
          .map(({ record }) => record)
          .join(),
      'the first records are shown',
    );
    check((await cell(page, 0, 1).textContent()) === records[0].sNameJa, 'a text is shown');
    check(await header(page, 'sNameDe').getByText('word 1', { exact: false }).isVisible(), 'the header says where the bits are');
    await shot('records');
    // To the last cell and back with the keyboard.
    await cell(page, 0, 0).click();
    await page.keyboard.press('Control+End');
    const last = cell(page, records.length - 1, columns.length - 1);
    check(await until(async () => (await last.textContent()) === String(records.at(-1)[columns.at(-1)])), 'Ctrl+End shows the last cell');
    check(await last.evaluate((element) => element === document.activeElement), 'the last cell has the focus');
    await page.keyboard.press('Control+Home');
    check(await until(async () => cell(page, 0, 0).evaluate((element) => element === document.activeElement)), 'Ctrl+Home goes back');
    await page.keyboard.press('PageDown');
    check(await cell(page, 0, 0).evaluate((element) => element !== document.activeElement), 'Page Down moves');
  },

  'sorts, filters and keeps both': async (tools) => {
    const { page, check, shot, samples } = tools;
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    await page.getByLabel('Go to column').fill('u20Life');
    await page.keyboard.press('Enter');
    const life = header(page, 'u20Life');
    await life.getByRole('button').first().click();
    check(await until(async () => (await life.getAttribute('aria-sort')) === 'ascending'), 'a click sorts');
    await life.getByRole('button').first().click();
    const most = records.toSorted((a, b) => b.u20Life - a.u20Life);
    check(await until(async () => (await names(page))[0] === most[0].record), 'a second click sorts the other way');
    check((await life.getAttribute('aria-sort')) === 'descending', 'the header says so');
    await page.getByLabel('Filter u20Life').fill('1000..20000');
    const within = most.filter(({ u20Life }) => u20Life >= 1000 && u20Life <= 20000);
    const count = page.getByText(`${within.length} of ${records.length} records`);
    await count.waitFor();
    check(await until(async () => (await names(page))[0] === within[0].record), 'the filter applies');
    await page.getByLabel('Filter all cells').fill('fox');
    const foxes = within.filter((record) => Object.values(record).some((value) => String(value).toLowerCase().includes('fox')));
    await page.getByText(`${foxes.length} of ${records.length} records`).waitFor();
    await page.reload();
    await page.getByText(`${foxes.length} of ${records.length} records`).waitFor();
    check(
      await until(async () => (await names(page)).join() === foxes.map(({ record }) => record).join()),
      'a reload keeps order and filters',
    );
    await shot('filtered');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`${records.length} records`, { exact: true }).waitFor();
  },

  'shows a cell and its record': async (tools) => {
    const { page, check, shot, samples } = tools;
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    await page.getByRole('toolbar').getByRole('button', { name: 'Record' }).click();
    await cell(page, 3, 2).click();
    const details = page.getByRole('complementary', { name: 'Record' });
    await details.getByText('Place').waitFor();
    check((await details.getByRole('heading', { level: 2 }).textContent()) === records[3].record, 'the record is named');
    check((await details.locator('.details-value').textContent()) === records[3].sNameDe, 'the value is shown');
    check(page.url().includes(encodeURIComponent(`${records[3].record}/sNameDe`)), 'the address has the path');
    await shot('details');
    await page.reload();
    await details.getByText('Place').waitFor();
    check((await details.locator('.details-value').textContent()) === records[3].sNameDe, 'a reload keeps the selection');
    await details.getByRole('button', { name: 'i12Temper' }).click();
    check(
      await until(async () => (await details.locator('.details-value').textContent()) === String(records[3].i12Temper)),
      'a field of the record can be chosen',
    );
    await details.getByRole('link', { name: 'Show bytes' }).click();
    await page.getByRole('tab', { name: 'Fields and bytes', selected: true }).waitFor();
    check(page.url().includes(encodeURIComponent(`${records[3].record}/i12Temper`)), 'the bytes are those of the cell');
  },

  'copies cells and rows': async (tools) => {
    const { page, context, check, samples } = tools;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [first] = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    await cell(page, 0, 2).click();
    await page.keyboard.press('Control+C');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    check((await copied()) === first.sNameDe, 'Ctrl+C copies the cell');
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('Control+C');
    const row = (await copied()).split('\t');
    check(
      row.length === Object.keys(first).length && row[0] === first.record && row[2] === first.sNameDe,
      'Ctrl+C copies the selected row',
    );
  },

  'ranges of cells are copied': async (tools) => {
    const { page, context, check, samples, shot } = tools;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    const { y } = await cell(page, 0, 0).boundingBox();
    check(y <= 160, `the first record is near the top: ${y}`);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const expected = (from, to) =>
      records
        .slice(from, to)
        .map(({ sNameDe, sHabitat }) => `${sNameDe}\t${sHabitat}`)
        .join('\n');
    const [first, last] = [await cell(page, 1, 2).boundingBox(), await cell(page, 4, 3).boundingBox()];
    await page.mouse.move(first.x + 9, first.y + 9);
    await page.mouse.down();
    await page.mouse.move(last.x + 9, last.y + 9, { steps: 5 });
    await page.mouse.up();
    await shot('range');
    await page.keyboard.press('Control+C');
    check((await copied()) === expected(1, 5), 'the mouse selects a range');
    // Also in the current row, and under the pointer.
    const colors = await page
      .locator('.grid-cell[aria-selected=true]')
      .evaluateAll((cells) => cells.map((one) => getComputedStyle(one).backgroundColor));
    check(colors.length === 8 && new Set(colors).size === 1, `the range has one color: ${colors}`);
    await page.getByRole('status').filter({ hasText: 'Copied 8 cells.' }).waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+C');
    check((await copied()) === expected(1, 6), 'Shift and an arrow extend it');
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByRole('status').filter({ hasText: '4 rows by 2 columns selected' }).waitFor();
    await cell(page, 2, 2).click();
    await cell(page, 3, 3).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+C');
    check((await copied()) === expected(2, 4), 'Shift and a click select a range');
    await cell(page, 0, 2).click();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+Shift+ArrowDown');
    await page.keyboard.press('Control+C');
    check(await until(async () => (await copied()) === expected(0, records.length)), 'all records');
  },

  'several orders, values, and back': async (tools) => {
    const { page, check, samples, shot } = tools;
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    const sort = async (name, options) => header(page, name).getByRole('button').first().click(options);
    const first = (wanted) =>
      until(
        async () =>
          (await names(page)).slice(0, 9).join() ===
          wanted
            .slice(0, 9)
            .map(({ record }) => record)
            .join(),
      );
    await sort('sHabitat');
    const byPlace = records.toSorted((a, b) => (a.sHabitat < b.sHabitat ? -1 : a.sHabitat > b.sHabitat ? 1 : 0));
    check(await first(byPlace), 'sorted by one column');
    await sort('sNameDe', { modifiers: ['Shift'] });
    await sort('sNameDe', { modifiers: ['Shift'] });
    const byBoth = byPlace.toSorted((a, b) =>
      a.sHabitat !== b.sHabitat ? 0 : Buffer.compare(Buffer.from(b.sNameDe), Buffer.from(a.sNameDe)),
    );
    check(await first(byBoth), 'and then by another, descending');
    const head = header(page, 'sHabitat').locator('.head-text');
    check(await head.evaluate((text) => text.scrollWidth <= text.clientWidth), 'the name is readable beside the arrow');
    await header(page, 'sHabitat').getByRole('button', { name: 'Values of sHabitat' }).click();
    const places = new Map();
    for (const { sHabitat } of records) places.set(sHabitat, (places.get(sHabitat) ?? 0) + 1);
    const values = page.getByRole('dialog', { name: 'Values of sHabitat' });
    await values.getByText(`${places.size} values`).waitFor();
    await shot('values');
    const [place, count] = [...places].sort(([, a], [, b]) => b - a)[0];
    // The keyboard finds and chooses.
    await page.keyboard.type(place);
    await values.getByRole('option').nth(1).waitFor({ state: 'detached' });
    check((await values.getByRole('option').textContent()).startsWith(place), 'the search finds the value');
    await page.keyboard.press('Enter');
    await page.getByText(`${count} of ${records.length} records`).waitFor();
    // Each step back undoes one.
    await page.goBack();
    await page.getByText(`${records.length} records`, { exact: true }).waitFor();
    check(await first(byBoth), 'back ends the filter, and keeps the order');
    await page.goBack();
    await page.goBack();
    check(await first(byPlace), 'back ends the second order');
    await page.goBack();
    check(await first(records), 'back ends the first one');
  },

  'buttons of a column that is partly in view': async (tools) => {
    const { page, open, check } = tools;
    await page.setViewportSize({ width: 400, height: 800 });
    await open('/at/samples/items.wdb');
    const values = page.getByRole('button', { name: 'Values of sHelpStringId' });
    await values.waitFor();
    // So that the names, which stay, cover the column up to the button.
    const { x } = await values.boundingBox();
    const names = await page.locator('.grid-head-cell.first').boundingBox();
    await page.locator('.grid').evaluate((grid, by) => grid.scrollBy(by, 0), x - names.x - names.width - 4);
    await page.waitForTimeout(200);
    const box = await values.boundingBox();
    check(box.x > names.x + names.width && box.x + box.width <= 400, 'the button can be seen');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByRole('dialog', { name: 'Values of sHelpStringId' }).waitFor();
  },

  'columns can be hidden and resized': async (tools) => {
    const { page, check } = tools;
    await openTable(tools, 'bestiary.wdb');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Find a column').fill('sNameJa');
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    check((await header(page, 'sNameJa').count()) === 0, 'the column is hidden');
    const german = header(page, 'sNameDe');
    const before = (await german.boundingBox()).width;
    const edge = await page.getByRole('separator', { name: 'Width of sNameDe' }).boundingBox();
    await page.mouse.move(edge.x + edge.width / 2, edge.y + 20);
    await page.mouse.down();
    await page.mouse.move(edge.x + edge.width / 2 + 60, edge.y + 20, { steps: 4 });
    await page.mouse.up();
    const after = (await german.boundingBox()).width;
    check(Math.abs(after - before - 60) <= 2, 'dragging the edge resizes the column');
    await page.getByRole('separator', { name: 'Width of sNameDe' }).focus();
    await page.keyboard.press('ArrowLeft');
    check(await until(async () => (await german.boundingBox()).width === after - 16), 'an arrow key resizes the column');
    const kept = () => Number(new URL(page.url()).searchParams.get('widths')?.split(':')[1]);
    check(await until(() => Math.abs(kept() - (after - 16)) < 1), 'the address has the width');
    await page.reload();
    await german.waitFor();
    check((await header(page, 'sNameJa').count()) === 0, 'a reload keeps what is hidden');
    check(await until(async () => (await german.boundingBox()).width === after - 16), 'a reload keeps the width');
  },

  'plots columns': async (tools) => {
    const { page, check, shot, samples } = tools;
    const records = recordsOf(join(samples, 'bestiary.wdb'));
    await openTable(tools, 'bestiary.wdb');
    await page.getByRole('button', { name: 'Plot', exact: true }).click();
    await page.getByLabel('Column', { exact: true }).selectOption({ label: 'u20Life' });
    const lives = records.map(({ u20Life }) => u20Life);
    const text = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: Number.isInteger(value) ? 15 : 6 });
    const mean = lives.reduce((sum, life) => sum + life, 0) / lives.length;
    await page
      .getByText(`u20Life: ${records.length} numbers, ${text(Math.min(...lives))} to ${text(Math.max(...lives))}, mean ${text(mean)}`)
      .waitFor();
    await shot('histogram');
    await page.getByLabel('Against').selectOption({ label: 'i12Temper' });
    await page.getByText('i12Temper: 60 numbers', { exact: false }).waitFor();
    await page.getByLabel('log x').check();
    const box = await page.locator('.plot-canvas').boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height - 50, { steps: 5 });
    await shot('scatter');
    await page.mouse.up();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    const filter = new URL(page.url()).searchParams.get(`f.${Object.keys(records[0]).indexOf('u20Life')}`);
    const [from, to] = filter.split('..').map(Number);
    check(from < to && Number.isFinite(to), 'brushing filters by the range');
    const tempers = new URL(page.url()).searchParams
      .get(`f.${Object.keys(records[0]).indexOf('i12Temper')}`)
      .split('..')
      .map(Number);
    const within = records.filter(
      ({ u20Life, i12Temper }) => u20Life >= from && u20Life <= to && i12Temper >= tempers[0] && i12Temper <= tempers[1],
    );
    await page.getByText(`${within.length} of ${records.length} records`).waitFor();
  },

  'edits cells': async (tools) => {
    const { page, check, shot, samples } = tools;
    const file = join(samples, 'items.wdb');
    const records = recordsOf(file);
    const columns = Object.keys(records[0]);
    const price = columns.indexOf('uPurchasePrice');
    const name = columns.indexOf('sItemNameStringId');
    await openTable(tools, 'items.wdb');
    await cell(page, 0, price).dblclick();
    const input = page.getByLabel('New value of uPurchasePrice');
    await input.fill('many');
    await input.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'integer' }).waitFor();
    await shot('refused');
    await input.fill('4321');
    await input.press('Enter');
    check(await until(async () => (await cell(page, 0, price).textContent()).includes('4321')), 'the cell shows the new value');
    check((await cell(page, 0, price).textContent()).includes(String(records[0].uPurchasePrice)), 'the cell shows the old value, too');
    check(await cell(page, 1, price).evaluate((element) => element === document.activeElement), 'Enter goes down');
    await cell(page, 2, name).click();
    await page.keyboard.press('F2');
    await page.getByLabel('New value of sItemNameStringId').fill('Größe = “9”');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Changes (2)' }).waitFor();
    // What is given up changes nothing.
    await cell(page, 3, price).dblclick();
    await page.keyboard.type('99');
    await page.keyboard.press('Escape');
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept();
      return dialog.type();
    });
    await page.reload();
    check((await asked) === 'beforeunload', 'the page asks before unsaved changes are left');
    await page.getByRole('button', { name: 'Changes (2)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Changes' });
    await shot('changes');
    const folder = mkdtempSync(join(tmpdir(), 'worldview-'));
    try {
      const download = async (button, to) => {
        const waiting = page.waitForEvent('download');
        await dialog.getByRole('button', { name: button }).click();
        await (await waiting).saveAs(join(folder, to));
      };
      await download('Save changes file', 'changes.json');
      await download('Download edited copy', 'edited.wdb');
      await page.getByText(/^Downloaded .*: 2 changes\.$/).waitFor();
      const report = JSON.parse(
        worldview('apply', file, join(folder, 'changes.json'), '-o', join(folder, 'counted.wdb'), '--format', 'json'),
      );
      check(report.inputs[0].account.done === 2, 'the page and the command give the same account');
      worldview('apply', file, join(folder, 'changes.json'), '-o', join(folder, 'applied.wdb'));
      check(readFileSync(join(folder, 'applied.wdb')).equals(readFileSync(join(folder, 'edited.wdb'))), 'the changes make the edited copy');
      const edited = recordsOf(join(folder, 'edited.wdb'));
      const expected = structuredClone(records);
      expected[0].uPurchasePrice = 4321;
      expected[2].sItemNameStringId = 'Größe = “9”';
      check(JSON.stringify(edited) === JSON.stringify(expected), 'the edited copy has what was typed, and nothing else');
      check(
        worldview('diff', file, join(folder, 'edited.wdb'), '--format', 'changes') === readFileSync(join(folder, 'changes.json'), 'utf8'),
        'the changes file is what diff writes',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
    await dialog.getByRole('button', { name: 'Undo all' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    check(
      await until(async () => (await cell(page, 0, price).textContent()) === String(records[0].uPurchasePrice)),
      'undoing shows the value of the file',
    );
    check(await until(async () => (await page.getByRole('button', { name: 'Changes' }).count()) === 0), 'there are no changes any more');
  },

  'edits members of an archive together': async (tools) => {
    const { page, check, samples } = tools;
    const file = join(samples, 'wdbpack.bin');
    await openTable(tools, 'wdbpack.bin/r_lamps.wdb');
    const change = async (column, value) => {
      await cell(page, 0, column).dblclick();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(value);
      await page.keyboard.press('Enter');
    };
    await change(3, '7');
    await page.getByRole('button', { name: 'Changes (1)' }).waitFor();
    await tools.open('/at/samples/wdbpack.bin/r_tides.wdb');
    await page.getByRole('rowheader').first().waitFor();
    await change(2, '77');
    await page.getByRole('button', { name: 'Changes (2)' }).click();
    const folder = mkdtempSync(join(tmpdir(), 'worldview-'));
    try {
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download edited copy' }).click();
      await (await waiting).saveAs(join(folder, 'edited.bin'));
      const differences = worldview('diff', file, join(folder, 'edited.bin'), '--format', 'ndjson')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ place, field, right }) => `${place}/${field}=${right}`);
      check(
        differences.join() === 'r_lamps.wdb/lamp_gate/u8Brightness=7,r_tides.wdb/tide_00/u11Height=77',
        'one copy has the changes of both members',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
