/// The search over everything: results appear as they are found, grouped by file.
import { lines, type Hit } from '../api.ts';
import { el, later, perFrame, put, uniqueId } from '../shell/dom.ts';
import { isAbort, sentence } from '../shell/failure.ts';
import { icon, kindIcon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { Rows } from '../shell/rows.ts';
import { counted, namesOf, splitMatches } from '../shell/text.ts';
import type { Place } from '../view.ts';

interface Done {
  done: true;
  files: number;
  hits: number;
  more: boolean;
  failed: number;
}

type Line = { head: string; count: number } | { hit: Hit };

interface Options {
  go: (place: Place) => void;
  /** What the page shows now: the search can be limited to it. */
  scope: () => { at: string; name: string } | undefined;
}

const hitRow = 46;
const headRow = 30;
/** Searches start when the user pauses. */
const typingPause = 250;

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
  #groups = new Map<string, Hit[]>();
  #lines: Line[] = [];
  #words: string[] = [];
  #active = -1;
  #request: AbortController | undefined;
  /** What the results are for. */
  #shown = '';
  #scoped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#input = el('input', {
      class: 'input search-input', type: 'search', role: 'combobox', placeholder: 'Search everything',
      'aria-label': 'Search everything', 'aria-expanded': 'false', 'aria-controls': this.#id,
      'aria-autocomplete': 'list', 'aria-keyshortcuts': '/', autocomplete: 'off', spellcheck: 'false',
    });
    this.#list = el('div', { class: 'search-list', role: 'listbox', id: this.#id, 'aria-label': 'Results' });
    const help = el('p', { class: 'search-help dim' },
      'Finds names, texts and numbers. ', el('kbd', {}, '*'), ' stands for anything, ', el('kbd', {}, '?'), ' for one letter.');
    this.#panel = el('div', { class: 'search-panel floating', hidden: true },
      el('div', { class: 'search-head' }, this.#summary, this.#scopes), this.#list, help);
    this.element = el('search', { class: 'search' },
      icon('search'), this.#input, el('kbd', { class: 'search-key', 'aria-hidden': 'true' }, '/'), this.#panel);
    this.#rows = new Rows(this.#list, {
      height: (index) => ('head' in (this.#lines[index] ?? { head: '' }) ? headRow : hitRow),
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

  #open(): void {
    const scope = this.#options.scope();
    if (!scope) this.#scoped = false;
    this.#scopes.replaceChildren(
      this.#scopeButton('Everywhere', false),
      ...(scope ? [this.#scopeButton(`In ${scope.name}`, true)] : []));
    this.#scopes.hidden = !scope;
    this.#panel.hidden = !this.#input.value.trim();
    this.#input.setAttribute('aria-expanded', String(!this.#panel.hidden));
    if (!this.#panel.hidden) this.#update();
  }

  #scopeButton(label: string, scoped: boolean): HTMLElement {
    return el('button', {
      type: 'button', 'aria-pressed': String(this.#scoped === scoped),
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
    this.#groups = new Map();
    this.#lines = [];
    this.#active = -1;
    this.#list.scrollTop = 0;
    this.#update();
    if (!q) return;
    this.#words = q.split(/[*?]+/);
    void this.#ask(q, at);
  }

  async #ask(q: string, at: string): Promise<void> {
    const request = (this.#request = new AbortController());
    let hits = 0;
    this.#say('Searching…', true);
    try {
      const done = await lines<Hit, Done>('find', { q, at }, (hit) => {
        if (request.signal.aborted) return;
        hits += 1;
        const group = this.#groups.get(hit.at);
        if (group) group.push(hit);
        else this.#groups.set(hit.at, [hit]);
        this.#say(`${counted(hits, 'result')} so far…`, true);
        this.#draw();
      }, request.signal);
      if (this.#request !== request) return;
      this.#say([
        done.hits ? counted(done.hits, 'result') : 'Nothing found',
        ` in ${counted(done.files, 'file')}`,
        done.more ? ', and there are more' : '',
        done.failed ? `; ${counted(done.failed, 'file')} could not be searched completely` : '',
        '.',
      ].join(''));
    } catch (error) {
      if (isAbort(error) || this.#request !== request) return;
      this.#say(sentence(error));
      this.#summary.classList.add('broken');
      this.#summary.append(' ', el('button', {
        class: 'button', type: 'button',
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

  #update(): void {
    if (this.#panel.hidden) return;
    this.#lines = [...this.#groups].flatMap(([at, hits]) =>
      [{ head: at, count: hits.length }, ...hits.map((hit) => ({ hit }))]);
    this.#list.hidden = !this.#lines.length;
    this.#rows.update(this.#lines.length);
    if (this.#active >= 0 && this.#rows.element(this.#active)) {
      this.#input.setAttribute('aria-activedescendant', `${this.#id}-${this.#active}`);
    } else {
      this.#input.removeAttribute('aria-activedescendant');
    }
  }

  #drawRow(index: number, row: HTMLElement): void {
    const line = this.#lines[index];
    row.replaceChildren();
    row.className = 'row';
    row.removeAttribute('aria-selected');
    if (!line) return;
    if ('head' in line) {
      const names = namesOf(line.head);
      row.classList.add('search-group');
      row.setAttribute('role', 'presentation');
      put(row, el('span', { class: 'name' }, names.at(-1)), el('span', { class: 'dim grow' }, names.slice(0, -1).join(' / ')),
        el('span', { class: 'badge' }, counted(line.count, 'result')));
      return;
    }
    const { hit } = line;
    row.classList.add('search-hit');
    row.classList.toggle('active', index === this.#active);
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(index === this.#active));
    put(row, kindIcon(hit.kind),
      el('span', { class: 'hit-text' },
        el('span', { class: 'name' }, ...this.#marked(hit.text || hit.path)),
        el('span', { class: 'dim path' }, ...this.#marked(hit.path))),
      el('span', { class: 'dim what' }, hit.what));
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
      const line = this.#lines[this.#active];
      if (line && 'hit' in line) this.#choose(line.hit);
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

  /** Moves among the hits, past the heads of groups. */
  #move(step: number): void {
    const { length } = this.#lines;
    if (!length) return;
    const one = Math.sign(step);
    let index = Math.min(length - 1, Math.max(0, this.#active + step));
    while (this.#lines[index] && 'head' in this.#lines[index]!) index += index === 0 ? 1 : one;
    if (!this.#lines[index]) return;
    this.#active = index;
    this.#rows.reveal(index);
    this.#update();
  }

  #click(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('.search-hit');
    const line = row && this.#lines[Number(row.dataset.index)];
    if (!line || !('hit' in line)) return;
    if (event.ctrlKey || event.metaKey) open(placeAddress(line.hit), '_blank');
    else this.#choose(line.hit);
  }

  #choose(hit: Hit): void {
    this.#close();
    this.#input.blur();
    this.#options.go({ at: hit.at, path: hit.path });
  }
}
