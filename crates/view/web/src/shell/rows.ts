/// A list of any length, of which only the rows on the screen exist.
import { el } from './dom.ts';
import { Spans } from './spans.ts';

interface Options {
  /** Draws a row, and fills the element of a row that was drawn before. */
  draw: (index: number, row: HTMLElement) => void;
  /** The height of a row in pixels. */
  height: number | ((index: number) => number);
  /** Whether rows are as high as their contents, and `height` is an estimate. */
  measured?: boolean;
  /** The role of rows, such as `option`. */
  role?: string;
  /** Gives rows an id, for `aria-activedescendant`. */
  id?: string;
}

/** Rows beyond the edges that are drawn all the same. */
const spare = 8;

/** Returns the index of the row that an event is about. */
export const rowOf = (event: Event): number | undefined => {
  const row = (event.target as Element).closest<HTMLElement>('.row');
  return row ? Number(row.dataset.index) : undefined;
};

export class Rows {
  readonly #host: HTMLElement;
  readonly #list = el('div', { class: 'rows', role: 'presentation' });
  readonly #rows = new Map<number, HTMLElement>();
  readonly #options: Options;
  readonly #end = new AbortController();
  readonly #resize: ResizeObserver;
  readonly #measured = new Map<number, number>();
  #spans: Spans;

  /** `host` is the element that scrolls. */
  constructor(host: HTMLElement, options: Options) {
    this.#host = host;
    this.#options = options;
    this.#spans = this.#spansOf(0);
    host.append(this.#list);
    host.addEventListener('scroll', () => this.#draw(false), { passive: true, signal: this.#end.signal });
    this.#resize = new ResizeObserver(() => {
      // Other widths have other heights.
      this.#measured.clear();
      this.#draw(false);
    });
    this.#resize.observe(host);
  }

  get count(): number {
    return this.#spans.count;
  }

  /** Sets the number of rows, and draws all that are visible. */
  update(count: number): void {
    if (count < this.count) this.#measured.clear();
    if (count !== this.count || typeof this.#options.height !== 'number') this.#spans = this.#spansOf(count);
    this.#draw(true);
  }

  /** Scrolls as little as needed to make a row visible, or to the middle if it was far away. */
  reveal(index: number, align: 'auto' | 'center' | 'start' = 'auto'): void {
    const { scrollTop, clientHeight } = this.#host;
    const [start, end] = [this.#spans.start(index), this.#spans.start(index + 1)];
    let top = scrollTop;
    if (align === 'start') top = start;
    else if (align === 'center') top = (start + end - clientHeight) / 2;
    else if (start < scrollTop) top = start;
    else if (end > scrollTop + clientHeight) top = end - clientHeight;
    if (top !== scrollTop) this.#host.scrollTop = top;
    this.#draw(false);
  }

  /** The first and last row that can be seen. */
  get range(): [number, number] {
    const { scrollTop, clientHeight } = this.#host;
    return [this.#spans.at(scrollTop), this.#spans.at(scrollTop + clientHeight - 1)];
  }

  /** The element of a row, if it exists now. */
  element(index: number): HTMLElement | undefined {
    return this.#rows.get(index);
  }

  /** The number of whole rows on the screen. */
  get page(): number {
    const [first, last] = this.range;
    return Math.max(1, last - first - 1);
  }

  destroy(): void {
    this.#end.abort();
    this.#resize.disconnect();
    this.#list.remove();
  }

  #spansOf(count: number): Spans {
    const { height } = this.#options;
    if (!this.#options.measured) return new Spans(count, height);
    const estimate = typeof height === 'number' ? () => height : height;
    return new Spans(count, (index) => this.#measured.get(index) ?? estimate(index));
  }

  #draw(all: boolean): void {
    const { scrollTop, clientHeight } = this.#host;
    this.#list.style.height = `${this.#spans.total}px`;
    const items = this.#spans.between(scrollTop, scrollTop + clientHeight, spare);
    const wanted = new Set(items);
    for (const [index, row] of this.#rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (const index of items) {
      let row = this.#rows.get(index);
      if (!row || all) {
        row ??= this.#add(index);
        this.#options.draw(index, row);
      }
      row.style.transform = `translateY(${this.#spans.start(index)}px)`;
      if (!this.#options.measured) row.style.height = `${this.#spans.size(index)}px`;
    }
    if (this.#options.measured) this.#measure();
  }

  /** Adds the element of a row, in the order of the rows, which is the order for screen readers. */
  #add(index: number): HTMLElement {
    const { role, id } = this.#options;
    const row = el('div', { class: 'row', role, id: id && `${id}-${index}`, 'data-index': index });
    const next = [...this.#rows].reduce((best, [other]) => (other > index && other < best ? other : best), Infinity);
    this.#list.insertBefore(row, this.#rows.get(next) ?? null);
    this.#rows.set(index, row);
    return row;
  }

  /** Takes over the heights of the contents. */
  #measure(): void {
    let isOther = false;
    for (const [index, row] of this.#rows) {
      const height = row.offsetHeight;
      if (!height || height === this.#spans.size(index)) continue;
      this.#measured.set(index, height);
      isOther = true;
    }
    if (!isOther) return;
    this.#spans = this.#spansOf(this.count);
    this.#draw(false);
  }
}
