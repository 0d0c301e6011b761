/// The line at the bottom: what screen readers hear, and everyone sees for a while.
import { el } from './dom.ts';

const visibleFor = 5000;

export class Status {
  readonly element = el('div', { class: 'status floating', role: 'status', 'aria-live': 'polite' });
  readonly warning = el('div', { class: 'notice', role: 'alert', hidden: true });
  #timer = 0;

  /** Says something to screen readers only. */
  whisper(text: string): void {
    this.element.textContent = text;
  }

  /** Shows a text at the top, until it is empty. */
  warn(text: string): void {
    if (this.warning.textContent !== text) this.warning.textContent = text;
    this.warning.hidden = !text;
  }

  announce(text: string): void {
    clearTimeout(this.#timer);
    this.element.textContent = text;
    this.element.classList.add('shown');
    this.#timer = window.setTimeout(() => this.element.classList.remove('shown'), visibleFor);
  }
}
