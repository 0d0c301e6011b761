/// The tree of objects. It only builds the rows that are in sight, so that worlds with thousands of objects stay
/// usable.
import { el, later, perFrame, uniqueId } from '../shell/dom.ts';
import { icon } from './icons.ts';
import type { Item, Level } from './objects.ts';

export interface TreeEvents {
  select(item: Item): void;
  /** Shows the item as large as possible. */
  frame(item: Item): void;
  isHidden(item: Item): boolean;
  /** The level that is drawn; of a hidden object, the finest. */
  level(item: Item): Level | undefined;
}

interface Row {
  item: Item;
  level: number;
  position: number;
  size: number;
}

/** Rows beyond the edges that are built all the same. */
const SPARE = 6;
/** Rows are indented up to this level, so that names of deeper ones can still be read. */
const DEEPEST = 10;
/** Trees with at most this many rows are open at first. */
const SMALL = 40;

export class Tree {
  readonly element: HTMLElement;
  readonly #list: HTMLElement;
  readonly #content: HTMLElement;
  readonly #filter: HTMLInputElement;
  readonly #count: HTMLElement;
  readonly #id = uniqueId('objects');
  readonly #open = new Set<Item>();
  #rows: Row[] = [];
  #selected: Item | null = null;
  /** The item that the keyboard is at. */
  #active: Item | null = null;
  #resize: ResizeObserver;

  constructor(
    readonly items: readonly Item[],
    readonly roots: readonly Item[],
    readonly events: TreeEvents,
  ) {
    const filter = 'Filter objects';
    this.#filter = el('input', { class: 'input', type: 'search', placeholder: filter, 'aria-label': filter });
    this.#count = el('output', { class: 'model-count', 'aria-live': 'polite' });
    this.#content = el('div', { role: 'presentation', class: 'model-rows' });
    this.#list = el('div', { class: 'model-tree', role: 'tree', tabindex: 0, 'aria-label': 'Objects' }, this.#content);
    this.element = el('section', { class: 'model-objects', 'aria-label': 'Objects' },
      el('div', { class: 'model-filter' }, this.#filter, this.#count), this.#list);
    if (items.length <= SMALL) for (const item of items) this.#open.add(item);
    else if (roots.length === 1) this.#open.add(roots[0]!);
    this.#filter.addEventListener('input', later(120, () => this.#refresh()));
    this.#filter.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' || event.key === 'Enter') this.#list.focus();
      else return;
      event.preventDefault();
    });
    const render = perFrame(() => this.render());
    this.#list.addEventListener('scroll', render, { passive: true });
    this.#resize = new ResizeObserver(render);
    this.#resize.observe(this.#list);
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('click', (event) => this.#click(event));
    this.#list.addEventListener('dblclick', (event) => {
      if (this.#selected && !(event.target as Element).closest('.model-caret')) events.frame(this.#selected);
    });
    this.#refresh();
  }

  /** Marks an item, opens the way to it, and scrolls to it. */
  select(item: Item | null): void {
    this.#selected = item;
    this.#active = item ?? this.#active;
    if (item) {
      if (!this.#matches(item)) this.#filter.value = '';
      for (let above = item.parent; above; above = above.parent) this.#open.add(above);
    }
    this.#refresh();
    if (item) this.#reveal(item);
  }

  /** Draws the rows in sight. */
  render(): void {
    const height = this.#rowHeight();
    const { scrollTop, clientHeight } = this.#list;
    const first = Math.max(0, Math.floor(scrollTop / height) - SPARE);
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / height) + SPARE);
    this.#content.style.height = `${this.#rows.length * height}px`;
    this.#content.replaceChildren(...this.#rows.slice(first, last).map((row, i) => this.#row(row, (first + i) * height)));
    const active = this.#active && this.#content.querySelector(`#${this.#rowId(this.#active)}`);
    if (active) this.#list.setAttribute('aria-activedescendant', active.id);
    else this.#list.removeAttribute('aria-activedescendant');
  }

  destroy(): void {
    this.#resize.disconnect();
  }

  #rowHeight(): number {
    return parseFloat(getComputedStyle(this.#list).getPropertyValue('--row')) || 28;
  }

  #rowId(item: Item): string {
    return `${this.#id}-${item.id}`;
  }

  #matches(item: Item): boolean {
    return item.name.toLowerCase().includes(this.#filter.value.trim().toLowerCase());
  }

  #refresh(): void {
    const isFiltered = this.#filter.value.trim() !== '';
    const kept = new Set<Item>();
    let matches = 0;
    if (isFiltered) {
      for (const item of this.items) {
        if (!this.#matches(item)) continue;
        matches += 1;
        for (let at: Item | null = item; at && !kept.has(at); at = at.parent) kept.add(at);
      }
    }
    this.#rows = [];
    const list = (items: readonly Item[], level: number): void => {
      const shown = isFiltered ? items.filter((item) => kept.has(item)) : items;
      for (const [i, item] of shown.entries()) {
        this.#rows.push({ item, level, position: i + 1, size: shown.length });
        if (isFiltered || this.#open.has(item)) list(item.children, level + 1);
      }
    };
    list(this.roots, 1);
    const all = this.items.length.toLocaleString('en');
    this.#count.textContent = isFiltered ? `${matches.toLocaleString('en')} of ${all}` : '';
    this.#list.classList.toggle('empty', !this.#rows.length);
    this.render();
  }

  #row({ item, level, position, size }: Row, top: number): HTMLElement {
    const isOpen = this.#open.has(item) || this.#filter.value.trim() !== '';
    const isHidden = this.events.isHidden(item);
    const triangles = this.events.level(item)?.triangles;
    const row = el('div', {
      class: 'model-row',
      role: 'treeitem',
      id: this.#rowId(item),
      'data-item': item.id,
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-selected': String(item === this.#selected),
      ...(item.children.length ? { 'aria-expanded': String(isOpen) } : {}),
    },
      el('span', { class: 'model-caret', 'aria-hidden': 'true' }, item.children.length ? icon('right') : null),
      icon(item.kind),
      el('span', { class: 'model-name', title: item.name }, item.name || '(no name)'),
      isHidden && el('span', { class: 'model-hidden', title: 'Hidden' },
        icon('hidden'), el('span', { class: 'visually-hidden' }, 'hidden')),
      triangles !== undefined ? el('span', { class: 'model-size', title: `${triangles.toLocaleString('en')} triangles` },
        triangles.toLocaleString('en')) : null);
    row.classList.toggle('is-active', item === this.#active);
    row.classList.toggle('is-hidden', isHidden);
    row.style.top = `${top}px`;
    row.style.setProperty('--depth', String(Math.min(level - 1, DEEPEST)));
    return row;
  }

  #reveal(item: Item): void {
    const at = this.#rows.findIndex((row) => row.item === item);
    if (at < 0) return;
    const height = this.#rowHeight();
    const { scrollTop, clientHeight } = this.#list;
    if (at * height < scrollTop) this.#list.scrollTop = at * height - height;
    else if ((at + 1) * height > scrollTop + clientHeight) this.#list.scrollTop = (at + 2) * height - clientHeight;
    this.render();
  }

  #itemAt(event: Event): Item | undefined {
    const row = (event.target as Element).closest<HTMLElement>('.model-row');
    return row ? this.items[Number(row.dataset.item)] : undefined;
  }

  #click(event: MouseEvent): void {
    const item = this.#itemAt(event);
    if (!item) return;
    const isCaret = (event.target as Element).closest('.model-caret') !== null;
    if (isCaret && item.children.length) this.#toggle(item, !this.#open.has(item));
    // The second click of two may be on another row: after the first, the facts take room from the tree.
    else if (event.detail < 2) this.events.select(item);
  }

  #toggle(item: Item, isOpen: boolean): void {
    if (isOpen) this.#open.add(item);
    else this.#open.delete(item);
    this.#refresh();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.#rows.findIndex(({ item }) => item === this.#active);
    const item = this.#rows[at]?.item;
    const page = Math.max(1, Math.floor(this.#list.clientHeight / this.#rowHeight()) - 1);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.#rows.length - 1,
    };
    if (event.key in steps) {
      const to = this.#rows[Math.min(Math.max(0, steps[event.key]!), this.#rows.length - 1)]?.item;
      if (to) this.events.select(to);
    } else if (event.key === 'ArrowRight' && item?.children.length) {
      if (this.#open.has(item)) this.events.select(item.children[0]!);
      else this.#toggle(item, true);
    } else if (event.key === 'ArrowLeft' && item) {
      if (item.children.length && this.#open.has(item)) this.#toggle(item, false);
      else if (item.parent) this.events.select(item.parent);
    } else if ((event.key === 'Enter' || event.key === 'f' || event.key === 'F') && item) {
      this.events.frame(item);
    } else if (event.key === ' ' && item) {
      this.events.select(item);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
