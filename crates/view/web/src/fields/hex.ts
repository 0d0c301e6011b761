/// The bytes of a file of any size: offset, numbers and letters.
import type { Space } from '../api.ts';
import { el, perFrame, put, uniqueId } from '../shell/dom.ts';
import { failure } from '../shell/failure.ts';
import { formatOffset } from '../shell/text.ts';
import { Bytes } from './bytes.ts';
import { LongScroll } from './scroll.ts';

const rowHeight = 22;
/** Bytes a row, from wide to narrow. */
const widths = [16, 8, 4];

interface Options {
  at: string;
  signal: AbortSignal;
  /** Called when the user chooses a byte. */
  chosen: (offset: number) => void;
  /** Called when the cursor moves or its byte arrives. */
  moved: (offset: number) => void;
}

interface Line {
  element: HTMLElement;
  offset: HTMLElement;
  bytes: HTMLElement[];
  letters: HTMLElement[];
}

export class Hex {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #id = uniqueId('byte');
  readonly #scroll: HTMLElement;
  readonly #view = el('div', { class: 'hex-view', role: 'presentation' });
  readonly #problem = el('div', {});
  readonly #measure = el('span', { class: 'mono hex-measure', 'aria-hidden': 'true' }, '0'.repeat(100));
  readonly #position: LongScroll;
  readonly #resize: ResizeObserver;
  readonly #draw = perFrame(() => this.#drawNow());
  #bytes: Bytes | undefined;
  #lines: Line[] = [];
  #width = 16;
  #digits = 4;
  #mark: [number, number] = [0, 0];
  cursor = 0;

  constructor(options: Options) {
    this.#options = options;
    const spacer = el('div', { class: 'hex-spacer' }, this.#view);
    this.#scroll = el('div', { class: 'hex-scroll', role: 'grid', tabindex: 0, 'aria-label': 'Bytes' }, spacer);
    this.element = el('div', { class: 'hex' }, this.#problem, this.#scroll, this.#measure);
    this.#position = new LongScroll(this.#scroll, spacer, rowHeight, this.#draw);
    this.#resize = new ResizeObserver(() => this.#layout());
    this.#resize.observe(this.#scroll);
    this.#scroll.addEventListener('click', (event) => this.#click(event));
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
  }

  destroy(): void {
    this.#resize.disconnect();
  }

  get length(): number {
    return this.#bytes?.length ?? 0;
  }

  /** The offset of the first byte. */
  get start(): number {
    return this.#bytes?.start ?? 0;
  }

  get #end(): number {
    return this.start + this.length;
  }

  get space(): Space {
    return this.#bytes?.space ?? 'file';
  }

  /** Returns up to `count` bytes at the cursor; fewer if they have not arrived. */
  atCursor(count: number): Uint8Array {
    const values: number[] = [];
    for (let offset = this.cursor; values.length < count; offset += 1) {
      const value = this.#bytes?.get(offset);
      if (value === undefined) break;
      values.push(value);
    }
    return Uint8Array.from(values);
  }

  /** Shows a part of a file, whose offsets count in the file, or an unpacked image. */
  show(space: Space, start: number, length: number): void {
    const { at, signal } = this.#options;
    this.#bytes = new Bytes(at, space, start, length, signal, this.#draw);
    this.#digits = Math.max(4, formatOffset(Math.max(0, start + length - 1)).length);
    this.cursor = start;
    this.#mark = [0, 0];
    this.#position.top = 0;
    this.#view.parentElement!.dataset.empty = String(length === 0);
    this.#layout(true);
  }

  /** Marks bytes, and scrolls to them. */
  mark(offset: number, length: number): void {
    this.#mark = [offset, offset + length];
    this.cursor = this.#clamp(offset);
    this.#position.reveal(this.#rowOf(offset), Math.ceil(length / this.#width));
    this.#draw();
  }

  unmark(): void {
    this.#mark = [0, 0];
    this.#draw();
  }

  /** Moves the cursor, and scrolls to it. */
  moveTo(offset: number): void {
    this.cursor = this.#clamp(offset);
    this.#position.reveal(this.#rowOf(this.cursor));
    this.#draw();
  }

  #clamp(offset: number): number {
    return Math.max(this.start, Math.min(offset, this.#end - 1));
  }

  #rowOf(offset: number): number {
    return Math.floor((offset - this.start) / this.#width);
  }

  /** Fits as many bytes into a row as there is room for. */
  #layout(force = false): void {
    const letter = this.#measure.getBoundingClientRect().width / 100;
    const room = this.#scroll.clientWidth;
    // Per byte: two digits and their margins, and one letter; the margins of the columns.
    const needed = (bytes: number): number => letter * (this.#digits + bytes * 3) + bytes * 4 + bytes / 4 * 6 + 52;
    const width = widths.find((bytes) => needed(bytes) <= room) ?? widths.at(-1)!;
    const first = Math.floor(this.#position.top) * this.#width;
    const changed = width !== this.#width || force;
    this.#width = width;
    const count = Math.ceil(this.#scroll.clientHeight / rowHeight) + 1;
    if (changed || this.#lines.length !== count) this.#build(count);
    const rows = Math.ceil(this.length / width);
    if (changed) this.#position.top = Math.floor(first / width);
    this.#position.update(rows);
    this.#scroll.setAttribute('aria-rowcount', String(rows));
    this.#scroll.setAttribute('aria-colcount', String(width));
  }

  #build(count: number): void {
    const cells = (role?: string): HTMLElement[] => Array.from({ length: this.#width }, () => el('span', { role }));
    this.#lines = Array.from({ length: count }, () => {
      const offset = el('span', { class: 'hex-offset', role: 'rowheader' });
      const bytes = cells('gridcell');
      const letters = cells();
      const element = el('div', { class: 'hex-row mono', role: 'row' }, offset,
        el('span', { class: 'hex-bytes', role: 'presentation' }, ...bytes),
        el('span', { class: 'hex-letters', 'aria-hidden': 'true' }, ...letters));
      return { element, offset, bytes, letters };
    });
    this.#view.replaceChildren(...this.#lines.map((line) => line.element));
  }

  #drawNow(): void {
    if (!this.#bytes) return;
    const first = Math.floor(this.#position.top);
    this.#bytes.want(this.start + first * this.#width, this.start + (first + this.#lines.length) * this.#width);
    this.#view.style.transform = `translateY(${(first - this.#position.top) * rowHeight}px)`;
    this.#lines.forEach((line, index) => this.#drawLine(line, first + index));
    const visible = this.#view.querySelector('.cursor[role]');
    if (visible) this.#scroll.setAttribute('aria-activedescendant', visible.id);
    else this.#scroll.removeAttribute('aria-activedescendant');
    const { error } = this.#bytes;
    if (error === undefined) this.#problem.replaceChildren();
    else if (!this.#problem.hasChildNodes()) this.#problem.append(failure(error, () => this.#bytes?.retry()));
    this.#options.moved(this.cursor);
  }

  #drawLine(line: Line, row: number): void {
    const start = this.start + row * this.#width;
    line.element.hidden = start >= this.#end;
    if (line.element.hidden) return;
    line.element.setAttribute('aria-rowindex', String(row + 1));
    line.element.dataset.start = String(start);
    line.offset.textContent = formatOffset(start, this.#digits);
    for (let column = 0; column < this.#width; column += 1) {
      const offset = start + column;
      const value = offset < this.#end ? this.#bytes!.get(offset) : undefined;
      const cell = line.bytes[column]!;
      const letter = line.letters[column]!;
      const missing = offset < this.#end ? '··' : '';
      cell.textContent = value === undefined ? missing : value.toString(16).padStart(2, '0');
      letter.textContent = value === undefined ? '' : letterOf(value);
      const isMarked = offset >= this.#mark[0] && offset < this.#mark[1];
      const isCursor = offset === this.cursor && offset < this.#end;
      const state = `${isMarked ? ' marked' : ''}${isCursor ? ' cursor' : ''}${value === 0 ? ' zero' : ''}`;
      cell.className = `byte${state}`;
      letter.className = `letter${state}`;
      if (isCursor) cell.id = `${this.#id}-cursor`;
      else cell.removeAttribute('id');
    }
  }

  #click(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('.hex-row');
    const cell = (event.target as Element).closest<HTMLElement>('.byte, .letter');
    if (!row || !cell) return;
    const offset = Number(row.dataset.start) + [...cell.parentElement!.children].indexOf(cell);
    if (offset >= this.#end) return;
    this.moveTo(offset);
    this.#options.chosen(offset);
  }

  #key(event: KeyboardEvent): void {
    if (event.metaKey || event.altKey) return;
    const { cursor } = this;
    const width = this.#width;
    const page = this.#position.page * width;
    const first = this.start + this.#rowOf(cursor) * width;
    const ends: Record<string, number> = { Home: this.start, End: this.#end - 1 };
    const steps: Record<string, number> = {
      ArrowLeft: cursor - 1,
      ArrowRight: cursor + 1,
      ArrowUp: cursor - width,
      ArrowDown: cursor + width,
      PageUp: cursor - page,
      PageDown: cursor + page,
      Home: first,
      End: first + width - 1,
    };
    const step = event.ctrlKey ? ends[event.key] : steps[event.key];
    if (step !== undefined) {
      if (step >= this.start && step < this.#end) this.moveTo(step);
      else if (event.key.startsWith('Page') || event.key === 'End') this.moveTo(step);
    } else if (event.key === 'Enter') {
      this.#options.chosen(cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

const letterOf = (value: number): string => (value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : '·');

/** Shows what the bytes at the cursor are as numbers. */
export const interpretation = (bytes: Uint8Array, isLittle: boolean): [string, string][] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values: [string, string][] = [];
  const add = (name: string, size: number, read: () => number): void => {
    const text = bytes.length >= size ? String(read()) : '';
    // A signed number is only shown if it is another than the unsigned one.
    if (text && !(name.startsWith('i') && values.at(-1)?.[1] === text)) values.push([name, text]);
  };
  add('u8', 1, () => view.getUint8(0));
  add('i8', 1, () => view.getInt8(0));
  add('u16', 2, () => view.getUint16(0, isLittle));
  add('i16', 2, () => view.getInt16(0, isLittle));
  add('u32', 4, () => view.getUint32(0, isLittle));
  add('i32', 4, () => view.getInt32(0, isLittle));
  add('f32', 4, () => Number(view.getFloat32(0, isLittle).toPrecision(7)));
  return values;
};

/** Shows the numbers at the cursor in a line. */
export const drawInterpretation = (host: HTMLElement, hex: Hex, isLittle: boolean): void => {
  host.replaceChildren();
  if (!hex.length) return;
  put(host, el('span', { class: 'mono' }, `0x${formatOffset(hex.cursor)} = ${hex.cursor}`));
  for (const [name, value] of interpretation(hex.atCursor(4), isLittle)) {
    put(host, el('span', { class: 'number' }, el('span', { class: 'dim' }, name), ' ', el('span', { class: 'mono' }, value)));
  }
};
