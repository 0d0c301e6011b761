// Levels: the map, planes, overlays, selection, the list of objects and the game's camera.
//
// What is expected comes from `worldview show --format json`, and the colors from the rules in `palette.rs`.
import { colorOf, EMPTY, EMPTY_TILE, mapOf, path, read, same } from './level-map.mjs';

export default {
  'from the whole level to pixels': async (tools) => {
    const { page, open, check, shot, samples } = tools;
    const map = mapOf(tools);
    const { tiles } = read(samples, 'garden.wwd').planes[0];
    const view = { x: 768, y: 640, zoom: 0.5 };
    await open('/at/samples/garden.wwd', { ...view, show: 'none' });
    await map.settled();
    await shot('whole');
    for (const [column, row] of [
      [6, 6],
      [20, 8],
      [30, 25],
      [40, 33],
    ]) {
      const [x, y] = await map.point(view, column * 32 + 16, row * 32 + 16);
      check(same(await map.color(x, y), colorOf(tiles[row][column])), `the color of the tile at column ${column}, row ${row}`);
    }

    // Zooming keeps the pixel under the pointer, down to 16 times its size.
    const [column, row] = [20, 6];
    const [x, y] = await map.point(view, column * 32 + 16, row * 32 + 16);
    const { x: left, y: top } = await map.box();
    await page.mouse.move(left + x, top + y);
    for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, -400);
    await map.settled();
    check((await map.view()).zoom === 16, 'the wheel zooms to 16 times the size');
    check(same(await map.color(x, y), colorOf(tiles[row][column])), 'the tile under the pointer stays there');
    const status = await page.locator('.level-pointer').textContent();
    check(status.includes(`column ${column}, row ${row}`), 'the line at the bottom names column and row');
    check(status.includes(`tile ${tiles[row][column]}`), 'the line at the bottom names the tile');

    // Sharp pixels: neighbors at the edge of a tile are not mixed.
    const at = await map.view();
    const edge = (await map.point(at, column * 32, row * 32 + 16))[0];
    const [before, behind] = [await map.color(Math.floor(edge) - 1, y), await map.color(Math.ceil(edge) + 1, y)];
    check(same(before, colorOf(tiles[row][column - 1])) && same(behind, colorOf(tiles[row][column])), 'edges of pixels are sharp');
    await shot('pixels');

    await page.getByRole('button', { name: 'Whole level' }).click();
    await map.settled();
    check((await map.view()).zoom < 0.6, 'the whole level is shown again');
  },

  'only what is visible is loaded': async (tools) => {
    const { page, open, check, serve } = tools;
    const map = mapOf(tools);
    await serve('harbour.wwd');
    const requests = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/api/level/tile.png') requests.push(Object.fromEntries(url.searchParams));
    });
    await open('/at/harbour.wwd', { x: 3000, y: 2000, zoom: 1, planes: '1', show: 'none' });
    await map.settled();
    const { width, height } = await map.box();
    const near = ({ x, y, zoom }, view) => {
      const side = 256 * 2 ** zoom;
      return (
        x * side < view.x + width / 2 &&
        (Number(x) + 1) * side > view.x - width / 2 &&
        y * side < view.y + height / 2 &&
        (Number(y) + 1) * side > view.y - height / 2
      );
    };
    const coarsest = Math.max(...requests.map(({ zoom }) => Number(zoom)));
    const fine = requests.filter(({ zoom }) => Number(zoom) !== coarsest);
    check(requests.length > fine.length, 'the coarsest picture is loaded, to have something everywhere');
    check(fine.length >= Math.floor(width / 256) * Math.floor(height / 256), 'the visible pictures are loaded');
    check(
      fine.every((request) => near(request, { x: 3000, y: 2000 })),
      'nothing that is not visible is loaded',
    );
    check(
      fine.every(({ plane, zoom }) => plane === '1' && zoom === '0'),
      'only the plane that is shown is loaded',
    );
    const keys = requests.map((request) => JSON.stringify(request));
    check(new Set(keys).size === keys.length, 'nothing is loaded twice');

    // Dragging by 300 pixels loads what comes into sight.
    requests.length = 0;
    const { x: left, y: top } = await map.box();
    await page.mouse.move(left + 500, top + 200);
    await page.mouse.down();
    await page.mouse.move(left + 350, top + 200, { steps: 5 });
    await page.mouse.move(left + 200, top + 200, { steps: 5 });
    await page.mouse.up();
    await map.settled();
    const view = await map.view();
    check(Math.abs(view.x - 3300) <= 6 && view.y === 2000, 'dragging moves the level with the pointer');
    check(requests.length > 0 && requests.length <= 2 * Math.ceil(height / 256 + 1), 'only new columns of pictures are loaded');
    check(
      requests.every((request) => near(request, view) || near(request, { x: 3150, y: 2000 })),
      'they are on the way',
    );
  },

  planes: async (tools) => {
    const { page, open, check, shot, samples, serve } = tools;
    const map = mapOf(tools);
    // Without the archive, whose pictures would be used.
    await serve('harbour.wwd');
    const { planes } = read(samples, 'harbour.wwd');
    const tileAt = (plane, column, row) => planes[plane].tiles[row][column];
    // A tile where both the background and the main plane have something, and the front has nothing.
    const cells = planes[1].tiles.flatMap((tiles, row) => tiles.map((_, column) => [column, row]));
    const [column, row] = cells.find(
      ([column, row]) =>
        column > 10 &&
        row > 10 &&
        tileAt(2, column, row) === EMPTY_TILE &&
        ![EMPTY_TILE, 0xeeeeeeee, tileAt(0, column, row)].includes(tileAt(1, column, row)),
    );
    const view = { x: column * 64 + 32, y: row * 64 + 32, zoom: 0.5 };
    await open('/at/harbour.wwd', { ...view, show: 'none' });
    await map.settled();
    const middle = await map.point(view, view.x, view.y);
    check(same(await map.color(...middle), colorOf(tileAt(1, column, row))), 'the main plane covers the background');
    await page.getByRole('checkbox', { name: 'Show Action' }).uncheck();
    await map.settled();
    check(same(await map.color(...middle), colorOf(tileAt(0, column, row))), 'without the main plane there is the background');
    await page.getByRole('checkbox', { name: 'Show Background' }).uncheck();
    await map.settled();
    check(same(await map.color(...middle), EMPTY), 'without both there is nothing');
    await page.getByRole('button', { name: 'Only Background' }).click();
    await map.settled();
    check(same(await map.color(...middle), colorOf(tileAt(0, column, row))), 'only the background');
    check(!(await page.getByRole('checkbox', { name: 'Show Front' }).isChecked()), 'the others are off');
    check(new URL(page.url()).searchParams.get('planes') === '0', 'the address has the planes');
    await shot('background');
    await page.reload();
    await map.settled();
    check(!(await page.getByRole('checkbox', { name: 'Show Action' }).isChecked()), 'the address keeps the planes');
    await page.getByRole('button', { name: 'As in the game' }).click();
    await map.settled();
    check(same(await map.color(...middle), colorOf(tileAt(1, column, row))), 'all planes again');

    // The background wraps: beside the level, it goes on.
    const text = await page.locator('.level-planes li').first().textContent();
    check(text.includes('wraps xy'), 'the list says that the background wraps');
  },

  'objects and tiles': async (tools) => {
    const { page, open, check, shot, samples } = tools;
    const map = mapOf(tools);
    const level = read(samples, 'garden.wwd');
    const [object] = level.planes[0].objects;
    const view = { x: object.x + 60, y: object.y + 40, zoom: 2 };
    await open('/at/samples/garden.wwd', view);
    await map.settled();
    const point = await map.point(view, object.x, object.y);
    await map.click(point);
    const inspector = page.getByRole('region', { name: 'Selection' });
    await inspector.getByRole('heading', { name: object.name }).waitFor();
    const value = (name) =>
      inspector
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
        .locator('td')
        .first()
        .textContent();
    for (const name of ['id', 'x', 'y', 'z', 'health', 'hit_type_flags', 'user8']) {
      check(Number(await value(name)) === object[name], `the panel shows ${name}`);
    }
    for (const name of ['logic', 'image_set', 'animation']) {
      check((await value(name)).includes(object[name]), `the panel shows ${name}`);
    }
    check(path(page.url()).startsWith('plane:Action/object:'), 'the address has the path of the object');
    await shot('object');

    // The same place again: the tile below it, and then the object.
    await map.click(point);
    const [column, row] = [Math.floor(object.x / 32), Math.floor(object.y / 32)];
    await inspector.getByText(`Column ${column}, row ${row}`).waitFor();
    await inspector.getByRole('heading', { name: `Tile ${level.planes[0].tiles[row][column]}` }).waitFor();
    await inspector.getByRole('heading', { name: 'What the tile does' }).waitFor();
    await shot('tile');
    await map.click(point);
    await inspector.getByRole('heading', { name: object.name }).waitFor();

    await page.reload();
    await inspector.getByRole('heading', { name: object.name }).waitFor();
    await inspector.getByRole('link', { name: 'Show its fields and bytes' }).click();
    await page.waitForURL(/view=fields/);
    check(path(page.url()).startsWith('plane:Action/object:'), 'the fields of the object are shown');
    await page.goBack();
    await inspector.getByRole('heading', { name: object.name }).waitFor();
    await inspector.getByRole('button', { name: 'Close' }).click();
    check(await inspector.isHidden(), 'the panel closes');
    await page.waitForFunction(() => !new URL(location.href).searchParams.has('path'));
  },

  'jump to an object': async (tools) => {
    const { page, open, check, shot, samples } = tools;
    const map = mapOf(tools);
    const { objects } = read(samples, 'harbour.wwd').planes[1];
    await open('/at/samples/harbour.wwd');
    await map.settled();
    await page.getByRole('tab', { name: /^Objects/ }).click();
    const field = page.getByRole('combobox', { name: 'Find an object' });
    const options = page.getByRole('listbox', { name: 'Objects' }).getByRole('option');
    await page.getByText(`${objects.length} objects`, { exact: true }).waitFor();
    const logics = new Map();
    for (const { logic } of objects) logics.set(logic, (logics.get(logic) ?? 0) + 1);
    const most = Math.max(...logics.values());
    const head = await options.first().textContent();
    check(
      logics.get(head.replace(/\d+, open$/, '')) === most && head.endsWith(`${most}, open`),
      `the most frequent logic is first: ${head}`,
    );
    await page.getByRole('combobox', { name: 'Order' }).selectOption('id');
    const ids = objects.map(({ id }) => id).sort((a, b) => a - b);
    check((await options.first().textContent()).includes(String(ids[0])), 'the smallest id is first');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('logic');
    const inspector = page.getByRole('region', { name: 'Selection' });
    const near = async (object) => {
      await map.settled();
      const view = await map.view();
      return Math.abs(view.x - object.x) < 70 && Math.abs(view.y - object.y) < 70;
    };

    await field.fill('bell');
    await field.press('Enter');
    const bell = objects.find(({ name }) => name.includes('bell'));
    await inspector.getByRole('heading', { name: bell.name }).waitFor();
    check(await near(bell), 'Enter flies to the object with the name');
    await shot('name');

    await field.fill('officer');
    await page.getByText(`4 of ${objects.length} objects`).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    const officers = objects.filter(({ logic }) => logic === 'Officer');
    await page.waitForFunction((id) => new URL(location.href).searchParams.get('path')?.endsWith(`/object:${id}`), officers[1].id);
    check(await near(officers[1]), 'the second object with the logic');

    await field.fill('37');
    await field.press('Enter');
    const byId = objects.find(({ id }) => id === 37);
    check(await near(byId), 'the object with the id');
    check((await options.nth(1).getAttribute('aria-selected')) === 'true', 'the list marks it');
    await field.fill('no such object');
    await page.getByText(`0 of ${objects.length} objects`).waitFor();
  },

  "the game's camera": async (tools) => {
    const { page, open, check, shot, samples, serve } = tools;
    const map = mapOf(tools);
    const { planes } = read(samples, 'harbour.wwd');
    const view = { x: 5008, y: 2032, zoom: 1 };
    await serve('harbour.wwd');
    await open('/at/harbour.wwd', { ...view, planes: '0', show: 'none' });
    await map.settled();
    const middle = await map.point(view, view.x, view.y);
    const shown = (x, y) => colorOf(planes[0].tiles[Math.floor(y / 64)][Math.floor(x / 64)]);
    check(same(await map.color(...middle), shown(view.x, view.y)), 'flat: planes lie over each other');
    for (const name of ['Game screen', 'Game camera']) {
      await page.getByRole('button', { name }).click();
      await map.settled();
      // The background moves half as fast.
      for (const [dx, dy] of [
        [0, 0],
        [-280, -200],
        [280, 180],
      ]) {
        const color = await map.color(middle[0] + dx, middle[1] + dy);
        const expected = shown(view.x / 2 + dx, view.y / 2 + dy);
        check(same(color, expected), `${name}: the background is elsewhere, at ${dx}, ${dy}: ${color}, not ${expected}`);
      }
      await shot(name);
    }
    // The camera stays inside the level.
    await page.getByRole('button', { name: 'As in the game' }).click();
    await map.canvas.focus();
    for (let step = 0; step < 30; step++) await page.keyboard.press('Shift+ArrowLeft');
    await map.settled();
    const { width } = await map.box();
    check(Math.abs((await map.view()).x - width / 2) <= 1, 'the camera stops at the edge');
    await page.getByRole('button', { name: 'Flat' }).click();
  },

  'overlays and keys': async (tools) => {
    const { page, open, check, shot, samples } = tools;
    const map = mapOf(tools);
    const level = read(samples, 'garden.wwd');
    const { tiles, objects } = level.planes[0];
    const view = { x: 768, y: 640, zoom: 1 };
    await open('/at/samples/garden.wwd', { ...view, show: 'none' });
    await map.settled();
    await map.canvas.focus();
    const pressed = (name) => page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');

    // An attribute that does something covers two-thirds of the color of its tile.
    const { records } = level.tile_attributes;
    const attributeOf = (tile) => records[tile]?.attribute ?? records[tile]?.attrib;
    const cells = tiles
      .flatMap((row, y) => row.map((tile, x) => ({ tile, x, y })))
      .filter(({ x, y }) => x > 16 && x < 32 && y > 14 && y < 26);
    const solid = cells.find(({ tile }) => attributeOf(tile) === 1);
    const at = await map.point(view, solid.x * 32 + 16, solid.y * 32 + 16);
    const plain = await map.color(...at);
    await page.keyboard.press('a');
    await map.settled();
    check((await pressed('Attributes')) === 'true', 'A shows the attributes');
    const mixed = colorOf(solid.tile).map((part, index) => (part * (255 - 168) + [150, 150, 158][index] * 168) / 255);
    check(same(plain, colorOf(solid.tile)), 'without attributes, the color of the tile');
    check(
      (await map.color(...at)).every((part, index) => Math.abs(part - mixed[index]) <= 3),
      'with attributes, the color of a solid tile',
    );
    await page.getByText('Tile attributes of the main plane').waitFor();
    await page.getByText('solid', { exact: true }).waitFor();
    await shot('attributes');
    await page.keyboard.press('a');

    await page.keyboard.press('g');
    await map.settled();
    check((await pressed('Grid')) === 'true', 'G shows the grid');
    const [lineX, lineY] = await map.point(view, 24 * 32, 20 * 32 + 16);
    check(!same(await map.color(lineX, lineY), colorOf(tiles[20][24])), 'there is a line between tiles');
    await shot('grid');
    await page.keyboard.press('g');

    const object = objects.find(({ x, y }) => Math.abs(x - view.x) < 300 && Math.abs(y - view.y) < 220);
    await page.keyboard.press('o');
    await map.settled();
    const mark = await map.color(...(await map.point(view, object.x, object.y)));
    await page.getByRole('tab', { name: /^Objects/ }).click();
    await page.getByRole('combobox', { name: 'Find an object' }).fill(String(object.id));
    await page.waitForTimeout(300);
    const swatch = await page
      .locator('.level-option:not(.level-group) .level-logic')
      .first()
      .evaluate((dot) => getComputedStyle(dot).backgroundColor.match(/\d+/g).map(Number));
    check(same(mark, swatch), `objects have the color of their logic: ${mark}, ${swatch}`);
    await map.canvas.focus();

    // The keyboard alone: to the object, and selected.
    const before = await map.view();
    await page.keyboard.press('ArrowRight');
    check((await map.view()).x === before.x + 64, 'arrow keys move the map');
    await page.keyboard.press('+');
    await map.settled();
    check((await map.view()).zoom === 2, 'plus zooms in');
    await page.keyboard.press('-');
    await page.keyboard.press('0');
    await map.settled();
    check((await map.view()).zoom < 0.6, '0 shows the whole level');
    await page.keyboard.press('j');
    await page.keyboard.type(String(object.id));
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('region', { name: 'Selection' });
    await inspector.getByText(new RegExp(`Object ${object.id}(#\\d+)? of Action`)).waitFor();
    await map.settled();
    await map.canvas.focus();
    await page.keyboard.press('Escape');
    check(await inspector.isHidden(), 'Escape ends the selection');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await inspector.getByText(new RegExp(`Object ${object.id}(#\\d+)? of Action`)).waitFor();
  },

  'edit a field': async (tools) => {
    const { page, open, check, shot, samples } = tools;
    const map = mapOf(tools);
    const { objects } = read(samples, 'garden.wwd').planes[0];
    await open('/at/samples/garden.wwd', { path: `plane:Action/object:${objects[0].id}` });
    await map.settled();
    const inspector = page.getByRole('region', { name: 'Selection' });
    const row = inspector.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'score', exact: true }) });
    await row.hover();
    await row.getByRole('button', { name: 'Edit score' }).click();
    await row.getByRole('textbox').fill('4711');
    await row.getByRole('textbox').press('Enter');
    await row.locator('ins').waitFor();
    check((await row.locator('ins').textContent()) === '4711', 'the new value is shown');
    check((await row.locator('del').textContent()).includes(String(objects[0].score)), 'with the value in the file');
    check((await row.getAttribute('class')).includes('changed'), 'the row is marked');
    await shot('edited');
    await inspector.getByRole('button', { name: 'Close' }).click();
    await page.goBack();
  },

  'edits are drawn, by dragging, too, and taken back': async (tools) => {
    const { page, open, check, until, samples } = tools;
    const map = mapOf(tools);
    const plane = read(samples, 'garden.wwd').planes[0];
    const object = plane.objects.find(
      ({ id, x, y }) =>
        plane.objects.filter((other) => other.id === id).length === 1 &&
        plane.objects.every((other) => other.id === id || Math.hypot(other.x - x, other.y - y) > 80),
    );
    const view = { x: object.x, y: object.y, zoom: 1 };
    const path = `plane:Action/object:${object.id}`;
    const inspector = page.getByRole('region', { name: 'Selection' });
    const row = (name) => inspector.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    const set = async (name, value) => {
      await row(name).hover();
      await row(name)
        .getByRole('button', { name: `Edit ${name}` })
        .click();
      await row(name).getByRole('textbox').fill(String(value));
      await row(name).getByRole('textbox').press('Enter');
      await row(name).locator('ins').waitFor();
    };
    const option = page
      .locator('.level-option:not(.level-group)')
      .filter({ has: page.locator('.numeric').getByText(String(object.id), { exact: true }) });
    const find = () => page.getByRole('combobox', { name: 'Find an object' }).fill(String(object.id));
    const listed = async (text) => until(async () => (await option.first().textContent()).includes(text), `the list says ${text}`);
    await open('/at/samples/garden.wwd', { ...view, path });
    await map.settled();
    await page.getByRole('tab', { name: /^Objects/ }).click();
    await find();
    await listed(`x ${object.x}, y ${object.y}`);
    // What is under the object without its mark.
    const [x, y] = await map.point(view, object.x, object.y);
    const marked = await map.color(x, y);

    await set('x', object.x + 64);
    await listed(`x ${object.x + 64}, y ${object.y}`);
    await map.settled();
    check(!same(await map.color(x, y), marked), 'the mark has left the old place');
    check(same(await map.color(x + 64, y), marked), 'and is at the new one');
    await page.reload();
    await map.settled();
    check(same(await map.color(x + 64, y), marked), 'also after a reload');
    await page.getByRole('tab', { name: /^Objects/ }).click();
    await find();
    await listed(`x ${object.x + 64}, y ${object.y}`);

    // An object keeps the path under which it was opened.
    await set('id', 987654);
    await map.settled();
    check(path === new URL(page.url()).searchParams.get('path'), 'the address keeps the path');
    await inspector.getByText(`Object ${object.id} of Action`).waitFor();
    const { x: left, y: top } = await map.box();
    await page.mouse.move(left + x + 64, top + y);
    await until(
      async () => (await page.locator('.level-pointer').textContent()).includes(`(object ${object.id})`),
      'the pointer says the number of the path',
    );

    await page.mouse.down();
    await page.mouse.move(left + x + 80, top + y + 16, { steps: 4 });
    await page.mouse.move(left + x + 104, top + y + 30, { steps: 4 });
    await page.mouse.up();
    await listed(`x ${object.x + 104}, y ${object.y + 30}`);
    await map.settled();
    check(same(await map.color(x + 104, y + 30), marked), 'a dragged object stays where it was put');
    await map.canvas.focus();
    await page.keyboard.press('Control+z');
    await listed(`x ${object.x + 64}, y ${object.y}`);
    await page.keyboard.press('Control+z');
    check((await row('id').locator('ins').count()) === 0, 'Ctrl+Z takes back step by step');
    await page.getByRole('button', { name: 'Changes (1)' }).click();
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.keyboard.press('Escape');
    await listed(`x ${object.x}, y ${object.y}`);
    await map.settled();
    check(same(await map.color(x, y), marked), 'without changes the mark is where it was');
    check(await page.getByRole('button', { name: /^Changes/ }).isHidden(), 'no change is left');
  },

  'back after objects, and what is not there': async (tools) => {
    const { page, open, check, until, samples } = tools;
    const { objects } = read(samples, 'garden.wwd').planes[0];
    await open('/at/samples/garden.wwd');
    await page.getByRole('tab', { name: /^Objects/ }).click();
    for (const index of [1, 3, 5]) {
      await page.locator('.level-list .row').nth(index).click();
      await page.waitForTimeout(500);
    }
    const third = new URL(page.url()).searchParams.get('path');
    await page.goBack();
    await until(() => new URL(page.url()).searchParams.get('path') !== third, 'Back goes to the object before');
    check(page.url().includes('garden.wwd') && page.url().includes('object'), 'and stays in the level');
    check(!objects.some(({ id }) => id === 999999), 'no object has this id');
    await open('/at/samples/garden.wwd', { path: 'plane:Action/object:999999' });
    await page.getByRole('status').filter({ hasText: 'There is no plane:Action/object:999999 in this level.' }).waitFor();
  },

  'a tile that the command line names is marked and shown': async (tools) => {
    const { page, open, serve, check, until } = tools;
    const { address } = await serve('garden.wwd/plane:Action/tile:3,5');
    // The map can get its size after the answers.
    await page.addInitScript(() => {
      const Observer = ResizeObserver;
      window.ResizeObserver = class extends Observer {
        constructor(call) {
          super((...seen) => setTimeout(() => call(...seen), 600));
        }
      };
    });
    await open();
    const { pathname, searchParams } = new URL(address);
    searchParams.delete('token');
    await open(pathname, Object.fromEntries(searchParams));
    await page.getByText('Column 3, row 5 of Action').waitFor();
    await until(
      async () => (await page.locator('.level-toolbar').textContent()).includes('100%'),
      'the map is near enough to see the tile',
    );
    const map = mapOf(tools);
    await map.settled();
    const { width, height } = await map.box();
    // A frame around the 32 pixels of the tile, which is in the middle.
    const left = await Promise.all([13, 14, 15, 16, 17, 18, 19].map((x) => map.color(width / 2 - x, height / 2)));
    check(
      left.some(([red, green, blue]) => red > 200 && green > 150 && blue < 120),
      `the tile has a yellow frame: ${left.join('; ')}`,
    );
  },

  'a level without pictures opens where it can be recognized': async (tools) => {
    const { page, open, check, serve } = tools;
    const map = mapOf(tools);
    await serve('harbour.wwd');
    await open('/at/harbour.wwd');
    await map.settled();
    const percent = parseInt(await page.locator('.level-scale').textContent(), 10);
    check(percent >= 12 && percent <= 40, `it opens at ${percent} %`);
    await page.getByText('worldview view harbour.wwd --game PATH').waitFor();
    await page.getByRole('button', { name: 'Whole level' }).click();
    await map.settled();
    const { width, height } = await map.box();
    const outside = await map.canvas.evaluate((element) =>
      getComputedStyle(element)
        .backgroundColor.match(/[\d.]+/g)
        .slice(-3)
        .map((part) => Math.round(Number(part) * 255)),
    );
    const corner = await map.color(4, 4);
    check(width > height ? same(corner, outside) : true, `nothing of a plane that wraps is beside the level: ${corner}, ${outside}`);
  },

  'pictures of the game': async (tools) => {
    const { page, open, check, shot, serve, samples } = tools;
    const map = mapOf(tools);
    await serve('harbour.wwd');
    await open('/at/harbour.wwd');
    await map.settled();
    await page.getByText("The game's pictures are not here.").waitFor();
    check((await page.getByRole('button', { name: 'Pictures' }).count()) === 0, 'no pictures of objects without the game');
    await serve(samples);
    await open('/at/samples/harbour.wwd');
    await page.getByText(/Pictures of the game from harbour.rez/).waitFor();
    const view = { x: 5600, y: 2400, zoom: 2 };
    await open('/at/samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD', { ...view, show: 'sprites' });
    await map.settled();
    await page.getByText(/Pictures of the game/).waitFor();
    const bell = await map.point(view, view.x, view.y);
    const shown = await map.color(...bell);
    await shot('sprites');
    await page.getByRole('button', { name: 'Pictures' }).click();
    await map.settled();
    check(!same(shown, await map.color(...bell)), 'the picture of an object goes');
    await page.getByRole('button', { name: 'Whole level' }).click();
    await page.getByRole('button', { name: 'Pictures' }).click();
    await map.settled();
    await shot('whole');
  },

  'on a phone': async (tools) => {
    const { page, open, check, shot } = tools;
    const map = mapOf(tools);
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/at/samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD');
    await map.settled();
    const { width, height } = await map.box();
    check(width >= 380 && height > 300, 'the map has the width of the screen');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await shot('phone');

    // Two fingers that move apart zoom in, around their middle.
    await page.getByRole('button', { name: 'Whole level' }).click();
    await map.settled();
    const before = await map.view();
    const { x, y } = await map.box();
    const client = await page.context().newCDPSession(page);
    const touch = (type, distance) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          distance === undefined ? [] : [-1, 1].map((side) => ({ x: x + width / 2 + side * distance, y: y + height / 2, id: side + 1 })),
      });
    await touch('touchStart', 20);
    for (const distance of [40, 60, 80]) await touch('touchMove', distance);
    await touch('touchEnd');
    await map.settled();
    const behind = await map.view();
    check(Math.abs(behind.zoom / before.zoom - 4) < 0.2, 'two fingers zoom by as much as they move apart');
    check(Math.abs(behind.x - before.x) < 40, 'their middle stays');
  },
};
