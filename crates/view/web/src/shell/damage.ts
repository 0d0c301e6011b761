/// What cannot be read: one look for it wherever a place is shown, with the number of parts and the way to the findings.
import { post, type About, type Damage, type Kind, type Node } from '../api.ts';
import { el } from './dom.ts';
import { icon, kindName } from './icons.ts';
import { placeAddress } from './router.ts';
import { counted } from './text.ts';

/** What is opened to find out; of all others, their nodes say all. */
const kinds: Kind[] = ['archive', 'database', 'level', 'model', 'part', 'picture', 'table', 'textures', 'world'];

/** How many places are asked about at once, and how long others are waited for, in milliseconds. */
const most = 50;
const patience = 30;

/** What is known of the places that were asked about. */
const known = new Map<string, Promise<Damage>>();
let waiting: { node: Node; done: (damage: Damage) => void }[] = [];

const send = async (): Promise<void> => {
  const asked = waiting;
  waiting = [];
  for (let from = 0; from < asked.length; from += most) {
    const part = asked.slice(from, from + most);
    try {
      const answer = await post('damage', { places: part.map(({ node: { at, path } }) => ({ at, path })) });
      const damages = (await answer.json()) as Damage[];
      part.forEach(({ done }, index) => done(damages[index] ?? {}));
    } catch {
      // What is opened says it.
      for (const { node, done } of part) {
        known.delete(`${node.at}\n${node.path}`);
        done({});
      }
    }
  }
};

/** Asks how much of a place cannot be read, together with the others that are asked about now. */
const damageOf = (node: Node): Promise<Damage> => {
  if (node.error !== undefined) return Promise.resolve({ error: node.error });
  if (!kinds.includes(node.kind)) return Promise.resolve({});
  const key = `${node.at}\n${node.path}`;
  let damage = known.get(key);
  if (!damage) {
    damage = new Promise((done) => {
      if (!waiting.length) setTimeout(() => void send(), patience);
      waiting.push({ node, done });
    });
    known.set(key, damage);
  }
  return damage;
};

/** The sentence for what cannot be read of a place; `undefined` if all can. */
export const damageText = ({ unreadable, error }: Damage): string | undefined =>
  error ?? (unreadable ? `${counted(unreadable, 'part')} cannot be read` : undefined);

/** Marks a row or card of a node, and calls `show` with the sentence, if not everything in it can be read. */
export const markDamage = (host: HTMLElement, node: Node, show: (text: string) => void): void => {
  const mark = (text: string | undefined): void => {
    host.classList.toggle('damaged', text !== undefined);
    if (text !== undefined) show(text);
  };
  if (node.error !== undefined) mark(node.error);
  else void damageOf(node).then((damage) => host.isConnected && mark(damageText(damage)));
};

/** The mark itself. */
export const damageMark = (text: string): HTMLElement =>
  el('span', { class: 'damage-mark', title: text }, icon('warning'), el('span', { class: 'visually-hidden' }, `, damaged: ${text}`));

/** Says below the head of a place that not everything is shown, and where the findings are. */
export const damageNote = ({ node, unreadable, views }: About): HTMLElement | undefined => {
  const what = ['database', 'textures'].includes(node.kind) ? 'file' : kindName[node.kind].toLowerCase();
  const text = node.error ??
    (unreadable && `${counted(unreadable, 'part')} of this ${what} cannot be read, and what they contain is not shown.`);
  return text ? note(text, views.includes('findings') || node.path ? node : undefined) : undefined;
};

const note = (text: string, found: Node | undefined): HTMLElement =>
  el('div', { class: 'damage', role: 'note' }, icon('warning'),
    el('p', {}, `${text} `, found && el('a', { href: placeAddress({ at: found.at, path: '', view: 'findings' }) }, 'Show the findings')));

/** Says of files that are compared which one cannot be read, as soon as that is known. */
export const damageNotes = (sides: [name: string, node: Node][]): HTMLElement => {
  const notes = el('div', { class: 'damage-notes' });
  for (const [name, node] of sides) {
    void damageOf(node).then((damage) => {
      const text = damageText(damage);
      if (text) notes.append(note(`${name}: ${text}. Some of the differences may come from that.`, node));
    });
  }
  return notes;
};

/** What stands in place of contents that are not there: `text`, or that they cannot be read. */
export const emptyText = ({ unreadable }: About, text: string): string =>
  unreadable ? `Nothing of it can be shown: ${counted(unreadable, 'part')} cannot be read.` : text;
