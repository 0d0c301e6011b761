/// The differences of two files, by part, as they arrive.
import { elementScroll, measureElement, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { el, perFrame } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { counted } from '../shell/text.ts';
import { Chips } from './chips.ts';
import { changeNames, type Change, type Difference, type Side } from './data.ts';
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
  readonly #space = el('div', { class: 'differences-space', role: 'presentation' });
  readonly #rows = new Map<number, HTMLElement>();
  readonly #virtual: Virtualizer<HTMLElement, HTMLElement>;
  readonly #unmount: () => void;
  readonly #update = perFrame(() => this.#refresh());
  readonly #all: Difference[] = [];
  #items: Item[] = [];
  #chosen = '';

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
    this.#chips = new Chips<Change>(['changed', 'moved', 'added', 'removed'], [], this.#update);
    this.#filter = el('input', {
      class: 'input', type: 'search', placeholder: 'Filter differences', 'aria-label': 'Filter differences', oninput: this.#update,
    });
    this.#scroller.append(this.#space);
    this.element = el('div', { class: 'differences' },
      el('div', { class: 'differences-head' }, this.#filter, this.#chips.element), this.#scroller);
    this.#virtual = new Virtualizer<HTMLElement, HTMLElement>({
      count: 0,
      getScrollElement: () => this.#scroller,
      estimateSize: () => 34,
      measureElement,
      overscan: 10,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#draw(),
    });
    this.#unmount = this.#virtual._didMount();
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
    this.#virtual._willUpdate();
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
    if (index >= 0) this.#virtual.scrollToIndex(index, { align: 'auto' });
    this.#refresh();
  }

  destroy(): void {
    this.#unmount();
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
    const grown = items.length >= this.#items.length && this.#items.every((item, index) => key(item) === key(items[index]!));
    this.#items = items;
    this.#chips.update();
    this.#virtual.setOptions({ ...this.#virtual.options, count: items.length, getItemKey: (index) => index });
    if (!grown) this.#virtual.measure();
    this.#virtual._willUpdate();
    this.#clear();
    this.#draw();
  }

  #clear(): void {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
  }

  #draw(): void {
    const items = this.#virtual.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, row] of this.#rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    this.#space.style.height = `${this.#virtual.getTotalSize()}px`;
    const fresh: HTMLElement[] = [];
    for (const { index, start } of items) {
      let row = this.#rows.get(index);
      if (!row) {
        const item = this.#items[index]!;
        row = !('differences' in item) ? differenceRow(item, isAt(item, this.#chosen))
          : 'top' in item ? regionRow(item, isAt(item, this.#chosen)) : partRow(item.part, item.differences);
        row.dataset.index = String(index);
        row.setAttribute('aria-setsize', String(this.#items.length));
        row.setAttribute('aria-posinset', String(index + 1));
        this.#rows.set(index, row);
        const next = [...this.#space.children].find((other) => Number((other as HTMLElement).dataset.index) > index);
        this.#space.insertBefore(row, next ?? null);
        fresh.push(row);
      }
      row.style.transform = `translateY(${start}px)`;
    }
    for (const row of fresh) this.#virtual.measureElement(row);
  }
}

const key = (item: Item): string =>
  !('differences' in item) ? item.path : 'top' in item ? `${item.part} ${item.left},${item.top},${item.differences.length}` : `part ${item.part}`;

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

const regionRow = (region: Region, chosen: boolean): HTMLElement => {
  const { left, top, right, bottom, differences } = region;
  const span = (name: string, from: number, to: number): string => (from === to ? `${name} ${from}` : `${name}s ${from}–${to}`);
  const place = differences[0]!.leftPlace;
  const other = differences[0]!.rightPlace;
  return el('div', { class: 'difference changed region', role: 'listitem', 'aria-current': chosen && 'true' },
    el('span', { class: 'sign changed', title: 'changed' }, '~', el('span', { class: 'visually-hidden' }, 'changed')),
    el('span', { class: 'field' }, counted(differences.length, 'tile')),
    el('span', { class: 'value left' }, `${span('column', left, right)}, ${span('row', top, bottom)}`, place && link(place, 'Left: these tiles', true)),
    el('span', { class: 'value right' }, other && link(other, 'Right: these tiles', true)));
};

const partRow = (part: string, differences: Difference[]): HTMLElement => {
  const [first] = differences;
  const whole = first && !first.field ? first : undefined;
  const change = whole?.change ?? 'changed';
  const [name, sign] = changeNames[change];
  return el('div', { class: `difference part ${whole ? change : ''}`, role: 'listitem' },
    el('span', { class: `sign ${change}`, title: name }, whole ? sign : ''),
    el('span', { class: 'part-path mono' }, part || 'The file itself'),
    whole && el('span', { class: 'dim' }, whole.count > 1 ? `${counted(whole.count, 'element')} ${name}` : name),
    el('span', { class: 'grow' }),
    whole?.leftPlace && link(whole.leftPlace, 'Left'),
    whole?.rightPlace && link(whole.rightPlace, 'Right'));
};

const differenceRow = (difference: Difference, chosen: boolean): HTMLElement => {
  const { change, field, left = '', right = '', leftPlace, rightPlace } = difference;
  const both = difference.left !== undefined && difference.right !== undefined;
  const [leftPieces, rightPieces]: [Piece[], Piece[]] = both && left.length <= longest && right.length <= longest
    ? compareWords(left, right) : [[[left, !both]], [[right, !both]]];
  const [name, sign] = changeNames[change];
  const value = (side: string, pieces: Piece[], exists: boolean, place: Side | undefined): HTMLElement =>
    el('span', { class: `value ${side} ${exists ? '' : 'missing'}` },
      el('span', { class: 'visually-hidden' }, `${side}: `),
      exists ? text(pieces, side === 'left' ? 'del' : 'ins') : el('span', { class: 'dim' }, 'none'),
      place && link(place, `${side === 'left' ? 'Left' : 'Right'}: ${field}`, true));
  return el('div', { class: `difference ${change}`, role: 'listitem', 'aria-current': chosen && 'true' },
    el('span', { class: `sign ${change}`, title: name }, sign, el('span', { class: 'visually-hidden' }, name)),
    el('span', { class: 'field mono' }, field,
      difference.count > 1 && el('span', { class: 'dim' }, ` and ${counted(difference.count - 1, 'more', 'more')}`)),
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
  el('a', {
    class: 'place-link', href: placeAddress(place), title: `Show ${label.toLowerCase()}`, 'aria-label': `Show ${label}`,
  },
    icon('right'), !small && label);
