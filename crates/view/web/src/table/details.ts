/// What is known about the selected cell, and all fields of its record.
import { json, type Cell, type Column, type Record } from '../api.ts';
import { changedValue, editField } from '../edits/field.ts';
import { el, put, visible } from '../shell/dom.ts';
import { isAbort, sentence } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { counted, formatOffset } from '../shell/text.ts';
import type { Context } from '../view.ts';
import { copiedText } from './copy.ts';
import { linkText } from './header.ts';
import { cellPath, isEditable } from './data.ts';

interface Hooks {
  /** The user chose another field of the record. */
  select(column: Column): void;
  close(): void;
}

/** How long a cell must stay selected before its details are asked for, in milliseconds. */
const patience = 120;

export class Details {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #columns: Column[];
  readonly #hooks: Hooks;
  readonly #title = el('h2', {});
  readonly #cell = el('section', { class: 'details-cell', 'aria-label': 'Selected value' });
  readonly #fields = el('dl', { class: 'details-fields' });
  readonly #all = el('h3', {}, 'All fields');
  readonly #copy = el('button', { class: 'icon-button', type: 'button', title: 'Copy the record', 'aria-label': 'Copy the record',
    onclick: () => this.#copyRecord() }, icon('list'));
  #record: Record | undefined;
  #column: Column | undefined;
  #timer = 0;
  #abort: AbortController | undefined;

  constructor(context: Context, columns: Column[], hooks: Hooks) {
    this.#context = context;
    this.#columns = columns;
    this.#hooks = hooks;
    this.element = el('aside', { class: 'details', 'aria-label': 'Record' },
      el('header', {}, this.#title, this.#copy,
        el('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close the record', onclick: () => hooks.close() },
          icon('close'))), this.#cell, this.#all, this.#fields);
    this.clear();
  }

  /** Shows that nothing is selected. */
  clear(): void {
    this.#title.textContent = 'No record selected';
    this.#cell.replaceChildren(el('p', { class: 'dim' }, 'Select a cell to see all that is known about it.'));
    this.#fields.replaceChildren();
    this.#record = undefined;
    this.#all.hidden = this.#copy.hidden = true;
  }

  show(record: Record, column: Column): void {
    if (record === this.#record && column === this.#column) return;
    const other = record !== this.#record;
    this.#all.hidden = this.#copy.hidden = false;
    this.#record = record;
    this.#column = column;
    this.#title.textContent = visible(record.cells[0] || 'Record without a name');
    if (other) this.#drawFields();
    this.#mark();
    this.#request();
  }

  /** Draws the values again, after a change. */
  update(): void {
    if (!this.#record || this.element.querySelector('.editing')) return;
    this.#drawFields();
    this.#mark();
    this.#request();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  #request(): void {
    const [record, column] = [this.#record!, this.#column!];
    this.#drawCell(undefined, undefined);
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#timer = window.setTimeout(() => void this.#load(record, column), patience);
  }

  async #load(record: Record, column: Column): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const { at } = this.#context.about.node;
      const cell = await json<Cell>('table/cell', { at, row: record.index, column: column.index }, abort.signal);
      if (!this.#cell.querySelector('.editing')) this.#drawCell(cell, undefined);
    } catch (error) {
      if (!isAbort(error)) this.#drawCell(undefined, sentence(error));
    }
    this.#mark();
  }

  #drawCell(cell: Cell | undefined, error: string | undefined): void {
    const record = this.#record!;
    const column = this.#column!;
    const { at } = this.#context.about.node;
    const path = cell?.path ?? cellPath(record, column);
    const change = isEditable(column) ? this.#context.edits.get(at, path) : undefined;
    const value = el('div', { class: 'details-value mono' });
    const text = cell?.text ?? record.cells[column.index] ?? '';
    if (change) value.append(changedValue(change));
    else if (text) put(value, text);
    else value.append(el('span', { class: 'dim' }, 'empty'));
    const [offset, length, space] = cell?.at ?? [];
    const facts: [string, string][] = [['Type', column.type], ['Bits', column.bits]];
    if (column.group) facts.push(['Group', column.group]);
    if (offset !== undefined) {
      const where = space === 'image' ? ' of the unpacked file' : '';
      facts.push(['Place', `${counted(length!, 'byte')} at 0x${formatOffset(offset)}${where}`]);
    }
    facts.push(['Path', path]);
    const edit = isEditable(column) && el('button', { class: 'button', type: 'button' }, icon('edit'), 'Edit');
    if (edit) {
      edit.addEventListener('click', () =>
        editField(this.#context, value, { path, value: text, label: column.name, done: () => {
          this.update();
          this.#cell.querySelector('button')?.focus();
        } }));
    }
    this.#cell.replaceChildren(
      el('h3', {}, column.name),
      value,
      el('dl', { class: 'details-facts' }, ...facts.filter(([, fact]) => fact).flatMap(([name, fact]) => [
        el('dt', {}, name),
        el('dd', { class: name === 'Path' ? 'mono' : 'numeric' }, fact),
      ])),
      el('div', { class: 'details-actions' }, edit,
        cell?.at && el('a', { class: 'button', href: placeAddress({ at, path, view: 'fields' }) }, icon('data'), 'Show bytes'),
        cell?.link &&
          el('a', { class: 'button', href: placeAddress({ at: cell.link.at, path: cell.link.path }) }, icon('link'),
            `Record of ${column.link?.name ?? 'another table'}`), column.link && el('p', { class: 'dim' }, linkText(column))),
    );
    if (error) this.#cell.append(el('p', { class: 'details-error', role: 'alert' }, error));
    if (change) {
      this.#cell.querySelector('.details-actions')!.append(
        el('button', { class: 'button quiet', type: 'button', onclick: () => this.#context.edits.remove(at, path) }, icon('reset'), 'Undo'),
      );
    }
  }

  #drawFields(): void {
    const record = this.#record!;
    const { at } = this.#context.about.node;
    this.#fields.replaceChildren(...this.#columns.slice(1).map((column) => {
      const change = this.#context.edits.get(at, cellPath(record, column));
      const row = el('div', { class: 'details-field', 'data-column': column.index },
        el('dt', {}, el('button', { type: 'button', title: `${column.name}: ${column.bits}` }, column.name)), el('dd', {}));
      const value = row.querySelector('dd')!;
      if (change) value.append(changedValue(change));
      else value.textContent = record.cells[column.index] ?? '';
      row.addEventListener('click', () => this.#hooks.select(column));
      return row;
    }));
  }

  #mark(): void {
    for (const row of this.#fields.children) {
      const current = (row as HTMLElement).dataset.column === String(this.#column?.index);
      row.classList.toggle('current', current);
      row.querySelector('button')!.setAttribute('aria-current', String(current));
      if (current && this.element.clientHeight) {
        const [box, list] = [row.getBoundingClientRect(), this.#fields.getBoundingClientRect()];
        if (box.top < list.top || box.bottom > list.bottom) this.#fields.scrollTop += box.top - list.top - list.height / 3;
      }
    }
  }

  async #copyRecord(): Promise<void> {
    const record = this.#record;
    if (!record) return;
    const lines = this.#columns.map((column) => `${column.name}\t${copiedText(record, [column], this.#context)}`);
    await navigator.clipboard.writeText(lines.join('\n'));
    this.#context.announce('Copied the record, one field per line.');
  }
}
