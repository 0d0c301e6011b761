/// Switches that show and hide kinds of changes, with their counts.
import { el } from '../shell/dom.ts';
import { formatCount } from '../shell/text.ts';
import { changeNames } from './data.ts';

export class Chips<K extends keyof typeof changeNames> {
  readonly element = el('div', { class: 'chips', role: 'group', 'aria-label': 'Changes to show' });
  readonly #counts = new Map<K, number>();
  readonly #buttons = new Map<K, HTMLButtonElement>();

  /** The kinds that are not shown. */
  readonly hidden: Set<K>;

  constructor(kinds: readonly K[], hidden: readonly K[], changed: () => void) {
    this.hidden = new Set(hidden);
    for (const kind of kinds) {
      const button = el('button', { class: `chip ${kind}`, type: 'button' });
      button.addEventListener('click', () => {
        if (!this.hidden.delete(kind)) this.hidden.add(kind);
        this.update();
        changed();
      });
      this.#buttons.set(kind, button);
      this.element.append(button);
    }
    this.update();
  }

  count(kind: K, by = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by);
  }

  reset(): void {
    this.#counts.clear();
  }

  update(): void {
    for (const [kind, button] of this.#buttons) {
      const count = this.#counts.get(kind) ?? 0;
      const [name, sign] = changeNames[kind];
      button.hidden = count === 0;
      button.textContent = `${sign} ${formatCount(count)} ${name}`;
      button.setAttribute('aria-pressed', String(!this.hidden.has(kind)));
    }
  }
}
