// The model view: expected names and numbers are read from the GLB by a reader of its own (`glb.mjs`).
import { readDrawn, readGlb } from './glb.mjs';

const at = 'samples/world.wdb';
const place = '/at/samples/world.wdb';

const sum = (drawn, pick = (levels) => levels[0]) => drawn.reduce((all, { levels }) => all + pick(levels).triangles, 0);
const number = (value) => value.toLocaleString('en');

/** What tests of models use besides the harness. */
const tools = ({ page, open, api, check }) => {
  const status = page.locator('.model-status');
  const canvas = page.locator('.model-picture > canvas');
  return {
    status,
    canvas,
    details: page.getByRole('region', { name: 'Selected object' }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    glb: async (path) => readGlb(await (await api('model.glb', { at, path })).body()),
    show: async (path, more = {}) => {
      await open(place, { path, ...more });
      await status.filter({ hasText: 'triangle' }).waitFor();
    },
    /** Waits until the status line says so many triangles. */
    expectTriangles: async (count, what) => {
      const text = `${number(count)} triangle`;
      await status
        .filter({ hasText: new RegExp(`^${text}`) })
        .waitFor()
        .catch(() => {});
      check((await status.textContent()).startsWith(text), `${what}: ${text}s, not “${await status.textContent()}”`);
    },
    /** Waits until nothing moves, and returns the picture. */
    still: async () => {
      // Without what lies over the picture, and without the names of buttons that the mouse is on.
      await page.mouse.move(0, 0);
      const { x, y, width, height } = await canvas.boundingBox();
      const take = () => page.screenshot({ clip: { x, y: y + 84, width, height: height - 200 } });
      let last = await take();
      for (let i = 0; i < 20; i += 1) {
        const next = await take();
        if (next.equals(last)) return next;
        last = next;
      }
      throw new Error('the picture does not come to rest');
    },
    /** The mean difference of two pictures, from 0 to 255. */
    difference: (...pictures) =>
      page.evaluate(
        async (files) => {
          const [a, b] = await Promise.all(
            files.map(async (bytes) => {
              const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
              const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
              context.drawImage(image, 0, 0);
              return context.getImageData(0, 0, image.width, image.height).data;
            }),
          );
          return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
        },
        pictures.map((picture) => [...picture]),
      ),
    /** The color in the middle of the picture, as #rrggbb. */
    middle: async () => {
      const { x, y, width, height } = await canvas.boundingBox();
      const clip = { x: Math.round(x + width / 2), y: Math.round(y + height / 2), width: 1, height: 1 };
      const png = await page.screenshot({ clip });
      return page.evaluate(
        async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const context = new OffscreenCanvas(1, 1).getContext('2d');
          context.drawImage(image, 0, 0);
          const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
          return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        },
        [...png],
      );
    },
  };
};

export default {
  world: async (harness) => {
    const { check, shot, page } = harness;
    const { glb, show, status, still, button, expectTriangles } = tools(harness);
    const drawn = readDrawn(await glb('world:BAY'));
    const visible = drawn.filter(({ isHidden }) => !isHidden);
    check(visible.length < drawn.length, 'the world has hidden objects');
    await show('world:BAY');
    await expectTriangles(sum(visible), 'visible objects at the finest level');
    const hidden = `${drawn.length - visible.length} hidden`;
    check((await status.textContent()).includes(hidden), `the status line counts ${hidden}`);
    const before = await still();
    await shot('world');
    await button('Show hidden objects').click();
    await expectTriangles(sum(drawn), 'with hidden objects');
    check(!(await still()).equals(before), 'hidden objects appear in the picture');
    await shot('hidden');
    await button('Show hidden objects').click();
    await expectTriangles(sum(visible), 'without hidden objects');
    check((await still()).equals(before), 'the picture is as before');
    for (const name of ['Wireframe', 'Normals', 'Bounds', 'Grid and axes', 'Light and shade']) {
      await button(name).click();
      check(!(await still()).equals(before), `“${name}” changes the picture`);
      await shot(name.toLowerCase().replaceAll(' ', '-'));
      await button(name).click();
      check((await still()).equals(before), `“${name}” can be turned off`);
    }
    const rows = page.getByRole('tree', { name: 'Objects' }).getByRole('treeitem');
    check((await rows.count()) > 5, 'the tree lists the models');
  },

  'levels of detail': async (harness) => {
    const { check, shot, page } = harness;
    const { glb, show, canvas, still, expectTriangles } = tools(harness);
    const drawn = readDrawn(await glb('world:MEADOW/model:car'));
    await show('world:MEADOW/model:car');
    await expectTriangles(sum(drawn), 'finest');
    const finest = await still();
    const choice = page.getByRole('combobox', { name: 'Level of detail' });
    for (const level of [2, 1, 0]) {
      await choice.selectOption(String(level));
      const pick = (levels) => levels.findLast((one) => one.number >= level) ?? levels[0];
      await expectTriangles(sum(drawn, pick), `LOD ${level}`);
    }
    check(!(await still()).equals(finest), 'the coarsest level looks different');
    const coarsest = drawn.find(({ name }) => name === 'wheel1').levels.at(-1).triangles;
    const row = await page.getByRole('treeitem', { name: /^wheel1/ }).textContent();
    check(row === `wheel1${coarsest}`, `the tree has the triangles of the level, ${coarsest}: ${row}`);
    await shot('coarsest');
    await choice.selectOption('distance');
    await expectTriangles(sum(drawn), 'by distance, from near');
    await canvas.focus();
    for (let i = 0; i < 24; i += 1) await page.keyboard.press('-');
    await expectTriangles(
      sum(drawn, (levels) => levels.at(-1)),
      'by distance, from far away',
    );
  },

  animation: async (harness) => {
    const { check, shot, page } = harness;
    const { glb, show, still, status, button } = tools(harness);
    const file = await glb('world:TOYBOX/model:lighthouse');
    const hiddenAt = (time) => readDrawn(file, time).filter(({ isHidden }) => isHidden).length;
    check(hiddenAt(1) === 0 && hiddenAt(3.1) === 1, 'the beam of the lighthouse goes off for a while');
    await show('world:TOYBOX/model:lighthouse');
    const time = page.getByRole('slider', { name: 'Time' });
    const beam = page.getByRole('treeitem', { name: /^beam/ });
    const start = await still();
    // Forward, and back again.
    for (const seconds of [1, 3.1, 3.3, 3.1, 2.9, 0]) {
      await time.fill(String(seconds));
      const count = hiddenAt(seconds);
      const expected = count ? status.filter({ hasText: `${count} hidden` }) : status.filter({ hasNotText: 'hidden' });
      await expected.waitFor();
      check((await beam.getByText('hidden').count()) === count, `the tree tells at ${seconds} s what is hidden`);
    }
    check((await still()).equals(start), 'at the start, the picture is as before');
    await button('Next key').click();
    check(Number.parseFloat(await time.inputValue()) > 0, 'the next key is later');
    await button('Next key').click();
    await button('Previous key').click();
    await button('Previous key').click();
    check(Number.parseFloat(await time.inputValue()) === 0, 'the first key is at the start');
    await button('Play').click();
    await page.waitForFunction(() => Number(document.querySelector('.model-track input').value) > 0.5);
    await shot('playing');
    await button('Pause').click();
    const paused = await still();
    check(!paused.equals(start), 'the animation moves');
    // Nothing is drawn while nothing changes.
    const frames = await page.evaluate(async () => {
      let count = 0;
      const { requestAnimationFrame: original } = window;
      window.requestAnimationFrame = (work) => {
        count += 1;
        return original.call(window, work);
      };
      await new Promise((done) => setTimeout(done, 500));
      window.requestAnimationFrame = original;
      return count;
    });
    check(frames === 0, `nothing is drawn while paused, but ${frames} frames were`);
  },

  'several animations': async (harness) => {
    const { check, page } = harness;
    const { glb, show } = tools(harness);
    const { animations } = await glb('world:BAY');
    await show('world:BAY');
    const choice = page.getByRole('combobox', { name: 'Animation' });
    const names = await choice.getByRole('option').allTextContents();
    check(
      names
        .slice(1)
        .map((name) => name.replace(/ \d+$/, ''))
        .join() === animations.map(({ name }) => name).join(),
      'each model has its animation',
    );
    check(new Set(names).size === names.length, `each has a name of its own: ${names}`);
    await choice.selectOption('1');
    const time = page.getByRole('slider', { name: 'Time' });
    await time.press('End');
    check(Number(await time.inputValue()) > 0, 'a single animation has its own length');
    await page.getByRole('button', { name: 'Loop' }).click();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('4');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    check((await time.inputValue()) === (await time.getAttribute('max')), 'without a loop, it ends at the end');
  },

  selection: async (harness) => {
    const { check, until, shot, page } = harness;
    const { glb, show, canvas, still, difference, details } = tools(harness);
    const drawn = readDrawn(await glb('world:MEADOW'));
    const body = drawn.find(({ name }) => name === 'body');
    await show('world:MEADOW', { object: 'model:car/blob/roi:body' });
    const tree = page.getByRole('tree', { name: 'Objects' });
    const selected = tree.locator('[aria-selected=true]');
    check((await selected.textContent()).startsWith('body'), 'the tree shows what the address names');
    await details.getByRole('heading', { name: 'body' }).waitFor();
    const facts = await details.textContent();
    check(facts.includes(`Triangles${number(body.levels[0].triangles)}`), 'triangles of the level shown');
    for (const text of ['LOD 2, 1 of 3', 'Lego Red', 'inh_colour']) check(facts.includes(text), `the facts have ${text}`);
    const outlined = await still();
    await shot('selection');
    await canvas.press('Escape');
    check((await tree.locator('[aria-selected=true]').count()) === 0, 'Esc selects nothing');
    check(!(await still()).equals(outlined), 'the outline is gone');
    check(!page.url().includes('object='), 'the address names nothing');
    // The camera looks at the body: a click in the middle hits the car.
    await canvas.click();
    await selected.waitFor();
    const name = await details.getByRole('heading').textContent();
    check(/^(body|wheel[1-4])$/.test(name), `a click selects a part of the car, not ${name}`);
    check(page.url().includes(encodeURIComponent(`roi:${name}`)), 'the address names it');
    // Also from where it is seen.
    await page.getByRole('button', { name: 'First view' }).click();
    await canvas.press('ArrowLeft');
    await page.waitForURL(/camera=/);
    const seen = await still();
    await page.reload();
    await details.getByRole('heading', { name, exact: true }).waitFor();
    await until(async () => (await difference(seen, await still())) < 0.5, 'after a reload, the picture is the same');
    // The other way: by the tree, with mouse and keys.
    const model = tree.getByRole('treeitem', { name: 'windmill', exact: true });
    await page.getByRole('searchbox', { name: 'Filter objects' }).fill('mill');
    await page.getByText(/^2 of \d+$/).waitFor();
    await model.click();
    await details.getByRole('heading', { name: 'windmill' }).waitFor();
    await tree.press('ArrowDown');
    await details.getByRole('heading', { name: 'mill', exact: true }).waitFor();
    check((await details.textContent()).includes('Brick.gif'), 'the texture has its name');
    await page.getByRole('button', { name: 'First view' }).click();
    const far = await still();
    await tree.press('Enter');
    await page.waitForTimeout(600);
    check(!(await still()).equals(far), 'Enter frames');
    await tree.press('ArrowUp');
    await page.getByRole('button', { name: 'Show this model alone' }).click();
    await page.waitForURL(/path=world%3AMEADOW%2Fmodel%3Awindmill/);
  },

  'a path inside a model': async (harness) => {
    const { page } = harness;
    const { details } = tools(harness);
    await harness.open(place, { path: 'blob:car/roi:wheel3/name', view: 'model' });
    await details.getByRole('heading', { name: 'wheel3' }).waitFor();
    await page.getByRole('treeitem', { name: 'wheel4' }).click();
    await page.waitForURL(/roi%3Awheel4/);
  },

  colors: async (harness) => {
    const { check } = harness;
    const { glb, show, still, button, middle } = tools(harness);
    const { materials } = await glb('global_parts/part:Lamp');
    const srgb = (part) => Math.round(255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055));
    const expected = materials[0].pbrMetallicRoughness.baseColorFactor.slice(0, 3).map(srgb);
    await show('global_parts/part:Lamp');
    await button('Light and shade').click();
    await still();
    const color = await middle();
    const hex = `#${expected.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    check(color === hex, `without light, a material has its stored color ${hex}, not ${color}`);
  },

  keyboard: async (harness) => {
    const { check, page } = harness;
    const { show, canvas, still } = tools(harness);
    await show('world:TOYBOX/model:boat');
    await canvas.focus();
    let last = await still();
    for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', '+', '-', 'w', 'w', 'f']) {
      await canvas.press(key);
      await page.waitForTimeout(450);
      const next = await still();
      check(!next.equals(last), `“${key}” changes the picture`);
      last = next;
    }
  },

  touch: async (harness) => {
    const { check, shot, page } = harness;
    const { show, canvas, details } = tools(harness);
    await page.setViewportSize({ width: 390, height: 780 });
    await show('world:BAY');
    await shot('phone');
    check(!(await page.getByRole('tree', { name: 'Objects' }).isVisible()), 'the picture has the whole screen');
    await page.getByRole('button', { name: 'List of objects' }).click();
    await page.getByRole('treeitem', { name: 'lighthouse' }).dblclick();
    await page.waitForTimeout(600);
    await details.getByRole('heading', { name: 'lighthouse' }).waitFor();
    const [list, picture] = [await page.getByRole('tree', { name: 'Objects' }).boundingBox(), await canvas.boundingBox()];
    check(list.y >= picture.y + picture.height, 'the list lies below the picture');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 390, `the page is not wider than the screen: ${wide}`);
    await shot('phone-list');
  },

  failures: async (harness) => {
    const { check, page, open, allow } = harness;
    await page.route('**/api/model.glb*', (route) => route.fulfill({ body: 'no GLB at all, only a text' }));
    await open(place, { path: 'world:BAY' });
    await page.getByRole('alert').filter({ hasText: 'not a GLB' }).waitFor();
    await page.unroute('**/api/model.glb*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.model-status').filter({ hasText: 'triangle' }).waitFor();
    // The graphics card goes away, and comes back.
    await page.evaluate(() => {
      const context = document.querySelector('.model-picture > canvas').getContext('webgl2');
      window.lost = context.getExtension('WEBGL_lose_context');
      window.lost.loseContext();
    });
    await page.getByRole('alert').filter({ hasText: 'graphics card' }).waitFor();
    await page.evaluate(() => window.lost.restoreContext());
    await page.getByRole('alert').filter({ hasText: 'graphics card' }).waitFor({ state: 'hidden' });
    // Many models one after the other: each returns what it took.
    allow(/Context Lost/);
    const tree = page.getByRole('tree').first();
    for (let i = 0; i < 20; i += 1) {
      await page.evaluate(
        (path) => {
          history.pushState(null, '', path);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        `${place}?path=world:TOYBOX/model:${['car', 'boat'][i % 2]}`,
      );
      await page.getByRole('heading', { level: 1, name: ['car', 'boat'][i % 2] }).waitFor();
      await page.locator('.model-status').filter({ hasText: 'triangle' }).waitFor();
    }
    check(await tree.isVisible(), 'the page still works');
    await page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
      };
    });
    await open(place, { path: 'world:BAY' });
    await page.getByRole('alert').filter({ hasText: 'WebGL' }).waitFor();
  },
};
