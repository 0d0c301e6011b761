// Fields beside bytes, and findings.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const marked = (page) => page.locator('.byte.marked');
const fieldRow = (page, name) => page.locator('.field-row', { has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
const pathOf = (page) => new URL(page.url()).searchParams.get('path');

export default {
  'fields mark their bytes, and bytes select their field': async ({ page, open, shot, check, until }) => {
    await open('/at/samples/harbour.wwd', { view: 'fields' });
    await fieldRow(page, 'header').locator('.twist').click();
    await fieldRow(page, 'header_size').click();
    await until(async () => (await marked(page).count()) === 4, 'a number has four bytes');
    await shot('field');
    check(pathOf(page) === 'header/header_size', 'the address names the field');
    const first = await page.locator('.field-row.active').textContent();
    await page.locator('.byte').nth(8).click();
    await until(async () => (await page.locator('.field-row.active').textContent()) !== first, 'a byte selects its field');
    check(pathOf(page).startsWith('header/'), 'the byte belongs to a field of the header');
    await page.reload();
    await page.locator('.field-row.active').waitFor();
    await until(async () => (await marked(page).count()) > 0, 'the field is marked after a reload');
  },

  'a field far inside is found': async ({ page, open, shot, until }) => {
    await open('/at/samples/harbour.wwd', { view: 'fields', path: 'plane:Action/object:4/x' });
    await page.locator('.field-row.active', { hasText: 'x' }).waitFor();
    await until(async () => (await marked(page).count()) === 4, 'its bytes are marked');
    await shot('deep');
    await page.keyboard.press('m');
    await page.locator('.field-rows').focus();
    await page.keyboard.press('ArrowDown');
    await until(() => pathOf(page) === 'plane:Action/object:4/y', 'the arrow selects the next field');
    await page.keyboard.press('ArrowLeft');
    await until(() => pathOf(page) === 'plane:Action/object:4', 'the left arrow moves out');
  },

  'a field is changed in place': async ({ page, open, shot, check, until }) => {
    await open('/at/samples/harbour.wwd', { view: 'fields', path: 'plane:Action/object:4/x' });
    await page.locator('.field-row.active', { hasText: 'x' }).waitFor();
    await until(async () => (await marked(page).count()) === 4, 'its bytes are marked');
    await page.locator('.field-rows').focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New value of x' }).fill('1400');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Changes (1)' }).waitFor();
    await until(async () => (await page.locator('.field-row.active').textContent()).includes('1400'), 'the new value is shown');
    await shot('changed');
    await page.keyboard.press('ArrowDown');
    await until(() => pathOf(page) === 'plane:Action/object:4/y', 'the keys move on after the change');
    check((await page.locator('.changed-value').count()) === 1, 'only the changed field is marked');
    // Leaving the page asks for confirmation while there are changes.
    page.on('dialog', (dialog) => dialog.accept());
  },

  'bytes with the keyboard': async ({ page, open, until }) => {
    await open('/at/samples/world.wdb', { view: 'fields' });
    await page.locator('.byte').first().waitFor();
    await page.locator('.hex-scroll').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await until(async () => (await page.locator('.hex-numbers').textContent()).includes('0x11 = 17'), 'the arrows move the cursor');
    await page.keyboard.press('Control+End');
    await until(async () => (await page.locator('.byte.cursor').count()) === 1, 'the last byte is visible');
    await page.getByRole('textbox', { name: /Go to offset/ }).fill('0x100');
    await until(async () => (await page.locator('.hex-numbers').textContent()).includes('0x100 = 256'), 'the field jumps to an offset');
  },

  'findings lead to their place': async ({ page, open, serve, folder, samples, shot, until }) => {
    const damaged = folder();
    const level = readFileSync(join(samples, 'garden.wwd'));
    // The checksum of the header.
    level.writeUInt32LE(0x12345678, 0x2ec);
    writeFileSync(join(damaged, 'broken.wwd'), level);
    writeFileSync(join(damaged, 'cut.wwd'), level.subarray(0, 20_000));
    await serve(damaged);
    const root = damaged.split('/').at(-1);
    await open(`/at/${root}`, { view: 'findings' });
    await page.locator('.finding').first().waitFor();
    await page.getByText(/finding.*; 2 files checked/).waitFor();
    await shot('findings');
    await page.getByRole('searchbox', { name: 'Filter messages and names' }).fill('broken.wwd');
    await until(async () => !(await page.locator('.finding', { hasText: 'cut.wwd' }).count()), 'the filter hides others');
    await page.locator('.finding').first().click();
    await page.getByRole('heading', { name: 'broken.wwd' }).waitFor();
    await page.locator('.byte.cursor').waitFor();
    await until(async () => (await marked(page).count()) === 4, 'the bytes of the checksum are marked');
    await shot('finding');
    await page.goBack();
    await page.locator('.finding').first().waitFor();
  },

  // The page and the command must not disagree about what is wrong.
  'findings are those of the command': async ({ api, serve, folder, samples, command, check }) => {
    const files = folder();
    for (const name of readdirSync(samples).filter((name) => !name.endsWith('.md'))) {
      const bytes = readFileSync(join(samples, name));
      writeFileSync(join(files, name), bytes);
      writeFileSync(join(files, `cut-${name}`), bytes.subarray(0, Math.floor(bytes.length * 0.7)));
      for (let place = 1; place < 40; place += 1) bytes[Math.floor((bytes.length * place) / 40)] ^= 0x41;
      writeFileSync(join(files, `changed-${name}`), bytes);
    }
    await serve(files);
    const lines = (await (await api('findings', { at: basename(files) })).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const page = lines.filter((line) => line.code).map(({ at, code, offset, space }) => [at, code, offset, space]);
    const { files: reports } = JSON.parse(command('check', '--format', 'json', '--min', 'curious', files));
    const asked = reports.flatMap(({ path, findings, omitted }) => {
      check(!Object.keys(omitted).length, `all findings of ${path} are listed`);
      const at = `${basename(files)}/${path
        .slice(files.length + 1)
        .split('/')
        .map(encodeURIComponent)
        .join('/')}`;
      return findings.map(({ code, offset, space }) => [at, code.replace(/^unreadable-.*/, 'cannot-open'), offset, space]);
    });
    // The command also looks for the pictures of levels.
    const others = ['image-set-missing', 'frame-missing', 'picture-size', 'picture-light', 'picture-broken'];
    const texts = (all) =>
      all
        .filter(([, code]) => !others.includes(code))
        .map(String)
        .sort();
    const [left, right] = [texts(page), texts(asked)];
    const differs = [...left.filter((line) => !right.includes(line)), ...right.filter((line) => !left.includes(line))];
    check(
      left.length > 100 && left.length === right.length && !differs.length,
      `${left.length}, ${right.length}: ${differs.slice(0, 20).join('\n')}`,
    );
  },
};
