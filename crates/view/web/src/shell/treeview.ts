/// A tree of any number of rows, with the keys and the roles of the ARIA pattern. Its owner knows what the rows are.
import { el, uniqueId } from './dom.ts';
import { icon } from './icons.ts';
import { stepOf } from './keys.ts';
import { Rows, rowOf } from './rows.ts';

/** What the tree has to know of a row. */
export interface TreeRow {
  depth: number;
  /** Whether what is inside of it is shown; `undefined` if there is nothing inside. */
  open?: boolean | undefined;
  selected?: boolean;
  /** The place among its siblings, from 0, and their number. */
  place?: [position: number, size: number];
}

interface Options<T> {
  label: string;
  role: 'tree' | 'treegrid';
  height: number;
  /** Returns the row at a position. */
  row(index: number): T;
  describe(row: T): TreeRow;
  /** Fills the element of a row, behind its twist. */
  draw(row: T, host: HTMLElement, name: HTMLElement): void;
  /** The position of the row that the keyboard acts on; -1 if there is none. */
  active(): number;
  /** Makes the row at a position the active one. */
  move(index: number, direction: 1 | -1): void;
  /** Returns the position of the row around a row; -1 if there is none. */
  parent(row: T): number;
  toggle(row: T, open: boolean): void;
  /** A row was clicked, or Enter was pressed. */
  choose(row: T, event: MouseEvent | KeyboardEvent): void;
  /** Another key. Returns whether it did something. */
  key?(event: KeyboardEvent, row: T | undefined): boolean;
}

const indent = 14;
/** Rows are indented up to this depth, so that names of deeper ones can still be read. */
const deepest = 12;

export class TreeView<T> {
  readonly element: HTMLElement;
  readonly rows: Rows;
  readonly #options: Options<T>;
  readonly #id = uniqueId('tree');

  constructor(options: Options<T>) {
    this.#options = options;
    const { label, role, height } = options;
    this.element = el('div', { class: 'tree-rows', role, tabindex: 0, 'aria-label': label });
    this.rows = new Rows(this.element, { height, role: role === 'tree' ? 'treeitem' : 'row', id: this.#id,
      draw: (index, row) => this.#draw(index, row) });
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('auxclick', (event) => this.#click(event));
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Draws the rows, of which there are so many now. */
  update(count: number): void {
    this.rows.update(count);
    this.#tellActive();
  }

  reveal(index: number, align?: 'auto' | 'center'): void {
    this.rows.reveal(index, align);
    this.#tellActive();
  }

  /** Returns the row that an event is about. */
  rowOf(event: Event): T | undefined {
    const index = rowOf(event);
    return index === undefined ? undefined : this.#options.row(index);
  }

  #tellActive(): void {
    const active = this.#options.active();
    if (active >= 0 && this.rows.element(active)) this.element.setAttribute('aria-activedescendant', `${this.#id}-${active}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  #draw(index: number, host: HTMLElement): void {
    // An input in the row stays until it is done.
    if (host.querySelector('.editing')) return;
    const row = this.#options.row(index);
    const { depth, open, selected, place } = this.#options.describe(row);
    host.className = 'row tree-row';
    host.replaceChildren();
    host.removeAttribute('title');
    host.classList.toggle('active', index === this.#options.active());
    host.classList.toggle('selected', selected === true);
    host.setAttribute('aria-level', String(depth + 1));
    host.setAttribute('aria-selected', String(selected === true));
    if (open === undefined) host.removeAttribute('aria-expanded');
    else host.setAttribute('aria-expanded', String(open));
    if (this.#options.role === 'treegrid') host.setAttribute('aria-rowindex', String(index + 1));
    if (place) {
      host.setAttribute('aria-posinset', String(place[0] + 1));
      host.setAttribute('aria-setsize', String(place[1]));
    }
    const twist = el('span', { class: 'twist', 'aria-hidden': 'true' }, open !== undefined && icon(open ? 'down' : 'right'));
    const name = el('span', { class: 'tree-name', role: this.#options.role === 'treegrid' ? 'gridcell' : undefined }, twist);
    name.style.paddingInlineStart = `${6 + Math.min(depth, deepest) * indent}px`;
    host.append(name);
    this.#options.draw(row, host, name);
  }

  #click(event: MouseEvent): void {
    const row = this.rowOf(event);
    if (row === undefined || event.button > 1 || (event.target as Element).closest('.editing')) return;
    const { open } = this.#options.describe(row);
    if ((event.target as Element).closest('.twist') && open !== undefined) this.#options.toggle(row, !open);
    else this.#options.choose(row, event);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.rows.count) return;
    if ((event.target as Element).closest('.editing, button')) return;
    const { active, row: rowAt, describe, move, toggle, choose, parent, key } = this.#options;
    const at = active();
    const row = at >= 0 ? rowAt(at) : undefined;
    const open = row === undefined ? undefined : describe(row).open;
    const step = stepOf(event, at, this.rows.count, this.rows.page);
    if (step !== undefined) {
      move(step, event.key === 'ArrowUp' || event.key === 'End' ? -1 : 1);
    } else if (event.key === 'ArrowRight' && row !== undefined && open !== undefined) {
      if (open) move(at + 1, 1);
      else toggle(row, true);
    } else if (event.key === 'ArrowLeft' && row !== undefined) {
      const above = parent(row);
      if (open) toggle(row, false);
      else if (above >= 0) move(above, 1);
    } else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined) {
      choose(row, event);
    } else if (!key?.(event, row)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
