/// The list of objects: finds them by id, name or logic, and stands in for the map where it can't be seen.
import { el, later, put, uniqueId } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { stepOf } from '../shell/keys.ts';
import { Rows, rowOf } from '../shell/rows.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Level } from './info.ts';
import { logicColor } from './logics.ts';
import type { Objects } from './objects.ts';
import type { ObjectName } from './selection.ts';

const ROW = 44;
const HEAD = 28;

interface Hooks {
  /** An entry was chosen. */
  chosen(name: ObjectName): void;
}

/** All objects with one logic. */
interface Group {
  logic: string;
  objects: ObjectName[];
}

type Line = Group | ObjectName;

const orders = { logic: 'By logic', name: 'By name', id: 'By id', x: 'From left to right', y: 'From top to bottom' };

export class ObjectList {
  readonly element: HTMLElement;
  readonly #level: Level;
  readonly #hooks: Hooks;
  readonly #objects: ReadonlyMap<number, Objects>;
  readonly #input: HTMLInputElement;
  readonly #order = el('select', { class: 'select', 'aria-label': 'Order' },
    ...Object.entries(orders).map(([value, label]) => el('option', { value }, label)));
  readonly #count = el('p', { class: 'dim level-count', role: 'status' });
  readonly #list: HTMLElement;
  readonly #rows: Rows;
  readonly #id = uniqueId('objects');
  readonly #closed = new Set<string>();
  /** The text that was searched for. */
  #query = '';
  #found: ObjectName[] = [];
  #lines: Line[] = [];
  /** The line that the keyboard is on. */
  #at = -1;
  #selected: ObjectName | undefined;

  constructor(level: Level, objects: ReadonlyMap<number, Objects>, hooks: Hooks) {
    this.#level = level;
    this.#objects = objects;
    this.#hooks = hooks;
    this.#input = el('input', { class: 'input', type: 'search', role: 'combobox', placeholder: 'Id, name or logic',
      'aria-label': 'Find an object', 'aria-expanded': 'true', 'aria-controls': this.#id, 'aria-autocomplete': 'list', autocomplete: 'off',
      spellcheck: 'false' });
    this.#list = el('div', { class: 'level-list', role: 'listbox', id: this.#id, 'aria-label': 'Objects' });
    const search = later(80, () => this.#query !== this.#input.value && this.update());
    this.#input.addEventListener('input', search);
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#order.addEventListener('change', () => this.update());
    this.#rows = new Rows(this.#list, { height: (index) => (this.#lines[index] && 'logic' in this.#lines[index] ? HEAD : ROW),
      role: 'option', id: this.#id, draw: (index, row) => this.#draw(index, row) });
    this.#list.addEventListener('click', (event) => {
      const row = rowOf(event);
      if (row !== undefined) this.#choose(row);
    });
    this.element = el('div', { class: 'level-jump' }, this.#input, el('div', { class: 'level-order' }, this.#count, this.#order),
      this.#list);
    this.update();
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  destroy(): void {
    this.#rows.destroy();
  }

  /** Marks an object as the selected one. */
  set selected(selected: ObjectName | undefined) {
    this.#selected = selected;
    this.#rows.update(this.#lines.length);
  }

  /** Searches again. */
  update(): void {
    this.#query = this.#input.value;
    this.#found = this.#sorted(
      [...this.#objects].flatMap(([plane, objects]) => objects.search(this.#query).map((object) => ({ plane, object }))),
    );
    const all = [...this.#objects.values()].reduce((sum, { count }) => sum + count, 0);
    const found = this.#found.length;
    this.#count.textContent = found === all ? counted(all, 'object') : `${formatCount(found)} of ${counted(all, 'object')}`;
    this.#arrange();
    this.#list.scrollTop = 0;
    this.#at = -1;
    if (this.#query.trim()) this.#move(this.#lines.findIndex((line) => 'object' in line));
  }

  #sorted(found: ObjectName[]): ObjectName[] {
    const order = this.#order.value as keyof typeof orders;
    // What a search finds comes in the order of how it matches, and that of the file.
    if (order === 'logic') return found;
    const key = ({ plane, object }: ObjectName): string | number => {
      const objects = this.#objects.get(plane)!;
      return order === 'name' ? objects.title(object).toLowerCase() : objects[order][object]!;
    };
    const keyed = found.map((name) => [key(name), name] as const);
    return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, name]) => name);
  }

  /** Puts the objects under their logics, the most frequent first, if they are in that order. */
  #arrange(): void {
    this.#lines = this.#found;
    if (this.#order.value === 'logic') {
      const groups = new Map<string, Group>();
      for (const name of this.#found) {
        const logic = this.#objects.get(name.plane)!.logic(name.object);
        const group = groups.get(logic) ?? { logic, objects: [] };
        groups.set(logic, group);
        group.objects.push(name);
      }
      const sorted = [...groups.values()].sort((a, b) => b.objects.length - a.objects.length);
      this.#lines = sorted.flatMap((group) => [group, ...(this.#closed.has(group.logic) ? [] : group.objects)]);
    }
    this.#rows.update(this.#lines.length);
  }

  #draw(index: number, row: HTMLElement): void {
    const line = this.#lines[index];
    row.replaceChildren();
    row.className = 'row level-option';
    row.removeAttribute('aria-selected');
    if (!line) return;
    row.classList.toggle('at', index === this.#at);
    const swatch = (logic: string): HTMLElement => {
      const dot = el('span', { class: 'level-logic', 'aria-hidden': 'true' });
      dot.style.background = logicColor(logic);
      return dot;
    };
    if ('logic' in line) {
      const isOpen = !this.#closed.has(line.logic);
      row.classList.add('level-group');
      put(row, icon(isOpen ? 'down' : 'right'), swatch(line.logic), el('span', { class: 'name' }, line.logic || '(no logic)'),
        el('span', { class: 'dim numeric' }, formatCount(line.objects.length)),
        el('span', { class: 'visually-hidden' }, isOpen ? ', open' : ', closed'));
      return;
    }
    const { plane, object } = line;
    const objects = this.#objects.get(plane)!;
    const details = [
      objects.name(object) && objects.logic(object),
      objects.imageSet(object),
      `x ${objects.x[object]}, y ${objects.y[object]}`,
      this.#objects.size > 1 && this.#level.planes[plane]?.name,
    ];
    row.setAttribute('aria-selected', String(object === this.#selected?.object && plane === this.#selected.plane));
    put(row, el('span', { class: 'name' }, swatch(objects.logic(object)), objects.title(object)),
      el('span', { class: 'dim numeric' }, objects.key(object)), el('span', { class: 'dim' }, details.filter(Boolean).join(' · ')));
  }

  #move(to: number): void {
    this.#at = Math.max(-1, Math.min(to, this.#lines.length - 1));
    if (this.#at >= 0) {
      this.#rows.reveal(this.#at);
      this.#input.setAttribute('aria-activedescendant', `${this.#id}-${this.#at}`);
    } else {
      this.#input.removeAttribute('aria-activedescendant');
    }
    this.#rows.update(this.#lines.length);
  }

  /** Selects an object, or opens and closes a group. */
  #choose(index: number): void {
    const line = this.#lines[index];
    if (!line) return;
    if ('logic' in line) {
      if (!this.#closed.delete(line.logic)) this.#closed.add(line.logic);
      this.#arrange();
    }
    this.#move(index);
    if ('object' in line) this.#hooks.chosen(line);
  }

  #key(event: KeyboardEvent): void {
    // What was typed counts, even if the search has not started yet.
    if (this.#query !== this.#input.value) this.update();
    // Home and End belong to the text.
    const to = event.key === 'Home' || event.key === 'End' ? undefined : stepOf(event, this.#at, this.#lines.length);
    if (to !== undefined) this.#move(to);
    else if (event.key === 'Enter') this.#choose(Math.max(this.#at, 0));
    else return;
    event.preventDefault();
  }
}
