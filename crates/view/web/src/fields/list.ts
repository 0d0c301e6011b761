/// The list of fields: a tree with columns for names, values and offsets.
import { changedValue, editField } from '../edits/field.ts';
import { el, perFrame, put } from '../shell/dom.ts';
import { sentence } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { counted, formatOffset } from '../shell/text.ts';
import { TreeView } from '../shell/treeview.ts';
import type { Context } from '../view.ts';
import { Element, linesOf, type Line } from './element.ts';

export class FieldList {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #chosen: (element: Element) => void;
  readonly #top: Element;
  readonly #view: TreeView<Line | undefined>;
  readonly #draw = perFrame(() => this.#update());
  #lines: Line[] = [];
  #selected: Element | undefined;
  /** Counts calls of `select`: only the last one has an effect. */
  #selections = 0;

  constructor(context: Context, chosen: (element: Element) => void) {
    this.#context = context;
    this.#chosen = chosen;
    this.#top = new Element(undefined, undefined, { at: context.about.node.at, signal: context.signal, changed: this.#draw });
    this.#view = new TreeView<Line | undefined>({
      label: 'Fields',
      role: 'treegrid',
      height: 26,
      row: (index) => this.#lines[index],
      describe: (line) => {
        const isMissing = line?.missing !== undefined;
        const { depth = 0, row, open = false } = line?.element ?? {};
        return {
          depth: depth + (isMissing && row ? 1 : 0),
          open: row?.open && !isMissing ? open : undefined,
          selected: !isMissing && line?.element === this.#selected && this.#selected !== undefined,
        };
      },
      draw: (line, host, name) => line && this.#drawRow(line, host, name),
      active: () => this.#index(),
      move: (index, direction) => this.#move(index, direction),
      parent: (line) => this.#lines.findIndex(({ element }) => element === line?.element.parent),
      toggle: (line, open) => this.#toggle(line!.element, open),
      choose: (line, event) => {
        if (!line || line.missing !== undefined) return;
        if (event instanceof MouseEvent) this.#choose(line.element);
        else if (line.element.row?.open) this.#toggle(line.element, !line.element.open);
        else this.#edit(line);
      },
      key: (event, line) => {
        if (event.key !== 'F2') return false;
        this.#edit(line);
        return true;
      },
    });
    const { element } = this.#view;
    element.classList.add('field-rows');
    element.setAttribute('aria-colcount', '3');
    element.addEventListener('dblclick', (event) => this.#edit(this.#view.rowOf(event)));
    this.element = el('div', { class: 'field-list' },
      el('div', { class: 'field-head', 'aria-hidden': 'true' }, el('span', {}, 'Name'), el('span', {}, 'Value'), el('span', {}, 'Offset')),
      element);
    context.edits.subscribe(this.#draw, context.signal);
    void this.#top.want(0);
  }

  destroy(): void {
    this.#view.rows.destroy();
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
    if (index >= 0) this.#view.reveal(index, 'center');
    return this.#selected;
  }

  #update(): void {
    this.#lines = linesOf(this.#top);
    this.#view.element.setAttribute('aria-rowcount', String(this.#lines.length));
    this.#view.update(this.#lines.length);
  }

  #index(): number {
    return this.#lines.findIndex((line) => line.element === this.#selected && line.missing === undefined);
  }

  #drawRow({ element, missing }: Line, host: HTMLElement, name: HTMLElement): void {
    host.classList.add('field-row');
    if (missing !== undefined) {
      this.#drawMissing(element, missing, name, host);
      return;
    }
    const row = element.row!;
    host.classList.add(`role-${row.role}`, `row-${row.kind}`);
    put(name, el('span', { class: 'name', title: row.name }, row.name || '(no name)'));
    const change = this.#context.edits.get(this.#context.about.node.at, row.path);
    const value = el('span', { class: 'field-value mono', role: 'gridcell', title: row.text }, change ? changedValue(change) : row.text,
      row.count !== undefined && row.text === undefined && el('span', { class: 'dim' }, counted(row.count, 'item')));
    const offset = row.at ?
      el('span', { title: `${counted(row.at[1], 'byte')} at ${row.at[0]} of the ${row.at[2]}` }, formatOffset(row.at[0])) : '';
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
      host.classList.add('damaged');
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

  /** Turns the value of a field into an input. */
  #edit(line: Line | undefined): void {
    const row = line?.element.row;
    if (!row || line?.missing !== undefined || row.kind !== 'field' || row.role === 'derived' || row.text === undefined) return;
    const host = this.#view.rows.element(this.#index())?.querySelector<HTMLElement>('.field-value');
    if (!host || line.element !== this.#selected) return;
    editField(this.#context, host, {
      path: row.path,
      value: row.text,
      label: row.name,
      done: () => {
        this.#draw();
        this.#view.element.focus();
      },
    });
  }

  /** Moves to a line, or the next one in a direction that is an element. */
  #move(index: number, direction: number): void {
    let target = index;
    while (this.#lines[target]?.missing !== undefined) target += direction;
    const line = this.#lines[target];
    // Shows what has not arrived, so that it is loaded.
    this.#view.reveal(Math.min(index, this.#lines.length - 1));
    if (line) {
      this.#view.reveal(target);
      this.#choose(line.element);
    }
  }
}
