/// The main part of the page for one place: where it is, what it is, and its views as tabs.
import { loadModel } from '../load-model.ts';
import type { About, Download, Tab } from '../api.ts';
import { formatName, titleOf } from '../children/card.ts';
import { mountChildren } from '../children/children.ts';
import { compareButton } from '../compare/choose.ts';
import { mountFields, mountHex } from '../fields/fields.ts';
import { mountFindings } from '../findings/findings.ts';
import { mountLevel } from '../level/level.ts';
import { mountPicture } from '../picture/picture.ts';
import { mountTable } from '../table/table.ts';
import type { Context, Mount, Place, View } from '../view.ts';
import { damageNote } from './damage.ts';
import { el, middle } from './dom.ts';
import { failure, loading } from './failure.ts';
import { icon, kindIcon, kindName } from './icons.ts';
import { downloadMenu, panelButton } from './menu.ts';
import { placeAddress } from './router.ts';
import { namesOf } from './text.ts';

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
export const tabsOf = (about: About): Tab[] => about.views.filter((view) => view !== 'hex' || !about.views.includes('fields'));

/** Returns the tab that a place shows: the one it asks for, or the first. */
export const tabOf = (about: About, place: Place): Tab => {
  const tabs = tabsOf(about);
  const wanted = place.view === 'hex' && !tabs.includes('hex') ? 'fields' : place.view;
  return wanted && tabs.includes(wanted) ? wanted : tabs[0] ?? 'hex';
};

/** What surrounds a view. `offer` adds downloads of what the view shows. */
export type Head = HTMLElement & { offer: (downloads: Download[]) => void };

/** Shows what surrounds a view: the way to it, its name, facts, downloads and tabs, and below what of it cannot be read. */
export const placeHead = (about: About, place: Place, panelId: string): Head => {
  const { node } = about;
  const facts = el('div', { class: 'facts floating', role: 'dialog', 'aria-label': 'Details' },
    el('dl', {}, ...about.facts.flatMap(([label, value]) => [el('dt', {}, label), el('dd', {}, value)])));
  const menu = about.downloads.length ? downloadMenu(about.downloads) : undefined;
  const kind = [kindName[node.kind], formatName(node)].filter(Boolean).join(' · ');
  const name = el('div', { class: 'place-name' }, crumbs(about.parents), kindIcon(node.kind),
    el('h1', { tabindex: -1, title: [titleOf(node), node.name, kind].join('\n') }, middle(titleOf(node)),
      node.title && node.title !== node.name && el('small', {}, ` ${node.name}`)), el('span', { class: 'badge' }, kind),
    node.note && el('span', { class: 'badge' }, node.note));
  const actions = el('div', { class: 'place-actions' }, about.facts.length > 0 && panelButton('Details', 'info', facts),
    compareButton(about), menu);
  const current = tabOf(about, place);
  const tabs = tabsOf(about).map((tab) =>
    el('a', {
      class: 'tab',
      role: 'tab',
      href: placeAddress({ at: place.at, path: place.path, view: tab }),
      id: `tab-${tab}`,
      'data-tab': tab,
      'aria-selected': String(tab === current),
      'aria-controls': panelId,
      tabindex: tab === current ? 0 : -1,
    }, tabName(tab, about))
  );
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
  const head = el('header', { class: 'place-head' }, el('div', { class: 'place-bar' }, name, actions, tabs.length > 0 && list),
    damageNote(about));
  return Object.assign(head, { offer: (downloads: Download[]) => menu?.offer(downloads) });
};

/** The way to a place. */
const crumbs = (parents: About['parents']): HTMLElement =>
  el('nav', { class: 'crumbs', 'aria-label': 'Where this is' },
    el('ol', {}, el('li', {}, el('a', { href: '/' }, 'Start')), ...parents.map((parent) =>
      el('li', {}, el('a', { href: placeAddress({ at: parent.at, path: parent.path }) }, parent.name || '(no name)'))
    )));

/** Shows that there is nothing with an address: what it names, and the way up. */
export const missingPlace = ({ at, path }: Place, error: unknown, retry: () => void): HTMLElement => {
  const names = namesOf(at);
  const ats = at.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
  const parents = (path ? ats : ats.slice(0, -1)).map((at, index) =>
    ({ at, path: '', name: names[index]!, kind: 'folder', open: true }) as const
  );
  const up = parents.at(-1);
  return el('div', { class: 'missing' },
    el('header', { class: 'place-head' },
      el('div', { class: 'place-bar' },
        el('div', { class: 'place-name' }, crumbs([...parents]), el('h1', { tabindex: -1 }, path || names.at(-1))))), failure(error, retry),
    el('p', {},
      el('a', { class: 'button', href: up ? placeAddress(up) : '/' }, icon('up'), up ? `Go to ${up.name}` : 'Go to the start page')));
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
