import assert from 'node:assert/strict';
import test from 'node:test';
import { escaped, isEditable, isNumeric } from '../../src/table/data.ts';
import { filterParameters, readQuery, rowParameters, writeQuery } from '../../src/table/query.ts';
import { numberText, ticks } from '../../src/table/scale.ts';
import { histogram, smallestPositive, summarize } from '../../src/table/series.ts';

test('the address of a table is read as it was written', () => {
  const more = { sort: '3,-1', q: 'a b', 'f.2': '10..20', hide: '4,5', widths: '1:120', plot: '2,3', log: 'y' };
  const query = readQuery(more);
  assert.deepEqual(query.sort, [
    { column: 3, descending: false },
    { column: 1, descending: true },
  ]);
  assert.deepEqual([...query.filters], [[2, '10..20']]);
  assert.deepEqual(writeQuery(query), more);
  assert.deepEqual(filterParameters(query), { q: 'a b', 'f.2': '10..20' });
  assert.equal(rowParameters(query).sort, '3,-1');
  // What makes no sense is left out.
  assert.deepEqual(writeQuery(readQuery({ sort: 'x,-,2', 'f.x': '1', 'f.3': '', widths: 'a', plot: 'z' })), { sort: '2' });
});

test('names of fields are escaped in paths', () => {
  assert.equal(escaped('a/b=c#d:e@f*g?h\\i'), 'a\\/b\\=c\\#d\\:e\\@f\\*g\\?h\\\\i');
  assert.equal(escaped(''), ':');
});

test('types of columns', () => {
  const column = (index: number, type: string) => ({ index, type, name: '', path: '', bits: '', sortable: true });
  assert.deepEqual(
    ['u8', 'i32', 'f32', 'u64', 'string', 'words'].map((type) => isNumeric(column(1, type))),
    [true, true, true, true, false, false],
  );
  assert.deepEqual([column(0, 'name'), column(2, 'words'), column(1, 'string')].map(isEditable), [false, false, true]);
});

test('numbers are counted in bins', () => {
  const values = Float64Array.from([1, 1, 2, 4, NaN]);
  assert.deepEqual(summarize(values), { count: 4, missing: 1, min: 1, max: 4, mean: 2 });
  assert.deepEqual(
    histogram(values, 1, 4, false, 48).map(({ from, to, count }) => [from, to, count]),
    [
      [0.5, 1.5, 2],
      [1.5, 2.5, 1],
      [2.5, 3.5, 0],
      [3.5, 4.5, 1],
    ],
  );
  assert.equal(smallestPositive(Float64Array.from([-1, 0, 0.5, 3])), 0.5);
});

test('axes have round numbers', () => {
  assert.deepEqual(ticks({ min: 0, max: 100, log: false }, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks({ min: 1, max: 1000, log: true }, 4), [1, 10, 100, 1000]);
  assert.deepEqual([0, 1234567, 0.1 + 0.2, 1e-9].map(numberText), ['0', '1,234,567', '0.3', '1e-9']);
});
