/// The parts of the view of a table, and the query and selection that they share.
import { ApiError, json, type Cell, type Column, type Parameters, type Record, type RowsPage, type Table } from '../api.ts';
import { editField, type Outcome } from '../edits/field.ts';
import { el } from '../shell/dom.ts';
import { emptyText } from '../shell/damage.ts';
import { failure, isAbort, sentence } from '../shell/failure.ts';
import { recall, remember } from '../shell/store.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Context, Place } from '../view.ts';
import { drawCell } from './cells.ts';
import { cellPath, isEditable } from './data.ts';
import { copiedText, mostCopied } from './copy.ts';
import { Details } from './details.ts';
import { Grid, type GridHooks } from './grid.ts';
import type { Position } from './keys.ts';
import { naturalWidth } from './measure.ts';
import { Pages } from './pages.ts';
import { PlotPanel } from './plot.ts';
import { filterParameters, readQuery, rowParameters, writeQuery, type Query } from './query.ts';
import { atMost } from './throttle.ts';
import { Toolbar } from './toolbar.ts';
import { Values } from './values.ts';

/** The server sorts by so many columns at most. */
const mostSorts = 8;

export class TableView {
  readonly #context: Context;
  readonly #table: Table;
  readonly #at: string;
  readonly #grid: Grid;
  readonly #toolbar: Toolbar;
  readonly #details: Details;
  readonly #plot: PlotPanel;
  readonly #values: Values;
  readonly #overlay = el('div', { class: 'table-overlay', hidden: true });
  readonly #widths = new Map<number, number>();
  #query: Query;
  #pages: Pages;
  /** The selected cell, as in the address. */
  #path: string;
  #selectedRow: number | undefined;
  #filterError: { column: number; message: string } | undefined;
  #lastFilter = -1;
  /** What the last step of the history changed, and when. */
  #lastChange = '';
  #lastStep = 0;
  /** What waits for the number of records. */
  readonly #waiting: (() => void)[] = [];

  constructor(host: HTMLElement, context: Context, table: Table, place: Place) {
    this.#context = context;
    this.#table = table;
    this.#at = context.about.node.at;
    this.#query = readQuery(place.more);
    this.#path = place.path;
    this.#pages = this.#newPages();
    for (const column of table.columns) this.#widths.set(column.index, naturalWidth(column, []));
    this.#grid = new Grid(`Records of ${table.name}`, this.#gridHooks());
    this.#toolbar = new Toolbar(table, {
      search: (text) => this.#change({ text }),
      goTo: (column) => this.#goToColumn(column),
      hide: (hidden) => this.#change({ hidden }),
      clear: () => this.#change({ text: '', filters: new Map() }),
      plot: () => this.#togglePlot(),
      details: () => this.#showDetails(this.#details.element.hidden),
    });
    this.#details = new Details(context, table.columns, {
      select: (column) => this.#selectField(column),
      close: () => this.#showDetails(false),
    });
    this.#plot = new PlotPanel(context, table, {
      changed: (plot) => this.#change({ plot }),
      filter: (filters) => this.#change({ filters: new Map([...this.#query.filters, ...filters]) }),
      show: (record) => void this.#find(record.path),
    });
    this.#values = new Values(context, (column, expression) => {
      const filters = new Map(this.#query.filters);
      if (expression) filters.set(column.index, expression);
      else filters.delete(column.index);
      this.#lastFilter = column.index;
      this.#change({ filters });
    });
    const view = el('div', { class: 'table-view' }, this.#toolbar.element,
      el('div', { class: 'table-main' },
        el('div', { class: 'table-left' }, this.#plot.element,
          el('div', { class: 'table-box' }, this.#grid.element, this.#overlay, this.#values.element)), this.#details.element));
    if (table.note) view.append(el('p', { class: 'table-note' }, table.note));
    host.replaceChildren(view);
    // On a phone the details cover half of the table, and elsewhere they take the room of columns.
    const kept = recall('table.details');
    const isWanted = kept ? kept === 'shown' && innerWidth >= 800 : innerWidth >= 1600 || (this.#path !== '' && innerWidth >= 1000);
    this.#details.element.hidden = !isWanted;
    this.#grid.start();
    this.#grid.setColumns(this.#shownColumns());
    this.#pages.want(0, 40);
    this.#updateToolbar();
    this.#plot.show(this.#query.plot, filterParameters(this.#query));
    if (this.#path) void this.#find(this.#path);
    context.edits.subscribe(() => {
      this.#grid.draw(true);
      this.#details.update();
    }, context.signal);
    this.#listen();
  }

  select(place: Place): void {
    const next = readQuery(place.more);
    if (differs(writeQuery(next), writeQuery(this.#query))) this.#apply(next);
    if (place.path && place.path !== this.#path) void this.#find(place.path);
  }

  destroy(): void {
    this.#pages.destroy();
    this.#grid.destroy();
    this.#details.destroy();
    this.#plot.destroy();
    this.#values.destroy();
  }

  #gridHooks(): GridHooks {
    return {
      record: (row) => this.#pages.get(row),
      draw: (cell, record, column, row) =>
        drawCell(cell, record, column, record && this.#context.edits.get(this.#at, cellPath(record, column)), this.#pages.error(row)),
      order: ({ index }) => {
        const { sort } = this.#query;
        const place = sort.findIndex(({ column }) => column === index);
        if (place < 0) return { direction: 'none' };
        return { direction: sort[place]!.descending ? 'descending' : 'ascending', ...(sort.length > 1 ? { place: place + 1 } : {}) };
      },
      filter: (column) => this.#query.filters.get(column.index) ?? '',
      filterError: (column) => this.#filterError?.column === column.index ? this.#filterError.message : undefined,
      width: (column) => this.#query.widths.get(column.index) ?? this.#widths.get(column.index) ?? 100,
      visible: (first, last) => this.#pages.want(first, last),
      activated: (position) => this.#activated(position),
      extended: (range) =>
        range && this.#context.announce(
          `${counted(range.bottom - range.top + 1, 'row')} by ${
            counted(range.right - range.left + 1, 'column')
          } selected: Ctrl+C copies them.`,
        ),
      key: (event, cell) => this.#key(event, cell),
      doubleClick: (cell) => this.#edit(cell),
      header: {
        sort: (column, isMore) => this.#sort(column, isMore),
        values: (column, button) => this.#values.show(column, this.#query, button),
        filter: (column, expression) => {
          if ((this.#query.filters.get(column.index) ?? '') === expression) return;
          const filters = new Map(this.#query.filters);
          if (expression) filters.set(column.index, expression);
          else filters.delete(column.index);
          this.#lastFilter = column.index;
          this.#change({ filters });
        },
        resize: (column, width, done) => {
          this.#query.widths.set(column.index, width);
          this.#grid.resized();
          if (done) this.#remember();
        },
      },
    };
  }

  #newPages(): Pages {
    return new Pages(this.#table.columns.length,
      (from, count, signal) =>
        json<RowsPage>('table/rows', { at: this.#at, from, count, ...rowParameters(this.#query) }, signal)
          .catch((error: unknown) => {
            if (error instanceof ApiError && error.status === 400 && this.#query.filters.size) {
              this.#filterError = { column: this.#lastFilter, message: error.message };
            }
            throw error;
          }), () => this.#arrived());
  }

  /** Draws records that came from the server. */
  #arrived(): void {
    const { total } = this.#pages;
    const error = this.#pages.error(0);
    if (total === undefined) {
      this.#overlay.hidden = false;
      this.#overlay.replaceChildren(failure(new Error(error ?? ''), () => this.#pages.retry()));
      this.#grid.setRows(0);
      return;
    }
    if (!this.#query.widths.size && this.#grid.rows === 0 && total) this.#fit();
    this.#overlay.hidden = total > 0;
    if (!total) {
      this.#overlay.replaceChildren(
        el('div', { class: 'empty' },
          el('p', {},
            this.#table.records ? 'No record matches the filters.' : emptyText(this.#context.about, 'This table has no records.'))),
      );
    }
    if (total === this.#grid.rows) this.#grid.draw();
    else this.#grid.setRows(total);
    this.#updateToolbar();
    if (this.#selectedRow !== undefined && this.#grid.active.row === this.#selectedRow) this.#select(this.#grid.active);
    for (const go of this.#waiting.splice(0)) go();
    this.#fillDetails();
  }

  /** Shows the record that the keyboard is at, so that the details are not empty. */
  #fillDetails(): void {
    const { row, column } = this.#grid.active;
    const [record, chosen] = [this.#pages.get(row), this.#grid.columns[column]];
    if (record && chosen && !this.#details.element.hidden && !this.#path) this.#details.show(record, chosen);
  }

  /** Makes the columns as wide as the first records need. */
  #fit(): void {
    const records: Record[] = [];
    for (let row = 0; row < 60; row += 1) {
      const record = this.#pages.get(row);
      if (record) records.push(record);
    }
    for (const column of this.#table.columns) this.#widths.set(column.index, naturalWidth(column, records));
    this.#grid.resized();
  }

  #change(change: Partial<Query>): void {
    const before = rowParameters(this.#query);
    this.#apply({ ...this.#query, ...change });
    if (differs(before, rowParameters(this.#query))) this.#step(before);
    else this.#remember();
  }

  /** Adds a step to the history; while the user types one filter, there is one. */
  #step(before: Parameters): void {
    const after = rowParameters(this.#query);
    const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]).join();
    const isTyping = changed !== 'sort' && changed === this.#lastChange && performance.now() - this.#lastStep < 2000;
    [this.#lastChange, this.#lastStep] = [changed, performance.now()];
    this.#context.update({ path: this.#path, more: writeQuery(this.#query) }, !isTyping);
  }

  /** Shows the records of another query, and keeps the selection. */
  #apply(query: Query): void {
    const columns = differs([...query.hidden], [...this.#query.hidden]);
    const rows = differs(rowParameters(query), rowParameters(this.#query));
    this.#query = query;
    if (columns) this.#grid.setColumns(this.#shownColumns());
    if (rows) {
      this.#pages.destroy();
      this.#filterError = undefined;
      this.#selectedRow = undefined;
      this.#pages = this.#newPages();
      this.#grid.element.scrollTop = 0;
      this.#grid.active = { ...this.#grid.active, row: 0 };
      this.#pages.want(0, 40);
      this.#waiting.length = 0;
      if (this.#path) this.#waiting.push(() => void this.#find(this.#path, false));
    }
    this.#grid.draw(true);
    this.#updateToolbar();
    this.#plot.show(query.plot, filterParameters(query));
  }

  /** Puts what is shown into the address, not more often than browsers allow. */
  readonly #remember = atMost(150, () => {
    if (!this.#context.signal.aborted) this.#context.update({ path: this.#path, more: writeQuery(this.#query) });
  });

  #updateToolbar(): void {
    this.#offerShown();
    this.#toolbar.update(this.#query, this.#pages.total, this.#query.plot !== undefined, !this.#details.element.hidden);
  }

  /** Offers the records that match as a download, if they are not all. */
  #offerShown(): void {
    const { total } = this.#pages;
    const { records, name } = this.#table;
    const parameters = rowParameters(this.#query);
    const isAll = !Object.values(parameters).some(Boolean);
    this.#context.offer(
      isAll || total === undefined ? [] :
        [{
          label: total === records ? 'CSV in this order' : `CSV of the ${formatCount(total)} shown`,
          href: `/api/download?${new URLSearchParams({ at: this.#at, to: 'csv', ...definite(parameters) })}`,
          file: `${name}.csv`,
        }],
    );
  }

  #shownColumns(): Column[] {
    return this.#table.columns.filter(({ index }) => index === 0 || !this.#query.hidden.has(index));
  }

  /** Sorts by a column: up, down, and not at all. `isMore` keeps the columns that it was sorted by before. */
  #sort(column: Column, isMore: boolean): void {
    if (!column.sortable) return;
    const { sort } = this.#query;
    const before = sort.find((one) => one.column === column.index);
    const next = before?.descending ? [] : [{ column: column.index, descending: before !== undefined }];
    const place = before ? sort.indexOf(before) : sort.length;
    const all = isMore ? sort.toSpliced(place, 1, ...next) : next;
    this.#change({ sort: all.slice(0, mostSorts) });
    const text = all.map((one) => `${this.#table.columns[one.column]?.name}, ${one.descending ? 'descending' : 'ascending'}`);
    this.#context.announce(text.length ? `Sorted by ${text.join('; ')}.` : 'In the order of the file.');
  }

  #goToColumn(column: Column): void {
    if (this.#query.hidden.has(column.index)) {
      const hidden = new Set(this.#query.hidden);
      hidden.delete(column.index);
      this.#change({ hidden });
    }
    this.#grid.activate({ row: Math.max(0, this.#grid.active.row), column: this.#shownColumns().indexOf(column) });
  }

  #togglePlot(): void {
    const { plot } = this.#query;
    const column = this.#grid.columns[this.#grid.active.column];
    const next = plot ? undefined : this.#plot.suggest(column);
    this.#change({ plot: next });
    if (next) this.#plot.focus();
  }

  #showDetails(shown: boolean): void {
    this.#details.element.hidden = !shown;
    this.#updateToolbar();
    remember('table.details', shown ? 'shown' : 'hidden');
    this.#fillDetails();
    if (!shown) this.#grid.focus();
  }

  #activated(position: Position): void {
    this.#grid.element.querySelectorAll('.grid-row[aria-selected=true]').forEach((row) => row.removeAttribute('aria-selected'));
    this.#selectedRow = position.row;
    this.#select(position);
  }

  /** Selects a cell, now or when its record arrives. */
  #select({ row, column }: Position): void {
    const record = this.#pages.get(row);
    const chosen = this.#grid.columns[column];
    if (!record || !chosen) return;
    this.#selectedRow = undefined;
    this.#show(record, chosen);
  }

  #show(record: Record, column: Column): void {
    this.#path = cellPath(record, column);
    this.#details.show(record, column);
    this.#remember();
  }

  /** Selects another field of the selected record. */
  #selectField(column: Column): void {
    const shown = this.#grid.columns.indexOf(column);
    const record = this.#pages.get(this.#grid.active.row);
    if (shown >= 0) this.#grid.activate({ row: this.#grid.active.row, column: shown }, false);
    else if (record) this.#show(record, column);
  }

  /** Selects the record or cell of a path. */
  async #find(path: string, reveal = true): Promise<void> {
    this.#path = path;
    const query = this.#query;
    try {
      const found = await json<{ row: number | null; column?: number }>('table/find', { at: this.#at, path, ...rowParameters(query) },
        this.#context.signal);
      if (differs(rowParameters(query), rowParameters(this.#query))) return;
      if (found.row === null) {
        const isFiltered = query.text !== '' || query.filters.size > 0;
        if (reveal)
          this.#context.announce(
            isFiltered ? `The record ${path} is not among those that match the filters.` : `There is no record ${path} in this table.`,
          );
        return;
      }
      if (this.#pages.total === undefined) await new Promise<void>((done) => this.#waiting.push(done));
      if (!reveal) {
        this.#grid.active = { ...this.#grid.active, row: found.row };
        this.#grid.draw(true);
        return;
      }
      const column = Math.max(0, this.#shownColumns().findIndex(({ index }) => index === (found.column ?? 0)));
      this.#grid.activate({ row: found.row, column }, false);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (!isAbort(error)) this.#context.announce(sentence(error));
  }

  #key(event: KeyboardEvent, cell: HTMLElement): boolean {
    if (event.key === 'Enter' && event.ctrlKey) {
      void this.#follow(this.#grid.active);
      return true;
    }
    if (event.key === 'F2' || (event.key === 'Enter' && !event.shiftKey)) {
      this.#edit(cell);
      return true;
    }
    if (event.key === ' ' && event.shiftKey) {
      const row = cell.closest('[role=row]')!;
      const selected = row.getAttribute('aria-selected') !== 'true';
      row.setAttribute('aria-selected', String(selected));
      this.#context.announce(selected ? 'Row selected: Ctrl+C copies it.' : 'Row no longer selected.');
      return true;
    }
    return false;
  }

  #edit(cell: HTMLElement): void {
    const position = this.#grid.positionOf(cell);
    const record = position && this.#pages.get(position.row);
    const column = position && this.#grid.columns[position.column];
    if (!position || !record || !column) return;
    if (!isEditable(column)) {
      this.#context.announce(
        column.index === 0 ? 'Names of records cannot be changed here.' : 'Words are not in the table; change the key before them.',
      );
      return;
    }
    const done = ({ next }: Outcome): void => {
      const { row, column: at } = position;
      const to = next === 'down' ? { row: Math.min(row + 1, this.#grid.rows - 1), column: at }
        : next === 'right' ? { row, column: Math.min(at + 1, this.#grid.columns.length - 1) }
        : next === 'left' ? { row, column: Math.max(at - 1, 0) } : undefined;
      this.#grid.draw(true);
      if (to) this.#grid.activate(to);
      else if (document.activeElement === document.body) this.#grid.focus();
    };
    editField(this.#context, cell, { path: cellPath(record, column), value: record.cells[column.index] ?? '', label: column.name, done });
  }

  /** Goes to the record that a cell names. */
  async #follow(position: Position): Promise<void> {
    const record = this.#pages.get(position.row);
    const column = this.#grid.columns[position.column];
    if (!record || !column?.link) return;
    try {
      const cell = await json<Cell>('table/cell', { at: this.#at, row: record.index, column: column.index }, this.#context.signal);
      if (cell.link) this.#context.go({ at: cell.link.at, path: cell.link.path });
      else this.#context.announce(`${column.link.name} has no record with this name.`);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Links in cells, and copying. */
  #listen(): void {
    const { element } = this.#grid;
    element.addEventListener('click', (event) => {
      const position = (event.target as Element).closest('.cell-link') && this.#grid.positionOf(event.target);
      if (position) void this.#follow(position);
    });
    element.addEventListener('copy', (event) => {
      if (!(event.target as Element).closest?.('.grid-cell') || String(getSelection())) return;
      const { range, active, columns } = this.#grid;
      const row = element.querySelector('.grid-row[aria-selected=true]');
      const { top, bottom, left, right } = range
        ?? { top: active.row, bottom: active.row, left: row ? 0 : active.column, right: row ? columns.length - 1 : active.column };
      const chosen = columns.slice(left, right + 1);
      const count = bottom - top + 1;
      if (count * chosen.length > mostCopied) {
        this.#context.announce(`More than ${formatCount(mostCopied)} cells cannot be copied at once.`);
        return;
      }
      event.preventDefault();
      const copied = range ? `Copied ${counted(count * chosen.length, 'cell')}.` : row ? 'Copied the row.' : 'Copied the value.';
      const text = (records: Record[]): string => records.map((record) => copiedText(record, chosen, this.#context)).join('\n');
      const records = Array.from({ length: count }, (_, index) => this.#pages.get(top + index));
      if (records.every((record) => record !== undefined)) {
        event.clipboardData?.setData('text/plain', text(records));
        this.#context.announce(copied);
        return;
      }
      // Records that have not been looked at are asked for first.
      this.#load(top, count).then(async (all) => navigator.clipboard.writeText(text(all)))
        .then(() => this.#context.announce(copied), (error: unknown) => this.#report(error));
    });
  }

  /** Asks for records in the current order. */
  async #load(from: number, count: number): Promise<Record[]> {
    const records: Record[] = [];
    while (records.length < count) {
      const { rows } = await json<RowsPage>('table/rows', {
        at: this.#at,
        from: from + records.length,
        count: Math.min(500, count - records.length),
        ...rowParameters(this.#query),
      }, this.#context.signal);
      if (!rows.length) break;
      records.push(...rows);
    }
    return records;
  }
}

const definite = (parameters: Parameters): { [name: string]: string } =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]));

const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
