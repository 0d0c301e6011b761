/// The tree of everything that was given to the viewer.
import type { About, Node } from '../api.ts';
import { formatName } from '../children/card.ts';
import { damageMark, markDamage } from '../shell/damage.ts';
import { el, later, middle, perFrame, put, visible } from '../shell/dom.ts';
import { sentence } from '../shell/failure.ts';
import { icon, kindIcon, kindName } from '../shell/icons.ts';
import { actionOf, everywhere } from '../shell/keys.ts';
import { placeAddress } from '../shell/router.ts';
import { counted, formatSize } from '../shell/text.ts';
import { TreeView } from '../shell/treeview.ts';
import type { Place } from '../view.ts';
import { Branch, keyOf, type Row } from './branch.ts';

/** Letters typed within this time are one word. */
const typingPause = 700;

interface Options {
  go: (place: Place) => void;
  announce: (text: string) => void;
  /** Searches everything for a text. */
  search: (text: string) => void;
}

export class Tree {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #view: TreeView<Row>;
  /** What is shown if the filter finds nothing. */
  readonly #empty = el('div', { class: 'tree-empty', role: 'status' });
  readonly #top: Branch;
  readonly #draw = perFrame(() => this.#update());
  #active: { branch: Branch; node: { at: string; path: string } } | undefined;
  /** The node that the page shows. */
  #current = '';
  /** Counts calls of `reveal`: only the last one has an effect. */
  #reveals = 0;
  /** Counts moves with the keyboard: a row that has not arrived becomes active unless there was another. */
  #moves = 0;
  #typed = '';
  #typedAt = -Infinity;

  constructor(options: Options) {
    this.#options = options;
    this.#top = new Branch(undefined, undefined, { filter: '', opened: 0, signal: new AbortController().signal, changed: this.#draw });
    this.#top.open = true;
    this.#view = new TreeView<Row>({
      label: 'Files and what is in them',
      role: 'tree',
      height: 28,
      row: (index) => this.#top.rowAt(index),
      describe: ({ branch, slot }) => {
        const node = branch.nodeAt(slot);
        return {
          depth: branch.depth,
          open: node?.open ? branch.isOpen(node) : undefined,
          selected: node !== undefined && keyOf(node) === this.#current,
          place: [slot, branch.slots],
        };
      },
      draw: ({ branch, slot }, host, name) => this.#drawRow(branch, slot, host, name),
      active: () => this.#position() ?? -1,
      move: (index) => this.#move(index),
      parent: ({ branch }) => (branch.parent ? branch.parent.position(branch.parent.slotOf(branch.node!) ?? 0) : -1),
      toggle: ({ branch, slot }, open) => {
        this.#active = { branch, node: branch.nodeAt(slot)! };
        void this.#toggle(branch, branch.nodeAt(slot)!, open);
      },
      choose: (row, event) => this.#choose(row, event),
      key: (event) => event.key.length === 1 && (this.#isTyping || !actionOf(everywhere, event)) && this.#type(event.key),
    });
    const filter = el('input', {
      class: 'input',
      type: 'search',
      placeholder: 'Filter names',
      'aria-label': 'Filter by name',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    const apply = later(150, () => this.#filter(filter.value.trim()));
    filter.addEventListener('input', apply);
    filter.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        this.focus();
      } else if (event.key === 'Escape' && filter.value) {
        event.stopPropagation();
        filter.value = '';
        apply();
      }
    });
    this.element = el('div', { class: 'tree' }, el('div', { class: 'tree-filter' }, filter), this.#empty, this.#view.element);
  }

  /** Shows the roots, and opens the root if there is only one. */
  start(roots: Node[]): void {
    this.#top.fill(roots);
    const [root] = roots;
    if (roots.length === 1 && root?.open) void this.#toggle(this.#top, root, true);
    this.#draw();
  }

  focus(): void {
    this.#view.element.focus();
  }

  /** Opens the way to the place that is shown, and selects it. */
  async reveal(about: About | undefined): Promise<void> {
    const call = (this.#reveals += 1);
    this.#current = about ? keyOf(about.node) : '';
    if (about) {
      let branch = this.#top;
      for (const node of about.parents) {
        const slot = await branch.find(node);
        if (call !== this.#reveals) return;
        if (slot === undefined) continue;
        branch = branch.inner(branch.nodeAt(slot) ?? node);
        branch.open = true;
      }
      const slot = await branch.find(about.node);
      if (call !== this.#reveals) return;
      if (slot !== undefined) {
        this.#active = { branch, node: about.node };
        this.#update();
        const position = branch.position(slot);
        const [first, last] = this.#view.rows.range;
        this.#view.reveal(position, position > first && position < last ? 'auto' : 'center');
      }
    }
    this.#draw();
  }

  #filter(filter: string): void {
    if (filter === this.#top.shared.filter) return;
    this.#top.shared.filter = filter;
    this.#top.shared.opened = 0;
    this.#top.reload();
    this.#view.element.scrollTop = 0;
    this.#draw();
  }

  #update(): void {
    this.#view.update(this.#top.rows);
    const { filter } = this.#top.shared;
    const isEmpty = filter !== '' && this.#top.matches === 0;
    if (isEmpty !== this.#empty.hasChildNodes() || (isEmpty && this.#empty.dataset.filter !== filter)) {
      this.#empty.dataset.filter = filter;
      this.#empty.replaceChildren(...(isEmpty ? [
        el('p', {}, `Nothing has a name or title with “${filter}”.`),
        el('button', { class: 'button', type: 'button', onclick: () => this.#options.search(filter) }, 'Search everything'),
      ] : []));
    }
  }

  /** The position of the active row. */
  #position(): number | undefined {
    if (!this.#active) return undefined;
    const { branch, node } = this.#active;
    for (let above: Branch | undefined = branch; above?.parent; above = above.parent) {
      if (!above.open || above.parent.slotOf(above.node!) === undefined) return undefined;
    }
    const slot = branch.slotOf(node);
    return slot === undefined ? undefined : branch.position(slot);
  }

  #drawRow(branch: Branch, slot: number, row: HTMLElement, name: HTMLElement): void {
    const node = branch.nodeAt(slot);
    if (!node) {
      void branch.want(slot);
      const error = branch.errorAt(slot);
      const text = error === undefined ? 'Loading…' : sentence(error);
      row.classList.add('message');
      row.title = text;
      put(name, error !== undefined && icon('warning'), el('span', { class: 'name' }, text),
        error !== undefined && el('span', { class: 'link' }, 'Try again'));
      return;
    }
    const about = [node.name, node.title, kindName[node.kind], formatName(node), node.size !== undefined && formatSize(node.size),
      node.note];
    row.title = visible(about.filter(Boolean).join('\n'));
    put(name, kindIcon(node.kind), middle(node.name || '(no name)'),
      node.title && el('span', { class: 'dim tree-title' }, middle(node.title)),
      el('span', { class: 'visually-hidden' }, `, ${kindName[node.kind]}`));
    markDamage(row, node, (text) => {
      if (!name.isConnected || name.querySelector('.damage-mark')) return;
      row.title += `\n${text}`;
      put(name, damageMark(text));
    });
  }

  async #toggle(branch: Branch, node: Node, open: boolean): Promise<void> {
    const inner = branch.inner(node);
    if (!node.open || inner.open === open) return;
    inner.open = open;
    this.#draw();
    if (open) await inner.load(0);
  }

  #choose({ branch, slot }: Row, event: MouseEvent | KeyboardEvent): void {
    const node = branch.nodeAt(slot);
    if (!node) {
      void branch.want(slot, true);
      return;
    }
    if (event instanceof MouseEvent && (event.button === 1 || event.ctrlKey || event.metaKey)) {
      open(placeAddress(node), '_blank');
      return;
    }
    this.#active = { branch, node };
    if (event instanceof MouseEvent) void this.#toggle(branch, node, true);
    this.#options.go({ at: node.at, path: node.path });
    this.#draw();
  }

  #move(position: number): void {
    const { branch, slot } = this.#top.rowAt(this.#active ? position : 0);
    const move = (this.#moves += 1);
    const activate = (): void => {
      const node = branch.nodeAt(slot);
      if (!node || move !== this.#moves) return;
      this.#active = { branch, node };
      this.#update();
    };
    this.#view.reveal(position);
    activate();
    if (!branch.nodeAt(slot)) void branch.want(slot).then(activate);
  }

  /** Whether letters belong to a name that the user is typing. */
  get #isTyping(): boolean {
    return performance.now() - this.#typedAt < typingPause;
  }

  /** Moves to the next row whose name begins with what was typed. */
  #type(letter: string): boolean {
    if (letter === ' ') return false;
    const position = Math.max(0, this.#position() ?? 0);
    this.#typed = (this.#isTyping ? this.#typed : '') + letter.toLowerCase();
    this.#typedAt = performance.now();
    const { rows } = this.#top;
    for (let step = this.#typed.length > 1 ? 0 : 1; step <= rows; step += 1) {
      const candidate = (position + step) % rows;
      const { branch, slot } = this.#top.rowAt(candidate);
      if (branch.nodeAt(slot)?.name.toLowerCase().startsWith(this.#typed)) {
        this.#move(candidate);
        return true;
      }
    }
    this.#options.announce(`Nothing among ${counted(rows, 'row')} begins with “${this.#typed}”.`);
    return true;
  }
}
