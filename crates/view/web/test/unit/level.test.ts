import assert from 'node:assert/strict';
import test from 'node:test';
import { EditedLevelName, isStale } from '../../src/level/edited.ts';
import type { Level, Plane } from '../../src/level/info.ts';
import { logicColor } from '../../src/level/logics.ts';
import { drawObjects, mainLogic } from '../../src/level/marks.ts';
import type { Objects } from '../../src/level/objects.ts';
import { around, pixelAt, place, reachable, runs, whole } from '../../src/level/place.ts';
import { State } from '../../src/level/state.ts';

const plane = (index: number, more: Partial<Plane> = {}): Plane => ({
  index,
  path: `plane:${index}`,
  name: `${index}`,
  main: index === 0,
  drawn: true,
  columns: 10,
  rows: 10,
  tile: [64, 64],
  width: 640,
  height: 640,
  wrap: [false, false],
  move: [100, 100],
  z: 0,
  objects: 0,
  ...more,
});

const level = (...planes: Plane[]): Level => ({
  name: '',
  author: '',
  created: '',
  main: 0,
  planes,
  attributes: true,
  pictures: { found: false, missing: 0 },
  legend: [],
  zooms: 3,
  after: [],
  omitted: 0,
});

test('the address of a level is read as it was written', () => {
  const two = level(plane(0), plane(1, { drawn: false }));
  const more = { x: '12.5', y: '7', zoom: '0.25', camera: 'frame', planes: '0.1', show: 'none', plane: '1' };
  assert.deepEqual(new State(two, more).write(), more);
  assert.deepEqual(new State(two, {}).write(), {});
  assert.deepEqual(new State(two, { zoom: 'fit', camera: 'x', planes: '9', plane: '7' }).write(), { zoom: 'fit', planes: 'none' });
});

test('planes that wrap have every pixel again and again', () => {
  const size = { width: 100, height: 100 };
  const wrapping = place(plane(0, { wrap: [true, false] }), { x: 0, y: 50, scale: 1 }, size, 'flat');
  assert.deepEqual(pixelAt(wrapping, { x: 10, y: 50 }), { x: 600, y: 50 });
  assert.deepEqual(
    runs(-30, 1, 50, true, 100).map(({ origin, from, to }) => [origin, from, to]),
    [
      [-30, 30, 50],
      [20, 0, 50],
      [70, 0, 30],
    ],
  );
  assert.deepEqual(reachable({ x: -5, y: 5000, scale: 99 }, plane(0), size, 'flat'), { x: 0, y: 640, scale: 16 });
  assert.equal(whole(plane(0), size).scale, 0.15);
});

test('the first view leaves no room beside the level', () => {
  // 640 by 640 pixels of a level, of which 400 by 200 are seen, and 800 by 400.
  const size = { width: 400, height: 200 };
  assert.deepEqual(around(plane(0), { x: 30, y: 600 }, 1, size), { x: 200, y: 540, scale: 1 });
  assert.deepEqual(around(plane(0), { x: 300, y: 300 }, 1, size), { x: 300, y: 300, scale: 1 });
  assert.deepEqual(around(plane(0), { x: 30, y: 30 }, 0.5, size), { x: 320, y: 200, scale: 0.5 });
});

test('only pictures under a change are drawn again', () => {
  const tile = (x: number, zoom = 0, of = 0) => ({ plane: of, layer: 'objects' as const, zoom, x, y: 0 });
  const stale = [{ plane: 0, box: { left: 300, top: 10, right: 400, bottom: 60 } }];
  assert.deepEqual(
    [tile(0), tile(1), tile(2), tile(0, 1), tile(1, 0, 1)].map((one) => isStale(one, stale)),
    [false, true, false, true, false],
  );
  assert.ok(isStale(tile(9), 'all'));
});

test('a level is asked for again only if its changes differ', () => {
  globalThis.fetch = () => new Promise(() => {});
  globalThis.localStorage = { getItem: () => '' } as never;
  globalThis.document = { querySelector: () => null } as never;
  globalThis.location = { href: 'http://a/' } as never;
  globalThis.history = { replaceState: () => {} } as never;
  const change = (path: string, to: number) => ({ at: 'a', path, file: 'a', inFile: path, from: 0, to });
  const edited = new EditedLevelName('a', new AbortController().signal);
  assert.deepEqual(
    edited.set([change('x', 1)]).map(({ path }) => path),
    ['x'],
  );
  assert.deepEqual(edited.set([change('x', 1)]), []);
  assert.deepEqual(
    edited
      .set([change('x', 2), change('y', 1)])
      .map(({ path }) => path)
      .toSorted(),
    ['x', 'x', 'y'],
  );
  assert.deepEqual(
    edited
      .set([])
      .map(({ path }) => path)
      .toSorted(),
    ['x', 'y'],
  );
});

test('a dot has the logic that most of its objects have', () => {
  const logics = ['Coin', 'Guard', 'Coin', ''];
  assert.equal(mainLogic([0, 1, 2, 3], { logic: (object) => logics[object]! }), 'Coin');
});

test('dots have the color of their logic', () => {
  // Two crowds far from each other: coins with one guard among them, and guards.
  const count = 600;
  const isCoin = (object: number): boolean => object < count / 2 && object !== 7;
  const objects = {
    x: Array.from({ length: count }, (_, object) => (object < count / 2 ? 100 : 500)),
    y: new Array(count).fill(100),
    logic: (object: number) => (isCoin(object) ? 'TreasurePowerup' : 'Officer'),
    within: () => Array.from({ length: count }, (_, object) => object),
  };
  const dots: [x: number, color: string][] = [];
  let x = 0;
  const context = {
    fillStyle: '',
    beginPath: () => {},
    arc: (center: number) => (x = center),
    fill: () => dots.push([x, context.fillStyle]),
    stroke: () => {},
    fillText: () => {},
  };
  const marked = { objects: objects as unknown as Objects, placement: { plane: plane(0), left: 0, top: 0, scale: 1 }, subtle: false };
  drawObjects(context as unknown as CanvasRenderingContext2D, marked as never, { width: 640, height: 480 });
  assert.deepEqual(dots, [
    [100, logicColor('TreasurePowerup')],
    [500, logicColor('Officer')],
  ]);
  assert.notEqual(dots[0]![1], dots[1]![1]);
});
