/// A list of any length, of which only the rows on the screen exist.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { el } from './dom.ts';

interface Options {
  /** Draws a row, and fills the element of a row that was drawn before. */
  draw: (index: number, row: HTMLElement) => void;
  /** The height of a row in pixels. */
  height: number | ((index: number) => number);
  /** The role of rows, such as `option`. */
  role?: string;
  /** Gives rows an id, for `aria-activedescendant`. */
  id?: string;
}

export class Rows {
  readonly #host: HTMLElement;
  readonly #list = el('div', { class: 'rows', role: 'presentation' });
  readonly #rows = new Map<number, HTMLElement>();
  readonly #options: Options;
  readonly #virtual: Virtualizer<HTMLElement, HTMLElement>;
  readonly #unmount: () => void;

  /** `host` is the element that scrolls. */
  constructor(host: HTMLElement, options: Options) {
    this.#host = host;
    this.#options = options;
    host.append(this.#list);
    const { height } = options;
    this.#virtual = new Virtualizer<HTMLElement, HTMLElement>({
      count: 0,
      getScrollElement: () => this.#host,
      estimateSize: typeof height === 'number' ? () => height : height,
      overscan: 8,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#draw(false),
    });
    this.#unmount = this.#virtual._didMount();
    this.#virtual._willUpdate();
  }

  get count(): number {
    return this.#virtual.options.count;
  }

  /** Sets the number of rows, and draws all that are visible. */
  update(count: number): void {
    const variable = typeof this.#options.height !== 'number';
    if (count !== this.count || variable) {
      this.#virtual.setOptions({ ...this.#virtual.options, count });
      if (variable) this.#virtual.measure();
      this.#virtual._willUpdate();
    }
    this.#draw(true);
  }

  /** Scrolls as little as needed to make a row visible, or to the middle if it was far away. */
  reveal(index: number, align: 'auto' | 'center' | 'start' = 'auto'): void {
    this.#virtual.scrollToIndex(index, { align });
    this.#draw(false);
  }

  /** The first and last row that can be seen. */
  get range(): [number, number] {
    const range = this.#virtual.calculateRange();
    return range ? [range.startIndex, range.endIndex] : [0, 0];
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
    this.#unmount();
    this.#list.remove();
  }

  #draw(all: boolean): void {
    const items = this.#virtual.getVirtualItems();
    const wanted = new Set(items.map((item) => item.index));
    for (const [index, row] of this.#rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (const item of items) {
      let row = this.#rows.get(item.index);
      if (!row || all) {
        if (!row) {
          row = el('div', { class: 'row', role: this.#options.role, id: this.#options.id && `${this.#options.id}-${item.index}` });
          this.#rows.set(item.index, row);
          this.#list.append(row);
        }
        row.dataset.index = String(item.index);
        this.#options.draw(item.index, row);
      }
      row.style.transform = `translateY(${item.start}px)`;
      row.style.height = `${item.size}px`;
    }
    this.#list.style.height = `${this.#virtual.getTotalSize()}px`;
  }
}
