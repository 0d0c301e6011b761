import assert from 'node:assert/strict';
import test from 'node:test';
import { Edits, type Change } from '../../src/edits.ts';
import { actionOf, groups, keyOf, levels, models, stepOf } from '../../src/shell/keys.ts';
import { Spans } from '../../src/shell/spans.ts';
import { formatSize, namesOf, rootNames, splitMatches } from '../../src/shell/text.ts';

const key = (name: string, others = {}): KeyboardEvent =>
  ({ key: name, ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false, ...others }) as KeyboardEvent;

test('rows of different heights are found by their offsets', () => {
  const spans = new Spans(4, (index) => [10, 20, 30, 40][index]!);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((index) => spans.start(index)),
    [0, 10, 30, 60, 100],
  );
  assert.deepEqual(
    [-5, 0, 9, 10, 59, 60, 500].map((offset) => spans.at(offset)),
    [0, 0, 0, 1, 2, 3, 3],
  );
  assert.deepEqual(spans.between(15, 40, 0), [1, 2]);
  assert.deepEqual(spans.between(15, 30, 1), [0, 1, 2]);
  const fixed = new Spans(1_000_000, 28);
  assert.deepEqual([fixed.total, fixed.at(28 * 777_777 + 3), fixed.at(1e12)], [28_000_000, 777_777, 999_999]);
  assert.deepEqual([new Spans(0, 28).between(0, 100, 5), new Spans(3, 10).between(20, 20, 5)], [[], []]);
});

test('the table of keys says what keys do, and each does one thing in a view', () => {
  assert.deepEqual(
    ['+', '=', 'P', 'ArrowLeft', 'x'].map((name) => actionOf(levels, key(name))),
    ['in', 'in', 'sprites', 'left', undefined],
  );
  assert.equal(actionOf(levels, key('p', { ctrlKey: true })), undefined);
  assert.deepEqual([keyOf(models, 'frame'), keyOf(models, 'play'), keyOf(levels, 'out')], ['F', 'SPACE', '−']);
  for (const [view, keys] of groups) {
    const names = keys.flatMap(({ does = {} }) => Object.values(does).flat());
    assert.equal(new Set(names).size, names.length, `a key of ${view} does two things`);
  }
});

test('keys move within a list', () => {
  const to = (name: string, at: number) => stepOf(key(name), at, 10, 4);
  assert.deepEqual(
    [to('ArrowDown', 9), to('PageUp', 2), to('End', 0), to('Home', 5), to('PageDown', 1), to('a', 1)],
    [9, 0, 9, 0, 5, undefined],
  );
  assert.equal(stepOf(key('End'), 0, 0), undefined);
});

test('sizes have three digits', () => {
  assert.deepEqual([1, 999, 1000, 12_345, 999_600, 123_456_789].map(formatSize), [
    '1 byte',
    '999 bytes',
    '1.00 kB',
    '12.3 kB',
    '1.00 MB',
    '123 MB',
  ]);
});

test('addresses are shown with the names of what was given', () => {
  rootNames.set('items.wdb%20%282%29', 'new/items.wdb');
  assert.deepEqual(namesOf('items.wdb%20%282%29/a%20b/%ff'), ['new/items.wdb', 'a b', '%ff']);
  assert.deepEqual(splitMatches('Garden Set 1', ['set', '1']), ['Garden ', 'Set', ' ', '1', '']);
});

test('changes are taken back step by step', () => {
  const edits = new Edits();
  const change = (path: string, to: number, from = 0): Change => ({ at: 'a', path, file: 'a', inFile: path, from, to });
  let told = 0;
  edits.subscribe(() => (told += 1));
  edits.set(change('x', 1), change('y', 2));
  edits.set(change('x', 3));
  edits.set(change('x', 3));
  edits.clear();
  assert.deepEqual([edits.size, told], [0, 3]);
  assert.match(edits.undo()!, /x, y/);
  assert.deepEqual(
    edits.of('a').map(({ path, to }) => [path, to]),
    [
      ['x', 3],
      ['y', 2],
    ],
  );
  edits.undo();
  assert.equal(edits.get('a', 'x')?.to, 1);
  // Back to the value of the file is no change.
  edits.set(change('x', 0));
  assert.deepEqual([edits.get('a', 'x'), edits.size], [undefined, 1]);
  edits.undo();
  edits.undo();
  assert.deepEqual([edits.size, edits.undo()], [0, undefined]);
});

test('what can be taken back survives a reload', () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => void kept.set(name, text) };
  const reloaded = () => new Edits(storage as Storage, 'files');
  const change = (path: string, to: number): Change => ({ at: 'a', path, file: 'a', inFile: path, from: 0, to });
  const edits = reloaded();
  edits.set(change('x', 1), change('y', 2));
  edits.set(change('x', 3));
  assert.match(reloaded().undo()!, / x\.$/);
  // Also what is taken back survives.
  const [x, y] = ['x', 'y'].map((path) => reloaded().get('a', path)?.to);
  assert.deepEqual([x, y], [1, 2]);
  assert.match(reloaded().undo()!, / x, y\.$/);
  assert.deepEqual([reloaded().size, reloaded().undo()], [0, undefined]);
  kept.set('worldview.changes.files', '[]');
  assert.equal(reloaded().size, 0);
});
