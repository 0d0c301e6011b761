/// The tree of objects.
import { el, later, uniqueId } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { TreeView } from '../shell/treeview.ts';
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

/** Trees with at most this many rows are open at first. */
const SMALL = 40;

export class Tree {
  readonly element: HTMLElement;
  readonly #view: TreeView<Row>;
  readonly #filter: HTMLInputElement;
  readonly #count: HTMLElement;
  readonly #open = new Set<Item>();
  #rows: Row[] = [];
  #selected: Item | null = null;

  constructor(readonly items: readonly Item[], readonly roots: readonly Item[], readonly events: TreeEvents) {
    const filter = 'Filter objects';
    this.#filter = el('input', { class: 'input', type: 'search', placeholder: filter, 'aria-label': filter });
    this.#count = el('output', { class: 'dim', 'aria-live': 'polite', id: uniqueId('count') });
    this.#view = new TreeView<Row>({
      label: 'Objects',
      role: 'tree',
      height: 28,
      row: (index) => this.#rows[index]!,
      describe: ({ item, level, position, size }) => ({
        depth: level - 1,
        open: item.children.length ? this.#isFiltered || this.#open.has(item) : undefined,
        selected: item === this.#selected,
        place: [position - 1, size],
      }),
      draw: ({ item }, host, name) => this.#draw(item, host, name),
      active: () => this.#rows.findIndex(({ item }) => item === this.#selected),
      move: (index) => events.select(this.#rows[index]!.item),
      parent: ({ item }) => this.#rows.findIndex((row) => row.item === item.parent),
      toggle: ({ item }, isOpen) => this.#toggle(item, isOpen),
      choose: ({ item }, event) => {
        if (event instanceof KeyboardEvent && event.key === 'Enter') events.frame(item);
        // The second click of two may be on another row: after the first, the facts take room from the tree.
        else if (event.detail < 2) events.select(item);
      },
      key: (event, row) => {
        if (event.key.toLowerCase() !== 'f' || !row) return false;
        events.frame(row.item);
        return true;
      },
    });
    const { element } = this.#view;
    element.addEventListener('dblclick', (event) => {
      if (this.#selected && !(event.target as Element).closest('.twist')) events.frame(this.#selected);
    });
    this.element = el('section', { class: 'model-objects', 'aria-label': 'Objects' },
      el('div', { class: 'model-filter' }, this.#filter, this.#count), element);
    if (items.length <= SMALL) { for (const item of items) this.#open.add(item); }
    else if (roots.length === 1) this.#open.add(roots[0]!);
    this.#filter.addEventListener('input', later(120, () => this.#refresh()));
    this.#filter.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' || event.key === 'Enter') element.focus();
      else return;
      event.preventDefault();
    });
    this.#refresh();
  }

  /** Marks an item, opens the way to it, and scrolls to it. */
  select(item: Item | null): void {
    this.#selected = item;
    if (item) {
      if (!this.#matches(item)) this.#filter.value = '';
      for (let above = item.parent; above; above = above.parent) this.#open.add(above);
    }
    this.#refresh();
    const at = this.#rows.findIndex((row) => row.item === item);
    if (at >= 0) this.#view.reveal(at);
  }

  /** Draws the rows in sight. */
  render(): void {
    this.#view.update(this.#rows.length);
  }

  destroy(): void {
    this.#view.rows.destroy();
  }

  get #isFiltered(): boolean {
    return this.#filter.value.trim() !== '';
  }

  #matches(item: Item): boolean {
    return item.name.toLowerCase().includes(this.#filter.value.trim().toLowerCase());
  }

  #refresh(): void {
    const isFiltered = this.#isFiltered;
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
    this.#count.textContent = !isFiltered ? '' : matches ? `${matches.toLocaleString('en')} of ${all}` : 'No object has this name.';
    this.#count.hidden = !isFiltered;
    this.render();
  }

  #draw(item: Item, host: HTMLElement, name: HTMLElement): void {
    const isHidden = this.events.isHidden(item);
    const triangles = this.events.level(item)?.triangles.toLocaleString('en');
    host.classList.toggle('is-hidden', isHidden);
    name.append(icon(item.kind), el('span', { class: 'name', title: item.name }, item.name || '(no name)'));
    if (isHidden)
      name.append(el('span', { class: 'dim', title: 'Hidden' }, icon('hidden'), el('span', { class: 'visually-hidden' }, 'hidden')));
    if (triangles !== undefined) name.append(el('span', { class: 'dim numeric model-size', title: `${triangles} triangles` }, triangles));
  }

  #toggle(item: Item, isOpen: boolean): void {
    if (isOpen) this.#open.add(item);
    else this.#open.delete(item);
    this.#refresh();
  }
}
