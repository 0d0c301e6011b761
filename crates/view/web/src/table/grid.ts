/// A grid of any number of rows and columns, of which only the cells on the screen exist.
import { el, perFrame } from '../shell/dom.ts';
import { Spans } from '../shell/spans.ts';
import type { Column, Record } from '../api.ts';
import { HeaderCell, type HeaderHooks, type Order } from './header.ts';
import { move, type Position } from './keys.ts';

export const rowHeight = 28;
/** The heights of headers with filters, and of those without. */
const headHeights = [49, 28] as const;

export interface GridHooks {
  record(row: number): Record | undefined;
  /** Fills a cell; without a record, as a placeholder. */
  draw(cell: HTMLElement, record: Record | undefined, column: Column, row: number): void;
  order(column: Column): Order;
  filter(column: Column): string;
  filterError(column: Column): string | undefined;
  width(column: Column): number;
  /** The rows in view changed. */
  visible(first: number, last: number): void;
  /** The user went to another cell. */
  activated(position: Position): void;
  /** The user selected a range of cells. */
  extended?(range: Range | undefined): void;
  /** A key in a cell that does not move. Returns whether it did something. */
  key(event: KeyboardEvent, cell: HTMLElement): boolean;
  doubleClick(cell: HTMLElement): void;
  header: Omit<HeaderHooks, 'leave' | 'focused'>;
}

type Line = { element: HTMLElement; cells: Map<number, HTMLElement>; record: Record | undefined };

export class Grid {
  readonly element: HTMLElement;
  /** The active cell: the one that the keyboard acts on. */
  active: Position = { row: 0, column: 0 };
  /** The other corner of the selected range, if there is one. */
  #anchor: Position | undefined;
  readonly #hooks: GridHooks;
  readonly #headHeight: number;
  readonly #headRow = el('div', { class: 'grid-row grid-head-row', role: 'row', 'aria-rowindex': 1 });
  readonly #body = el('div', { class: 'grid-body', role: 'rowgroup' });
  readonly #inner: HTMLElement;
  readonly #headers = new Map<number, HeaderCell>();
  readonly #lines = new Map<number, Line>();
  readonly #resize: ResizeObserver;
  #columns: Column[] = [];
  #vertical = new Spans(0, rowHeight);
  #horizontal = new Spans(0, 0);
  /** Whether the focus belongs to the active cell, even if a scroll removed its element. */
  #focused = false;
  #isDrawing = false;
  #isGone = false;

  constructor(label: string, hooks: GridHooks) {
    this.#hooks = hooks;
    this.#headHeight = headHeights[hooks.header.filter ? 0 : 1];
    this.#inner = el('div', { class: 'grid-inner', role: 'presentation' },
      el('div', { class: 'grid-head', role: 'rowgroup' }, this.#headRow), this.#body);
    this.element = el('div', { class: hooks.header.filter ? 'grid' : 'grid plain', role: 'grid', 'aria-label': label,
      'aria-multiselectable': 'true' }, this.#inner);
    // Both change at once, and drawing between would have the browser lay out everything twice.
    const draw = perFrame(() => this.#isGone || this.draw());
    this.element.addEventListener('scroll', draw, { passive: true });
    this.#resize = new ResizeObserver(() => this.#isGone || this.resized());
    this.#listen();
  }

  /** To be called when the grid is in the document. */
  start(): void {
    this.#resize.observe(this.element);
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get rows(): number {
    return this.#vertical.count;
  }

  /** Sets the columns that are shown. */
  setColumns(columns: Column[]): void {
    const active = this.#columns[this.active.column];
    this.#columns = columns;
    const kept = active ? columns.indexOf(active) : -1;
    this.active = { ...this.active, column: kept >= 0 ? kept : Math.min(this.active.column, Math.max(0, columns.length - 1)) };
    this.element.setAttribute('aria-colcount', String(columns.length));
    this.#clear();
    this.resized();
  }

  /** Sets the number of rows. */
  setRows(rows: number): void {
    this.#vertical = new Spans(rows, rowHeight);
    this.element.setAttribute('aria-rowcount', String(rows + 1));
    if (this.active.row >= rows) this.active = { ...this.active, row: Math.max(0, rows - 1) };
    this.draw(true);
  }

  /** Takes over new widths of columns. */
  resized(): void {
    this.#horizontal = new Spans(this.#columns.length, (index) => this.#width(index));
    this.draw(true);
  }

  /** Draws what is in view; cells that exist only if `all`, or if their record arrived. */
  draw(all = false): void {
    this.#isDrawing = true;
    this.#draw(all);
    this.#isDrawing = false;
    if (this.#focused) this.#focus();
  }

  #draw(all: boolean): void {
    // The first column stays in view, and the active cell exists even out of view, so that it keeps the focus.
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const columns = [...new Set([0, this.active.column, ...this.#horizontal.between(scrollLeft, scrollLeft + clientWidth, 2)])]
      .filter((index) => index < this.#columns.length).sort((a, b) => a - b);
    const rows = this.#vertical.between(scrollTop, scrollTop + clientHeight, 6);
    const { row: active } = this.active;
    if (active >= 0 && active < this.rows && !rows.includes(active)) rows.push(active);
    this.#inner.style.width = `${this.#horizontal.total}px`;
    this.#body.style.height = `${this.#vertical.total}px`;
    const shown = new Set(columns);
    this.#drawHeader(columns, shown);
    const wanted = new Set(rows);
    for (const [index, line] of this.#lines) {
      if (wanted.has(index)) continue;
      line.element.remove();
      this.#lines.delete(index);
    }
    for (const index of rows) {
      let line = this.#lines.get(index);
      const record = this.#hooks.record(index);
      const fresh = all || !line || line.record !== record;
      if (!line) {
        const element = el('div', { class: 'grid-row', role: 'row', 'aria-rowindex': index + 2 });
        element.classList.toggle('odd', index % 2 === 1);
        element.style.top = `${this.#vertical.start(index)}px`;
        line = { element, cells: new Map(), record };
        this.#lines.set(index, line);
        const next = [...this.#body.children].find((other) => Number(other.getAttribute('aria-rowindex')) > index + 2);
        this.#body.insertBefore(element, next ?? null);
      }
      line.record = record;
      this.#drawLine(line, index, columns, shown, fresh);
    }
    if (this.rows) this.#hooks.visible(this.#vertical.at(scrollTop), this.#vertical.at(scrollTop + clientHeight - 1));
  }

  /** The selected range of cells, if it is more than the active one. */
  get range(): Range | undefined {
    const [a, b] = [this.#anchor, this.active];
    if (!a || b.row < 0 || (a.row === b.row && a.column === b.column)) return undefined;
    return { top: Math.min(a.row, b.row), bottom: Math.max(a.row, b.row), left: Math.min(a.column, b.column),
      right: Math.max(a.column, b.column) };
  }

  /** Makes a cell the active one, with the range from where the user began to it. */
  extend(position: Position): void {
    const anchor = this.#anchor ?? this.active;
    this.activate(position);
    this.#anchor = anchor;
    this.draw(true);
    this.#hooks.extended?.(this.range);
  }

  /** Makes a cell the active one, and scrolls it into view. Without `tell`, it is not selected. */
  activate(position: Position, focus = true, tell = true): void {
    const before = this.active;
    const hadRange = this.range !== undefined;
    this.#anchor = undefined;
    this.active = position;
    this.reveal(position);
    this.#focused ||= focus;
    this.draw(hadRange);
    for (const { row, column } of [before, position]) {
      const isActive = row === position.row && column === position.column;
      this.#lines.get(row)?.cells.get(column)?.classList.toggle('active', isActive);
      this.#lines.get(row)?.cells.get(column)?.setAttribute('aria-selected', String(isActive));
      this.#lines.get(row)?.element.classList.toggle('current', row === position.row);
    }
    this.#tabStops();
    if (focus) this.#focus();
    if (tell) this.#hooks.activated(position);
  }

  /** Scrolls as little as possible to show a cell. */
  reveal({ row, column }: Position): void {
    const { element } = this;
    if (row >= 0) {
      const room = element.clientHeight - this.#headHeight;
      const top = row * rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + room) {
        const far = top > element.scrollTop + 3 * room;
        element.scrollTop = far ? top - room / 2 : top + rowHeight - room;
      }
    }
    if (column > 0) {
      const left = this.#left(column);
      const first = this.#width(0);
      const right = left + this.#width(column);
      if (left - first < element.scrollLeft) element.scrollLeft = left - first;
      else if (right > element.scrollLeft + element.clientWidth) {
        element.scrollLeft = Math.min(left - first, right - element.clientWidth);
      }
    }
  }

  /** Returns the element of a cell, if it is in view. */
  cell({ row, column }: Position): HTMLElement | undefined {
    return this.#lines.get(row)?.cells.get(column);
  }

  /** Returns the position of the cell that contains an element. */
  positionOf(element: EventTarget | null): Position | undefined {
    const cell = (element as Element | null)?.closest<HTMLElement>('.grid-cell');
    const [row, column] = [Number(cell?.dataset.row), Number(cell?.dataset.column)];
    return Number.isNaN(row) || Number.isNaN(column) ? undefined : { row, column };
  }

  /** Gives the focus to the active cell. */
  focus(): void {
    this.#focused = true;
    this.draw();
  }

  destroy(): void {
    this.#isGone = true;
    this.#resize.disconnect();
  }

  #width(index: number): number {
    const column = this.#columns[index];
    const width = column ? this.#hooks.width(column) : 0;
    // The first column stays in view, so it must leave room for others on a phone.
    return index === 0 ? Math.min(width, Math.max(96, Math.floor(this.element.clientWidth * 0.4))) : width;
  }

  #left(index: number): number {
    return this.#horizontal.start(index);
  }

  #drawHeader(columns: number[], shown: Set<number>): void {
    for (const [index, header] of this.#headers) {
      if (shown.has(index)) continue;
      header.element.remove();
      this.#headers.delete(index);
    }
    for (const index of columns) {
      const column = this.#columns[index]!;
      let header = this.#headers.get(index);
      if (!header) {
        header = new HeaderCell(column, index, { ...this.#hooks.header, leave: (_, key) => this.#leaveHeader(index, key), focused: () => {
          this.#focused = false;
          if (this.active.column !== index) this.activate({ ...this.active, column: index }, false, false);
        } });
        header.element.classList.toggle('first', index === 0);
        this.#headers.set(index, header);
        this.#place(this.#headRow, header.element, index);
      }
      header.update(this.#hooks.order(column), this.#hooks.filter(column), index === 0 ? 0 : this.#left(index), this.#width(index),
        index === this.active.column, this.#hooks.filterError(column));
    }
  }

  #drawLine(line: Line, row: number, columns: number[], shown: Set<number>, all: boolean): void {
    line.element.classList.toggle('current', row === this.active.row);
    const { range } = this;
    for (const [index, cell] of line.cells) {
      if (shown.has(index)) continue;
      cell.remove();
      line.cells.delete(index);
    }
    for (const index of columns) {
      let cell = line.cells.get(index);
      const fresh = all || !cell;
      if (!cell) {
        cell = el('div', { class: 'grid-cell', role: index === 0 ? 'rowheader' : 'gridcell', 'aria-colindex': index + 1, tabindex: -1,
          'data-row': row, 'data-column': index });
        cell.classList.toggle('first', index === 0);
        line.cells.set(index, cell);
        this.#place(line.element, cell, index);
      }
      if (!fresh) continue;
      cell.style.left = index === 0 ? '' : `${this.#left(index)}px`;
      cell.style.width = `${this.#width(index)}px`;
      const active = row === this.active.row && index === this.active.column;
      cell.classList.toggle('active', active);
      const isInRange = range !== undefined && row >= range.top && row <= range.bottom && index >= range.left && index <= range.right;
      cell.classList.toggle('in-range', isInRange);
      cell.setAttribute('aria-selected', String(isInRange || active));
      cell.tabIndex = active ? 0 : -1;
      if (!cell.classList.contains('editing')) this.#hooks.draw(cell, line.record, this.#columns[index]!, row);
    }
  }

  /** Puts a cell into a row, in the order of the columns, which is the order for screen readers. */
  #place(row: HTMLElement, cell: HTMLElement, index: number): void {
    const next = [...row.children].find((other) => Number(other.getAttribute('aria-colindex')) > index + 1);
    row.insertBefore(cell, next ?? null);
  }

  #tabStops(): void {
    for (const [row, line] of this.#lines) {
      for (const [column, cell] of line.cells) cell.tabIndex = row === this.active.row && column === this.active.column ? 0 : -1;
    }
  }

  #focus(): void {
    const { row, column } = this.active;
    if (row < 0) return;
    const cell = this.#lines.get(row)?.cells.get(column);
    if (cell && !cell.contains(document.activeElement)) cell.focus({ preventScroll: true });
  }

  #clear(): void {
    this.#isDrawing = true;
    for (const line of this.#lines.values()) line.element.remove();
    for (const header of this.#headers.values()) header.element.remove();
    this.#lines.clear();
    this.#headers.clear();
    this.#isDrawing = false;
  }

  #leaveHeader(column: number, key: string): boolean {
    const steps: { [key: string]: number } = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: this.#columns.length - 1 };
    if (key === 'ArrowDown') {
      if (!this.rows) return false;
      const first = Math.ceil(this.element.scrollTop / rowHeight);
      this.activate({ row: Math.min(first, this.rows - 1), column });
      return true;
    }
    const wanted = steps[key];
    if (wanted === undefined) return false;
    const index = Math.max(0, Math.min(this.#columns.length - 1, wanted));
    this.activate({ ...this.active, column: index }, false, false);
    this.#headers.get(index)?.focus();
    return true;
  }

  /** Extends the range to the cells that the mouse is dragged over. */
  #drag(): void {
    const over = (event: PointerEvent): void => {
      const position = this.positionOf(document.elementFromPoint(event.clientX, event.clientY));
      if (!position || (position.row === this.active.row && position.column === this.active.column)) return;
      getSelection()?.removeAllRanges();
      this.extend(position);
    };
    const end = new AbortController();
    addEventListener('pointermove', over, { signal: end.signal });
    addEventListener('pointerup', () => end.abort(), { signal: end.signal });
    addEventListener('pointercancel', () => end.abort(), { signal: end.signal });
  }

  #listen(): void {
    const { element } = this;
    element.addEventListener('focusin', (event) => {
      this.#focused = (event.target as Element).classList.contains('grid-cell');
    });
    element.addEventListener('focusout', () => {
      // If drawing removes the element of the active cell, nothing else gets the focus.
      if (!this.#isDrawing) this.#focused = false;
    });
    element.addEventListener('pointerdown', (event) => {
      const position = this.positionOf(event.target);
      if (!position) {
        this.#focused = false;
        return;
      }
      if ((event.target as Element).closest('.editing, .cell-link') || event.button) return;
      if (event.shiftKey) {
        event.preventDefault();
        this.extend(position);
      } else {
        this.activate(position);
      }
      if (event.pointerType === 'mouse') this.#drag();
    });
    element.addEventListener('dblclick', (event) => {
      const cell = (event.target as Element).closest<HTMLElement>('.grid-cell');
      if (cell && !cell.classList.contains('editing')) this.#hooks.doubleClick(cell);
    });
    element.addEventListener('keydown', (event) => {
      const cell = event.target as HTMLElement;
      if (!cell.classList.contains('grid-cell')) return;
      const page = Math.max(1, Math.floor((element.clientHeight - this.#headHeight) / rowHeight) - 1);
      const position = move(event, this.active, { rows: this.rows, columns: this.#columns.length, page });
      if (position?.row === -1) {
        if (event.shiftKey) return;
        this.#focused = false;
        this.#headers.get(position.column)?.focus();
      } else if (position && event.shiftKey) {
        this.extend(position);
      } else if (position) {
        this.activate(position);
      } else if (!this.#hooks.key(event, cell)) {
        return;
      }
      event.preventDefault();
    });
  }
}

/** A rectangle of cells, with its edges. */
export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}
