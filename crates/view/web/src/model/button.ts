/// Buttons with an icon, whose name and key appear while the mouse is on them.
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
