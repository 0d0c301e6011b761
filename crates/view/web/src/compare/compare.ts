/// The page `/compare`: the files of both sides, and the differences of a pair.
///
/// Its address has `left` and `right` (the files of the pair), `tab` (`side` for side by side), and `path` (the
/// difference that is marked).
import { json, type About } from '../api.ts';
import { el } from '../shell/dom.ts';
import { failure, isAbort } from '../shell/failure.ts';
import { atMost } from '../table/throttle.ts';
import type { MountPage, PageContext, PageView } from '../view.ts';
import { compareButton } from './choose.ts';
import type { Pair } from './data.ts';
import { PairView, type PairState } from './pair.ts';
import { PairList, pairKey } from './pairs.ts';

export const mountCompare: MountPage = (host, context) => new ComparePage(host, context);

class ComparePage implements PageView {
  readonly #host: HTMLElement;
  readonly #context: PageContext;
  /** The pairs of the two inputs, if they are compared. */
  readonly #list: PairList | undefined;
  readonly #main = el('div', { class: 'compare-main' });
  #more: Record<string, string>;
  #view: PairView | undefined;
  #shown: Pair | undefined;

  constructor(host: HTMLElement, context: PageContext) {
    this.#host = host;
    this.#context = context;
    this.#more = context.more;
    host.replaceChildren();
    this.#main.append(el('div', { class: 'empty' }, el('p', {}, 'Choose a file to see its differences.')));
    const root = el('div', { class: 'compare' }, el('h1', { class: 'visually-hidden', tabindex: -1 }, 'Compare'), this.#main);
    host.append(root);
    if (!context.session.compare) {
      void this.#showNamed();
      return;
    }
    this.#list = new PairList(context, { choose: (pair) => this.#choose(pair), arrived: (pairs) => this.#arrived(pairs) });
    this.#main.before(this.#list.element);
  }

  /** Shows what the address names now. */
  select(more: Record<string, string>): void {
    this.#more = more;
    const isShown = this.#shown?.left?.at === more.left && this.#shown?.right?.at === more.right;
    const pair = this.#find(this.#list?.pairs ?? []);
    if (pair && pair !== this.#shown) this.#show(pair);
    else if (!pair && !isShown) void this.#showNamed();
    else this.#view?.select(stateOf(more));
  }

  destroy(): void {
    this.#view?.destroy();
    this.#list?.destroy();
    this.#host.replaceChildren();
  }

  #arrived(pairs: Pair[]): void {
    const named = this.#more.left || this.#more.right;
    const pair = named ? this.#find(pairs) : pairs.find(({ change }) => change === 'changed') ?? pairs[0];
    this.#host.querySelector('.compare')!.classList.toggle('single', pairs.length < 2);
    if (!pair) {
      if (named) void this.#showNamed();
      else this.#main.replaceChildren(el('div', { class: 'empty' }, el('p', {}, 'There are no files to compare.')));
      return;
    }
    this.#show(pair);
  }

  /** Shows the two files that the address names, which need not be a pair of the inputs. */
  async #showNamed(): Promise<void> {
    const { signal } = this.#context;
    this.#host.querySelector('.compare')!.classList.toggle('single', !this.#list);
    try {
      const about = (at: string): Promise<About> => json<About>('about', { at }, signal);
      const named = [this.#more.left, this.#more.right].filter((at) => at !== undefined && at !== '') as string[];
      const [left, right] = await Promise.all(named.map(about));
      if (left && right) this.#show({ left: left.node, right: right.node, change: 'changed' });
      else this.#chooseOther(left);
    } catch (error) {
      if (!isAbort(error)) this.#main.replaceChildren(failure(error, () => void this.#showNamed()));
    }
  }

  /** Says that a file has no other to be compared with, and lets the user choose one. */
  #chooseOther(about: About | undefined): void {
    const text = about ? `${about.node.name} is to be compared, but with what?` : 'The address names no files to compare.';
    const choose = about && compareButton(about);
    this.#main.replaceChildren(el('div', { class: 'empty' }, el('p', {}, text), choose));
    if (about && !choose) this.#main.querySelector('.empty')!.append(el('p', {}, 'A file of this kind cannot be compared.'));
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
    if (this.#list?.pairs.includes(pair)) this.#list.chosen = pair;
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

const stateOf = ({ tab, path }: Record<string, string>): PairState => ({ tab: tab === 'side' ? 'side' : 'list', path: path ?? '' });
