/// Buttons of the model view. Their names and keys appear while the mouse is on them.
import { el } from '../shell/dom.ts';
import { icon, type IconName } from './icons.ts';

/** Creates a button. `key` is what does the same on the picture; empty if there is none. */
export const iconButton = (picture: IconName, label: string, key: string, act: () => void): HTMLButtonElement =>
  el('button', {
    class: 'icon-button',
    type: 'button',
    'aria-label': label,
    'aria-keyshortcuts': key || undefined,
    'data-tip': key,
    onclick: act,
  }, icon(picture));

/** Creates a button with an icon and a word, which is part of its name. */
export const wordButton = (picture: IconName, word: string, label: string, key: string, act: () => void): HTMLButtonElement =>
  el('button', {
    class: 'button quiet',
    type: 'button',
    'aria-label': label,
    'aria-keyshortcuts': key || undefined,
    title: key ? `${label} (${key})` : label,
    onclick: act,
  }, icon(picture), word);
