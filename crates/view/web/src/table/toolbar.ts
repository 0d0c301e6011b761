/// The bar above the grid: search, columns, plot.
import { el, later, uniqueId } from '../shell/dom.ts';
import { keyList } from '../shell/help.ts';
import { icon } from '../shell/icons.ts';
import { tables } from '../shell/keys.ts';
import { panelButton } from '../shell/menu.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Column, Table } from '../api.ts';
import type { Query } from './query.ts';

interface Hooks {
  search(text: string): void;
  goTo(column: Column): void;
  /** The set of hidden columns changed. */
  hide(hidden: Set<number>): void;
  clear(): void;
  plot(): void;
  details(): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  readonly #table: Table;
  readonly #hooks: Hooks;
  readonly #search: HTMLInputElement;
  readonly #count = el('span', { class: 'table-count numeric', role: 'status' });
  readonly #clear: HTMLButtonElement;
  readonly #plot: HTMLButtonElement;
  readonly #details: HTMLButtonElement;
  readonly #columns: HTMLElement;
  #hidden = new Set<number>();

  constructor(table: Table, hooks: Hooks) {
    this.#table = table;
    this.#hooks = hooks;
    if (table.names) this.#count.title = table.names;
    const search = later(250, (text: string) => hooks.search(text));
    this.#search = el('input', { class: 'input table-search', type: 'search', placeholder: 'Filter all cells',
      'aria-label': 'Filter all cells', autocomplete: 'off', spellcheck: 'false', oninput: () => search(this.#search.value.trim()) });
    this.#clear = el('button', { class: 'button quiet', type: 'button', onclick: () => hooks.clear() }, icon('close'), 'Clear filters');
    this.#plot = el('button', { class: 'button', type: 'button', title: 'Plot', 'aria-pressed': 'false', onclick: () => hooks.plot() },
      icon('chart'), el('span', { class: 'label' }, 'Plot'));
    this.#details = el('button', { class: 'button', type: 'button', title: 'Record', 'aria-pressed': 'false',
      onclick: () => hooks.details() }, icon('info'), el('span', { class: 'label' }, 'Record'));
    this.#columns = this.#columnsPanel();
    this.element = el('div', { class: 'toolbar table-toolbar', role: 'toolbar', 'aria-label': 'Table' }, this.#search, this.#goTo(),
      this.#columns, this.#plot, this.#details, this.#help(), this.#clear, el('span', { class: 'grow' }), this.#count);
  }

  update(query: Query, total: number | undefined, plot: boolean, details: boolean): void {
    if (document.activeElement !== this.#search) this.#search.value = query.text;
    this.#clear.hidden = !query.text && !query.filters.size;
    this.#plot.setAttribute('aria-pressed', String(plot));
    this.#details.setAttribute('aria-pressed', String(details));
    this.#hidden = query.hidden;
    this.#columns.querySelector('.label')!.textContent = query.hidden.size ? `Columns (${counted(query.hidden.size, 'hidden', 'hidden')})`
      : 'Columns';
    const { records } = this.#table;
    const filtered = query.text !== '' || query.filters.size > 0;
    const text = total === undefined || !filtered
      ? counted(records, 'record')
      : `${formatCount(total)} of ${counted(records, 'record')}`;
    if (this.#count.textContent !== text) this.#count.textContent = text;
  }

  #goTo(): HTMLElement {
    const list = el('datalist', { id: uniqueId('columns') }, ...this.#table.columns.map((column) => el('option', { value: column.name })));
    const input = el('input', { class: 'input table-goto', type: 'text', placeholder: 'Go to column', 'aria-label': 'Go to column',
      list: list.id, autocomplete: 'off', spellcheck: 'false' });
    const go = (exact: boolean): void => {
      const text = input.value.trim().toLowerCase();
      if (!text) return;
      const { columns } = this.#table;
      const column = columns.find(({ name }) => name.toLowerCase() === text)
        ?? (exact ? undefined : columns.find(({ name }) => name.toLowerCase().startsWith(text))
          ?? columns.find(({ name }) => name.toLowerCase().includes(text)));
      input.setAttribute('aria-invalid', String(!column && !exact));
      if (!column) return;
      input.value = '';
      this.#hooks.goTo(column);
    };
    input.addEventListener('input', (event) => {
      input.removeAttribute('aria-invalid');
      // A choice from the list is no typed text.
      if ((event as InputEvent).inputType !== 'insertText') go(true);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go(false);
    });
    return el('span', { class: 'table-goto-box' }, input, list);
  }

  #columnsPanel(): HTMLElement {
    const filter = el('input', { class: 'input', type: 'search', placeholder: 'Find a column', 'aria-label': 'Find a column' });
    const list = el('ul', { class: 'columns-list' });
    const panel = el('div', { class: 'columns-panel floating', role: 'dialog', 'aria-label': 'Columns' });
    const draw = (): void => {
      const text = filter.value.trim().toLowerCase();
      const columns = this.#table.columns.slice(1).filter(({ name }) => name.toLowerCase().includes(text));
      const set = (shown: boolean): void => {
        const hidden = new Set(this.#hidden);
        for (const { index } of columns)
          if (shown) hidden.delete(index);
          else hidden.add(index);
        this.#hooks.hide(hidden);
        draw();
      };
      panel.querySelector('.columns-all')!.replaceChildren(
        el('button', { class: 'button quiet', type: 'button', onclick: () => set(true) }, 'Show all'),
        el('button', { class: 'button quiet', type: 'button', onclick: () => set(false) }, 'Hide all'),
        el('span', { class: 'dim' }, counted(columns.length, 'column')),
      );
      list.replaceChildren(...columns.map((column) => {
        const box = el('input', { type: 'checkbox', checked: !this.#hidden.has(column.index) });
        box.addEventListener('change', () => {
          const hidden = new Set(this.#hidden);
          if (box.checked) hidden.delete(column.index);
          else hidden.add(column.index);
          this.#hooks.hide(hidden);
        });
        return el('li', {}, el('label', {}, box, el('span', {}, column.name), el('span', { class: 'dim' }, column.type)));
      }));
    };
    filter.addEventListener('input', draw);
    panel.append(filter, el('div', { class: 'columns-all' }), list);
    return panelButton('Columns', 'grid', panel, draw);
  }

  #help(): HTMLElement {
    const rows: [string, string][] = [
      ['fox', 'contains this text'],
      ['fox*_a', 'is like this: * stands for any characters, ? for one'],
      ['=5', 'is 5; !=5 is not'],
      ['>=10', 'is at least 10; also >, <, <='],
      ['10..20', 'is from 10 to 20'],
    ];
    const panel = el('div', { class: 'table-help floating', role: 'dialog', 'aria-label': 'Filters and keys' },
      el('h3', {}, 'Filters of columns'),
      el('dl', {}, ...rows.flatMap(([term, meaning]) => [el('dt', {}, el('code', {}, term)), el('dd', {}, meaning)])), el('h3', {}, 'Keys'),
      keyList(tables), el('p', { class: 'dim' }, 'Order and filters use the values in the file, without your changes.'),
      this.#table.names && el('p', { class: 'dim' }, this.#table.names));
    const box = panelButton('Help', 'help', panel);
    box.querySelector('button')!.title = 'Filters and keys';
    return box;
  }
}
