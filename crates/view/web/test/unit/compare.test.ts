import assert from 'node:assert/strict';
import test from 'node:test';
import { Alignment } from '../../src/compare/align.ts';
import { readDifference, split } from '../../src/compare/data.ts';
import { regionsOf } from '../../src/compare/regions.ts';
import { compareWords } from '../../src/compare/words.ts';

test('paths are split before their last segment', () => {
  assert.deepEqual(
    [split('a/b/c'), split('a\\/b'), split('a\\\\/b'), split('')],
    [
      ['a/b', 'c'],
      ['', 'a\\/b'],
      ['a\\\\', 'b'],
      ['', ''],
    ],
  );
});

test('a difference has a place on each side that has the part', () => {
  const added = readDifference({ change: 'added', path: 'x/y' }, 'l', 'r');
  assert.deepEqual([added.part, added.field, added.leftPlace, added.rightPlace], ['x/y', '', undefined, { at: 'r', path: 'x/y' }]);
  const changed = readDifference(
    { change: 'changed', path: 'x', what: 'a/b', left: '1', right: '2', leftAt: 'l/m', leftPath: 'p' },
    'l',
    'r',
  );
  assert.deepEqual(
    [changed.path, changed.leftPlace, changed.rightPlace],
    ['x/a\\/b', { at: 'l/m', path: 'p/a\\/b' }, { at: 'r', path: 'x/a\\/b' }],
  );
});

test('tiles that touch are one region', () => {
  const tiles = [
    [0, 0],
    [1, 0],
    [3, 1],
    [9, 9],
  ].map(([x, y]) => readDifference({ change: 'changed', path: `plane:A/tile:${x},${y}`, left: '1', right: '2' }, 'l', 'r'));
  assert.deepEqual(
    regionsOf('plane:A', tiles).map(({ left, top, right, bottom, differences }) => [left, top, right, bottom, differences.length]),
    [
      [0, 0, 3, 1, 3],
      [9, 9, 9, 9, 1],
    ],
  );
});

test('words that differ are marked', () => {
  assert.deepEqual(compareWords('a red fox', 'a blue fox'), [
    [
      ['a ', true],
      ['red', false],
      [' fox', true],
    ],
    [
      ['a ', true],
      ['blue', false],
      [' fox', true],
    ],
  ]);
});

test('records stand beside each other', () => {
  const rows = new Alignment(4, [1], [2]);
  assert.deepEqual(
    Array.from({ length: rows.length }, (_, row) => rows.at(row)),
    [{ left: 0, right: 0 }, { left: 1 }, { left: 2, right: 1 }, { right: 2 }, { left: 3, right: 3 }],
  );
});
