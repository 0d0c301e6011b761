/// A button with a menu under it.
import { downloadAddress } from '../api.ts';
import { el, uniqueId } from './dom.ts';
import { sentence } from './failure.ts';
import { icon, type IconName } from './icons.ts';

interface Entry {
  label: string;
  href: string;
  file: string;
}

/** Has the browser save a download. */
const save = async (href: string, file: string): Promise<void> => {
  try {
    el('a', { href: await downloadAddress(href), download: file }).click();
  } catch (error) {
    alert(sentence(error));
  }
};

/** A menu of downloads. */
export const downloadMenu = (entries: Entry[]): HTMLElement => {
  const id = uniqueId('menu');
  const items = entries.map(({ label, href, file }) =>
    el('button', { class: 'menu-item', type: 'button', role: 'menuitem', tabindex: -1, onclick: () => void save(href, file) },
      label, el('span', { class: 'dim' }, file)));
  const menu = el('div', { class: 'menu floating', role: 'menu', id, hidden: true, 'aria-label': 'Download as' }, ...items);
  return popup('Download', 'download', menu, { haspopup: 'menu', focus: () => items[0]?.focus(), items });
};

/** A button that shows a panel. */
export const panelButton = (label: string, name: IconName, panel: HTMLElement): HTMLElement => {
  panel.id ||= uniqueId('panel');
  panel.hidden = true;
  panel.tabIndex = -1;
  return popup(label, name, panel, { haspopup: 'dialog', focus: () => panel.focus(), items: [] });
};

interface Behavior {
  haspopup: string;
  focus: () => void;
  items: HTMLElement[];
}

const popup = (label: string, name: IconName, panel: HTMLElement, { haspopup, focus, items }: Behavior): HTMLElement => {
  const button = el('button', {
    class: 'button', type: 'button', 'aria-haspopup': haspopup, 'aria-expanded': 'false', 'aria-controls': panel.id,
  }, icon(name), el('span', { class: 'label' }, label));
  const box = el('div', { class: 'popup' }, button, panel);
  const show = (open: boolean): void => {
    panel.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (open) focus();
  };
  button.addEventListener('click', () => show(panel.hidden));
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget as globalThis.Node | null)) show(false);
  });
  panel.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[role=menuitem]')) {
      button.focus();
      show(false);
    }
  });
  box.addEventListener('keydown', (event) => {
    if (panel.hidden) return;
    const at = items.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key === 'Escape') {
      button.focus();
      show(false);
      event.stopPropagation();
    } else if (items.length && event.key in steps) {
      items[(steps[event.key]! + items.length) % items.length]!.focus();
      event.preventDefault();
    }
  });
  return box;
};
