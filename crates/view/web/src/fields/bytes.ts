/// The bytes of a file, loaded in pages where they are looked at.
import { bytes, type Space } from '../api.ts';
import { isAbort } from '../shell/failure.ts';

const pageSize = 16384;
/** Pages that are kept: 4 MiB. */
const kept = 256;
/** While the user drags the scroll bar, nothing is asked for. */
const pause = 40;

export class Bytes {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #requests = new Map<number, AbortController>();
  #wanted: number[] = [];
  #timer = 0;
  error: unknown;

  constructor(
    readonly at: string,
    readonly space: Space,
    /** The offset of the first byte. */
    readonly start: number,
    readonly length: number,
    readonly signal: AbortSignal,
    readonly changed: () => void,
  ) {
    signal.addEventListener('abort', () => this.#give(() => true));
  }

  /** Returns a byte, if it has arrived. */
  get(at: number): number | undefined {
    const offset = at - this.start;
    return this.#pages.get(Math.floor(offset / pageSize))?.[offset % pageSize];
  }

  /** Asks for the bytes that are visible, and gives up requests for others. */
  want(from: number, to: number): void {
    const pages: number[] = [];
    for (let page = Math.floor((from - this.start) / pageSize); page * pageSize < Math.min(to - this.start, this.length); page += 1)
      pages.push(page);
    this.#wanted = pages;
    this.#give((page) => !pages.includes(page));
    clearTimeout(this.#timer);
    if (this.error === undefined && pages.some((page) => !this.#pages.has(page) && !this.#requests.has(page))) {
      this.#timer = window.setTimeout(() => pages.forEach((page) => void this.#ask(page)), this.#pages.size ? pause : 0);
    }
  }

  /** Asks again after an error. */
  retry(): void {
    this.error = undefined;
    for (const page of this.#wanted) void this.#ask(page);
    this.changed();
  }

  #give(condition: (page: number) => boolean): void {
    for (const [page, request] of this.#requests) {
      if (!condition(page)) continue;
      request.abort();
      this.#requests.delete(page);
    }
  }

  async #ask(page: number): Promise<void> {
    if (this.#pages.has(page) || this.#requests.has(page) || this.signal.aborted) return;
    const request = new AbortController();
    this.#requests.set(page, request);
    const { at, space } = this;
    try {
      const data = await bytes('bytes', { at, space, from: this.start + page * pageSize, len: pageSize }, request.signal);
      this.#pages.set(page, new Uint8Array(data ?? new ArrayBuffer(0)));
      this.#forget();
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    } finally {
      if (this.#requests.get(page) === request) this.#requests.delete(page);
    }
    this.changed();
  }

  /** Forgets the pages that arrived first. */
  #forget(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= kept) return;
      if (!this.#wanted.includes(page)) this.#pages.delete(page);
    }
  }
}
