/// Fields beside the bytes that they were read from. What is selected on one side is marked on the other.
import { json, type Space } from '../api.ts';
import { el, later, put } from '../shell/dom.ts';
import { isAbort, sentence } from '../shell/failure.ts';
import { splitter } from '../shell/splitter.ts';
import { counted, formatSize } from '../shell/text.ts';
import type { Context, Mount, Place, View } from '../view.ts';
import type { Element } from './element.ts';
import { drawInterpretation, Hex } from './hex.ts';
import { FieldList } from './list.ts';

export const mountFields: Mount = (host, context) => new FieldsView(host, context, true);

/** The bytes alone, of files in no known format. */
export const mountHex: Mount = (host, context) => new FieldsView(host, context, false);

const spaceNames: Record<Space, string> = { file: 'File', image: 'Unpacked' };

class FieldsView implements View {
  readonly #context: Context;
  readonly #list: FieldList | undefined;
  readonly #hex: Hex;
  readonly #numbers = el('div', { class: 'hex-numbers' });
  readonly #size = el('span', { class: 'dim size' });
  readonly #spaces: HTMLElement;
  #isLittle: boolean;
  /** The request for the field at a byte. */
  #locating: AbortController | undefined;

  constructor(host: HTMLElement, context: Context, withFields: boolean) {
    this.#context = context;
    const { about } = context;
    this.#isLittle = !about.big_endian;
    this.#hex = new Hex({
      at: about.node.at,
      signal: context.signal,
      chosen: (offset) => void this.#locate(offset),
      moved: () => drawInterpretation(this.#numbers, this.#hex, this.#isLittle),
    });
    this.#spaces = el('div', { class: 'segmented', role: 'group', 'aria-label': 'Bytes of' }, ...about.spaces.map((space) => {
      const button = el('button', { type: 'button', onclick: () => this.#show(space) }, spaceNames[space]);
      button.dataset.space = space;
      return button;
    }));
    const order = el('button', { class: 'button quiet', type: 'button', title: 'Byte order of the numbers' });
    const drawOrder = (): void => {
      order.textContent = this.#isLittle ? 'Little-endian' : 'Big-endian';
    };
    drawOrder();
    order.addEventListener('click', () => {
      this.#isLittle = !this.#isLittle;
      drawOrder();
      drawInterpretation(this.#numbers, this.#hex, this.#isLittle);
    });
    const bytes = el('section', { class: 'bytes column', 'aria-label': 'Bytes' },
      el('div', { class: 'toolbar' }, about.spaces.length > 1 && this.#spaces, this.#jumpField(), this.#size), this.#hex.element,
      el('div', { class: 'hex-foot' }, this.#numbers, order));
    host.classList.add('fields');
    context.signal.addEventListener('abort', () => host.classList.remove('fields'));
    if (withFields) {
      this.#list = new FieldList(context, (element) => this.#chosen(element));
      const left = el('section', { class: 'field-side column', 'aria-label': 'Fields' }, this.#list.element);
      put(host, left, splitter({
        label: 'Width of the fields',
        part: left,
        min: 240,
        max: () => host.clientWidth - 280,
        initial: Math.round(host.clientWidth * 0.42),
        name: 'fields',
      }));
    }
    put(host, bytes);
    this.#show(about.spaces[0] ?? 'file');
    void this.#start();
  }

  select(place: Place): void {
    void this.#select(place.path);
  }

  destroy(): void {
    this.#list?.destroy();
    this.#hex.destroy();
  }

  /** Shows the bytes or the field that the address names. */
  async #start(): Promise<void> {
    const { path, more = {} } = this.#context.place;
    const offset = Number(more.offset ?? Number.NaN);
    if (!Number.isFinite(offset)) {
      if (path) await this.#select(path);
      return;
    }
    const space = more.space === 'image' ? 'image' : 'file';
    if (space !== this.#hex.space && this.#context.about.spaces.includes(space)) this.#show(space);
    this.#hex.mark(offset, 1);
    if (path) await this.#select(path, offset);
    else await this.#locate(offset);
  }

  /** Selects a field, and marks its bytes. Keeps the cursor on a byte, if one is given. */
  async #select(path: string, offset?: number): Promise<void> {
    if (!this.#list) return;
    try {
      const element = await this.#list.select(path);
      if (element && (offset === undefined || this.#covers(element, offset))) this.#mark(element);
      if (offset !== undefined) this.#hex.moveTo(offset);
    } catch (error) {
      if (!isAbort(error)) this.#context.announce(sentence(error));
    }
  }

  /** Returns whether a byte on display was read for a field. */
  #covers({ row }: Element, offset: number): boolean {
    if (!row?.at) return false;
    const [first, length, space] = row.at;
    return space === this.#hex.space && offset >= first && offset < first + length;
  }

  #chosen(element: Element): void {
    this.#locating?.abort();
    this.#context.update({ path: element.path, more: {} });
    this.#mark(element);
  }

  #mark({ row }: Element): void {
    if (!row?.at) {
      this.#hex.unmark();
      return;
    }
    const [offset, length, space] = row.at;
    if (space !== this.#hex.space && this.#context.about.spaces.includes(space)) this.#show(space);
    this.#hex.mark(offset, length);
  }

  #show(space: Space): void {
    const { length } = this.#context.about;
    const bytes = (space === 'image' ? length.image : length.file) ?? 0;
    this.#hex.show(space, space === 'image' ? 0 : length.start, bytes);
    this.#size.textContent = formatSize(bytes);
    for (const button of this.#spaces.querySelectorAll<HTMLElement>('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.space === space));
    }
  }

  /** Selects the field that a byte belongs to. */
  async #locate(offset: number): Promise<void> {
    if (!this.#list) return;
    this.#locating?.abort();
    const request = (this.#locating = new AbortController());
    const signal = AbortSignal.any([request.signal, this.#context.signal]);
    try {
      const { path } = await json<{ path: string }>('locate', { at: this.#context.about.node.at, space: this.#hex.space, offset }, signal);
      if (!path) {
        this.#context.announce('No field was read from this byte.');
        this.#hex.unmark();
        return;
      }
      const element = await this.#list.select(path);
      if (signal.aborted || !element) return;
      this.#context.update({ path: element.path, more: {} });
      // Marks the bytes of the field, and leaves the cursor where the user put it.
      if (this.#covers(element, offset)) this.#mark(element);
      this.#hex.moveTo(offset);
    } catch (error) {
      if (!isAbort(error)) this.#context.announce(sentence(error));
    }
  }

  #jumpField(): HTMLElement {
    const input = el('input', {
      class: 'input mono jump',
      type: 'text',
      placeholder: 'Go to offset',
      'aria-label': 'Go to offset: decimal, or 0x and hexadecimal',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    const jump = (): void => {
      const text = input.value.trim();
      const offset = /^(0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : Number.NaN;
      const isValid = !text || (offset >= this.#hex.start && offset - this.#hex.start < this.#hex.length);
      input.setAttribute('aria-invalid', String(!isValid));
      if (!text) return;
      if (isValid) this.#hex.moveTo(offset);
      else this.#context.announce(`“${text}” is no offset in the ${counted(this.#hex.length, 'byte')} from ${this.#hex.start} on.`);
    };
    input.addEventListener('input', later(300, jump));
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      jump();
      void this.#locate(this.#hex.cursor);
    });
    return input;
  }
}
