/// The list of the files on both sides.
import { lines, type PairChange } from '../api.ts';
import { el, perFrame, uniqueId } from '../shell/dom.ts';
import { failure, isAbort } from '../shell/failure.ts';
import { kindIcon } from '../shell/icons.ts';
import { stepOf } from '../shell/keys.ts';
import { Rows, rowOf } from '../shell/rows.ts';
import { counted } from '../shell/text.ts';
import type { PageContext } from '../view.ts';
import { Chips } from './chips.ts';
import { changeNames, type Pair } from './data.ts';

const order: readonly PairChange[] = ['changed', 'added', 'removed', 'error', 'same'];

/** Identifies a pair in the address. */
export const pairKey = (pair: Pair): { left?: string; right?: string } => ({ ...(pair.left ? { left: pair.left.at } : {}),
  ...(pair.right ? { right: pair.right.at } : {}) });

interface Hooks {
  choose(pair: Pair): void;
  /** All pairs are there. */
  arrived(pairs: Pair[]): void;
}

export class PairList {
  readonly element: HTMLElement;
  readonly #context: PageContext;
  readonly #hooks: Hooks;
  readonly #chips: Chips<PairChange>;
  readonly #filter: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status = el('p', { class: 'dim pairs-status', role: 'status' });
  readonly #rows: Rows;
  readonly #id = uniqueId('pair');
  readonly #update = perFrame(() => this.#refresh());
  #pairs: Pair[] = [];
  #shown: Pair[] = [];
  #chosen: Pair | undefined;

  constructor(context: PageContext, hooks: Hooks) {
    this.#context = context;
    this.#hooks = hooks;
    this.#chips = new Chips(order, ['same'], this.#update);
    this.#filter = el('input', { class: 'input', type: 'search', placeholder: 'Filter files', 'aria-label': 'Filter files',
      oninput: this.#update });
    this.#list = el('div', { class: 'pairs-list', role: 'listbox', tabindex: 0, 'aria-label': 'Files' });
    this.element = el('aside', { class: 'pairs', 'aria-label': 'Compared files' },
      el('div', { class: 'pairs-head' }, this.#filter, this.#chips.element, this.#status), this.#list);
    this.#rows = new Rows(this.#list, { height: 44, role: 'option', id: this.#id, draw: (index, row) => this.#draw(index, row) });
    this.#listen();
    void this.#load();
  }

  get pairs(): Pair[] {
    return this.#pairs;
  }

  /** Marks the pair that is shown. */
  set chosen(pair: Pair | undefined) {
    this.#chosen = pair;
    this.#refresh();
    const index = pair ? this.#shown.indexOf(pair) : -1;
    if (index >= 0) this.#rows.reveal(index);
  }

  destroy(): void {
    this.#rows.destroy();
  }

  async #load(): Promise<void> {
    this.#pairs = [];
    this.#chips.reset();
    this.#status.textContent = 'Comparing…';
    try {
      await lines<Pair>('compare', {}, (pair) => {
        this.#pairs.push(pair);
        this.#chips.count(pair.change);
        this.#update();
      }, this.#context.signal);
      this.#status.textContent = counted(this.#pairs.length, 'file');
      if (this.#pairs.every(({ change }) => change === 'same')) {
        this.#chips.hidden.clear();
        this.#status.textContent += ': no differences';
      }
      this.#refresh();
      this.#hooks.arrived(this.#pairs);
    } catch (error) {
      if (isAbort(error)) return;
      this.#status.textContent = '';
      this.#list.before(failure(error, () => {
        this.element.querySelector('.failure')?.remove();
        void this.#load();
      }));
    }
  }

  #refresh(): void {
    const text = this.#filter.value.trim().toLowerCase();
    this.#shown = this.#pairs.filter((pair) => !this.#chips.hidden.has(pair.change) && pairName(pair).toLowerCase().includes(text));
    this.#chips.update();
    this.#rows.update(this.#shown.length);
    this.#list.setAttribute('aria-activedescendant', this.#chosen ? `${this.#id}-${this.#shown.indexOf(this.#chosen)}` : '');
  }

  #draw(index: number, row: HTMLElement): void {
    const pair = this.#shown[index]!;
    const node = pair.right ?? pair.left!;
    const [name, sign] = changeNames[pair.change];
    row.className = `row pair ${pair.change}`;
    row.setAttribute('aria-selected', String(pair === this.#chosen));
    row.setAttribute('aria-setsize', String(this.#shown.length));
    row.setAttribute('aria-posinset', String(index + 1));
    const detail = pair.change === 'changed' && pair.count !== undefined ? counted(pair.count, 'difference') : pair.error ?? name;
    row.replaceChildren(
      el('span', { class: `sign ${pair.change}`, 'aria-hidden': 'true' }, sign),
      kindIcon(node.kind),
      el('span', { class: 'pair-text' }, el('span', { class: 'pair-name', title: pairName(pair) }, pairName(pair)),
        el('span', { class: 'dim' }, detail)),
    );
  }

  #listen(): void {
    this.#list.addEventListener('click', (event) => {
      const pair = this.#shown[rowOf(event) ?? -1];
      if (pair) this.#hooks.choose(pair);
    });
    this.#list.addEventListener('keydown', (event) => {
      const now = this.#chosen ? this.#shown.indexOf(this.#chosen) : -1;
      const step = stepOf(event, now, this.#shown.length, this.#rows.page);
      if (step === undefined) return;
      event.preventDefault();
      this.#hooks.choose(this.#shown[step]!);
    });
  }
}

/** The name of a pair: that of the right file, and that of the left one if it differs. */
export const pairName = ({ left, right }: Pair): string => {
  if (left && right && left.name !== right.name) return `${left.name} → ${right.name}`;
  return (right ?? left)?.name ?? '';
};
