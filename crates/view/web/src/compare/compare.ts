/// The page `/compare`: the files of both sides, and the differences of a pair.
///
/// Its address has `left` and `right` (the files of the pair), `tab` (`side` for side by side), and `path` (the
/// difference that is marked).
import { el } from '../shell/dom.ts';
import { atMost } from '../table/throttle.ts';
import type { MountPage, PageContext, PageView } from '../view.ts';
import type { Pair } from './data.ts';
import { PairView, type PairState } from './pair.ts';
import { PairList, pairKey, pairSummary } from './pairs.ts';

export const mountCompare: MountPage = (host, context) => new ComparePage(host, context);

class ComparePage implements PageView {
  readonly #host: HTMLElement;
  readonly #context: PageContext;
  readonly #list: PairList;
  readonly #main = el('div', { class: 'compare-main' });
  #more: Record<string, string>;
  #view: PairView | undefined;
  #shown: Pair | undefined;

  constructor(host: HTMLElement, context: PageContext) {
    this.#host = host;
    this.#context = context;
    this.#more = context.more;
    host.replaceChildren();
    this.#list = new PairList(context, {
      choose: (pair) => this.#choose(pair),
      arrived: (pairs) => this.#arrived(pairs),
    });
    host.append(el('div', { class: 'compare' }, this.#list.element, this.#main));
    this.#main.append(el('div', { class: 'empty' }, el('p', {}, 'Choose a file to see its differences.')));
  }

  /** Shows what the address names now. */
  select(more: Record<string, string>): void {
    this.#more = more;
    const pair = this.#find(this.#list.pairs);
    if (pair && pair !== this.#shown) this.#show(pair);
    else this.#view?.select(stateOf(more));
  }

  destroy(): void {
    this.#view?.destroy();
    this.#list.destroy();
    this.#host.replaceChildren();
  }

  #arrived(pairs: Pair[]): void {
    const named = this.#more.left || this.#more.right;
    const pair = named ? this.#find(pairs) : pairs.find(({ change }) => change === 'changed') ?? pairs[0];
    this.#host.querySelector('.compare')!.classList.toggle('single', pairs.length < 2);
    if (!pair) {
      const text = pairs.length ? 'The address names files that are not compared.' : 'There are no files to compare.';
      this.#main.replaceChildren(el('div', { class: 'empty' }, el('p', {}, text)));
      return;
    }
    if (pairs.length > 1) this.#context.announce(`${pairSummary(pairs)}.`);
    this.#show(pair);
  }

  #find(pairs: Pair[]): Pair | undefined {
    const { left, right } = this.#more;
    if (!left && !right) return undefined;
    return pairs.find((pair) => pair.left?.at === left && pair.right?.at === right);
  }

  #choose(pair: Pair): void {
    if (pair === this.#shown) return;
    // The tab stays, the marked difference belongs to the other pair.
    const { tab } = this.#more;
    this.#more = { ...pairKey(pair), ...(tab ? { tab } : {}) };
    this.#show(pair);
    this.#context.update(this.#more, true);
  }

  #show(pair: Pair): void {
    this.#shown = pair;
    this.#list.chosen = pair;
    this.#view?.destroy();
    this.#view = new PairView(this.#main, this.#context, pair, stateOf(this.#more), (state) => {
      const { tab, path } = state;
      this.#more = { ...pairKey(pair), ...(tab === 'side' ? { tab } : {}), ...(path ? { path } : {}) };
      this.#remember();
    });
  }

  /** Puts what is shown into the address, not more often than browsers allow. */
  readonly #remember = atMost(150, () => {
    if (!this.#context.signal.aborted) this.#context.update(this.#more);
  });
}

const stateOf = ({ tab, path }: Record<string, string>): PairState =>
  ({ tab: tab === 'side' ? 'side' : 'list', path: path ?? '' });
