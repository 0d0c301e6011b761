/// The fields of a part as a tree that is loaded where it is looked at.
import { json, type Fields, type Row } from '../api.ts';

/** Rows that one request asks for. */
const pageSize = 200;

/** What the elements of a tree share. */
export interface Shared {
  at: string;
  signal: AbortSignal;
  changed: () => void;
}

interface Page {
  promise: Promise<void>;
  error?: unknown;
}

/** A row, and what is inside it. */
export class Element {
  open = false;
  readonly #inner: Element[] = [];
  readonly #pages = new Map<number, Page>();
  /** The number of rows inside. While it is unknown, one more than have arrived. */
  #length: number;

  constructor(readonly row: Row | undefined, readonly parent: Element | undefined, readonly shared: Shared) {
    this.#length = row?.kind === 'list' ? row.count ?? 1 : 1;
  }

  /** The path of the row; that of the part around a list. */
  get path(): string {
    if (this.row?.kind === 'list') return this.parent?.path ?? '';
    return this.row?.path ?? '';
  }

  get depth(): number {
    return this.parent?.row ? this.parent.depth + 1 : 0;
  }

  /** The number of rows inside, with those that have not arrived. */
  get length(): number {
    return this.#length;
  }

  /** Returns a row, if it has arrived. */
  at(index: number): Element | undefined {
    return this.#inner[index];
  }

  /** Returns why a row can't be shown. */
  errorAt(index: number): unknown {
    return this.#pages.get(Math.floor(index / pageSize))?.error;
  }

  /** Asks for a row, unless that was done; again if it failed and `retry`. */
  want(index: number, retry = false): Promise<void> {
    const number = Math.floor(index / pageSize);
    const asked = this.#pages.get(number);
    if (asked && !(retry && asked.error !== undefined)) return asked.promise;
    const page: Page = { promise: Promise.resolve() };
    this.#pages.set(number, page);
    page.promise = this.#load(number * pageSize).catch((error: unknown) => {
      page.error = error;
    }).finally(() => this.shared.changed());
    return page.promise;
  }

  async #load(from: number): Promise<void> {
    const { at, signal } = this.shared;
    const path = this.row?.path ?? '';
    const answer = await json<Fields>('fields', { at, path, from, limit: pageSize }, signal);
    answer.rows.forEach((row, index) => {
      this.#inner[from + index] = new Element(row, this, this.shared);
    });
    const end = from + answer.rows.length;
    this.#length = answer.next === undefined ? end : Math.max(this.#length, answer.next + 1);
  }

  /** Returns the element at a path inside this one, or the innermost one around it, and opens the way to it. */
  async find(path: string): Promise<Element> {
    const { at, signal } = this.shared;
    const { way } = await json<{ way: { path: string; row: number }[] }>('fields/way', { at, path }, signal);
    let element: Element = this;
    for (const { row } of way) {
      if (element !== this) element.open = true;
      await element.want(row);
      const next = element.at(row);
      if (!next) break;
      element = next;
    }
    return element;
  }
}

/** A line of the list: an element, or a row inside one that has not arrived. */
export interface Line {
  element: Element;
  /** The index of the row that has not arrived; -1 if there are none. */
  missing?: number;
}

/** Returns the lines for what is inside an element and open. */
export const linesOf = (top: Element): Line[] => {
  const lines: Line[] = [];
  const add = (parent: Element): void => {
    if (!parent.length) lines.push({ element: parent, missing: -1 });
    for (let index = 0; index < parent.length; index += 1) {
      const element = parent.at(index);
      if (!element) {
        lines.push({ element: parent, missing: index });
        continue;
      }
      lines.push({ element });
      if (element.open) add(element);
    }
  };
  add(top);
  return lines;
};
