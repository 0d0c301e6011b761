// Every view, with and without damage, at several sizes: what can be clicked is inside the window and not covered, nothing makes the
// page scroll sideways, and axe finds nothing.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Evaluated, since the page's policy allows no other scripts.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const sizes = [
  ['400', { width: 400, height: 800 }],
  ['1280', { width: 1280, height: 720 }],
  ['1440', { width: 1440, height: 900 }],
  ['1600', { width: 1600, height: 900 }],
  ['1280 at 200 %', { width: 640, height: 360 }],
];

/** Copies samples, and damages some of them. */
const damaged = (samples, folder) => {
  for (const name of ['items.wdb', 'garden.wwd', 'world.wdb', 'harbour.rez', 'pennant.tex', 'effects.bin']) {
    copyFileSync(join(samples, name), join(folder, name));
  }
  const cut = (name, part) => {
    const bytes = readFileSync(join(samples, name));
    writeFileSync(join(folder, name.replace('.', '_cut.')), bytes.subarray(0, bytes.length * part));
  };
  cut('items.wdb', 2 / 3);
  cut('garden.wwd', 0.5);
  cut('world.wdb', 0.5);
  writeFileSync(join(folder, 'noise.wwd'), readFileSync(join(samples, 'garden.wwd')).subarray(0, 700));
};

const views = (root) => [
  ['start', '/'],
  ['contents', `/at/${root}`],
  ['findings of a folder', `/at/${root}?view=findings`],
  ['table', `/at/${root}/items.wdb?path=bread_rye`],
  ['damaged table', `/at/${root}/items_cut.wdb`],
  ['level', `/at/${root}/garden.wwd`],
  ['damaged level', `/at/${root}/garden_cut.wwd`],
  ['broken level', `/at/${root}/noise.wwd`],
  ['fields', `/at/${root}/garden.wwd?view=fields`],
  ['damaged database', `/at/${root}/world_cut.wdb`],
  ['damaged world', `/at/${root}/world_cut.wdb?path=world:BAY`],
  ['world', `/at/${root}/world.wdb?path=world:BAY`],
  ['textures', `/at/${root}/pennant.tex`],
  ['picture', `/at/${root}/harbour.rez/GAME/IMAGES/LAMP`],
  ['findings', `/at/${root}/items_cut.wdb?view=findings`],
  ['nothing', `/at/${root}/nothing.wdb`],
];

/** Returns what can be clicked but is covered or outside, in the page. */
const covered = () => {
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const inner = element.getBoundingClientRect();
      const isOut = inner.right > box.right + 1 || inner.left < box.left - 1 || inner.bottom > box.bottom + 1 || inner.top < box.top - 1;
      if (isOut && /auto|scroll/.test(overflowX + overflowY)) return true;
      if (isOut && (overflowX === 'hidden' || overflowY === 'hidden') && at.closest('.row, .grid-cell, .grid-head-cell')) return true;
    }
    return false;
  };
  const wrong = [];
  for (const element of document.querySelectorAll('a[href], button, input, select, [role=tab], summary')) {
    if (element.closest('dialog:not([open]), [popover]:not(:popover-open), .skip, .visually-hidden')) continue;
    const box = element.getBoundingClientRect();
    if (!element.checkVisibility({ opacityProperty: false }) || !box.width || scrolls(element)) continue;
    const name = `${element.tagName.toLowerCase()} “${element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30)}”`;
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) {
      wrong.push(`${name} is outside`);
      continue;
    }
    const at = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (!at || !(element.contains(at) || at.contains(element) || at.closest('label')?.control === element)) {
      wrong.push(`${name} is covered by ${at?.className?.baseVal ?? at?.className ?? 'nothing'}`);
    }
  }
  if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  return wrong;
};

const each = async (tools, name, size) => {
  const { page, serve, open, folder, samples, check, allow, shot } = tools;
  allow(/404|422|Failed to load resource/);
  const root = folder();
  damaged(samples, root);
  await serve(root);
  await page.setViewportSize(size);
  const at = encodeURIComponent(root.split('/').at(-1)).replaceAll('%2D', '-');
  const wrong = [];
  for (const [view, path] of views(at)) {
    await open(path);
    await page.locator('.main > *').first().waitFor();
    await page.waitForLoadState('networkidle');
    if (view === 'damaged table') {
      await page.getByRole('link', { name: 'Show the findings' }).click({ trial: true });
    }
    wrong.push(...(await page.evaluate(covered)).map((text) => `${view}: ${text}`));
    if (name !== '1440') {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
      );
      wrong.push(
        ...violations.flatMap(({ id, nodes }) =>
          nodes
            .slice(0, 3)
            .map(
              ({ target, failureSummary }) => `${view}: ${id} at ${target.join(' ')}: ${failureSummary.split('\n').slice(1, 3).join(' ')}`,
            ),
        ),
      );
    }
    await shot(`${view.replaceAll(' ', '-')}-${name}`);
  }
  check(!wrong.length, `everything can be reached at ${name}:\n${wrong.join('\n')}`);
};

export default Object.fromEntries(sizes.map(([name, size]) => [name, (tools) => each(tools, name, size)]));
