/// Scrolls through any number of rows. Browsers limit the height of an element, so that the scroll bar of a large file
/// stands for more rows than it has pixels.

/** A height that all browsers can show. */
const maxHeight = 8_000_000;
/** Scrolling has ended when nothing has happened for this time. */
const pause = 150;

export class LongScroll {
  /** The first visible row; its fraction is above the edge. */
  top = 0;
  readonly #host: HTMLElement;
  readonly #spacer: HTMLElement;
  readonly #rowHeight: number;
  readonly #changed: () => void;
  #rows = 0;
  /** The scroll position that `top` belongs to. */
  #last = 0;
  #timer = 0;

  constructor(host: HTMLElement, spacer: HTMLElement, rowHeight: number, changed: () => void) {
    this.#host = host;
    this.#spacer = spacer;
    this.#rowHeight = rowHeight;
    this.#changed = changed;
    host.addEventListener('scroll', () => this.#scrolled());
  }

  /** Sets the number of rows. */
  update(rows: number): void {
    this.#rows = rows;
    this.#spacer.style.height = `${Math.min(rows * this.#rowHeight, maxHeight)}px`;
    this.scrollTo(this.top);
  }

  /** The number of whole rows on the screen. */
  get page(): number {
    return Math.max(1, Math.floor(this.#host.clientHeight / this.#rowHeight));
  }

  /** Makes a row the first. */
  scrollTo(row: number): void {
    this.top = Math.max(0, Math.min(row, this.#lastTop));
    this.#settle();
    this.#changed();
  }

  /** Makes a row visible: in the middle if it was not. */
  reveal(row: number, rows = 1): void {
    const whole = this.page;
    if (row >= this.top && row + 1 <= this.top + whole) return;
    const near = row >= this.top - 1.5 && row <= this.top + whole + 0.5;
    if (near) this.scrollTo(row < this.top ? row : row + 1 - whole);
    else this.scrollTo(row - Math.max(2, Math.floor((whole - Math.min(rows, whole)) / 2)));
  }

  get #lastTop(): number {
    return Math.max(0, this.#rows - this.#host.clientHeight / this.#rowHeight);
  }

  get #range(): number {
    return Math.max(0, this.#host.scrollHeight - this.#host.clientHeight);
  }

  get #isScaled(): boolean {
    return this.#rows * this.#rowHeight > maxHeight;
  }

  /** Moves the scroll bar to where `top` is. */
  #settle(): void {
    const wanted = this.#isScaled ? (this.top / (this.#lastTop || 1)) * this.#range : this.top * this.#rowHeight;
    if (Math.abs(wanted - this.#host.scrollTop) >= 1) this.#host.scrollTop = wanted;
    this.#last = this.#host.scrollTop;
  }

  #scrolled(): void {
    const { scrollTop, clientHeight } = this.#host;
    if (!this.#isScaled) {
      this.top = scrollTop / this.#rowHeight;
    } else {
      const moved = scrollTop - this.#last;
      if (scrollTop <= 0 && moved) this.top = 0;
      else if (scrollTop >= this.#range - 1 && moved) this.top = this.#lastTop;
      // The wheel and the keys move by rows; a drag of the bar moves by parts of the file.
      else if (Math.abs(moved) < clientHeight) this.top += moved / this.#rowHeight;
      else this.top = (scrollTop / this.#range) * this.#lastTop;
      this.top = Math.max(0, Math.min(this.top, this.#lastTop));
      this.#last = scrollTop;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#settle(), pause);
    }
    this.#changed();
  }
}
