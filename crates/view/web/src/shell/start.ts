/// The start page: what was given to the viewer, as cards to click on.
import { json, type Children, type Kind, type Node, type Session } from '../api.ts';
import { card } from '../children/card.ts';
import { el } from './dom.ts';
import { attempt } from './failure.ts';
import { icon, kindIcon } from './icons.ts';
import { placeAddress } from './router.ts';
import { counted } from './text.ts';

/** The group of each kind: what is likely to be looked for first comes first. */
const groupOf: Record<Kind, string> = { database: 'Models and worlds', world: 'Models and worlds', model: 'Models and worlds',
  part: 'Models and worlds', level: 'Levels', table: 'Tables', picture: 'Pictures', texture: 'Pictures', textures: 'Pictures',
  archive: 'Archives', folder: 'Folders', data: 'Other files', broken: 'Other files' };

/** The cards of a folder; the rest is behind a link. Of several folders, all begin on the first screens. */
const cardLimit = (roots: number): number => (roots > 1 ? 12 : 48);

/** Shows the start page. */
export const startPage = (session: Session, signal: AbortSignal): HTMLElement =>
  el('div', { class: 'start', tabindex: -1 },
    el('header', { class: 'start-head' }, el('h1', {}, 'What would you like to see?'),
      el('p', { class: 'dim' }, 'Click on a card to look inside. Models turn and play, levels pan and zoom, tables sort. ', 'Press ',
        el('kbd', {}, '/'), ' to search in everything.')), session.compare &&
    el('a', { class: 'card wide', href: '/compare' }, icon('compare'),
      el('span', { class: 'card-text' }, el('span', { class: 'card-name' }, 'Compare the two inputs'),
        el('span', { class: 'card-note' }, 'Differences side by side'))), ...session.roots.map((root) =>
      rootSection(root, cardLimit(session.roots.length), signal)
    ));

const rootSection = (root: Node, limit: number, signal: AbortSignal): HTMLElement => {
  const address = placeAddress({ at: root.at, path: root.path });
  if (root.kind !== 'folder') return el('section', {}, el('ul', { class: 'cards' }, el('li', {}, card(root))));
  const list = el('div');
  void attempt(list, async () => {
    const answer = await json<Children>('children', { at: root.at, path: root.path, from: 0, limit }, signal);
    list.replaceChildren(...(answer.total ? groups(answer.children) : [el('p', { class: 'dim' }, 'This folder is empty.')]));
    if (answer.total > answer.children.length) {
      list.append(el('p', { class: 'more' }, el('a', { class: 'button', href: address }, `Show all ${counted(answer.total, 'file')}`)));
    }
  });
  return el('section', {}, el('h2', {}, el('a', { href: address }, kindIcon('folder'), root.name)), list);
};

/** Cards by kind, with titles if there are several kinds. */
const groups = (nodes: Node[]): HTMLElement[] => {
  const filled = [...new Set(Object.values(groupOf))]
    .map((name) => ({ name, nodes: nodes.filter((node) => groupOf[node.kind] === name) }))
    .filter((group) => group.nodes.length);
  return filled.map((group) =>
    el('div', { class: 'card-group' }, filled.length > 1 && el('h3', {}, group.name),
      el('ul', { class: 'cards' }, ...group.nodes.map((node) => el('li', {}, card(node)))))
  );
};
