/// The list of objects: finds them by id, name or logic, and stands in for the map where it can't be seen.
import { el, later, put, uniqueId } from '../shell/dom.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Level } from './info.ts';
import type { Objects } from './objects.ts';
import type { ObjectName } from './selection.ts';

/** How many entries are added to the list at once. */
const PAGE = 200;

interface Hooks {
  /** An entry was chosen. */
  chosen(name: ObjectName): void;
}

export class ObjectList {
  readonly element: HTMLElement;
  readonly #level: Level;
  readonly #hooks: Hooks;
  readonly #objects: ReadonlyMap<number, Objects>;
  readonly #input: HTMLInputElement;
  readonly #count = el('p', { class: 'dim level-count', role: 'status' });
  readonly #list: HTMLElement;
  readonly #more: HTMLElement;
  /** The text that was searched for. */
  #query = '';
  #found: ObjectName[] = [];
  #options: HTMLElement[] = [];
  /** The entry that the keyboard is on. */
  #at = -1;
  #selected: ObjectName | undefined;

  constructor(level: Level, objects: ReadonlyMap<number, Objects>, hooks: Hooks) {
    this.#level = level;
    this.#objects = objects;
    this.#hooks = hooks;
    const id = uniqueId('objects');
    this.#input = el('input', {
      class: 'input', type: 'search', role: 'combobox', placeholder: 'Id, name or logic', 'aria-label': 'Find an object',
      'aria-expanded': 'true', 'aria-controls': id, 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false',
    });
    this.#list = el('div', { class: 'level-list', role: 'listbox', id, 'aria-label': 'Objects' });
    this.#more = el('button', { class: 'button quiet', type: 'button', onclick: () => this.#grow() });
    const search = later(80, () => this.#query !== this.#input.value && this.update());
    this.#input.addEventListener('input', search);
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('click', (event) => {
      const option = (event.target as Element).closest<HTMLElement>('[role=option]');
      if (option) this.#choose(this.#options.indexOf(option));
    });
    this.element = el('div', { class: 'level-jump' }, this.#input, this.#count, this.#list, this.#more);
    this.update();
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Marks an object as the selected one. */
  set selected(selected: ObjectName | undefined) {
    this.#selected = selected;
    this.#options.forEach((option, index) => this.#mark(option, index));
  }

  /** Searches again. */
  update(): void {
    this.#query = this.#input.value;
    this.#found = [...this.#objects].flatMap(([plane, objects]) =>
      objects.search(this.#query).map((object) => ({ plane, object })));
    this.#options = [];
    this.#list.replaceChildren();
    this.#list.scrollTop = 0;
    this.#at = -1;
    this.#grow();
    if (this.#query.trim()) this.#move(this.#found.length ? 0 : -1);
  }

  #grow(): void {
    const from = this.#options.length;
    for (const name of this.#found.slice(from, from + PAGE)) {
      const option = this.#option(name);
      this.#options.push(option);
      this.#list.append(option);
      this.#mark(option, this.#options.length - 1);
    }
    const shown = this.#options.length;
    const all = [...this.#objects.values()].reduce((sum, { count }) => sum + count, 0);
    const found = this.#found.length;
    this.#count.textContent = found === all ? counted(all, 'object') : `${formatCount(found)} of ${counted(all, 'object')}`;
    this.#more.hidden = shown === found;
    this.#more.textContent = `Show ${formatCount(Math.min(PAGE, found - shown))} more (${formatCount(shown)} of ${formatCount(found)})`;
  }

  #option({ plane, object }: ObjectName): HTMLElement {
    const objects = this.#objects.get(plane)!;
    const option = el('div', { class: 'level-option', role: 'option', id: uniqueId('object') },
      el('span', { class: 'name' }, objects.title(object)),
      el('span', { class: 'dim numeric' }, `#${objects.id[object]}`));
    const details: string[] = [];
    if (objects.name(object)) details.push(objects.logic(object));
    if (objects.imageSet(object)) details.push(objects.imageSet(object));
    details.push(`x ${objects.x[object]}, y ${objects.y[object]}`);
    if (this.#objects.size > 1) details.push(this.#level.planes[plane]?.name ?? '');
    put(option, el('span', { class: 'dim' }, details.filter(Boolean).join(' · ')));
    return option;
  }

  #mark(option: HTMLElement, index: number): void {
    const name = this.#found[index];
    const selected = name?.object === this.#selected?.object && name?.plane === this.#selected?.plane;
    option.setAttribute('aria-selected', String(selected));
    option.classList.toggle('at', index === this.#at);
  }

  #move(to: number): void {
    while (to >= this.#options.length && this.#options.length < this.#found.length) this.#grow();
    this.#at = Math.min(to, this.#options.length - 1);
    this.#options.forEach((option, index) => this.#mark(option, index));
    const option = this.#options[this.#at];
    this.#input.setAttribute('aria-activedescendant', option?.id ?? '');
    option?.scrollIntoView({ block: 'nearest' });
  }

  #choose(index: number): void {
    const name = this.#found[index];
    if (!name) return;
    this.#move(index);
    this.#hooks.chosen(name);
  }

  #key(event: KeyboardEvent): void {
    // What was typed counts, even if the search has not started yet.
    if (this.#query !== this.#input.value) this.update();
    const steps: Record<string, number> = {
      ArrowDown: this.#at + 1, ArrowUp: Math.max(this.#at - 1, 0), PageDown: this.#at + 8, PageUp: Math.max(this.#at - 8, 0),
    };
    const to = steps[event.key];
    if (to !== undefined) this.#move(to);
    else if (event.key === 'Enter') this.#choose(Math.max(this.#at, 0));
    else return;
    event.preventDefault();
  }
}
