/// The dialog with the keyboard shortcuts.
import { el } from './dom.ts';
import { icon } from './icons.ts';

const shortcuts: [string, [string, string][]][] = [
  ['Everywhere', [
    ['/', 'Search everything'],
    ['t', 'Go to the tree'],
    ['m', 'Go to the contents'],
    ['?', 'Show this help'],
    ['Esc', 'Close what is open'],
  ]],
  ['Tree and lists', [
    ['↑ ↓', 'Move'],
    ['→ ←', 'Open and close, or move in and out'],
    ['Home End', 'First and last row'],
    ['a … z', 'Jump to the next name that begins so'],
    ['Enter', 'Show what is selected'],
    ['F2', 'Change the value of a field'],
  ]],
  ['Bytes', [
    ['↑ ↓ → ←', 'Move the cursor'],
    ['PageUp PageDown', 'Move by a page'],
    ['Ctrl Home', 'First byte'],
    ['Ctrl End', 'Last byte'],
    ['Enter', 'Select the field of the byte'],
  ]],
  ['Levels and models', [
    ['drag', 'Move a level, turn a model'],
    ['wheel + −', 'Zoom'],
    ['Space', 'Play or pause an animation'],
  ]],
];

/** Creates the dialog; `showModal` opens it. */
export const helpDialog = (version: string): HTMLDialogElement => {
  const close = el('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() },
    icon('close'));
  const dialog = el('dialog', { class: 'help floating', 'aria-labelledby': 'help-title' },
    el('header', {}, el('h2', { id: 'help-title' }, 'Keyboard shortcuts'), close),
    el('div', { class: 'help-groups' }, ...shortcuts.map(([title, keys]) =>
      el('section', {}, el('h3', {}, title),
        el('dl', {}, ...keys.flatMap(([key, meaning]) => [
          el('dt', {}, ...key.split(' ').map((name) => el('kbd', {}, name))),
          el('dd', {}, meaning),
        ]))))),
    el('footer', { class: 'dim' }, `worldview ${version}. Files are only read, and nothing leaves this computer.`));
  dialog.addEventListener('click', (event) => {
    // A click beside the contents.
    if (event.target === dialog) dialog.close();
  });
  return dialog;
};
