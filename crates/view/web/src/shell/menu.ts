/// A button with a menu under it.
import { downloadAddress, type Download } from '../api.ts';
import { el, placeUnder, uniqueId } from './dom.ts';
import { sentence } from './failure.ts';
import { icon, type IconName } from './icons.ts';

/** Has the browser save a download. */
const save = async (href: string, file: string): Promise<void> => {
  try {
    el('a', { href: await downloadAddress(href), download: file }).click();
  } catch (error) {
    alert(sentence(error));
  }
};

/** A menu of downloads. `offer` puts others above them. */
export const downloadMenu = (entries: Download[]): HTMLElement & { offer: (entries: Download[]) => void } => {
  const menu = el('div', { class: 'menu floating', role: 'menu', id: uniqueId('menu'), popover: 'manual', 'aria-label': 'Download as' });
  const items = (): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const offer = (offered: Download[]): void => {
    menu.replaceChildren(
      ...[...offered, ...entries].map(({ label, href, file }) =>
        el('button', { class: 'menu-item', type: 'button', role: 'menuitem', tabindex: -1, onclick: () => void save(href, file) }, label,
          el('span', { class: 'dim' }, file))
      ),
    );
  };
  offer([]);
  return Object.assign(popup('Download', 'download', menu, { haspopup: 'menu', focus: () => items()[0]?.focus(), items }), { offer });
};

/** A button that shows a panel. `opened` fills it, whenever it is shown. */
export const panelButton = (label: string, name: IconName, panel: HTMLElement, opened?: () => void): HTMLElement => {
  panel.id ||= uniqueId('panel');
  panel.popover = 'manual';
  panel.tabIndex = -1;
  return popup(label, name, panel, { haspopup: 'dialog', opened, focus: () => (panel.querySelector<HTMLElement>('input') ?? panel).focus(),
    items: () => [] });
};

interface Behavior {
  haspopup: string;
  opened?: (() => void) | undefined;
  focus: () => void;
  items: () => HTMLElement[];
}

const popup = (label: string, name: IconName, panel: HTMLElement, { haspopup, opened, focus, items }: Behavior): HTMLElement => {
  const button = el('button', { class: 'button', type: 'button', 'aria-haspopup': haspopup, 'aria-expanded': 'false',
    'aria-controls': panel.id, title: label }, icon(name), el('span', { class: 'label' }, label));
  const box = el('div', { class: 'popup' }, button, panel);
  const show = (open: boolean): void => {
    if (open === panel.matches(':popover-open')) return;
    panel.togglePopover(open);
    button.setAttribute('aria-expanded', String(open));
    if (!open) return;
    placeUnder(panel, button);
    opened?.();
    focus();
  };
  button.addEventListener('click', () => show(!panel.matches(':popover-open')));
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
    if (!panel.matches(':popover-open')) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    if (event.key === 'Escape') {
      button.focus();
      show(false);
      event.stopPropagation();
    } else if (all.length && event.key in steps) {
      all[(steps[event.key]! + all.length) % all.length]!.focus();
      event.preventDefault();
    }
  });
  return box;
};
