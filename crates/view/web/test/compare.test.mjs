// The comparison of files and folders. What is expected comes from `worldview diff`.
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { worldview } from './program.mjs';

const differences = (left, right) =>
  worldview('diff', left, right, '--format', 'ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const edits = {
  'items.wdb': ['apple_dried/uPurchasePrice=10', 'bread_rye/u8ItemCategory=3', 'bread_rye/sHelpStringId=a new help text'],
  'harbour.wwd': ['plane:Action/object:41/x=5400', 'plane:Action/object:2/points=200', 'header/start_x=900'],
  'wdbpack.bin': ['r_lamps.wdb/lamp_gate/u8Brightness=9'],
  'world.wdb': ['blob:car/roi:body/color_name=Lego Blue'],
};

/** Makes two folders: the samples, and edited ones. */
const folders = (folder, samples) => {
  const [left, right] = ['before', 'after'].map((name) => join(folder, name));
  for (const side of [left, right]) mkdirSync(side);
  for (const [name, assignments] of Object.entries(edits)) {
    cpSync(join(samples, name), join(left, name));
    worldview('set', join(samples, name), ...assignments, '-o', join(right, name));
  }
  for (const side of [left, right]) cpSync(join(samples, 'garden.wwd'), join(side, 'garden.wwd'));
  cpSync(join(samples, 'cellar.wwd'), join(left, 'cellar.wwd'));
  cpSync(join(samples, 'bestiary.wdb'), join(right, 'bestiary.wdb'));
  return [left, right];
};

export default {
  'lists the files of two folders': async ({ page, serve, open, check, shot, samples, folder }) => {
    const [left, right] = folders(folder(), samples);
    await serve(left, right);
    await open('/compare');
    const files = page.getByRole('listbox', { name: 'Files' });
    await page.getByRole('button', { name: '4 changed' }).waitFor();
    for (const name of ['1 added', '1 removed', '1 same']) {
      check(await page.getByRole('button', { name }).first().isVisible(), `the files are counted: ${name}`);
    }
    const count = async (wanted) => {
      for (let attempt = 0; attempt < 60 && (await files.getByRole('option').count()) !== wanted; attempt += 1)
        await page.waitForTimeout(50);
      return (await files.getByRole('option').count()) === wanted;
    };
    check(await count(6), 'files that are the same are hidden');
    await page.getByRole('button', { name: '1 same' }).click();
    check(await count(7), 'they can be shown');
    await shot('files');
    await page.getByLabel('Filter files').fill('items');
    await files.getByRole('option', { name: 'items.wdb' }).click();
    check(await count(1), 'the list can be filtered');
    const expected = differences(join(left, 'items.wdb'), join(right, 'items.wdb'));
    await page.locator('.pair-head').getByText(`${expected.length} differences`).waitFor();
    for (const { place, field, left: before, right: after } of expected) {
      check(await page.locator('.part-path', { hasText: place }).first().isVisible(), `${place} is listed`);
      const row = page.locator('.difference', { has: page.getByText(field, { exact: true }) }).first();
      check(
        (await row.locator('.value.left').textContent()).includes(before === '' ? 'empty' : String(before)),
        `${field} has the value on the left`,
      );
      check((await row.locator('.value.right').textContent()).includes(String(after)), `${field} has the value on the right`);
    }
    await shot('differences');
    await page.reload();
    await page.locator('.pair-head').getByText(`${expected.length} differences`).waitFor();
    await page
      .getByRole('link', { name: `Show Right: ${expected[0].field}` })
      .first()
      .click();
    await page.getByRole('grid').waitFor();
    check(
      decodeURIComponent(page.url()).includes(`after/items.wdb?path=${expected[0].place}/${expected[0].field}`),
      'a difference leads to its place',
    );
  },

  'shows tables side by side': async ({ page, serve, open, check, shot, samples, folder }) => {
    const [left, right] = folders(folder(), samples);
    await serve(join(left, 'items.wdb'), join(right, 'items.wdb'));
    await open('/');
    await page.getByRole('button', { name: 'Side by side' }).click();
    const [before, after] = [page.getByRole('grid').nth(0), page.getByRole('grid').nth(1)];
    await after.getByRole('rowheader', { name: 'apple_dried' }).waitFor();
    check((await after.locator('.grid-cell.differs').count()) === 3, 'the cells that differ are marked');
    const changed = (grid) => grid.locator('.grid-cell.differs').first();
    check((await changed(before).textContent()).startsWith('6'), 'the left cell has the value on the left');
    check((await changed(after).textContent()).startsWith('10'), 'the right cell has the value on the right');
    await shot('table');
    await page.getByLabel('Only records that differ').uncheck();
    check((await before.getAttribute('aria-rowcount')) === '41', 'all records can be shown');
    await page.reload();
    await after.getByRole('rowheader', { name: 'apple_dried' }).waitFor();
  },

  'records of one side only are shown with all their columns': async ({ page, serve, open, check, samples, folder }) => {
    const root = folder();
    for (const side of ['left', 'right']) mkdirSync(join(root, side));
    copyFileSync(join(samples, 'items.wdb'), join(root, 'left/items.wdb'));
    writeFileSync(join(root, 'right/items.wdb'), readFileSync(join(samples, 'items.wdb')).subarray(0, 2658));
    await serve(join(root, 'left/items.wdb'), join(root, 'right/items.wdb'));
    await open('/compare', { tab: 'side' });
    await page.locator('.compare-side .grid-head-cell', { hasText: 'uPurchasePrice' }).first().waitFor();
    check((await page.locator('.compare-side .grid-head-cell').count()) > 4, 'there are more columns than the names');
  },

  'shows levels side by side': async ({ page, serve, open, check, shot, samples, folder }) => {
    const [left, right] = folders(folder(), samples);
    await serve(join(left, 'harbour.wwd'), join(right, 'harbour.wwd'));
    await open('/');
    await page.locator('.pair-head').getByText('3 differences').waitFor();
    await page.locator('.difference', { hasText: '5400' }).first().click();
    await page.getByRole('button', { name: 'Side by side' }).click();
    const sides = page.locator('.compare-side');
    await sides.nth(1).locator('canvas.level-canvas').waitFor();
    const zoom = (side) =>
      sides
        .nth(side)
        .getByText(/^[\d.]+%$/)
        .first()
        .textContent();
    const before = await zoom(1);
    await sides.nth(0).locator('canvas.level-canvas').hover();
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(1000);
    check((await zoom(0)) !== before, 'the wheel zooms the left map');
    check((await zoom(1)) === (await zoom(0)), 'the right map follows');
    await shot('levels');
  },

  'shows models side by side': async ({ page, serve, open, check, shot, samples, folder }) => {
    const [left, right] = folders(folder(), samples);
    await serve(join(left, 'world.wdb'), join(right, 'world.wdb'));
    await open('/');
    await page.getByRole('button', { name: 'Side by side' }).click();
    const sides = page.locator('.compare-side');
    for (const side of [0, 1]) await sides.nth(side).getByRole('application', { name: /model/ }).waitFor();
    check((await sides.count()) === 2, 'there are two models');
    await page.waitForTimeout(1500);
    await shot('models');
  },

  'shows a member of an archive side by side': async ({ page, serve, open, check, shot, samples, folder }) => {
    const [left, right] = folders(folder(), samples);
    await serve(join(left, 'wdbpack.bin'), join(right, 'wdbpack.bin'));
    await open('/');
    await page.locator('.difference', { hasText: 'u8Brightness' }).waitFor();
    await page.getByRole('link', { name: 'Show Left: u8Brightness' }).click();
    await page.getByRole('grid').waitFor();
    check(
      decodeURIComponent(page.url()).includes('wdbpack.bin/r_lamps.wdb?path=lamp_gate/u8Brightness'),
      'a difference leads to the member',
    );
    await page.goBack();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByRole('grid').nth(1).locator('.grid-cell.differs').first().waitFor();
    check(
      (await page.getByRole('grid').nth(1).locator('.grid-cell.differs').textContent()) === '9, differs',
      'the table in the archive is compared',
    );
    await shot('member');
  },

  'any two files, and the changed regions of a level': async ({ page, open, serve, folder, command, check, shot, samples }) => {
    const files = folder();
    const cells = [
      [3, 4],
      [4, 4],
      [4, 5],
      [30, 20],
    ];
    const changes = cells.map(([x, y]) => `plane:Action/tile:${x},${y}=7`);
    command('set', join(samples, 'garden.wwd'), ...changes, '-o', join(files, 'changed.wwd'));
    copyFileSync(join(samples, 'garden.wwd'), join(files, 'garden.wwd'));
    await serve(files);
    await open(`/at/${encodeURIComponent(basename(files))}/garden.wwd`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    const chooser = page.getByRole('dialog', { name: 'Compare with' });
    await chooser.getByRole('link').first().waitFor();
    await shot('choose');
    await chooser.getByRole('link', { name: 'changed.wwd' }).click();
    const region = page.locator('.difference.region');
    await region.getByText('3 tiles').waitFor();
    check((await region.count()) === 1, 'tiles that touch are one region');
    check((await region.getByText('columns 3–4, rows 4–5').count()) === 2, 'both sides say where it is');
    check((await page.locator('.difference:not(.part):not(.region)').count()) === 1, 'a tile alone is itself');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.compare-side canvas.level-canvas').first().waitFor();
    await page.waitForTimeout(1500);
    await shot('regions');
  },
};
