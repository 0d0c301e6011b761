/// The search over everything: results appear as they are found. Files with the name come first, then texts, by file.
import { lines, type Found, type Hit, type Node, type SearchDone } from '../api.ts';
import { el, later, perFrame, put, uniqueId } from '../shell/dom.ts';
import { isAbort, sentence } from '../shell/failure.ts';
import { icon, kindIcon, kindName } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { Rows, rowOf } from '../shell/rows.ts';
import { counted, formatCount, namesOf, splitMatches } from '../shell/text.ts';
import type { Place } from '../view.ts';

/** What was found in a file; without an address, several files. */
interface Group {
  at: string;
  title: string;
  rows: Ranked[];
  /** The best rank of its rows. */
  rank: number;
  isOpen: boolean;
  /** Whether all rows are shown, and not the first ones only. */
  isWhole: boolean;
}

interface Ranked {
  found: Found;
  rank: number;
}

type Line = { head: Group } | { more: Group } | { found: Found };

interface Options {
  go: (place: Place) => void;
  /** What the page shows now: the search can be limited to it. */
  scope: () => { at: string; name: string } | undefined;
}

const hitRow = 46;
const headRow = 30;
/** Searches start when the user pauses. */
const typingPause = 250;
/** So many rows of a group are shown at first. */
const firstRows = 5;

export class Search {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #id = uniqueId('results');
  readonly #input: HTMLInputElement;
  readonly #panel: HTMLElement;
  readonly #list: HTMLElement;
  readonly #summary = el('p', { class: 'search-summary', role: 'status' });
  readonly #scopes = el('div', { class: 'segmented', role: 'group', 'aria-label': 'Search in' });
  readonly #rows: Rows;
  readonly #draw = perFrame(() => this.#update());
  #names = newGroup('', 'Files and folders');
  #groups = new Map<string, Group>();
  #unsearched = newGroup('', 'Could not be searched completely', false);
  #lines: Line[] = [];
  #words: string[] = [];
  #active: Line | undefined;
  #request: AbortController | undefined;
  /** What the results are for. */
  #shown = '';
  #scoped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#input = el('input', {
      class: 'input search-input',
      type: 'search',
      role: 'combobox',
      placeholder: 'Search everything',
      'aria-label': 'Search everything',
      'aria-expanded': 'false',
      'aria-controls': this.#id,
      'aria-autocomplete': 'list',
      'aria-keyshortcuts': '/',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.#list = el('div', { class: 'search-list', role: 'listbox', id: this.#id, 'aria-label': 'Results' });
    const help = el('p', { class: 'search-help dim' }, 'Finds names, texts and numbers. ', el('kbd', {}, '*'), ' stands for anything, ',
      el('kbd', {}, '?'), ' for one letter. Words can be in any order.');
    this.#panel = el('div', { class: 'search-panel floating', hidden: true },
      el('div', { class: 'search-head' }, this.#summary, this.#scopes), this.#list, help);
    this.element = el('search', { class: 'search' }, icon('search'), this.#input,
      el('kbd', { class: 'search-key', 'aria-hidden': 'true' }, '/'), this.#panel);
    this.#rows = new Rows(this.#list, {
      height: (index) => (this.#lines[index] && 'found' in this.#lines[index] ? hitRow : headRow),
      id: this.#id,
      draw: (index, row) => this.#drawRow(index, row),
    });
    const start = later(typingPause, () => this.#start());
    this.#input.addEventListener('input', start);
    this.#input.addEventListener('focus', () => this.#open());
    this.#input.addEventListener('click', () => this.#open());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as globalThis.Node | null)) this.#close();
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Searches everything for a text. */
  search(text: string): void {
    this.#input.value = text;
    this.#scoped = false;
    this.#input.focus();
    this.#start();
  }

  #open(): void {
    const scope = this.#options.scope();
    if (!scope) this.#scoped = false;
    this.#scopes.replaceChildren(
      this.#scopeButton('Everywhere', false),
      ...(scope ? [this.#scopeButton(`In ${scope.name}`, true)] : []),
    );
    this.#scopes.hidden = !scope;
    this.#panel.hidden = !this.#input.value.trim();
    this.#input.setAttribute('aria-expanded', String(!this.#panel.hidden));
    if (!this.#panel.hidden) this.#update();
  }

  #scopeButton(label: string, scoped: boolean): HTMLElement {
    return el('button', {
      type: 'button',
      'aria-pressed': String(this.#scoped === scoped),
      onclick: () => {
        this.#scoped = scoped;
        this.#shown = '';
        this.#start();
        this.#input.focus();
      },
    }, label);
  }

  #close(): void {
    this.#panel.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
  }

  /** Searches for what the field contains, and gives up the search before. */
  #start(): void {
    const q = this.#input.value.trim();
    const at = this.#scoped ? this.#options.scope()?.at ?? '' : '';
    const search = `${at}\n${q}`;
    this.#open();
    if (search === this.#shown) return;
    this.#request?.abort();
    this.#shown = search;
    this.#names = newGroup('', 'Files and folders');
    this.#groups = new Map();
    this.#unsearched = newGroup('', 'Could not be searched completely', false);
    this.#lines = [];
    this.#active = undefined;
    this.#list.scrollTop = 0;
    this.#update();
    if (!q) return;
    this.#words = q.split(/[*?\s]+/);
    void this.#ask(q, at);
  }

  async #ask(q: string, at: string): Promise<void> {
    const request = (this.#request = new AbortController());
    let hits = 0;
    this.#say('Searching…', true);
    try {
      const done = await lines<Found, SearchDone>('find', { q, at }, (found) => {
        if (request.signal.aborted) return;
        this.#add(found, q.toLowerCase());
        if (!('unsearched' in found)) hits += 1;
        this.#say(`${counted(hits, 'result')} so far…`, true);
        this.#draw();
      }, request.signal);
      if (this.#request !== request) return;
      this.#say([
        done.hits ? counted(done.hits, 'result') : 'Nothing found',
        `; ${counted(done.files, 'file')} searched`,
        done.more ? ', and there are more' : '',
        done.failed ? '; ' : '.',
      ].join(''));
      if (done.failed) {
        put(this.#summary, el('button', {
          class: 'button quiet',
          type: 'button',
          onclick: () => this.#showUnsearched(),
        }, `${counted(done.failed, 'file')} could not be searched completely`));
      }
    } catch (error) {
      if (isAbort(error) || this.#request !== request) return;
      this.#say(sentence(error));
      this.#summary.classList.add('broken');
      this.#summary.append(' ', el('button', {
        class: 'button',
        type: 'button',
        onclick: () => {
          this.#shown = '';
          this.#start();
        },
      }, 'Try again'));
    }
    this.#draw();
  }

  #say(text: string, busy = false): void {
    this.#summary.classList.remove('broken');
    this.#summary.replaceChildren();
    put(this.#summary, busy && el('span', { class: 'spinner small', 'aria-hidden': 'true' }), text,
      busy && el('button', { class: 'button quiet', type: 'button', onclick: () => this.#stop() }, 'Stop'));
  }

  #stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#say('Stopped.');
  }

  #add(found: Found, q: string): void {
    if ('unsearched' in found) {
      this.#unsearched.rows.push({ found, rank: 0 });
      return;
    }
    const rank = rankOf(found, q);
    let group = this.#names;
    if ('what' in found) {
      group = this.#groups.get(found.at) ?? newGroup(found.at, '');
      this.#groups.set(found.at, group);
    }
    group.rank = Math.min(group.rank, rank);
    group.rows.push({ found, rank });
  }

  #showUnsearched(): void {
    this.#unsearched.isOpen = this.#unsearched.isWhole = true;
    this.#update();
    this.#rows.reveal(this.#lines.findIndex((line) => 'head' in line && line.head === this.#unsearched), 'start');
  }

  #update(): void {
    if (this.#panel.hidden) return;
    const groups = [this.#names, ...[...this.#groups.values()].sort((a, b) => a.rank - b.rank), this.#unsearched];
    this.#lines = groups.filter(({ rows }) => rows.length).flatMap((group): Line[] => {
      if (!group.isOpen) return [{ head: group }];
      const rows = group.rows.sort((a, b) => a.rank - b.rank).slice(0, group.isWhole ? undefined : firstRows);
      const found = rows.map(({ found }) => ({ found }));
      return [{ head: group }, ...found, ...(rows.length < group.rows.length ? [{ more: group }] : [])];
    });
    this.#list.hidden = !this.#lines.length;
    this.#rows.update(this.#lines.length);
    const active = this.#activeIndex();
    if (active >= 0 && this.#rows.element(active)) {
      this.#input.setAttribute('aria-activedescendant', `${this.#id}-${active}`);
    } else {
      this.#input.removeAttribute('aria-activedescendant');
    }
  }

  /** The index of the active line, which other results may have moved. */
  #activeIndex(): number {
    return this.#active ? this.#lines.findIndex((line) => isSame(line, this.#active!)) : -1;
  }

  #drawRow(index: number, row: HTMLElement): void {
    const line = this.#lines[index];
    row.replaceChildren();
    row.className = 'row';
    if (!line) return;
    const active = this.#active !== undefined && isSame(line, this.#active);
    row.classList.toggle('active', active);
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(active));
    if ('head' in line) {
      const { head } = line;
      const names = head.at ? namesOf(head.at) : [head.title];
      row.classList.add('search-group');
      put(row, icon(head.isOpen ? 'down' : 'right'), el('span', { class: 'name' }, names.at(-1)),
        el('span', { class: 'dim grow' }, names.slice(0, -1).join(' / ')),
        el('span', { class: 'badge' }, counted(head.rows.length, head.at ? 'result' : 'file')),
        el('span', { class: 'visually-hidden' }, head.isOpen ? ', open' : ', closed'));
      return;
    }
    if ('more' in line) {
      row.classList.add('search-more');
      put(row, `Show ${formatCount(line.more.rows.length - firstRows)} more`);
      return;
    }
    const { found } = line;
    row.classList.add('search-hit');
    const names = namesOf(found.at);
    const [kind, text, below, what] = 'what' in found
      ? [found.kind, [found.text || found.path, found.words].filter(Boolean).join(' · '), found.path, found.what]
      : 'unsearched' in found ? ['broken' as const, names.at(-1)!, found.unsearched, '']
      : [found.kind, found.name, [...names.slice(0, -1), found.title].filter(Boolean).join(' / '), kindName[found.kind]];
    put(row, kindIcon(kind),
      el('span', { class: 'hit-text' }, el('span', { class: 'name' }, ...this.#marked(text)),
        el('span', { class: 'dim path', title: below }, ...('what' in found ? this.#marked(below) : [below]))),
      el('span', { class: 'dim what' }, what));
  }

  #marked(text: string): (HTMLElement | string)[] {
    return splitMatches(text, this.#words).map((part, index) => (index % 2 ? el('mark', {}, part) : part));
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      if (this.#panel.hidden) this.#input.blur();
      this.#request?.abort();
      this.#close();
    } else if (event.key === 'Enter') {
      const q = this.#input.value.trim();
      const best = this.#shown.endsWith(`\n${q}`) ? this.#lines.find((line) => 'found' in line) : undefined;
      const line = this.#active ?? best;
      if (line) this.#choose(line);
      else this.#start();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (this.#panel.hidden) this.#open();
      this.#move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'PageDown' || event.key === 'PageUp') {
      this.#move(event.key === 'PageDown' ? 8 : -8);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves among the results, past the heads of open groups. */
  #move(step: number): void {
    const { length } = this.#lines;
    const isHead = (index: number): boolean => {
      const line = this.#lines[index];
      return line !== undefined && 'head' in line && line.head.isOpen;
    };
    let index = Math.min(length - 1, Math.max(0, this.#activeIndex() + step));
    while (isHead(index)) index += index === 0 ? 1 : Math.sign(step);
    if (!this.#lines[index]) return;
    this.#active = this.#lines[index];
    this.#rows.reveal(index);
    this.#update();
  }

  #click(event: MouseEvent): void {
    const line = this.#lines[rowOf(event) ?? -1];
    if (!line) return;
    if ('found' in line && (event.ctrlKey || event.metaKey)) open(placeAddress(placeOf(line.found)), '_blank');
    else this.#choose(line);
  }

  /** Goes to a result, or opens and closes a group. */
  #choose(line: Line): void {
    if ('found' in line) {
      this.#close();
      this.#input.blur();
      this.#options.go(placeOf(line.found));
      return;
    }
    if ('more' in line) line.more.isWhole = true;
    else line.head.isOpen = !line.head.isOpen;
    this.#update();
  }
}

const newGroup = (at: string, title: string, isOpen = true): Group => ({ at, title, rows: [], rank: Infinity, isOpen, isWhole: false });

const isSame = (a: Line, b: Line): boolean =>
  'found' in a ? 'found' in b && a.found === b.found
    : 'head' in a ? 'head' in b && a.head === b.head : 'more' in b && a.more === b.more;

const placeOf = (found: Found): Place => ({ at: found.at, path: 'path' in found ? found.path : '' });

/** What the text of a result is a value or a name of, and not the name of a record, an object, a model, … */
const uses = ['string', 'field', 'value', 'text'];

/** Returns how far a result is from what was typed: the name itself, a name that begins so, one that contains it. */
const rankOf = (found: Hit | Node, q: string): number => {
  const text = ('what' in found ? found.text : found.name).toLowerCase();
  const rank = text === q || text.replace(/\.[^.]*$/, '') === q ? 0 : text.startsWith(q) ? 1 : text.includes(q) ? 2 : 3;
  return 2 * rank + ('what' in found && uses.includes(found.what) ? 1 : 0);
};
