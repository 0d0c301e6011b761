/// The panel with all fields of an object or a tile.
import { type Fields, json, type Row } from '../api.ts';
import { changedValue, editField } from '../edits/field.ts';
import { el, put } from '../shell/dom.ts';
import { failure, isAbort, loading } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import type { Context } from '../view.ts';
import type { CellDetails, Level, ObjectDetails, PictureName } from './info.ts';
import { sameSelection, type Selection } from './selection.ts';

interface Hooks {
  /** Flies to what is selected. */
  center(): void;
  close(): void;
  /** What is selected has this path. */
  found(path: string): void;
}

/** Most rows that are asked for when a row is opened. */
const MOST_ROWS = 500;

export class Inspector {
  readonly element = el('section', { class: 'level-inspector', 'aria-label': 'Selection', hidden: true });
  readonly #level: Level;
  readonly #context: Context;
  readonly #hooks: Hooks;
  #selection: Selection | undefined;
  #request = new AbortController();
  /** Whether fields with nothing in them are left out. */
  #onlySet = false;
  /** Shows the values again after a change; one function per row. */
  #values: (() => void)[] = [];

  constructor(level: Level, context: Context, hooks: Hooks) {
    this.#level = level;
    this.#context = context;
    this.#hooks = hooks;
    context.edits.subscribe(() => this.#values.forEach((update) => update()), context.signal);
  }

  /** Shows an object or a tile. `path` is the field that is to stand out. */
  async show(selection: Selection | undefined, path = ''): Promise<void> {
    if (selection && sameSelection(selection, this.#selection)) {
      this.#highlight(path);
      return;
    }
    this.#request.abort();
    this.#request = new AbortController();
    this.#selection = selection;
    this.#values = [];
    this.element.hidden = !selection;
    if (!selection) {
      this.element.replaceChildren();
      return;
    }
    const { signal } = this.#request;
    // A quick answer replaces the old contents without a flicker.
    const wait = setTimeout(() => this.element.replaceChildren(loading()), 150);
    try {
      const at = this.#context.place.at;
      const contents = 'object' in selection
        ? this.#object(await json<ObjectDetails>('level/object', { at, plane: selection.plane, index: selection.object }, signal),
          selection)
        : this.#cell(
          await json<CellDetails>('level/cell', { at, plane: selection.plane, column: selection.column, row: selection.row }, signal),
          selection,
        );
      if (signal.aborted) return;
      this.element.replaceChildren(...contents);
      this.#highlight(path);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#selection = undefined;
      this.element.replaceChildren(this.#header("This can't be shown", ''), failure(error, () => void this.show(selection, path)));
    } finally {
      clearTimeout(wait);
    }
  }

  /** Ends the request that is under way. */
  destroy(): void {
    this.#request.abort();
  }

  #object(details: ObjectDetails, selection: Selection & { object: number }): Node[] {
    this.#hooks.found(details.path);
    const onlySet = el('input', { type: 'checkbox' });
    onlySet.checked = this.#onlySet;
    const table = this.#table(details.rows);
    const filter = (): void => {
      this.#onlySet = onlySet.checked;
      table.classList.toggle('only-set', onlySet.checked);
    };
    onlySet.addEventListener('change', filter);
    filter();
    const plane = this.#level.planes[selection.plane];
    const subtitle = `Object ${details.key} of ${plane?.name ?? 'the plane'}`;
    return [
      this.#header(details.name || `Object ${details.key}`, subtitle, details.path),
      el('div', { class: 'level-inspector-body' }, details.picture && this.#picture('Picture', details.picture),
        el('label', { class: 'level-check' }, onlySet, 'Hide fields that are 0 or empty'), table),
    ];
  }

  #cell(details: CellDetails, selection: Selection & { column: number; row: number }): Node[] {
    this.#hooks.found(details.path);
    const plane = this.#level.planes[selection.plane];
    const { column, row } = selection;
    const value: Row = {
      kind: 'field',
      name: 'tile',
      path: details.path,
      text: details.tile === undefined ? details.text : String(details.tile),
      role: 'data',
    };
    const body = el('div', { class: 'level-inspector-body' }, this.#table([value]));
    if (details.tile !== undefined && details.text !== String(details.tile)) put(body, el('p', { class: 'dim' }, details.text));
    if (details.picture) put(body, this.#picture('Picture', details.picture));
    if (details.attribute) {
      put(body, el('h3', {}, 'What the tile does'), this.#table(details.attribute.rows));
    }
    const of = `Column ${column}, row ${row} of ${plane?.name ?? 'the plane'}`;
    // Tiles are no fields of their own: what is shown is their plane.
    return [this.#header(details.tile === undefined ? 'No tile' : `Tile ${details.tile}`, of, plane?.path), body];
  }

  #header(title: string, subtitle: string, path?: string): HTMLElement {
    const { at } = this.#context.place;
    const tool = (label: string, name: 'fit' | 'close', onclick: () => void): HTMLElement =>
      el('button', { class: 'icon-button', type: 'button', 'aria-label': label, title: label, onclick }, icon(name));
    return el('header', {}, el('div', { class: 'grow' }, el('h2', {}, title), el('p', { class: 'dim' }, subtitle)), path !== undefined &&
      el('a', {
        class: 'icon-button',
        href: placeAddress({ at, path, view: 'fields' }),
        'aria-label': 'Show its fields and bytes',
        title: 'Fields and bytes',
      }, icon('data')), tool('Show it in the middle', 'fit', () => this.#hooks.center()),
      tool('Close', 'close', () => this.#hooks.close()));
  }

  #picture(label: string, { name, at }: PictureName): HTMLElement {
    return el('p', { class: 'level-picture' }, `${label}: `,
      at ? el('a', { href: placeAddress({ at, path: '' }) }, name) : el('span', {}, name));
  }

  #table(rows: Row[]): HTMLElement {
    const body = el('tbody');
    for (const row of rows) body.append(this.#row(row, 0));
    return el('table', { class: 'level-fields' }, body);
  }

  #row(row: Row, depth: number): HTMLElement {
    const value = el('td', { class: 'level-value mono' });
    const name = el('th', { scope: 'row' }, el('span', {}, row.name));
    const edit = el('td', { class: 'level-edit' });
    const element = el('tr', {}, name, value, edit);
    element.dataset.path = row.path;
    element.classList.toggle('unset', isUnset(row));
    if (row.role && row.role !== 'data') element.classList.add('secondary');
    if (row.kind === 'error') element.classList.add('broken');
    name.style.setProperty('--depth', String(depth));
    const { edits, place } = this.#context;
    const update = (): void => {
      if (value.classList.contains('editing')) return;
      const change = edits.get(place.at, row.path);
      value.replaceChildren(change ? changedValue(change) : row.text ?? '');
      element.classList.toggle('changed', Boolean(change));
    };
    update();
    this.#values.push(update);
    if (isEditable(row)) {
      const start = (): void =>
        editField(this.#context, value, {
          path: row.path,
          value: row.text ?? '',
          label: row.name,
          done: ({ saved }) => {
            update();
            if (saved || document.activeElement === document.body) button.focus();
          },
        });
      const button = el('button', { class: 'icon-button', type: 'button', 'aria-label': `Edit ${row.name}`, title: 'Edit', onclick: start },
        icon('edit'));
      value.addEventListener('dblclick', start);
      edit.append(button);
    }
    if (row.open) name.prepend(this.#expander(row, element, depth));
    return element;
  }

  /** Creates the button that loads what is inside of a row, and shows it below. */
  #expander(row: Row, element: HTMLElement, depth: number): HTMLElement {
    let inside: HTMLElement[] | undefined;
    const button = el('button', {
      class: 'icon-button level-expander',
      type: 'button',
      'aria-expanded': 'false',
      'aria-label': `Open ${row.name}`,
    }, icon('right'));
    button.addEventListener('click', async () => {
      const open = button.getAttribute('aria-expanded') !== 'true';
      button.setAttribute('aria-expanded', String(open));
      if (inside || !open) {
        inside?.forEach((row) => (row.hidden = !open));
        return;
      }
      inside = [];
      try {
        const { at } = this.#context.place;
        const fields = await json<Fields>('fields', { at, path: row.path, limit: MOST_ROWS }, this.#request.signal);
        inside = fields.rows.map((row) => this.#row(row, depth + 1));
      } catch (error) {
        if (isAbort(error)) return;
        inside = [el('tr', {}, el('td', { colspan: 3 }, failure(error)))];
      }
      inside.forEach((row) => (row.hidden = button.getAttribute('aria-expanded') !== 'true'));
      element.after(...inside);
    });
    return button;
  }

  #highlight(path: string): void {
    for (const row of this.element.querySelectorAll('tr')) {
      const found = Boolean(path) && row.dataset.path === path;
      row.classList.toggle('found', found);
      if (found) row.scrollIntoView({ block: 'nearest' });
    }
  }
}

const isEditable = (row: Row): boolean =>
  (row.kind === 'field' || row.kind === 'array') && row.text !== undefined && row.role !== 'derived' && row.role !== 'storage';

/** Returns whether there is nothing in a field that anyone looks for. */
const isUnset = (row: Row): boolean =>
  row.kind !== 'error' && /^["\s]*((0x)?0+[\s,]*)*["\s]*$/.test((row.text ?? '-').replace(/[[\]]/g, ''));
