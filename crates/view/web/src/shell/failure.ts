/// What a failed request leaves in place of its answer.
import { el } from './dom.ts';
import { icon } from './icons.ts';

/** Returns whether an error only says that a request was given up. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** The sentence for an error. */
export const sentence = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  // Messages of the program begin like those of a command: small, and without a full stop.
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
};

/** Shows an error, with a button to try again. */
export const failure = (error: unknown, retry?: () => void): HTMLElement =>
  el('div', { class: 'failure', role: 'alert' }, icon('warning'), el('p', {}, sentence(error)),
    retry && el('button', { class: 'button', type: 'button', onclick: retry }, 'Try again'));

/** Shows that something is on its way. */
export const loading = (text = 'Loading…'): HTMLElement =>
  el('div', { class: 'empty loading' }, el('span', { class: 'spinner', 'aria-hidden': 'true' }), el('p', {}, text));

/** Shows that something is on its way while `work` runs; if it fails, why, with a button to try again. */
export const attempt = async (host: HTMLElement, work: () => Promise<void>, text?: string): Promise<void> => {
  host.replaceChildren(loading(text));
  try {
    await work();
  } catch (error) {
    if (!isAbort(error)) host.replaceChildren(failure(error, () => void attempt(host, work, text)));
  }
};
