// The frame of the page, by clicking and typing as a person would: start page, tree, search, contents, pictures.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const samples = process.env.SAMPLES ?? join(import.meta.dirname, '../../../../samples');

/** What to search for, the heading of the place that it leads to, and what is selected there. */
const wanted = [
  ['eventflag', 'eventflag.wdb', ''],
  ['brine_goose_a', 'bestiary.wdb', 'brine_goose_a'],
  ['gardener', 'Garden Set 1 garden.wwd', 'plane:Action/object:1'],
  ['lighthouse', 'lighthouse', 'world:BAY/model:lighthouse'],
];

const treeRow = (page, name) => page.getByRole('tree').getByRole('treeitem', { name, exact: false });

/** The name of the active row of the tree. */
const activeName = async (page) => {
  const id = await page.getByRole('tree').getAttribute('aria-activedescendant');
  return id ? page.locator(`[id="${id}"] .name`).first().textContent() : '';
};

export default {
  'from the start to a playing animation': async ({ page, open, shot, check }) => {
    await open();
    check((await page.title()) === 'worldview', 'the start page has the title of the program');
    await page.locator('.card', { hasText: 'world.wdb' }).waitFor();
    await shot('start');
    await page.locator('.card', { hasText: 'world.wdb' }).click();
    // Models have pictures, whose corners are empty.
    const meadow = page.locator('.card', { hasText: 'MEADOW' });
    const canvas = meadow.locator('canvas:not([hidden])');
    await canvas.waitFor();
    const { corner, colors } = await canvas.evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return { corner: data[3], colors: new Set(new Uint32Array(data.buffer)).size };
    });
    check(colors > 20 && corner === 0, `the world has a picture without a background, not of ${colors} colors`);
    await shot('thumbnails');
    await meadow.click();
    const pause = page.getByRole('button', { name: /^Pause/ });
    const play = page.getByRole('button', { name: /^Play/ });
    await play.or(pause).first().waitFor();
    if (!(await pause.isVisible())) await play.click();
    await pause.waitFor();
    await shot('playing');
    check((await page.title()).startsWith('MEADOW'), 'the title names what is shown');
  },

  'tree with the keyboard': async ({ page, open, shot, check, until }) => {
    await open();
    await treeRow(page, 'harbour.rez').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('Home');
    await page.keyboard.type('harb');
    check((await activeName(page)) === 'harbour.rez', 'typing moves to the row that begins so');
    await page.keyboard.press('ArrowRight');
    await treeRow(page, 'LEVEL1').waitFor();
    await page.keyboard.press('ArrowRight');
    check((await activeName(page)) === 'LEVEL1', 'the right arrow moves into an open row');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'LEVEL1' }).waitFor();
    check(page.url().includes('/at/samples/harbour.rez/LEVEL1'), 'the address names the place');
    await shot('tree');
    await page.keyboard.press('ArrowLeft');
    check((await activeName(page)) === 'harbour.rez', 'the left arrow moves out');
    await page.keyboard.press('ArrowLeft');
    await until(async () => !(await treeRow(page, 'LEVEL1').count()), 'the left arrow closes');
    await page.keyboard.press('End');
    check((await activeName(page)) === 'world.wdb', 'End moves to the last row');
    await page.waitForTimeout(800);
    await page.keyboard.press('m');
    check(await page.evaluate(() => document.activeElement.tagName === 'H1'), 'm goes to the contents');
  },

  'tree: filter': async ({ page, open, check, until }) => {
    await open();
    await treeRow(page, 'items.wdb').waitFor();
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('WWD');
    await until(async () => !(await treeRow(page, 'items.wdb').count()), 'the filter hides other names');
    await until(async () => (await treeRow(page, '.wwd').count()) === 4, 'the filter keeps names that match');
    check((await treeRow(page, 'samples').count()) === 1, 'what is open stays');
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('xyzzy');
    await treeRow(page, 'harbour.rez').waitFor({ state: 'detached' });
    await page.getByText('Nothing has a name or title with “xyzzy”.').waitFor();
    // Files are searched while they are closed, at any depth.
    for (const [word, holders] of [
      ['r_lamps', ['wdbpack.bin']],
      ['world.wwd', ['harbour.rez', 'LEVEL1', 'WORLDS']],
      ['lighthouse', ['world.wdb', 'BAY']],
    ]) {
      await page.getByRole('searchbox', { name: 'Filter by name' }).fill(word);
      await page
        .locator('.tree-row .name', { hasText: new RegExp(`^${word}`, 'i') })
        .first()
        .waitFor();
      const names = await page.locator('.tree-row .name').allTextContents();
      check(`${names}`.startsWith(`${['samples', ...holders]}`), `${word} is in ${holders}: ${names}`);
    }
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('');
    await treeRow(page, 'items.wdb').waitFor();
  },

  'addresses, history and titles': async ({ page, open, check, until }) => {
    await open('/at/samples/items.wdb', { view: 'fields' });
    await page.getByRole('tab', { name: 'Fields and bytes', selected: true }).waitFor();
    await until(async () => (await page.title()).startsWith('items.wdb'), 'the title names the file');
    await treeRow(page, 'items.wdb').waitFor();
    check((await treeRow(page, 'items.wdb').getAttribute('aria-selected')) === 'true', 'the tree shows where the page is');
    await page.getByRole('tab', { name: 'Findings' }).click();
    await page.getByText('Nothing is wrong here.').waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Fields and bytes', selected: true }).waitFor();
    await page.goForward();
    await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'samples' }).click();
    await page.getByRole('heading', { name: 'samples' }).waitFor();
  },

  'search everything': async ({ page, open, shot, check }) => {
    await open();
    await treeRow(page, 'items.wdb').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('apple');
    await page.getByText(/^\d+ results?; \d+ files searched/).waitFor();
    check((await page.locator('.search-hit mark').first().textContent()).toLowerCase() === 'apple', 'the match is marked');
    await shot('search');
    await page.keyboard.press('ArrowDown');
    check((await page.getByRole('option', { selected: true }).count()) === 1, 'the arrow selects a result');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'items.wdb' }).waitFor();
    check(new URL(page.url()).searchParams.get('path').startsWith('apple_dried'), 'the result is selected');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('nothing has this name');
    await page.getByText('Nothing found').waitFor();
  },

  'a file, a record, an object and a model among 1,851 files': async ({ page, open, serve, folder, check, shot, until }) => {
    const many = folder();
    for (let index = 0; index < 1842; index += 1) {
      mkdirSync(join(many, `set${index % 40}`), { recursive: true });
      copyFileSync(join(samples, 'items.wdb'), join(many, `set${index % 40}`, `table_${index}.wdb`));
    }
    copyFileSync(join(samples, 'bestiary.wdb'), join(many, 'set7', 'eventflag.wdb'));
    for (const name of ['world.wdb', 'garden.wwd', 'harbour.rez', 'bestiary.wdb']) copyFileSync(join(samples, name), join(many, name));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(many, `${name}.wwd`), 'no level');
    writeFileSync(join(many, 'notes.txt'), 'no game data');
    await serve(many);
    for (const [word, heading, selected] of wanted) {
      await open();
      await treeRow(page, 'set0').waitFor();
      let inputs = 0;
      const input = async (work) => {
        await work;
        inputs += 1;
      };
      await input(page.keyboard.press('/'));
      await input(page.keyboard.type(word));
      await page.getByText(/; [\d,]+ files searched/).waitFor({ timeout: 60_000 });
      if (word === wanted[0][0]) await shot('many');
      await input(page.keyboard.press('Enter'));
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      check(inputs <= 3, `${word} takes ${inputs} inputs`);
      if (selected)
        await until(async () => (new URL(page.url()).searchParams.get('path') ?? '').startsWith(selected), `${word} is selected`);
    }
    // What could not be searched is listed, and leads there.
    await open();
    await treeRow(page, 'set0').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lighthouse');
    await page.getByRole('button', { name: '3 files could not be searched completely' }).click();
    await shot('unsearched');
    await page.getByRole('option', { name: 'a.wwd' }).click();
    await page.getByRole('heading', { name: 'a.wwd' }).waitFor();
  },

  'contents and pictures': async ({ page, open, shot, check, until }) => {
    await open('/at/samples/world.wdb', { path: 'global_textures' });
    await page.locator('.thumbnail img').first().waitFor();
    await shot('textures');
    const cards = await page.locator('.contents .card').count();
    await page.getByRole('button', { name: 'List' }).click();
    await until(async () => (await page.locator('.list-entry').count()) === cards, 'the list has all entries');
    await shot('list');
    await page.getByRole('button', { name: 'Cards' }).click();
    await page.locator('.contents .card').first().click();
    await page.locator('img.picture').waitFor();
    const width = async () => (await page.locator('img.picture').boundingBox()).width;
    const fit = await width();
    await page.getByRole('button', { name: '1:1' }).click();
    const natural = await page.locator('img.picture').evaluate((picture) => picture.naturalWidth);
    check((await width()) === natural && natural < fit, 'small pictures are enlarged to fit, and 1:1 shows their size');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    check((await width()) === natural * 2, 'a step enlarges the picture');
    await page.getByRole('button', { name: 'Fit' }).click();
    await shot('picture');
  },

  'details and downloads': async ({ page, open, check }) => {
    await open('/at/samples/garden.wwd');
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog', { name: 'Details' }).getByText('Garden Set 1').waitFor();
    await page.keyboard.press('Escape');
    check(await page.getByRole('dialog', { name: 'Details' }).isHidden(), 'Escape closes the details');
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /JSON/ }).click()]);
    check(download.suggestedFilename() === 'garden.json', 'the download has its name');
  },

  'errors where they belong': async ({ page, open, allow, shot }) => {
    allow(/status of 404/);
    await open('/at/samples/missing.wwd');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByRole('heading', { name: 'missing.wwd' }).waitFor();
    await page.getByRole('link', { name: 'Go to samples' }).waitFor();
    await treeRow(page, 'items.wdb').waitFor();
    await shot('missing');
    await treeRow(page, 'items.wdb').click();
    await page.getByRole('heading', { name: 'items.wdb' }).waitFor();
  },

  'an address works once': async ({ page, context, serve, allow, shot, check }) => {
    allow(/status of 401/);
    const { address } = await serve('items.wdb');
    await page.goto(address);
    await page.getByRole('heading', { name: 'items.wdb' }).waitFor();
    check(!page.url().includes('token'), 'the token leaves the address');
    await page.reload();
    await page.getByRole('heading', { name: 'items.wdb' }).waitFor();
    const other = await context.browser().newContext();
    const theirs = await other.newPage();
    await theirs.goto(address);
    await theirs.getByRole('alert').getByText('This address was used').waitFor();
    await theirs.getByText('start another viewer').waitFor();
    await shot('session');
    await other.close();
  },

  'colors and help': async ({ page, open, shot, check }) => {
    await open();
    await treeRow(page, 'items.wdb').waitFor();
    const background = () => page.evaluate(() => getComputedStyle(document.body.parentElement).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Dark colors' }).click();
    check((await background()) !== light, 'the switch changes the colors');
    await page.reload();
    await page.getByRole('button', { name: 'Light colors' }).waitFor();
    await shot('dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await shot('help');
    await page.keyboard.press('Escape');
    check(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isHidden(), 'Escape closes the help');
  },

  'width of a phone': async ({ page, open, shot, check }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open();
    await page.locator('.card').first().waitFor();
    await shot('start');
    check(await page.getByRole('tree').isHidden(), 'the tree is a drawer');
    await page.getByRole('button', { name: 'Files' }).click();
    await treeRow(page, 'items.wdb').waitFor();
    await shot('tree');
    await treeRow(page, 'garden.wwd').click();
    await page.getByRole('heading', { name: 'garden.wwd' }).waitFor();
    check(await page.getByRole('tree').isHidden(), 'the drawer closes when something is chosen');
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    check(!isWide, 'the page is not wider than the phone');
    await page.getByRole('tab', { name: 'Fields and bytes' }).click();
    await page.locator('.byte').first().waitFor();
    await shot('fields');
  },

  'thousands of files, and hostile names': async ({ page, open, serve, folder, samples, shot, check, until }) => {
    const many = join(folder(), 'many');
    mkdirSync(many);
    for (let index = 0; index < 5000; index += 1) writeFileSync(join(many, `file-${String(index).padStart(4, '0')}.dat`), 'x');
    const hostile = '<img src=x onerror="window.bad=1">%2e.wwd';
    copyFileSync(join(samples, 'garden.wwd'), join(many, hostile));
    await serve(many);
    await open();
    await page.getByText(/Show all 5,001 files/).waitFor();
    await page.locator('.card', { hasText: hostile }).click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    check(!(await page.evaluate(() => window.bad)), 'a name is text');
    await page.keyboard.press('t');
    await page.keyboard.press('End');
    await treeRow(page, 'file-4999.dat').waitFor();
    await until(() => activeName(page).then((name) => name === 'file-4999.dat'), 'the last row becomes active');
    const rows = await page.getByRole('treeitem').count();
    check(rows < 100, `only visible rows exist (${rows})`);
    await shot('many');
    await page.reload();
    await page.getByRole('heading', { name: hostile }).waitFor();
  },
};
