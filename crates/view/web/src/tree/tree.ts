/// The tree of everything that was given to the viewer: the ARIA pattern of a tree, with any number of rows.
import type { About, Node } from '../api.ts';
import { formatName } from '../children/card.ts';
import { el, later, perFrame, put, uniqueId, visible } from '../shell/dom.ts';
import { sentence } from '../shell/failure.ts';
import { icon, kindIcon, kindName } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { Rows } from '../shell/rows.ts';
import { counted, formatSize } from '../shell/text.ts';
import type { Place } from '../view.ts';
import { Branch, keyOf } from './branch.ts';

const rowHeight = 28;
const indent = 16;
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
  readonly #id = uniqueId('tree');
  readonly #scroll: HTMLElement;
  readonly #rows: Rows;
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
  #typedAt = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#top = new Branch(undefined, undefined, {
      filter: '',
      opened: 0,
      signal: new AbortController().signal,
      changed: this.#draw,
    });
    this.#top.open = true;
    this.#scroll = el('div', {
      class: 'tree-rows', role: 'tree', tabindex: 0, 'aria-label': 'Files and what is in them', id: this.#id,
    });
    const filter = el('input', {
      class: 'input', type: 'search', placeholder: 'Filter names', 'aria-label': 'Filter by name',
      'aria-controls': this.#id, spellcheck: 'false', autocomplete: 'off',
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
    this.element = el('div', { class: 'tree' }, el('div', { class: 'tree-filter' }, filter), this.#empty, this.#scroll);
    this.#rows = new Rows(this.#scroll, {
      height: rowHeight, role: 'treeitem', id: this.#id, draw: (index, row) => this.#drawRow(index, row),
    });
    this.#scroll.addEventListener('click', (event) => this.#click(event));
    this.#scroll.addEventListener('auxclick', (event) => this.#click(event));
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows the roots, and opens the root if there is only one. */
  start(roots: Node[]): void {
    this.#top.fill(roots);
    const [root] = roots;
    if (roots.length === 1 && root?.open) void this.#toggle(this.#top, root, true);
    this.#draw();
  }

  focus(): void {
    this.#scroll.focus();
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
        const [first, last] = this.#rows.range;
        this.#rows.reveal(position, position > first && position < last ? 'auto' : 'center');
      }
    }
    this.#draw();
  }

  #filter(filter: string): void {
    if (filter === this.#top.shared.filter) return;
    this.#top.shared.filter = filter;
    this.#top.shared.opened = 0;
    this.#top.reload();
    this.#scroll.scrollTop = 0;
    this.#draw();
  }

  #update(): void {
    this.#rows.update(this.#top.rows);
    const { filter } = this.#top.shared;
    const isEmpty = filter !== '' && this.#top.matches === 0;
    if (isEmpty !== this.#empty.hasChildNodes() || (isEmpty && this.#empty.dataset.filter !== filter)) {
      this.#empty.dataset.filter = filter;
      this.#empty.replaceChildren(...(isEmpty ? [
        el('p', {}, `Nothing has a name with “${filter}”.`),
        el('button', { class: 'button', type: 'button', onclick: () => this.#options.search(filter) }, 'Search everything'),
      ] : []));
    }
    const position = this.#position();
    if (position === undefined || !this.#rows.element(position)) this.#scroll.removeAttribute('aria-activedescendant');
    else this.#scroll.setAttribute('aria-activedescendant', `${this.#id}-${position}`);
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

  #drawRow(index: number, row: HTMLElement): void {
    const { branch, slot } = this.#top.rowAt(index);
    const node = branch.nodeAt(slot);
    row.replaceChildren();
    row.style.paddingInlineStart = `${6 + branch.depth * indent}px`;
    row.setAttribute('aria-level', String(branch.depth + 1));
    row.setAttribute('aria-posinset', String(slot + 1));
    row.setAttribute('aria-setsize', String(branch.slots));
    row.removeAttribute('aria-expanded');
    row.removeAttribute('title');
    row.className = 'row tree-row';
    if (!node) {
      void branch.want(slot);
      this.#drawMissing(branch, slot, row);
      return;
    }
    const open = branch.isOpen(node);
    const key = keyOf(node);
    const active = this.#active && keyOf(this.#active.node) === key && this.#active.branch === branch;
    row.classList.toggle('active', active === true);
    row.classList.toggle('current', key === this.#current);
    row.classList.toggle('broken', node.error !== undefined);
    row.setAttribute('aria-selected', String(key === this.#current));
    if (node.open) row.setAttribute('aria-expanded', String(open));
    row.title = visible([node.name, kindName[node.kind], formatName(node), node.size !== undefined && formatSize(node.size), node.note, node.error]
      .filter(Boolean).join('\n'));
    const twist = el('span', { class: 'twist' }, node.open && icon(open ? 'down' : 'right'));
    put(row, twist, kindIcon(node.kind), el('span', { class: 'name' }, node.name || '(no name)'), node.title && el('span', { class: 'dim tree-title' }, node.title),
      el('span', { class: 'visually-hidden' }, `, ${kindName[node.kind]}`));
  }

  #drawMissing(branch: Branch, slot: number, row: HTMLElement): void {
    const error = branch.errorAt(slot);
    row.classList.add('message');
    row.setAttribute('aria-selected', 'false');
    if (error !== undefined) {
      row.classList.add('broken');
      const text = sentence(error);
      row.title = text;
      put(row, icon('warning'), el('span', { class: 'name' }, text), el('span', { class: 'retry' }, 'Try again'));
    } else {
      put(row, el('span', { class: 'name' }, 'Loading…'));
    }
  }

  async #toggle(branch: Branch, node: Node, open: boolean): Promise<void> {
    const inner = branch.inner(node);
    if (!node.open || inner.open === open) return;
    inner.open = open;
    this.#draw();
    if (open) await inner.load(0);
  }

  #click(event: MouseEvent): void {
    const element = (event.target as Element).closest<HTMLElement>('.row');
    if (!element || event.button > 1) return;
    const { branch, slot } = this.#top.rowAt(Number(element.dataset.index));
    const node = branch.nodeAt(slot);
    if (!node) {
      void branch.want(slot, true);
      return;
    }
    if (event.button === 1 || event.ctrlKey || event.metaKey) {
      open(placeAddress(node), '_blank');
      return;
    }
    this.#active = { branch, node };
    if ((event.target as Element).closest('.twist') && node.open) {
      void this.#toggle(branch, node, !branch.isOpen(node));
    } else {
      void this.#toggle(branch, node, true);
      this.#options.go({ at: node.at, path: node.path });
    }
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const position = this.#position() ?? 0;
    const { branch, slot } = this.#top.rowAt(position);
    const node = branch.nodeAt(slot);
    const last = this.#top.rows - 1;
    const steps: Record<string, number> = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: position + this.#rows.page,
      PageUp: position - this.#rows.page,
      Home: 0,
      End: last,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      this.#move(this.#active ? Math.min(last, Math.max(0, step)) : position);
    } else if (event.key === 'ArrowRight' && node?.open) {
      if (branch.isOpen(node)) this.#move(position + 1);
      else void this.#toggle(branch, node, true);
    } else if (event.key === 'ArrowLeft') {
      if (node && branch.isOpen(node)) void this.#toggle(branch, node, false);
      else if (branch.parent) this.#move(branch.parent.position(branch.parent.slotOf(branch.node!) ?? 0));
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (node) this.#options.go({ at: node.at, path: node.path });
      else void branch.want(slot, true);
    } else if (event.key.length === 1 && !'/?'.includes(event.key)) {
      this.#type(event.key, position);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #move(position: number): void {
    const { branch, slot } = this.#top.rowAt(position);
    const move = (this.#moves += 1);
    const activate = (): void => {
      const node = branch.nodeAt(slot);
      if (!node || move !== this.#moves) return;
      this.#active = { branch, node };
      this.#update();
    };
    this.#rows.reveal(position);
    activate();
    if (!branch.nodeAt(slot)) void branch.want(slot).then(activate);
  }

  /** Moves to the next row whose name begins with what was typed. */
  #type(letter: string, position: number): void {
    const now = performance.now();
    this.#typed = now - this.#typedAt < typingPause ? this.#typed + letter.toLowerCase() : letter.toLowerCase();
    this.#typedAt = now;
    const { rows } = this.#top;
    for (let step = this.#typed.length > 1 ? 0 : 1; step <= rows; step += 1) {
      const candidate = (position + step) % rows;
      const { branch, slot } = this.#top.rowAt(candidate);
      if (branch.nodeAt(slot)?.name.toLowerCase().startsWith(this.#typed)) {
        this.#move(candidate);
        return;
      }
    }
    this.#options.announce(`Nothing among ${counted(rows, 'row')} begins with “${this.#typed}”.`);
  }
}
