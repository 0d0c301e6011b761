/// The different values of a column and how often each occurs, to filter by.
import { json } from '../api.ts';
import { el } from '../shell/dom.ts';
import { isAbort, loading, sentence } from '../shell/failure.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Context } from '../view.ts';
import type { Column } from './data.ts';
import { filterParameters, type Query } from './query.ts';

interface Answer {
  total: number;
  values: [value: string, count: number][];
}

export class Values {
  readonly element = el('div', { class: 'table-values floating', role: 'dialog', tabindex: -1, hidden: true });
  readonly #context: Context;
  readonly #filter: (column: Column, expression: string) => void;
  #button: HTMLElement | undefined;

  constructor(context: Context, filter: (column: Column, expression: string) => void) {
    this.#context = context;
    this.#filter = filter;
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as globalThis.Node | null)) this.element.hidden = true;
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#close();
    });
  }

  /** Shows the values of the records that the filters of the other columns leave, under a button. */
  async show(column: Column, query: Query, button: HTMLElement): Promise<void> {
    const { element } = this;
    const filters = new Map(query.filters);
    filters.delete(column.index);
    this.#button = button;
    const box = element.parentElement!.getBoundingClientRect();
    const { right, bottom } = button.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(right - box.left - 260, box.width - 268))}px`;
    element.style.top = `${bottom - box.top + 4}px`;
    element.setAttribute('aria-label', `Values of ${column.name}`);
    element.replaceChildren(loading());
    element.hidden = false;
    element.focus();
    try {
      const { total, values } = await json<Answer>('table/values',
        { at: this.#context.about.node.at, column: column.index, ...filterParameters({ ...query, filters }) }, this.#context.signal);
      const used = query.filters.get(column.index);
      const choose = (expression: string): void => {
        this.#filter(column, expression);
        this.#close();
      };
      element.replaceChildren(
        el('p', { class: 'dim' }, counted(total, 'value'), total > values.length ? `; the ${formatCount(values.length)} most frequent` : ''),
        el('ul', {},
          el('li', {}, el('button', { type: 'button', 'aria-pressed': String(!used), onclick: () => choose('') }, 'All')),
          ...values.map(([value, count]) => {
            const expression = `=${value}`;
            return el('li', {}, el('button', { type: 'button', 'aria-pressed': String(used === expression), onclick: () => choose(expression) },
              el('span', { class: 'name' }, value || '(empty)'), el('span', { class: 'dim numeric' }, formatCount(count))));
          })));
    } catch (error) {
      if (!isAbort(error)) element.replaceChildren(el('p', { class: 'broken' }, sentence(error)));
    }
  }

  #close(): void {
    this.element.hidden = true;
    this.#button?.focus();
  }
}
