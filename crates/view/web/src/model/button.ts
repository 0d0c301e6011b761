/// Buttons and menus of the model view.
import { el } from '../shell/dom.ts';
import { icon, type IconName } from '../shell/icons.ts';

/** Creates a button with an icon. `key` is what does the same on the picture; empty if there is none. */
export const iconButton = (picture: IconName, label: string, key: string, act: () => void): HTMLButtonElement =>
  el('button', { class: 'icon-button', type: 'button', 'aria-label': label, 'aria-keyshortcuts': key || undefined,
    title: key ? `${label} (${key})` : label, onclick: act }, icon(picture));

/** Creates a button with an icon and a word, which is left out where there is no room. */
export const wordButton = (picture: IconName, word: string, label: string, key: string, act: () => void): HTMLButtonElement => {
  const button = iconButton(picture, label, key, act);
  button.className = 'button quiet';
  button.append(el('span', { class: 'label' }, word));
  return button;
};

/** Creates a menu of texts, each with its value. `choose` is called with the value that the user chooses. */
export const menu = (label: string, options: [value: string | number, text: string][],
  choose: (value: string) => void): HTMLSelectElement =>
{
  const select = el('select', { class: 'select', 'aria-label': label, onchange: () => choose(select.value) },
    ...options.map(([value, text]) => el('option', { value }, text)));
  return select;
};
