/// The list of all changes, and their downloads.
import type { Change, Edits } from '../edits.ts';
import { el } from '../shell/dom.ts';
import { sentence } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { counted, namesOf } from '../shell/text.ts';
import { account, download } from './check.ts';
import { valueText } from './value.ts';

interface Hooks {
  announce(text: string): void;
}

/** Creates the button that opens the list; it is hidden while there are no changes. */
export const changesButton = (edits: Edits, hooks: Hooks): HTMLElement => {
  const label = el('span', { class: 'label' });
  const button = el('button', { class: 'button changes-button', type: 'button', 'aria-haspopup': 'dialog' }, icon('edit'), label);
  const list = el('div', { class: 'changes-list' });
  const close = el('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close' }, icon('close'));
  const dialog = el('dialog', { class: 'changes floating', 'aria-labelledby': 'changes-title' },
    el('header', {}, el('h2', { id: 'changes-title' }, 'Changes'), close),
    el('p', { class: 'dim' }, 'Changes are kept by this page. Your files are never written: save the changes, or download an edited copy.'),
    list);
  const update = (): void => {
    button.hidden = edits.size === 0 && !dialog.open;
    label.textContent = `Changes (${edits.size})`;
    button.classList.toggle('unsaved', edits.unsaved);
    if (dialog.open) draw(list, edits, hooks, () => dialog.close());
  };
  button.addEventListener('click', () => {
    dialog.showModal();
    update();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', update);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  addEventListener('beforeunload', (event) => {
    if (edits.unsaved) event.preventDefault();
  });
  edits.subscribe(update);
  update();
  return el('div', { class: 'changes-box' }, button, dialog);
};

const draw = (list: HTMLElement, edits: Edits, hooks: Hooks, close: () => void): void => {
  const files = new Map<string, Change[]>();
  for (const change of edits.list()) files.set(change.file, [...(files.get(change.file) ?? []), change]);
  list.replaceChildren(...[...files].map(([file, changes]) => fileSection(file, changes, edits, hooks, close)));
  if (!files.size) list.append(el('p', { class: 'empty' }, 'No changes.'));
};

const fileSection = (file: string, changes: Change[], edits: Edits, hooks: Hooks, close: () => void): HTMLElement => {
  const failure = el('p', { class: 'changes-error', role: 'alert', hidden: true });
  const save = (kind: 'changes' | 'apply', text: string): HTMLElement => {
    const button = el('button', { class: 'button', type: 'button' }, icon('download'), text);
    button.addEventListener('click', async () => {
      button.disabled = true;
      failure.hidden = true;
      try {
        hooks.announce(`Downloaded ${await download(kind, changes)}: ${await account(changes)}`);
        // A change that was made meanwhile is not in the download.
        const now = edits.list().filter((change) => change.file === file);
        if (JSON.stringify(now) === JSON.stringify(changes)) edits.saved(file);
      } catch (error) {
        failure.textContent = sentence(error);
        failure.hidden = false;
      }
      button.disabled = false;
    });
    return button;
  };
  const name = namesOf(file).at(-1) ?? file;
  return el('section', { 'aria-label': name },
    el('header', {}, el('h3', {}, name), el('span', { class: 'dim' }, counted(changes.length, 'change'))),
    el('ul', {}, ...changes.map((change) => changeRow(change, edits, close))),
    el('div', { class: 'changes-actions' }, save('changes', 'Save changes file'), save('apply', 'Download edited copy'),
      el('span', { class: 'grow' }),
      el('button', { class: 'button quiet', type: 'button', onclick: () => edits.clear(file) }, icon('reset'), 'Undo all')), failure);
};

const changeRow = (change: Change, edits: Edits, close: () => void): HTMLElement =>
  el('li', {}, el('a', { class: 'mono', href: placeAddress({ at: change.at, path: change.path }), onclick: close }, change.inFile),
    el('span', { class: 'changes-values' }, el('del', {}, valueText(change.from) || 'empty'), ' → ',
      el('ins', {}, valueText(change.to) || 'empty')),
    el('button', { class: 'icon-button', type: 'button', 'aria-label': `Undo ${change.inFile}`, title: 'Undo', onclick: () =>
      edits.remove(change.at, change.path) }, icon('reset')));
