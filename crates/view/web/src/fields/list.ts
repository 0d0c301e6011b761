/// The list of fields: a tree with columns for names, values and offsets.
import { changedValue, editField } from '../edits/field.ts';
import { el, perFrame, put, uniqueId } from '../shell/dom.ts';
import { sentence } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { Rows } from '../shell/rows.ts';
import { counted, formatOffset } from '../shell/text.ts';
import type { Context } from '../view.ts';
import { Element, linesOf, type Line } from './element.ts';

const rowHeight = 26;
const indent = 12;

export class FieldList {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #chosen: (element: Element) => void;
  readonly #id = uniqueId('field');
  readonly #top: Element;
  readonly #scroll: HTMLElement;
  readonly #rows: Rows;
  readonly #draw = perFrame(() => this.#update());
  #lines: Line[] = [];
  #selected: Element | undefined;
  /** Counts calls of `select`: only the last one has an effect. */
  #selections = 0;

  constructor(context: Context, chosen: (element: Element) => void) {
    this.#context = context;
    this.#chosen = chosen;
    this.#top = new Element(undefined, undefined, {
      at: context.about.node.at, signal: context.signal, changed: this.#draw,
    });
    this.#scroll = el('div', { class: 'field-rows', role: 'treegrid', tabindex: 0, 'aria-label': 'Fields', 'aria-colcount': 3 });
    this.element = el('div', { class: 'field-list' },
      el('div', { class: 'field-head', 'aria-hidden': 'true' },
        el('span', {}, 'Name'), el('span', {}, 'Value'), el('span', {}, 'Offset')),
      this.#scroll);
    this.#rows = new Rows(this.#scroll, {
      height: rowHeight, role: 'row', id: this.#id, draw: (index, row) => this.#drawRow(index, row),
    });
    this.#scroll.addEventListener('click', (event) => this.#click(event));
    this.#scroll.addEventListener('dblclick', (event) => this.#edit(this.#lineOf(event)));
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
    context.edits.subscribe(this.#draw, context.signal);
    void this.#top.want(0);
  }

  destroy(): void {
    this.#rows.destroy();
  }

  /** Selects the field at a path, or what is around it, and opens the way to it. */
  async select(path: string): Promise<Element | undefined> {
    const call = (this.#selections += 1);
    if (this.#selected?.path === path) return this.#selected;
    const before = this.#selected;
    const found = await this.#top.find(path);
    // The user has selected something else meanwhile.
    if (call !== this.#selections || before !== this.#selected) return undefined;
    this.#selected = found.row ? found : undefined;
    this.#update();
    const index = this.#lines.findIndex((line) => line.element === found && line.missing === undefined);
    if (index >= 0) this.#rows.reveal(index, 'center');
    return this.#selected;
  }

  #update(): void {
    this.#lines = linesOf(this.#top);
    this.#rows.update(this.#lines.length);
    this.#scroll.setAttribute('aria-rowcount', String(this.#lines.length));
    const index = this.#index();
    if (index >= 0 && this.#rows.element(index)) this.#scroll.setAttribute('aria-activedescendant', `${this.#id}-${index}`);
    else this.#scroll.removeAttribute('aria-activedescendant');
  }

  #index(): number {
    return this.#lines.findIndex((line) => line.element === this.#selected && line.missing === undefined);
  }

  #drawRow(index: number, host: HTMLElement): void {
    const line = this.#lines[index];
    // An input in the row stays until it is done.
    if (host.querySelector('.editing') && line?.element === this.#selected) return;
    host.replaceChildren();
    host.className = 'row field-row';
    host.removeAttribute('aria-expanded');
    if (!line) return;
    const isMissing = line.missing !== undefined;
    const depth = line.element.depth + (isMissing && line.element.row ? 1 : 0);
    host.setAttribute('aria-level', String(depth + 1));
    host.setAttribute('aria-rowindex', String(index + 1));
    const name = el('span', { class: 'field-name', role: 'gridcell' });
    name.style.paddingInlineStart = `${8 + depth * indent}px`;
    put(host, name);
    if (isMissing) {
      this.#drawMissing(line.element, line.missing!, name, host);
      return;
    }
    const { element } = line;
    const row = element.row!;
    host.classList.add(`role-${row.role ?? 'data'}`, `row-${row.kind}`);
    host.classList.toggle('active', element === this.#selected);
    host.setAttribute('aria-selected', String(element === this.#selected));
    if (row.open) host.setAttribute('aria-expanded', String(element.open));
    put(name, el('span', { class: 'twist' }, row.open && icon(element.open ? 'down' : 'right')),
      el('span', { class: 'name', title: row.name }, row.name || '(no name)'));
    const change = this.#context.edits.get(this.#context.about.node.at, row.path);
    const value = el('span', { class: 'field-value mono', role: 'gridcell', title: row.text },
      change ? changedValue(change) : row.text,
      row.count !== undefined && row.text === undefined && el('span', { class: 'dim' }, counted(row.count, 'item')));
    const offset = row.at ? el('span', { title: `${counted(row.at[1], 'byte')} at ${row.at[0]} of the ${row.at[2]}` },
      formatOffset(row.at[0])) : '';
    put(host, value, el('span', { class: 'field-offset mono dim', role: 'gridcell' }, offset));
  }

  #drawMissing(element: Element, index: number, name: HTMLElement, host: HTMLElement): void {
    host.classList.add('message');
    const error = index < 0 ? undefined : element.errorAt(index);
    if (index < 0) {
      put(name, el('span', { class: 'name dim' }, 'Nothing is in here.'));
    } else if (error !== undefined) {
      const text = sentence(error);
      const retry = (): void => {
        void element.want(index, true);
        this.#draw();
      };
      host.classList.add('broken');
      put(name, icon('warning'), el('span', { class: 'name', title: text }, text),
        el('button', { class: 'link', type: 'button', onclick: retry }, 'Try again'));
    } else {
      void element.want(index);
      put(name, el('span', { class: 'name dim' }, 'Loading…'));
    }
  }

  #choose(element: Element): void {
    this.#selections += 1;
    this.#selected = element;
    this.#draw();
    this.#chosen(element);
  }

  #toggle(element: Element, open: boolean): void {
    if (!element.row?.open || element.open === open) return;
    element.open = open;
    // The selection stays visible.
    for (let above = this.#selected?.parent; !open && above; above = above.parent) {
      if (above === element) this.#selected = element;
    }
    this.#draw();
  }

  #lineOf(event: Event): Line | undefined {
    const host = (event.target as globalThis.Element).closest<HTMLElement>('.row');
    const line = host ? this.#lines[Number(host.dataset.index)] : undefined;
    return line?.missing === undefined ? line : undefined;
  }

  #click(event: MouseEvent): void {
    const line = this.#lineOf(event);
    if (!line || (event.target as globalThis.Element).closest('.editing')) return;
    if ((event.target as globalThis.Element).closest('.twist')) this.#toggle(line.element, !line.element.open);
    else this.#choose(line.element);
  }

  /** Turns the value of a field into an input. */
  #edit(line: Line | undefined): void {
    const row = line?.element.row;
    if (!row || row.kind !== 'field' || row.role === 'derived' || row.text === undefined) return;
    const host = this.#rows.element(this.#index())?.querySelector<HTMLElement>('.field-value');
    if (!host || line.element !== this.#selected) return;
    editField(this.#context, host, {
      path: row.path,
      value: row.text,
      label: row.name,
      done: () => {
        this.#draw();
        this.#scroll.focus();
      },
    });
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#lines.length) return;
    if ((event.target as globalThis.Element).closest('.editing')) return;
    const index = this.#index();
    const line = this.#lines[index];
    const last = this.#lines.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + this.#rows.page,
      PageUp: index - this.#rows.page,
      Home: 0,
      End: last,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      this.#move(Math.min(last, Math.max(0, step)), event.key === 'ArrowUp' || event.key === 'End' ? -1 : 1);
    } else if (event.key === 'ArrowRight' && line) {
      if (line.element.open) this.#move(index + 1, 1);
      else this.#toggle(line.element, true);
    } else if (event.key === 'ArrowLeft' && line) {
      const { parent } = line.element;
      if (line.element.open) this.#toggle(line.element, false);
      else if (parent?.row) this.#move(this.#lines.findIndex((other) => other.element === parent), 1);
    } else if (event.key === 'Enter' && line) {
      if (line.element.row?.open) this.#toggle(line.element, !line.element.open);
      else this.#edit(line);
    } else if (event.key === 'F2') {
      this.#edit(line);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves to a line, or the next one in a direction that is an element. */
  #move(index: number, direction: number): void {
    let target = index;
    while (this.#lines[target]?.missing !== undefined) target += direction;
    const line = this.#lines[target];
    // Shows what has not arrived, so that it is loaded.
    this.#rows.reveal(Math.min(index, this.#lines.length - 1));
    if (line) {
      this.#rows.reveal(target);
      this.#choose(line.element);
    }
  }
}
