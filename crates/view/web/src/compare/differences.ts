/// The differences of two files, by part, as they arrive.
import { el, perFrame } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { Rows } from '../shell/rows.ts';
import { counted } from '../shell/text.ts';
import { Chips } from './chips.ts';
import type { Change } from '../api.ts';
import { changeNames, type Difference, type Side } from './data.ts';
import { type Region, regionsOf } from './regions.ts';
import { compareWords, type Piece } from './words.ts';

type Item = { part: string; differences: Difference[] } | Region | Difference;

/** Longer texts are cut in the list; the places show them whole. */
const longest = 2000;

interface Hooks {
  choose(difference: Difference): void;
}

export class DifferenceList {
  readonly element: HTMLElement;
  readonly #hooks: Hooks;
  readonly #chips: Chips<Change>;
  readonly #filter: HTMLInputElement;
  readonly #scroller = el('div', { class: 'differences-list', tabindex: 0, role: 'list', 'aria-label': 'Differences' });
  readonly #rows: Rows;
  readonly #update = perFrame(() => this.#refresh());
  readonly #all: Difference[] = [];
  #items: Item[] = [];
  #chosen = '';

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
    this.#chips = new Chips<Change>(['changed', 'moved', 'added', 'removed'], [], this.#update);
    this.#filter = el('input', { class: 'input', type: 'search', placeholder: 'Filter differences', 'aria-label': 'Filter differences',
      oninput: this.#update });
    this.element = el('div', { class: 'differences' }, el('div', { class: 'differences-head' }, this.#filter, this.#chips.element),
      this.#scroller);
    this.#rows = new Rows(this.#scroller, { height: 34, measured: true, role: 'listitem', draw: (index, row) => this.#draw(index, row) });
    this.#scroller.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('.difference');
      const item = row && this.#items[Number(row.dataset.index)];
      if (!item || (event.target as Element).closest('a')) return;
      if (!('differences' in item)) this.#hooks.choose(item);
      else if ('top' in item) this.#hooks.choose(item.differences[0]!);
    });
  }

  /** To be called when the list is in the document. */
  start(): void {
    this.#refresh();
  }

  add(difference: Difference): void {
    this.#all.push(difference);
    this.#chips.count(difference.change);
    this.#update();
  }

  /** Marks a difference. */
  set chosen(path: string) {
    this.#chosen = path;
    const index = this.#items.findIndex((item) => isAt(item, path));
    this.#refresh();
    if (index >= 0) this.#rows.reveal(index);
  }

  destroy(): void {
    this.#rows.destroy();
  }

  #refresh(): void {
    const text = this.#filter.value.trim().toLowerCase();
    const matches = ({ change, path, left, right }: Difference): boolean =>
      !this.#chips.hidden.has(change) && (!text || [path, left, right].some((value) => value?.toLowerCase().includes(text)));
    let items: Item[] = [];
    let group: { part: string; differences: Difference[] } | undefined;
    for (const difference of this.#all) {
      if (!matches(difference)) continue;
      if (group?.part !== difference.part) {
        group = { part: difference.part, differences: [] };
        items.push(group);
      }
      group.differences.push(difference);
      // The head of a part that was added or removed says all.
      if (difference.field || difference.left !== undefined || difference.right !== undefined) items.push(difference);
    }
    // Thousands of tiles say less than where they are. Who looks for one finds it alone.
    if (!text) items = withRegions(items);
    this.#items = items;
    this.#chips.update();
    this.#rows.update(items.length);
  }

  #draw(index: number, host: HTMLElement): void {
    const item = this.#items[index]!;
    const row = !('differences' in item) ? differenceRow(item)
      : 'top' in item ? regionRow(item) : partRow(item.part, item.differences);
    host.className = `row ${row.className}`;
    host.replaceChildren(...row.childNodes);
    host.setAttribute('aria-setsize', String(this.#items.length));
    host.setAttribute('aria-posinset', String(index + 1));
    host.toggleAttribute('aria-current', false);
    if (isAt(item, this.#chosen)) host.setAttribute('aria-current', 'true');
  }
}

/** Returns whether an item is, or contains, the difference with a path. */
const isAt = (item: Item, path: string): boolean =>
  !('differences' in item) ? item.path === path : 'top' in item && item.differences.some((difference) => difference.path === path);

/** Returns the items with regions instead of the tiles in them. */
const withRegions = (items: Item[]): Item[] =>
  items.flatMap((item) => {
    if ('path' in item) return item.field.startsWith('tile:') ? [] : [item];
    if ('top' in item) return [item];
    const regions = regionsOf(item.part, item.differences);
    return [item, ...regions.map((region) => (region.differences.length > 1 ? region : region.differences[0]!))];
  });

const regionRow = (region: Region): HTMLElement => {
  const { left, top, right, bottom, differences } = region;
  const span = (name: string, from: number, to: number): string => (from === to ? `${name} ${from}` : `${name}s ${from}–${to}`);
  const area = el('span', { class: 'value-text' }, `${span('column', left, right)}, ${span('row', top, bottom)}`);
  const place = differences[0]!.leftPlace;
  const other = differences[0]!.rightPlace;
  return el('div', { class: 'difference changed region' },
    el('span', { class: 'sign changed', title: 'changed' }, '~', el('span', { class: 'visually-hidden' }, 'changed')),
    el('span', { class: 'field' }, counted(differences.length, 'tile')),
    el('span', { class: 'value left' }, area, place && link(place, 'Left: these tiles', true)),
    el('span', { class: 'value right' }, area.cloneNode(true), other && link(other, 'Right: these tiles', true)));
};

const partRow = (part: string, differences: Difference[]): HTMLElement => {
  const [first] = differences;
  const whole = first && !first.field ? first : undefined;
  const change = whole?.change ?? 'changed';
  const [name, sign] = changeNames[change];
  return el('div', { class: `difference part ${whole ? change : ''}` },
    el('span', { class: `sign ${change}`, title: name }, whole ? sign : ''),
    el('span', { class: 'part-path mono' }, part || 'The file itself'),
    whole && el('span', { class: 'dim' }, whole.count > 1 ? `${counted(whole.count, 'element')} ${name}` : name),
    el('span', { class: 'grow' }), whole?.leftPlace && link(whole.leftPlace, 'Left'), whole?.rightPlace && link(whole.rightPlace, 'Right'));
};

const differenceRow = (difference: Difference): HTMLElement => {
  const { change, field, left = '', right = '', leftPlace, rightPlace } = difference;
  const both = difference.left !== undefined && difference.right !== undefined;
  const [leftPieces, rightPieces]: [Piece[], Piece[]] = both && left.length <= longest && right.length <= longest
    ? compareWords(left, right) : [[[left, !both]], [[right, !both]]];
  const [name, sign] = changeNames[change];
  // Of many elements in a row, the first stands for all; their values are at their places.
  const isValueless = difference.left === undefined && difference.right === undefined;
  const value = (side: string, pieces: Piece[], exists: boolean, place: Side | undefined): HTMLElement =>
    el('span', { class: `value ${side} ${isValueless ? 'several' : exists ? '' : 'missing'}` },
      el('span', { class: 'visually-hidden' }, `${side}: `),
      exists ? text(pieces, side === 'left' ? 'del' : 'ins') : el('span', { class: 'dim' }, isValueless ? 'several values' : 'none'),
      place && link(place, `${side === 'left' ? 'Left' : 'Right'}: ${field}`, true));
  return el('div', { class: `difference ${change}` },
    el('span', { class: `sign ${change}`, title: name }, sign, el('span', { class: 'visually-hidden' }, name)),
    el('span', { class: 'field mono' }, field,
      difference.count > 1 && el('span', { class: 'dim' }, ` and ${counted(difference.count - 1, 'more', 'more')} ${name}`)),
    value('left', leftPieces, difference.left !== undefined, leftPlace),
    value('right', rightPieces, difference.right !== undefined, rightPlace));
};

const text = (pieces: Piece[], tag: 'del' | 'ins'): HTMLElement => {
  const whole = pieces.reduce((sum, [piece]) => sum + piece.length, 0);
  if (!whole) return el('span', { class: 'dim' }, 'empty');
  let room = longest;
  const shown = pieces.map(([piece, same]) => {
    const part = piece.slice(0, Math.max(0, room));
    room -= piece.length;
    return same ? part : el(tag, {}, part);
  });
  return el('span', { class: 'value-text' }, ...shown, whole > longest && el('span', { class: 'dim' }, '…'));
};

const link = (place: Side, label: string, small = false): HTMLElement =>
  el('a', { class: 'place-link', href: placeAddress(place), title: `Show ${label.toLowerCase()}`, 'aria-label': `Show ${label}` },
    icon('right'), !small && label);
