/// The button "Compare with…": chooses the other file.
import { json, lines, type About, type Children, type Found } from '../api.ts';
import { titleOf } from '../children/card.ts';
import { el, later } from '../shell/dom.ts';
import { isAbort, loading, sentence } from '../shell/failure.ts';
import { kindIcon } from '../shell/icons.ts';
import { panelButton } from '../shell/menu.ts';
import { addressOf } from '../shell/router.ts';
import { namesOf } from '../shell/text.ts';

/** Kinds whose files can be compared. */
const kinds = ['table', 'level', 'database', 'archive', 'picture', 'data'];

/** Returns the button, if the file can be compared. */
export const compareButton = ({ node, parents }: About): HTMLElement | undefined => {
  if (node.path || !kinds.includes(node.kind)) return undefined;
  const list = el('ul', {});
  const input = el('input', { class: 'input', type: 'search', placeholder: 'Name of a file', 'aria-label': 'Find a file to compare with',
    spellcheck: 'false' });
  const panel = el('div', { class: 'compare-choose floating', role: 'dialog', 'aria-label': 'Compare with' }, input, list);
  let request = new AbortController();
  /** Lists files of the same kind: those beside this one, or all whose names contain what was typed. */
  const update = async (): Promise<void> => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const q = input.value.trim();
    list.replaceChildren(loading());
    try {
      const nodes = q ? await named(q, signal)
        : (await json<Children>('children', { at: parents.at(-1)?.at ?? '', limit: 1000 }, signal)).children;
      const others = nodes.filter(({ at, kind }) => at !== node.at && kind === node.kind);
      list.replaceChildren(
        ...others.map((other) =>
          el('li', {},
            el('a', { href: addressOf({ page: 'compare', more: { left: node.at, right: other.at } }) }, kindIcon(other.kind),
              el('span', { class: 'name' }, titleOf(other)), el('span', { class: 'dim path' }, namesOf(other.at).join(' / '))))
        ),
      );
      if (!others.length) list.append(el('li', { class: 'dim' }, 'No other file of this kind. Type a part of a name to look elsewhere.'));
    } catch (error) {
      if (!isAbort(error)) list.replaceChildren(el('li', { class: 'broken' }, sentence(error)));
    }
  };
  input.addEventListener('input', later(250, () => void update()));
  return panelButton('Compare with…', 'compare', panel, () => void update());
};

/** Returns the files with a name. The server sends them before what is in files, which is not waited for. */
const named = async (q: string, signal: AbortSignal): Promise<Extract<Found, { name: string }>[]> => {
  const found: Extract<Found, { name: string }>[] = [];
  const rest = new AbortController();
  try {
    await lines<Found>('find', { q }, (line) => {
      if ('name' in line) found.push(line);
      else rest.abort();
    }, AbortSignal.any([signal, rest.signal]));
  } catch (error) {
    if (signal.aborted || !isAbort(error)) throw error;
  }
  return found;
};
