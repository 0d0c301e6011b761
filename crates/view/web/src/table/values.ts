/// The different values of a column and how often each occurs, to filter by: a list box with a search.
import { json, type Column, type Values as Answer } from '../api.ts';
import { el, later, put, uniqueId } from '../shell/dom.ts';
import { isAbort, loading, sentence } from '../shell/failure.ts';
import { stepOf } from '../shell/keys.ts';
import { Rows, rowOf } from '../shell/rows.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Context } from '../view.ts';
import { isNumeric } from './data.ts';
import { filterParameters, type Query } from './query.ts';
import { histogram } from './series.ts';

type Value = [value: string, count: number];

const bars = 32;
const width = 280;

export class Values {
  readonly element = el('div', { class: 'table-values floating', role: 'dialog', hidden: true });
  readonly #context: Context;
  readonly #filter: (column: Column, expression: string) => void;
  readonly #id = uniqueId('value');
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #rows: Rows;
  readonly #status = el('p', { class: 'dim', role: 'status' });
  readonly #bars = el('div', { class: 'value-bars', 'aria-hidden': 'true' });
  #button: HTMLElement | undefined;
  #column: Column | undefined;
  #all: Value[] = [];
  /** Those that match; the first stands for all values. */
  #shown: (Value | undefined)[] = [];
  #used: string | undefined;
  #at = 0;

  constructor(context: Context, filter: (column: Column, expression: string) => void) {
    this.#context = context;
    this.#filter = filter;
    this.#list = el('div', { class: 'value-list', role: 'listbox', id: this.#id, 'aria-label': 'Values' });
    this.#input = el('input', { class: 'input', type: 'search', role: 'combobox', placeholder: 'Find a value', 'aria-label': 'Find a value',
      'aria-expanded': 'true', 'aria-controls': this.#id, autocomplete: 'off', spellcheck: 'false' });
    this.#rows = new Rows(this.#list, { height: 26, role: 'option', id: this.#id, draw: (index, row) => this.#draw(index, row) });
    this.element.append(this.#input, this.#status, this.#bars, this.#list);
    this.#input.addEventListener('input', later(80, () => this.#search()));
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', (event) => {
      const row = rowOf(event);
      if (row !== undefined) this.#choose(row);
    });
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as globalThis.Node | null)) this.element.hidden = true;
    });
  }

  /** Shows the values of the records that the filters of the other columns leave, under a button. */
  async show(column: Column, query: Query, button: HTMLElement): Promise<void> {
    const { element } = this;
    const filters = new Map(query.filters);
    filters.delete(column.index);
    [this.#button, this.#column, this.#used, this.#all] = [button, column, query.filters.get(column.index), []];
    const box = element.parentElement!.getBoundingClientRect();
    const { right, bottom } = button.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(right - box.left - width, box.width - width - 8))}px`;
    element.style.top = `${bottom - box.top + 4}px`;
    element.setAttribute('aria-label', `Values of ${column.name}`);
    element.hidden = false;
    this.#input.value = '';
    this.#input.focus();
    this.#status.replaceChildren(loading());
    this.#bars.replaceChildren();
    this.#search();
    try {
      const { total, values } = await json<Answer>('table/values', { at: this.#context.about.node.at, column: column.index,
        ...filterParameters({ ...query, filters }) }, this.#context.signal);
      if (this.#column !== column) return;
      this.#all = isNumeric(column) ? values.toSorted(([a], [b]) => Number(a) - Number(b)) : values;
      const more = total > values.length ? `; the ${formatCount(values.length)} most frequent` : '';
      this.#status.textContent = `${counted(total, 'value')}${more}`;
      if (isNumeric(column)) this.#drawBars();
      this.#search();
    } catch (error) {
      if (!isAbort(error)) this.#status.textContent = sentence(error);
    }
  }

  destroy(): void {
    this.#rows.destroy();
  }

  #search(): void {
    const text = this.#input.value.trim().toLowerCase();
    const found = this.#all.filter(([value]) => value.toLowerCase().includes(text));
    this.#shown = text ? found : [undefined, ...found];
    const used = this.#shown.findIndex((value) => value !== undefined && `=${value[0]}` === this.#used);
    this.#move(Math.max(0, used));
  }

  #move(to: number): void {
    this.#at = to;
    this.#rows.update(this.#shown.length);
    if (this.#shown.length) this.#rows.reveal(to);
    if (this.#rows.element(to)) this.#input.setAttribute('aria-activedescendant', `${this.#id}-${to}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #draw(index: number, row: HTMLElement): void {
    const value = this.#shown[index];
    row.className = 'row value';
    row.replaceChildren();
    row.classList.toggle('active', index === this.#at);
    row.setAttribute('aria-selected', String(value ? this.#used === `=${value[0]}` : !this.#used));
    row.setAttribute('aria-setsize', String(this.#shown.length));
    row.setAttribute('aria-posinset', String(index + 1));
    if (value) put(row, el('span', { class: 'name' }, value[0] || '(empty)'), el('span', { class: 'dim numeric' }, formatCount(value[1])));
    else put(row, el('span', { class: 'name' }, 'All'));
  }

  /** Draws how many records have which numbers. */
  #drawBars(): void {
    const numbers = Float64Array.from(this.#all.flatMap(([value, count]) => Array<number>(Math.min(count, 1000)).fill(Number(value))));
    const finite = numbers.filter(Number.isFinite);
    if (finite.length < 2) return;
    const bins = histogram(finite, finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b)), false, bars);
    const most = Math.max(...bins.map(({ count }) => count));
    this.#bars.replaceChildren(...bins.map(({ count }) => {
      const bar = el('span', {});
      bar.style.height = `${count ? Math.max(6, (count / most) * 100) : 0}%`;
      return bar;
    }));
  }

  #choose(index: number): void {
    const value = this.#shown[index];
    if (index >= this.#shown.length || !this.#column) return;
    this.#filter(this.#column, value ? `=${value[0]}` : '');
    this.#close();
  }

  #key(event: KeyboardEvent): void {
    const step = event.key === 'Home' || event.key === 'End' ? undefined : stepOf(event, this.#at, this.#shown.length, this.#rows.page);
    if (step !== undefined) this.#move(step);
    else if (event.key === 'Enter') this.#choose(this.#at);
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #close(): void {
    this.element.hidden = true;
    this.#button?.focus();
  }
}
