/// The main part of the page for one place: where it is, what it is, and its views as tabs.
import { loadModel } from '../load-model.ts';
import type { About, Tab } from '../api.ts';
import { formatName, titleOf } from '../children/card.ts';
import { mountChildren } from '../children/children.ts';
import { compareButton } from '../compare/choose.ts';
import { mountFields, mountHex } from '../fields/fields.ts';
import { mountFindings } from '../findings/findings.ts';
import { mountLevel } from '../level/level.ts';
import { mountPicture } from '../picture/picture.ts';
import { mountTable } from '../table/table.ts';
import type { Context, Mount, Place, View } from '../view.ts';
import { el } from './dom.ts';
import { failure, loading } from './failure.ts';
import { icon, kindIcon, kindName } from './icons.ts';
import { downloadMenu, panelButton } from './menu.ts';
import { placeAddress } from './router.ts';
import { counted } from './text.ts';

const tabNames: Record<Tab, string> = {
  model: 'Model',
  level: 'Level',
  table: 'Table',
  picture: 'Picture',
  children: 'Contents',
  fields: 'Fields',
  hex: 'Bytes',
  findings: 'Findings',
};

const mounts: Record<Exclude<Tab, 'model'>, Mount> = {
  level: mountLevel,
  table: mountTable,
  picture: mountPicture,
  children: mountChildren,
  fields: mountFields,
  hex: mountHex,
  findings: mountFindings,
};

/** Returns the tabs of a place. The fields show the bytes beside them, so that they need no tab of their own. */
export const tabsOf = (about: About): Tab[] =>
  about.views.filter((view) => view !== 'hex' || !about.views.includes('fields'));

/** Returns the tab that a place shows: the one it asks for, or the first. */
export const tabOf = (about: About, place: Place): Tab => {
  const tabs = tabsOf(about);
  const wanted = place.view === 'hex' && !tabs.includes('hex') ? 'fields' : place.view;
  return wanted && tabs.includes(wanted) ? wanted : tabs[0] ?? 'hex';
};

/** Shows what surrounds a view: the way to it, its name, facts, downloads and tabs. */
export const placeHead = (about: About, place: Place, panelId: string): HTMLElement => {
  const { node } = about;
  const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Where this is' },
    el('ol', {},
      el('li', {}, el('a', { href: '/' }, 'Start')),
      ...about.parents.map((parent) =>
        el('li', {}, el('a', { href: placeAddress({ at: parent.at, path: parent.path }) }, parent.name || '(no name)'))),
      el('li', { 'aria-current': 'page' }, node.name || '(no name)')));
  const facts = el('div', { class: 'facts floating', role: 'dialog', 'aria-label': 'Details' },
    el('dl', {}, ...about.facts.flatMap(([label, value]) => [el('dt', {}, label), el('dd', {}, value)])));
  const name = el('div', { class: 'place-name' },
    kindIcon(node.kind),
    el('h1', { tabindex: -1 }, titleOf(node), node.title && node.title !== node.name && el('small', {}, ` ${node.name}`)),
    el('span', { class: 'badge' }, [kindName[node.kind], formatName(node)].filter(Boolean).join(' · ')),
    node.note && el('span', { class: 'badge' }, node.note),
    el('span', { class: 'grow' }),
    about.facts.length > 0 && panelButton('Details', 'info', facts),
    compareButton(about),
    about.downloads.length > 0 && downloadMenu(about.downloads));
  const current = tabOf(about, place);
  const tabs = tabsOf(about).map((tab) =>
    el('a', {
      class: 'tab', role: 'tab', href: placeAddress({ at: place.at, path: place.path, view: tab }),
      id: `tab-${tab}`, 'data-tab': tab, 'aria-selected': String(tab === current), 'aria-controls': panelId,
      tabindex: tab === current ? 0 : -1,
    }, tabName(tab, about)));
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' }, ...tabs);
  list.addEventListener('keydown', (event) => {
    const index = tabs.indexOf(document.activeElement as HTMLAnchorElement);
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      tabs[(step + tabs.length) % tabs.length]!.focus();
    } else if (event.key === ' ') {
      event.preventDefault();
      (document.activeElement as HTMLAnchorElement).click();
    }
  });
  return el('header', { class: current === 'table' ? 'place-head compact' : 'place-head' }, crumbs, name, node.error && brokenNote(node.error),
    about.unreadable && tabs.length > 0 && unreadableNote(about.node.at, about.unreadable), tabs.length > 0 && list);
};

/** Makes the tabs lead to what is selected now. */
export const pointTabs = (head: HTMLElement, { at, path }: Place): void => {
  for (const tab of head.querySelectorAll<HTMLAnchorElement>('[data-tab]')) {
    tab.href = placeAddress({ at, path, view: tab.dataset.tab as Tab });
  }
};

const tabName = (tab: Tab, about: About): string => {
  if (tab === 'model' && about.node.kind === 'world') return 'World';
  return tab === 'fields' ? 'Fields and bytes' : tabNames[tab];
};

const brokenNote = (error: string): HTMLElement =>
  el('div', { class: 'failure', role: 'note' }, icon('warning'), el('p', {}, error));

/** Says that what is shown is not everything. */
const unreadableNote = (at: string, count: number): HTMLElement =>
  el('div', { class: 'failure', role: 'note' }, icon('warning'),
    el('p', {}, `${counted(count, 'part')} of this file cannot be read, and what they contain is not shown. `,
      el('a', { href: placeAddress({ at, path: '', view: 'findings' }) }, 'Show the findings')));

/** Shows a view in an empty element. If it fails, its error is shown in its place. */
export const mountView = (tab: Tab, host: HTMLElement, context: Context): View => {
  let view: View | undefined;
  let gone = false;
  const mount = (mounting: Mount): void => {
    if (gone) return;
    host.replaceChildren();
    try {
      view = mounting(host, context);
    } catch (error) {
      console.error(error);
      host.replaceChildren(failure(error, () => mount(mounting)));
    }
  };
  // The script with three.js is loaded with the first model.
  const load = async (): Promise<void> => {
    host.replaceChildren(loading('Loading the model view…'));
    try {
      const mountModel = await loadModel();
      mount(mountModel);
    } catch (error) {
      if (!gone) host.replaceChildren(failure(error, () => void load()));
    }
  };
  if (tab === 'model') void load();
  else mount(mounts[tab]);
  return {
    select: (place) => view?.select?.(place),
    destroy: () => {
      gone = true;
      view?.destroy();
      host.replaceChildren();
    },
  };
};
