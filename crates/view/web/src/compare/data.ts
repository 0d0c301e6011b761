/// What the page does with the answers about two files.
import type { Change, DifferenceLine, PairChange, PairLine } from '../api.ts';
import { escaped } from '../table/data.ts';

/** Two files of the same name; one of them may be missing. */
export type Pair = PairLine;

/** A place in one of the files. */
export interface Side {
  at: string;
  path: string;
}

export interface Difference {
  change: Change;
  /** The record, object or other part that differs. */
  part: string;
  /** The field of the part; empty for the part as a whole. */
  field: string;
  path: string;
  left: string | undefined;
  right: string | undefined;
  leftPlace: Side | undefined;
  rightPlace: Side | undefined;
  count: number;
}

/** Reads a difference between the files at `left` and `right`. */
export const readDifference = (line: DifferenceLine, left: string, right: string): Difference => {
  const { change, path, what } = line;
  const whole = !what && line.left === undefined && line.right === undefined;
  const [parent, last] = whole ? [path, ''] : split(path);
  // Fields of the file itself have no path that leads there.
  const place = (at: string, own: string | undefined, missing: boolean): Side | undefined =>
    missing ? undefined : { at, path: what && own ? `${own}/${escaped(what)}` : own ?? '' };
  return { change, part: what ? path : parent, field: what || last, path: what ? [path, escaped(what)].filter(Boolean).join('/') : path,
    left: line.left, right: line.right, leftPlace: place(line.leftAt ?? left, line.leftPath ?? path, change === 'added'),
    rightPlace: place(line.rightAt ?? right, line.rightPath ?? path, change === 'removed'), count: line.count ?? 1 };
};

/** Splits a path before its last segment. A backslash escapes a slash. */
export const split = (path: string): [parent: string, last: string] => {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    if (path[index] === '/' && !escapes(path, index)) return [path.slice(0, index), path.slice(index + 1)];
  }
  return ['', path];
};

const escapes = (path: string, index: number): boolean => {
  let count = 0;
  while (path[index - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
};

/** What a change is called, and its sign. */
export const changeNames: Record<Change | PairChange, [name: string, sign: string]> = { same: ['same', '='], changed: ['changed', '~'],
  moved: ['moved', '↕'], added: ['added', '+'], removed: ['removed', '−'], error: ['not compared', '!'] };
