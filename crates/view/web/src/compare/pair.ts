/// Two files: their differences as a list, or side by side.
import { lines, type CompareDone, type DifferenceLine, type Node } from '../api.ts';
import { damageNotes } from '../shell/damage.ts';
import { el } from '../shell/dom.ts';
import { failure, isAbort } from '../shell/failure.ts';
import { kindIcon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { counted, formatCount, namesOf } from '../shell/text.ts';
import type { PageContext } from '../view.ts';
import { changeNames, readDifference, type Difference, type Pair } from './data.ts';
import { DifferenceList } from './differences.ts';
import { SideBySide } from './side.ts';

export interface PairState {
  tab: 'list' | 'side';
  /** The difference that is marked. */
  path: string;
}

export class PairView {
  readonly #context: PageContext;
  readonly #pair: Pair;
  readonly #changed: (state: PairState) => void;
  readonly #abort = new AbortController();
  readonly #status = el('p', { class: 'dim numeric', role: 'status' });
  readonly #body = el('div', { class: 'pair-body' });
  readonly #tabs: HTMLButtonElement[];
  readonly #list: DifferenceList;
  readonly #differences: Difference[] = [];
  #side: SideBySide | undefined;
  #state: PairState;
  #isDone = false;
  #done: CompareDone | undefined;

  constructor(host: HTMLElement, context: PageContext, pair: Pair, state: PairState, changed: (state: PairState) => void) {
    this.#context = context;
    this.#pair = pair;
    this.#state = state;
    this.#changed = changed;
    this.#list = new DifferenceList({ choose: ({ path }) => this.#set({ ...this.#state, path }) });
    this.#tabs = (['list', 'side'] as const).map((tab) =>
      el('button', { type: 'button', 'data-tab': tab, onclick: () => this.#set({ ...this.#state, tab }) },
        tab === 'list' ? 'Differences' : 'Side by side')
    );
    host.replaceChildren(
      el('header', { class: 'pair-head' }, this.#name('left'), el('span', { class: 'dim', 'aria-hidden': 'true' }, '→'),
        this.#name('right'), el('span', { class: 'grow' }), this.#status,
        el('div', { class: 'segmented', role: 'group', 'aria-label': 'View' }, ...this.#tabs)),
      damageNotes((['left', 'right'] as const).flatMap((side) => {
        const node = pair[side];
        return node ? [[nameOf(node), node]] : [];
      })),
      this.#body,
    );
    this.#show();
    void this.#load();
  }

  /** Shows another state of the address. */
  select(state: PairState): void {
    const { tab } = this.#state;
    this.#state = state;
    if (tab !== state.tab) this.#show();
    else this.#mark();
  }

  destroy(): void {
    this.#abort.abort();
    this.#side?.destroy();
    this.#list.destroy();
  }

  #name(side: 'left' | 'right'): HTMLElement {
    const node = this.#pair[side];
    if (!node) return el('span', { class: 'pair-side dim' }, side === 'left' ? 'Only on the right' : 'Only on the left');
    const name = nameOf(node);
    return el('a', { class: 'pair-side', href: placeAddress({ at: node.at, path: node.path }), title: `Open ${name}` }, kindIcon(node.kind),
      el('span', {}, name));
  }

  async #load(): Promise<void> {
    const { left, right, change } = this.#pair;
    if (change === 'error') {
      this.#body.replaceChildren(failure(new Error(this.#pair.error ?? 'These files cannot be compared.')));
      return;
    }
    if (!left || !right) {
      this.#status.textContent = changeNames[change][0];
      this.#isDone = true;
      this.#show();
      return;
    }
    this.#status.textContent = 'Comparing…';
    try {
      const done = await lines<DifferenceLine, CompareDone>('compare/diff', { left: left.at, right: right.at }, (line) => {
        const difference = readDifference(line, left.at, right.at);
        this.#differences.push(difference);
        this.#list.add(difference);
      }, this.#abort.signal);
      this.#isDone = true;
      this.#status.textContent = this.#differences.length
        ? counted(done.count, 'difference') + (done.more ? `; the first ${formatCount(this.#differences.length)} are shown` : '')
        : 'No differences';
      if (!this.#differences.length) this.#show();
      this.#done = done;
      this.#side?.set(this.#differences, done);
      this.#mark();
    } catch (error) {
      if (isAbort(error)) return;
      this.#status.textContent = '';
      this.#body.prepend(failure(error, () => {
        this.#body.querySelector('.failure')?.remove();
        void this.#load();
      }));
    }
  }

  #set(state: PairState): void {
    const { tab } = this.#state;
    this.#state = state;
    this.#changed(state);
    if (tab !== state.tab) this.#show();
    else this.#mark();
  }

  #mark(): void {
    if (this.#state.tab === 'list') this.#list.chosen = this.#state.path;
    else this.#side?.select(this.#state.path);
  }

  #show(): void {
    const { left, right } = this.#pair;
    for (const tab of this.#tabs) tab.setAttribute('aria-pressed', String(tab.dataset.tab === this.#state.tab));
    this.#side?.destroy();
    this.#side = undefined;
    if (this.#state.tab === 'side' && left && right) {
      this.#side = new SideBySide(this.#body, this.#context, left, right, {
        choose: (path) => {
          this.#state = { ...this.#state, path };
          this.#changed(this.#state);
        },
      });
      this.#side.select(this.#state.path);
      if (this.#done) this.#side.set(this.#differences, this.#done);
    } else if (this.#isDone && !this.#differences.length) {
      const text = left && right ? 'The contents of both files are the same.'
        : `${(left ?? right)!.name} is only on the ${left ? 'left' : 'right'}.`;
      this.#body.replaceChildren(el('div', { class: 'empty' }, el('p', {}, text)));
    } else {
      this.#body.replaceChildren(this.#list.element);
      this.#list.start();
      this.#list.chosen = this.#state.path;
    }
  }
}

/** The name of a file with its folders, since both sides can have the same name. */
const nameOf = (node: Node): string => namesOf(node.at).join('/');
