/// The dialog with the keyboard shortcuts.
import { el } from './dom.ts';
import { icon } from './icons.ts';
import { groups, type Key } from './keys.ts';

/** Shows keys with their meanings. */
export const keyList = (keys: readonly Key[]): HTMLElement =>
  el('dl', {}, ...keys.flatMap(({ shown, meaning }) => [
    el('dt', {}, ...shown.split(' ').map((name) => el('kbd', {}, name))),
    el('dd', {}, meaning),
  ]));

/** Creates the dialog; `showModal` opens it. */
export const helpDialog = (version: string): HTMLDialogElement => {
  const close = el('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'));
  const dialog = el('dialog', { class: 'help floating', 'aria-labelledby': 'help-title' },
    el('header', {}, el('h2', { id: 'help-title' }, 'Keyboard shortcuts'), close),
    el('div', { class: 'help-groups' }, ...groups.map(([title, keys]) => el('section', {}, el('h3', {}, title), keyList(keys)))),
    el('footer', { class: 'dim' }, `worldview ${version}. Files are only read, and nothing leaves this computer.`));
  dialog.addEventListener('click', (event) => {
    // A click beside the contents.
    if (event.target === dialog) dialog.close();
  });
  return dialog;
};
