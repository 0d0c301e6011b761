/// The records of a table, in pages: asked for when they come into view, and forgotten when there are too many.
import type { Record, RowsPage } from '../api.ts';

/** How many cells are kept; the rest is asked for again. */
const keptCells = 600_000;
/** How long the user must stay before a page is asked for, in milliseconds. */
const patience = 40;

interface Page {
  rows?: Record[];
  error?: string;
  abort?: AbortController;
  used: number;
}

export class Pages {
  readonly pageSize: number;
  readonly #ask: (from: number, count: number, signal: AbortSignal) => Promise<RowsPage>;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Page>();
  readonly #limit: number;
  #clock = 0;
  #timer = 0;
  #total: number | undefined;

  constructor(columns: number, ask: (from: number, count: number, signal: AbortSignal) => Promise<RowsPage>, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
    this.pageSize = Math.max(32, Math.min(200, Math.floor(12_000 / columns)));
    this.#limit = Math.max(8, Math.floor(keptCells / columns / this.pageSize));
  }

  /** The number of records that match, as soon as the first page is there. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Returns a record that is there. */
  get(index: number): Record | undefined {
    const page = this.#pages.get(Math.floor(index / this.pageSize));
    if (page) page.used = this.#clock += 1;
    return page?.rows?.[index % this.pageSize];
  }

  /** Returns why a record is not there. */
  error(index: number): string | undefined {
    return this.#pages.get(Math.floor(index / this.pageSize))?.error;
  }

  /** Asks for the records that are in view, and gives up those that are not. */
  want(first: number, last: number): void {
    const from = Math.floor(Math.max(first, 0) / this.pageSize);
    const to = Math.floor(Math.max(last, 0) / this.pageSize);
    for (const [index, page] of this.#pages) {
      if (page.abort && (index < from || index > to)) {
        page.abort.abort();
        this.#pages.delete(index);
      }
    }
    clearTimeout(this.#timer);
    const load = () => {
      for (let index = from; index <= to; index += 1) if (!this.#pages.has(index)) void this.#load(index);
    };
    if (this.#pages.size) this.#timer = window.setTimeout(load, patience);
    else load();
  }

  /** Asks again for pages that failed. */
  retry(): void {
    for (const [index, page] of this.#pages) if (page.error) this.#pages.delete(index);
    this.#changed();
  }

  /** Returns a record, and waits for it if it is not there. */
  async load(index: number): Promise<Record | undefined> {
    const number = Math.floor(index / this.pageSize);
    if (!this.#pages.get(number)?.rows) {
      this.#pages.get(number)?.abort?.abort();
      await this.#load(number);
    }
    return this.get(index);
  }

  /** Returns the records that are there. */
  *loaded(): Generator<Record> {
    for (const page of this.#pages.values()) yield* page.rows ?? [];
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const page of this.#pages.values()) page.abort?.abort();
    this.#pages.clear();
  }

  async #load(index: number): Promise<void> {
    const abort = new AbortController();
    const page: Page = { abort, used: this.#clock += 1 };
    this.#pages.set(index, page);
    try {
      const answer = await this.#ask(index * this.pageSize, this.pageSize, abort.signal);
      page.rows = answer.rows;
      this.#total = answer.total;
    } catch (error) {
      if (abort.signal.aborted) return;
      page.error = (error as Error).message;
    }
    delete page.abort;
    this.#forget();
    this.#changed();
  }

  #forget(): void {
    while (this.#pages.size > this.#limit) {
      let oldest: number | undefined;
      for (const [index, page] of this.#pages) {
        if (!page.abort && (oldest === undefined || page.used < this.#pages.get(oldest)!.used)) oldest = index;
      }
      if (oldest === undefined) return;
      this.#pages.delete(oldest);
    }
  }
}
