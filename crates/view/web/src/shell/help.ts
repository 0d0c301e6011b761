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
  ['Search', [
    ['↑ ↓ PageUp PageDown', 'Move among the results'],
    ['Enter', 'Go to the result, by default the first; open a group'],
  ]],
  ['Tables', [
    ['↑ ↓ → ←', 'Move; with Ctrl to the edge; with Shift select a range of cells'],
    ['Shift Space', 'Select the row'],
    ['Ctrl C', 'Copy the cell or the range, for spreadsheets'],
    ['F2 Enter', 'Edit a cell'],
    ['Ctrl Enter', 'Follow the link of a cell'],
    ['Alt ← →', 'Step through order and filters: back and forward'],
  ]],
  ['Levels', [
    ['drag', 'Move'],
    ['wheel + −', 'Zoom'],
    ['0', 'Whole level'],
    ['1', 'Actual size'],
    ['↑ ↓ → ←', 'Move the map; with Shift faster'],
    ['Enter', 'Select what is in the middle'],
    ['c', 'Next camera'],
    ['p o a g', 'Pictures, objects, attributes, grid'],
    ['j', 'Find an object'],
    ['b', 'Side panel'],
    ['Esc', 'End the selection'],
  ]],
  ['Models', [
    ['drag ↑ ↓ → ←', 'Turn; with Shift move'],
    ['wheel + −', 'Zoom'],
    ['f', 'Show what is selected, or everything'],
    ['r Home', 'First view'],
    ['Space', 'Play or pause an animation'],
    [', .', 'One step back or on'],
    ['h w n b g l', 'Hidden objects, wireframe, normals, bounds, grid, light'],
    ['p', 'Side panel'],
    ['Esc', 'End the selection'],
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
