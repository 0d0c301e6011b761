/// Two tables side by side: the same record in the same row, with the cells marked that differ.
import type { Column, Node, Record } from '../api.ts';
import { el } from '../shell/dom.ts';
import { attempt, failure, isAbort } from '../shell/failure.ts';
import { placeAddress } from '../shell/router.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { View } from '../view.ts';
import { drawCell } from '../table/cells.ts';
import { Grid } from '../table/grid.ts';
import { naturalWidth } from '../table/measure.ts';
import { Alignment, type Aligned } from './align.ts';
import { split, type Difference } from './data.ts';
import { Source } from './source.ts';

/** With more records on one side only, their places are not looked up. */
const mostUnpaired = 2000;

interface Options {
  /** How many records differ, if not all are among the differences. */
  count: number | undefined;
  signal: AbortSignal;
  announce(text: string): void;
  /** The user selected a record or cell. */
  choose(path: string): void;
}

type Sides = [left: Source, right: Source];
type Records = [left: Record | undefined, right: Record | undefined];

export class TablePair implements View {
  readonly #host: HTMLElement;
  readonly #nodes: [Node, Node];
  readonly #options: Options;
  /** The differences of each record. */
  readonly #changes = new Map<string, Difference[]>();
  readonly #onlyRows = el('input', { type: 'checkbox', checked: true });
  readonly #onlyColumns = el('input', { type: 'checkbox', checked: true });
  readonly #status = el('span', { class: 'dim numeric', role: 'status' });
  readonly #records = new Map<number, Records>();
  readonly #pending = new Set<number>();
  readonly #widths = new Map<string, number>();
  #sources: Sides | undefined;
  #grids: Grid[] = [];
  #alignment: Alignment | undefined;
  #paths: string[] = [];
  #wanted = '';

  constructor(host: HTMLElement, left: Node, right: Node, differences: Difference[], options: Options) {
    this.#host = host;
    this.#nodes = [left, right];
    this.#options = options;
    for (const difference of differences) {
      const at = difference.leftPlace?.at ?? left.at;
      if (at !== left.at && difference.rightPlace?.at !== right.at) continue;
      const record = recordOf(difference);
      const list = this.#changes.get(record);
      if (list) list.push(difference);
      else this.#changes.set(record, [difference]);
    }
    for (const box of [this.#onlyRows, this.#onlyColumns]) box.addEventListener('change', () => void this.#arrange());
    void attempt(host, () => this.#open());
  }

  /** Marks a record or cell. */
  goTo(path: string): void {
    this.#wanted = path;
    const isWanted = (difference: Difference): boolean => difference.path === path || difference.part === path;
    const row = this.#paths.findIndex((record) => this.#changes.get(record)!.some(isWanted));
    const grid = this.#grids[0];
    if (row < 0 || !grid || this.#alignment) return;
    const field = this.#changes.get(this.#paths[row]!)!.find(isWanted)?.field;
    const column = Math.max(0, grid.columns.findIndex((candidate) => candidate.name === field || candidate.path === field));
    for (const side of this.#grids) side.activate({ row, column }, false, false);
  }

  destroy(): void {
    for (const grid of this.#grids) grid.destroy();
  }

  async #open(): Promise<void> {
    this.#sources = await Promise.all(this.#nodes.map(({ at }) => Source.open(at, this.#options.signal))) as Sides;
    this.#grids = this.#nodes.map((node, side) => this.#grid(node, side));
    this.#host.replaceChildren(
      el('div', { class: 'side-bar' }, el('label', { class: 'side-check' }, this.#onlyRows, 'Only records that differ'),
        el('label', { class: 'side-check' }, this.#onlyColumns, 'Only columns that differ'), el('span', { class: 'grow' }), this.#status),
      el('div', { class: 'side-pair' },
        ...this.#grids.map((grid, side) => el('section', { class: 'compare-side', 'aria-label': side ? 'Right' : 'Left' }, grid.element))),
    );
    for (const grid of this.#grids) grid.start();
    this.#scrollTogether();
    await this.#arrange();
    if (this.#wanted) this.goTo(this.#wanted);
  }

  #grid(node: Node, side: number): Grid {
    const grid: Grid = new Grid(`${side ? 'Right' : 'Left'}: ${node.name}`, {
      record: (row) => this.#records.get(row)?.[side as 0 | 1],
      draw: (cell, record, column, row) => this.#draw(cell, record, column, row, side),
      order: () => ({ direction: 'none' }),
      filter: () => '',
      filterError: () => undefined,
      width: (column) => this.#widths.get(column.name) ?? 120,
      visible: (first, last) => this.#load(first, last),
      activated: (position) => {
        this.#grids[1 - side]?.activate(position, false, false);
        const record = this.#records.get(position.row)?.find(Boolean);
        const column = grid.columns[position.column];
        if (!record || !column) return;
        const [first] = this.#changes.get(record.path) ?? [];
        this.#options.choose(this.#changeOf(record.path, column)?.path ?? first?.part ?? record.path);
      },
      key: (event) => {
        if (event.key !== 'Enter') return false;
        this.#openRecord(grid, side);
        return true;
      },
      doubleClick: () => this.#openRecord(grid, side),
      header: {
        resize: (column, width) => {
          this.#widths.set(column.name, width);
          for (const each of this.#grids) each.resized();
        },
      },
    });
    return grid;
  }

  /** Chooses rows and columns. */
  async #arrange(): Promise<void> {
    const [left, right] = this.#sources!;
    this.#records.clear();
    this.#pending.clear();
    this.#paths = [...this.#changes.keys()].filter(Boolean);
    this.#alignment = undefined;
    if (!this.#onlyRows.checked) {
      try {
        this.#alignment = await this.#align(left, right);
      } catch (error) {
        if (isAbort(error)) return;
        this.#host.prepend(failure(error));
      }
      if (!this.#alignment) this.#onlyRows.checked = true;
    }
    // A record that is on one side only has no field that differs.
    const changed = new Set([...this.#changes.values()].flat().map(({ field }) => field).filter(Boolean));
    [left, right].forEach(({ table }, side) => {
      const only = this.#onlyColumns.checked && changed.size > 0;
      const columns = table.columns.filter((column) => column.index === 0 || !only || changed.has(column.name) || changed.has(column.path));
      for (const column of columns) if (!this.#widths.has(column.name)) this.#widths.set(column.name, naturalWidth(column, []));
      this.#grids[side]!.setColumns(columns);
      this.#grids[side]!.setRows(this.#alignment?.length ?? this.#paths.length);
    });
    const { count } = this.#options;
    const shown = this.#paths.length;
    this.#status.textContent = count === undefined || count <= shown ? `${counted(shown, 'record')} differ${shown === 1 ? 's' : ''}`
      : `${counted(count, 'record')} differ; the first ${formatCount(shown)} are shown`;
  }

  async #align(left: Source, right: Source): Promise<Alignment | undefined> {
    const only = (change: string): string[] =>
      [...this.#changes].filter(([, list]) => list.some((line) => line.change === change && !line.field)).map(([path]) => path);
    const [removed, added] = [only('removed'), only('added')];
    if (removed.length + added.length > mostUnpaired) {
      this.#options.announce('Too many records are on one side only: only those that differ can be shown.');
      return undefined;
    }
    const positions = async (source: Source, paths: string[]): Promise<number[]> =>
      (await Promise.all(paths.map((path) => source.position(path)))).filter((position) => position !== undefined);
    return new Alignment(left.table.records, await positions(left, removed), await positions(right, added));
  }

  #load(first: number, last: number): void {
    for (let row = first; row <= last; row += 1) {
      if (!this.#records.has(row) && !this.#pending.has(row)) void this.#loadRow(row);
    }
  }

  async #loadRow(row: number): Promise<void> {
    const [left, right] = this.#sources!;
    const alignment = this.#alignment;
    const place: Aligned = alignment?.at(row) ?? { path: this.#paths[row]! };
    const find = async (source: Source, position: number | undefined): Promise<Record | undefined> => {
      const index = place.path === undefined ? position : await source.position(place.path);
      return index === undefined ? undefined : source.record(index);
    };
    this.#pending.add(row);
    try {
      const records: Records = await Promise.all([find(left, place.left), find(right, place.right)]);
      if (alignment !== this.#alignment) return;
      this.#records.set(row, records);
      this.#fit(records);
      for (const grid of this.#grids) grid.draw(true);
    } catch (error) {
      if (!isAbort(error)) this.#options.announce((error as Error).message);
    } finally {
      this.#pending.delete(row);
    }
  }

  /** Makes columns wide enough for the first records. */
  #fit(records: Records): void {
    if (this.#records.size > 40) return;
    let wider = false;
    records.forEach((record, side) => {
      if (!record) return;
      for (const column of this.#grids[side]!.columns) {
        const width = naturalWidth(column, [record]);
        if (width <= (this.#widths.get(column.name) ?? 0)) continue;
        this.#widths.set(column.name, width);
        wider = true;
      }
    });
    if (wider) { for (const grid of this.#grids) grid.resized(); }
  }

  #changeOf(record: string, column: Column): Difference | undefined {
    return this.#changes.get(record)?.find(({ field }) => field === column.name || field === column.path);
  }

  #draw(cell: HTMLElement, record: Record | undefined, column: Column, row: number, side: number): void {
    const both = this.#records.get(row);
    const absent = both !== undefined && !record;
    const alone = both !== undefined && record !== undefined && !both[1 - side];
    const change = record && this.#changeOf(record.path, column);
    cell.classList.toggle('absent', absent);
    cell.classList.toggle('removed', alone && side === 0);
    cell.classList.toggle('added', alone && side === 1);
    cell.classList.toggle('differs', change !== undefined && !alone);
    if (absent) {
      cell.replaceChildren(column.index === 0 ? el('span', { class: 'dim' }, 'not on this side') : '');
      return;
    }
    // Links would lead away from the comparison.
    const { link, ...plain } = column;
    drawCell(cell, record, plain, undefined, undefined);
    if (change || alone) {
      cell.append(el('span', { class: 'visually-hidden' }, alone ? ', only on this side' : ', differs'));
    }
  }

  #openRecord(grid: Grid, side: number): void {
    const record = this.#records.get(grid.active.row)?.[side as 0 | 1];
    if (!record) return;
    const link = el('a', { href: placeAddress({ at: this.#nodes[side]!.at, path: record.path }) });
    this.#host.append(link);
    link.click();
    link.remove();
  }

  #scrollTogether(): void {
    const [left, right] = this.#grids.map(({ element }) => element) as [HTMLElement, HTMLElement];
    const follow = (from: HTMLElement, to: HTMLElement): void =>
      from.addEventListener('scroll', () => {
        if (Math.abs(to.scrollTop - from.scrollTop) > 1) to.scrollTop = from.scrollTop;
        if (Math.abs(to.scrollLeft - from.scrollLeft) > 1) to.scrollLeft = from.scrollLeft;
      }, { passive: true });
    follow(left, right);
    follow(right, left);
  }
}

/** The path of the record in its table, which may be in an archive. */
const recordOf = ({ field, part, leftPlace, rightPlace }: Difference): string => {
  const path = (leftPlace ?? rightPlace)?.path;
  if (!path) return part;
  return field ? split(path)[0] : path;
};
