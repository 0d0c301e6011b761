/// What is in a folder or archive: cards or a list, of any length.
import { json, type Children, type Node } from '../api.ts';
import { el, later, middle, put } from '../shell/dom.ts';
import { failure, isAbort, loading } from '../shell/failure.ts';
import { icon, kindName } from '../shell/icons.ts';
import { emptyText, markDamage } from '../shell/damage.ts';
import { Rows } from '../shell/rows.ts';
import { placeAddress } from '../shell/router.ts';
import { recall, remember } from '../shell/store.ts';
import { counted, formatSize } from '../shell/text.ts';
import type { Context, Mount } from '../view.ts';
import { card, formatName, thumbnail } from './card.ts';

const pageSize = 500;
const listRow = 44;
const cardRow = 84;
const cardWidth = 248;

type Style = 'cards' | 'list';

export const mountChildren: Mount = (host, context) => new ChildrenView(host, context);

class ChildrenView {
  readonly #context: Context;
  readonly #scroll = el('div', { class: 'contents', tabindex: -1 });
  readonly #count = el('span', { class: 'dim', role: 'status' });
  readonly #resize: ResizeObserver;
  #rows: Rows | undefined;
  #nodes = new Map<number, Node[]>();
  #asked = new Set<number>();
  /** What rows show. */
  readonly #drawn = new WeakMap<HTMLElement, (Node | undefined)[]>();
  #total = 0;
  #filter = '';
  #style: Style;
  #columns = 1;

  constructor(host: HTMLElement, context: Context) {
    this.#context = context;
    this.#style = recall('contents') === 'list' ? 'list' : 'cards';
    const filter = el('input', { class: 'input', type: 'search', placeholder: 'Filter names', 'aria-label': 'Filter by name',
      spellcheck: 'false' });
    const apply = later(150, () => {
      this.#filter = filter.value.trim();
      void this.#restart();
    });
    filter.addEventListener('input', apply);
    const styleButton = (style: Style, label: string): HTMLButtonElement => {
      const button = el('button', { type: 'button', 'aria-label': label, title: label }, icon(style === 'cards' ? 'grid' : 'list'),
        el('span', { class: 'label' }, label));
      button.addEventListener('click', () => this.#setStyle(style));
      button.dataset.style = style;
      return button;
    };
    put(host,
      el('div', { class: 'toolbar' }, filter, this.#count, el('span', { class: 'grow' }),
        el('div', { class: 'segmented', role: 'group', 'aria-label': 'Show as' }, styleButton('cards', 'Cards'),
          styleButton('list', 'List'))), this.#scroll);
    host.classList.add('column');
    this.#resize = new ResizeObserver(() => this.#layout());
    this.#resize.observe(this.#scroll);
    this.#press(host);
    context.signal.addEventListener('abort', () => host.classList.remove('column'));
    void this.#restart();
  }

  destroy(): void {
    this.#resize.disconnect();
    this.#rows?.destroy();
  }

  #press(host: Element = this.#scroll.parentElement!): void {
    for (const button of host.querySelectorAll<HTMLElement>('[data-style]')) {
      button.setAttribute('aria-pressed', String(button.dataset.style === this.#style));
    }
  }

  #setStyle(style: Style): void {
    this.#style = style;
    remember('contents', style);
    this.#press();
    this.#build();
  }

  /** Loads the first page, and forgets the others. */
  async #restart(): Promise<void> {
    this.#nodes = new Map();
    this.#asked = new Set();
    if (!this.#rows) this.#scroll.replaceChildren(loading());
    try {
      await this.#load(0);
      if (!this.#rows) this.#build();
      this.#scroll.scrollTop = 0;
      this.#update();
    } catch (error) {
      if (isAbort(error)) return;
      this.#rows?.destroy();
      this.#rows = undefined;
      this.#scroll.replaceChildren(failure(error, () => void this.#restart()));
    }
  }

  async #load(page: number): Promise<void> {
    const nodes = this.#nodes;
    this.#asked.add(page);
    const { at, path } = this.#context.about.node;
    const answer = await json<Children>('children', { at, path, from: page * pageSize, limit: pageSize, filter: this.#filter || undefined },
      this.#context.signal);
    // The filter changed meanwhile.
    if (nodes !== this.#nodes) return;
    nodes.set(page, answer.children);
    this.#total = answer.total;
    this.#count.textContent = this.#filter ? `${counted(answer.total, 'match', 'matches')}` : counted(answer.total, 'entry', 'entries');
  }

  #build(): void {
    this.#rows?.destroy();
    this.#scroll.replaceChildren();
    this.#scroll.classList.toggle('as-cards', this.#style === 'cards');
    this.#rows = new Rows(this.#scroll, { height: this.#style === 'cards' ? cardRow : listRow,
      draw: (index, row) => this.#draw(index, row) });
    this.#columns = 0;
    this.#layout();
  }

  #layout(): void {
    const columns = this.#style === 'list' ? 1 : Math.max(1, Math.floor(this.#scroll.clientWidth / cardWidth));
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#update();
  }

  #update(): void {
    this.#rows?.update(Math.ceil(this.#total / this.#columns));
    this.#scroll.querySelector('.empty')?.remove();
    if (!this.#total) {
      this.#scroll.append(
        el('div', { class: 'empty' },
          this.#filter ? 'No name contains these words.' : emptyText(this.#context.about, 'Nothing is in here.')),
      );
    }
  }

  #node(index: number): Node | undefined {
    const page = Math.floor(index / pageSize);
    if (!this.#asked.has(page)) {
      this.#load(page).then(() => this.#update(), (error: unknown) => {
        if (!isAbort(error)) this.#context.announce(String(error));
      });
    }
    return this.#nodes.get(page)?.[index % pageSize];
  }

  #draw(index: number, row: HTMLElement): void {
    const first = index * this.#columns;
    const count = Math.min(this.#columns, this.#total - first);
    const nodes = Array.from({ length: count }, (_, column) => this.#node(first + column));
    // What is shown already stays, with its pictures.
    const drawn = this.#drawn.get(row);
    if (drawn?.length === count && nodes.every((node, column) => node && node === drawn[column])) return;
    this.#drawn.set(row, nodes);
    row.replaceChildren();
    row.classList.toggle('card-row', this.#style === 'cards');
    if (this.#style === 'cards') row.style.gridTemplateColumns = `repeat(${this.#columns}, minmax(0, 1fr))`;
    for (const node of nodes) {
      if (!node) put(row, el('span', { class: 'card dim' }, 'Loading…'));
      else put(row, this.#style === 'list' ? listEntry(node) : card(node));
    }
  }
}

const listEntry = (node: Node): HTMLElement => {
  const note = el('span', { class: 'note dim' }, node.note);
  const entry = el('a', { class: 'list-entry', href: placeAddress({ at: node.at, path: node.path }), title: node.name }, thumbnail(node),
    el('span', { class: 'name' }, middle(node.name || '(no name)'), node.title && el('span', { class: 'dim' }, ` ${node.title}`)),
    el('span', { class: 'dim kind-name' }, [kindName[node.kind], formatName(node)].filter(Boolean).join(' · ')), note,
    el('span', { class: 'dim numeric size' }, node.size !== undefined && formatSize(node.size)));
  markDamage(entry, node, (text) => note.replaceChildren(icon('warning'), text));
  return entry;
};
