/// The header of the grid: names, types and bits of the columns, their order, filters and widths.
import { el, later, uniqueId } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Column } from '../api.ts';
import { narrowest, widest } from './measure.ts';

export const filterHelp = 'text: contains it · =x, !=x · <x, <=x, >x, >=x · a..b: from a to b · * and ?: any characters, one character';

export interface HeaderHooks {
  /** Without these two, the header only names the columns. */
  sort?(column: Column, isMore: boolean): void;
  filter?(column: Column, expression: string): void;
  /** Shows the values of the column. */
  values?(column: Column, button: HTMLElement): void;
  resize(column: Column, width: number, done: boolean): void;
  /** Moves from the header with the keyboard. */
  leave(column: Column, key: string): boolean;
  focused(column: Column): void;
}

/** How a column is sorted; `place` counts the columns that do so, from 1, if there are several. */
export interface Order {
  direction: 'ascending' | 'descending' | 'none';
  place?: number;
}

/** Says which records the values of a column probably name. */
export const linkText = ({ link }: Column): string =>
  link ? `Probably records of ${link.name}: ${formatCount(link.hits)} of ${counted(link.values, 'value')}` : '';

/** The header of one column. */
export class HeaderCell {
  readonly element: HTMLElement;
  readonly #button: HTMLElement;
  readonly #filter: HTMLInputElement;
  readonly #values: HTMLButtonElement;
  readonly #handle: HTMLElement;
  readonly #column: Column;
  readonly #hooks: HeaderHooks;

  constructor(column: Column, position: number, hooks: HeaderHooks) {
    this.#column = column;
    this.#hooks = hooks;
    const type = uniqueId('type');
    const detail = [column.type, column.bits, column.group].filter(Boolean).join(' · ');
    const title = [column.name, detail, linkText(column)].filter(Boolean).join('\n');
    const name = { class: 'head-name', tabindex: -1, 'aria-describedby': type, title };
    const text = el('span', { class: 'head-text' }, column.name);
    this.#button = hooks.sort
      ? el('button', { ...name, type: 'button' }, el('span', { class: 'head-order' }), text)
      : el('span', name, text);
    this.#filter = el('input', { class: 'head-filter', type: 'text', tabindex: -1, placeholder: 'Filter', autocomplete: 'off',
      spellcheck: 'false', 'aria-label': `Filter ${column.name}`, title: filterHelp });
    this.#handle = el('div', { class: 'head-resize', role: 'separator', 'aria-orientation': 'vertical', tabindex: -1,
      'aria-label': `Width of ${column.name}`, 'aria-valuemin': narrowest, 'aria-valuemax': widest });
    this.#values = el('button', { class: 'head-values', type: 'button', tabindex: -1, 'aria-label': `Values of ${column.name}`,
      title: 'Values of the column', onclick: () => hooks.values?.(column, this.#values) }, icon('down'));
    this.element = el('div', { class: 'grid-head-cell', role: 'columnheader', 'aria-colindex': position + 1 },
      el('div', { class: 'head-line' }, this.#button, el('span', { class: 'head-type', id: type, title }, detail)),
      hooks.filter && el('div', { class: 'head-line' }, this.#filter, hooks.values && this.#values), this.#handle);
    this.#listen();
  }

  /** Shows the state of the column. */
  update(order: Order, expression: string, left: number, width: number, active: boolean, error: string | undefined): void {
    const { direction, place } = order;
    if (this.#column.sortable && this.#hooks.sort) this.element.setAttribute('aria-sort', direction);
    this.#button.querySelector('.head-order')?.replaceChildren(
      ...(direction === 'none' ? [] : [icon(direction === 'ascending' ? 'up' : 'down'), place ? String(place) : '']),
    );
    if (document.activeElement !== this.#filter) this.#filter.value = expression;
    this.#filter.classList.toggle('used', expression !== '');
    this.#filter.setAttribute('aria-invalid', String(error !== undefined));
    this.#filter.title = error ?? filterHelp;
    this.element.style.left = `${left}px`;
    this.element.style.width = `${width}px`;
    this.#handle.setAttribute('aria-valuenow', String(width));
    for (const control of [this.#button, this.#filter, this.#values, this.#handle]) control.tabIndex = active ? 0 : -1;
  }

  focus(): void {
    this.#button.focus({ preventScroll: true });
  }

  #listen(): void {
    const column = this.#column;
    const hooks = this.#hooks;
    this.element.addEventListener('focusin', () => hooks.focused(column));
    // The focus scrolls the column into view. That must not move a button away from a press on it, which would be no click then.
    for (const button of [this.#button, this.#values]) button.addEventListener('mousedown', (event) => event.preventDefault());
    this.#button.addEventListener('click', (event) => {
      this.focus();
      hooks.sort?.(column, event.shiftKey);
    });
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
