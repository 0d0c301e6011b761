/// The header of the grid: names, types and bits of the columns, their order, filters and widths.
import { el, later, uniqueId } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import type { Column } from './data.ts';
import { narrowest, widest } from './measure.ts';

export const filterHelp = 'text: contains it · =x, !=x · <x, <=x, >x, >=x · a..b: from a to b · * and ?: any characters, one character';

export interface HeaderHooks {
  /** Without these two, the header only names the columns. */
  sort?(column: Column): void;
  filter?(column: Column, expression: string): void;
  resize(column: Column, width: number, done: boolean): void;
  /** Moves from the header with the keyboard. */
  leave(column: Column, key: string): boolean;
  focused(column: Column): void;
}

export type Order = 'ascending' | 'descending' | 'none';

/** The header of one column. */
export class HeaderCell {
  readonly element: HTMLElement;
  readonly #button: HTMLElement;
  readonly #filter: HTMLInputElement;
  readonly #handle: HTMLElement;
  readonly #column: Column;
  readonly #hooks: HeaderHooks;

  constructor(column: Column, position: number, hooks: HeaderHooks) {
    this.#column = column;
    this.#hooks = hooks;
    const type = uniqueId('type');
    const name = { class: 'head-name', tabindex: -1, 'aria-describedby': type, title: column.name };
    const text = el('span', { class: 'head-text' }, column.name);
    this.#button = hooks.sort
      ? el('button', { ...name, type: 'button' }, text, el('span', { class: 'head-order' }))
      : el('span', name, text);
    this.#filter = el('input', {
      class: 'head-filter', type: 'text', tabindex: -1, placeholder: 'Filter', autocomplete: 'off', spellcheck: 'false',
      'aria-label': `Filter ${column.name}`, title: filterHelp,
    });
    this.#handle = el('div', {
      class: 'head-resize', role: 'separator', 'aria-orientation': 'vertical', tabindex: -1,
      'aria-label': `Width of ${column.name}`, 'aria-valuemin': narrowest, 'aria-valuemax': widest,
    });
    const detail = [column.type, column.bits, column.group].filter(Boolean).join(' · ');
    this.element = el('div', { class: 'grid-head-cell', role: 'columnheader', 'aria-colindex': position + 1 },
      this.#button, el('span', { class: 'head-type', id: type, title: detail }, detail || '\u00a0'),
      hooks.filter ? this.#filter : '', this.#handle);
    this.#listen();
  }

  /** Shows the state of the column. */
  update(order: Order, expression: string, left: number, width: number, active: boolean, error: string | undefined): void {
    if (this.#column.sortable && this.#hooks.sort) this.element.setAttribute('aria-sort', order);
    this.#button.querySelector('.head-order')?.replaceChildren(
      ...(order === 'none' ? [] : [icon(order === 'ascending' ? 'up' : 'down')]));
    if (document.activeElement !== this.#filter) this.#filter.value = expression;
    this.#filter.classList.toggle('used', expression !== '');
    this.#filter.setAttribute('aria-invalid', String(error !== undefined));
    this.#filter.title = error ?? filterHelp;
    this.element.style.left = `${left}px`;
    this.element.style.width = `${width}px`;
    this.#handle.setAttribute('aria-valuenow', String(width));
    for (const control of [this.#button, this.#filter, this.#handle]) control.tabIndex = active ? 0 : -1;
  }

  focus(): void {
    this.#button.focus({ preventScroll: true });
  }

  #listen(): void {
    const column = this.#column;
    const hooks = this.#hooks;
    this.element.addEventListener('focusin', () => hooks.focused(column));
    this.#button.addEventListener('click', () => hooks.sort?.(column));
    this.#button.addEventListener('keydown', (event) => {
      if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) return;
      if (event.key === 'ArrowDown' && !event.ctrlKey && hooks.filter) {
        event.preventDefault();
        this.#filter.focus({ preventScroll: true });
      } else if (hooks.leave(column, event.key)) {
        event.preventDefault();
      }
    });
    const filter = later(250, (text: string) => hooks.filter?.(column, text));
    this.#filter.addEventListener('input', () => filter(this.#filter.value.trim()));
    this.#filter.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') hooks.filter?.(column, this.#filter.value.trim());
      else if (event.key === 'Escape' && this.#filter.value) {
        this.#filter.value = '';
        hooks.filter?.(column, '');
      } else if (event.key === 'ArrowUp') this.#button.focus({ preventScroll: true });
      else if (event.key !== 'ArrowDown' || !hooks.leave(column, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.#resizing();
  }

  #resizing(): void {
    const column = this.#column;
    const width = (): number => this.element.getBoundingClientRect().width;
    const set = (wanted: number, done: boolean): void =>
      this.#hooks.resize(column, Math.round(Math.min(widest, Math.max(narrowest, wanted))), done);
    this.#handle.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const offset = event.clientX - width();
      this.#handle.setPointerCapture(event.pointerId);
      const drag = (moved: PointerEvent): void => set(moved.clientX - offset, false);
      this.#handle.addEventListener('pointermove', drag);
      this.#handle.addEventListener('lostpointercapture', (end) => {
        this.#handle.removeEventListener('pointermove', drag);
        set(end.clientX ? end.clientX - offset : width(), true);
      }, { once: true });
    });
    this.#handle.addEventListener('keydown', (event) => {
      const steps: { [key: string]: number } = { ArrowLeft: -16, ArrowRight: 16 };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      set(width() + step, true);
    });
  }
}
