/// The records of one of two compared tables, by their paths and positions in the file.
import { json, type Record, type RowsPage, type Table } from '../api.ts';

const pageSize = 64;
const keptPages = 64;

export class Source {
  readonly at: string;
  readonly table: Table;
  readonly #signal: AbortSignal;
  readonly #pages = new Map<number, Promise<Record[]>>();
  readonly #positions = new Map<string, Promise<number | undefined>>();

  private constructor(at: string, table: Table, signal: AbortSignal) {
    this.at = at;
    this.table = table;
    this.#signal = signal;
  }

  static async open(at: string, signal: AbortSignal): Promise<Source> {
    return new Source(at, await json<Table>('table', { at }, signal), signal);
  }

  /** Returns the position of a record in the file. */
  position(path: string): Promise<number | undefined> {
    let position = this.#positions.get(path);
    if (!position) {
      position = json<{ row: number | null }>('table/find', { at: this.at, path }, this.#signal)
        .then(({ row }) => row ?? undefined);
      this.#positions.set(path, position);
      position.catch(() => this.#positions.delete(path));
    }
    return position;
  }

  /** Returns a record by its position in the file. */
  async record(index: number): Promise<Record | undefined> {
    const number = Math.floor(index / pageSize);
    let page = this.#pages.get(number);
    if (page) {
      // The last in the map is the one that was used last.
      this.#pages.delete(number);
    } else {
      page = json<RowsPage>('table/rows', { at: this.at, from: number * pageSize, count: pageSize }, this.#signal)
        .then(({ rows }) => rows);
      page.catch(() => this.#pages.delete(number));
    }
    this.#pages.set(number, page);
    if (this.#pages.size > keptPages) this.#pages.delete(this.#pages.keys().next().value!);
    return (await page)[index % pageSize];
  }
}
