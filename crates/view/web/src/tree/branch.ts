/// The nodes of the tree: lists of any length, loaded in pages, some of whose nodes are open.
import { json, type Children, type Node } from '../api.ts';

const pageSize = 500;
/** A filter opens so many nodes at most. */
const mostOpened = 200;

/** Identifies a node. */
export const keyOf = (node: { at: string; path: string }): string => `${node.at}\n${node.path}`;

/** What the branches of a tree share. */
export interface Shared {
  filter: string;
  /** The number of folders that the filter has opened. */
  opened: number;
  signal: AbortSignal;
  /** Called when a row may have changed. */
  changed: () => void;
}

interface Page {
  promise: Promise<void>;
  nodes?: Node[];
  error?: unknown;
}

/** A place in the tree: the nth of the list of a branch. */
export interface Row {
  branch: Branch;
  slot: number;
}

/**
 * What is inside a node.
 *
 * Its list has slots: the nodes as the server lists them. Every open node is followed by its own list.
 */
export class Branch {
  #isOpen = false;
  /** The filter that opened this branch, because it finds something in it. */
  #openedBy = '';
  /** The number of nodes that the server lists; unknown until the first page has arrived. */
  #total: number | undefined;
  readonly #pages = new Map<number, Page>();
  /** The nodes inside this one that were opened at some time. */
  readonly #inner = new Map<string, Branch>();
  /** Opening what the filter finds something in. */
  #opening: Promise<void> | undefined;
  /** The request for the rows of a new filter. */
  #reloading: Promise<void> | undefined;
  /** The slots of the nodes that have arrived. */
  readonly #slots = new Map<string, number>();

  constructor(readonly node: Node | undefined, readonly parent: Branch | undefined, readonly shared: Shared) {}

  get open(): boolean {
    return this.#isOpen || (this.#openedBy !== '' && this.#openedBy === this.shared.filter);
  }

  set open(open: boolean) {
    this.#isOpen = open;
    this.#openedBy = '';
  }

  /** The number of nodes that have arrived and match the filter, here and in open nodes; unknown until then. */
  get matches(): number | undefined {
    if (this.#total === undefined) return undefined;
    let matches = this.#total;
    for (const [, branch] of this.#openNodes()) {
      if (branch.matches === undefined) return undefined;
      matches += branch.matches;
    }
    return matches;
  }

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : 0;
  }

  /** The number of slots; one for the message if nothing has arrived yet. */
  get slots(): number {
    return this.#total === undefined ? 1 : this.#total;
  }

  /** The number of rows, with those of open nodes inside. */
  get rows(): number {
    return this.#openNodes().reduce((sum, [, branch]) => sum + branch.rows, this.slots);
  }

  /** Returns the row at a position among all rows of this branch. */
  rowAt(position: number): Row {
    let inside = 0;
    for (const [slot, branch] of this.#openNodes()) {
      const head = slot + inside;
      if (position <= head) break;
      const { rows } = branch;
      if (position <= head + rows) return branch.rowAt(position - head - 1);
      inside += rows;
    }
    return { branch: this, slot: position - inside };
  }

  /** Returns the position of a slot among all rows of the tree. */
  position(slot: number): number {
    let position = slot;
    for (const [before, branch] of this.#openNodes()) {
      if (before < slot) position += branch.rows;
    }
    if (!this.parent) return position;
    return this.parent.position(this.parent.slotOf(this.node!) ?? 0) + 1 + position;
  }

  /** Returns the node in a slot, if it has arrived. */
  nodeAt(slot: number): Node | undefined {
    return this.#pages.get(this.#pageOf(slot))?.nodes?.[slot % pageSize];
  }

  /** Asks for the node in a slot, unless that was done; again if it failed and `retry`. */
  async want(slot: number, retry = false): Promise<void> {
    const number = this.#pageOf(slot);
    const asked = this.#pages.get(number);
    if (retry) this.shared.changed();
    return retry || !asked ? this.load(number) : asked.promise;
  }

  /** Returns why the node in a slot can't be shown. */
  errorAt(slot: number): unknown {
    return this.#pages.get(this.#pageOf(slot))?.error;
  }

  /** Returns the slot of a node, if it has arrived. */
  slotOf(node: { at: string; path: string }): number | undefined {
    return this.#slots.get(keyOf(node));
  }

  /** Returns what is inside a node of this list. */
  inner(node: Node): Branch {
    const key = keyOf(node);
    let branch = this.#inner.get(key);
    if (!branch) this.#inner.set(key, branch = new Branch(node, this, this.shared));
    return branch;
  }

  /** Returns whether a node of this list is open. */
  isOpen(node: Node): boolean {
    return this.#inner.get(keyOf(node))?.open ?? false;
  }

  /** Asks for a page; again if it failed. */
  async load(number: number): Promise<void> {
    if (this.#reloading) return this.#reloading;
    const existing = this.#pages.get(number);
    if (existing && existing.error === undefined) return existing.promise;
    const page: Page = { promise: Promise.resolve() };
    this.#pages.set(number, page);
    page.promise = this.#ask(number, page, () => this.#pages.get(number) === page);
    return page.promise;
  }

  /** Sets what is inside, if that is known already. */
  fill(nodes: Node[]): void {
    this.#pages.set(0, { promise: Promise.resolve(), nodes });
    this.#total = nodes.length;
    this.#place();
  }

  /** Fills a page, if it is still wanted when it arrives. */
  async #ask(number: number, page: Page, isWanted: () => boolean): Promise<void> {
    const { at, path } = this.node ?? { at: '', path: '' };
    const { filter, signal } = this.shared;
    const from = number * pageSize;
    try {
      const answer = await json<Children>('children', { at, path, from, limit: pageSize, filter: filter || undefined }, signal);
      if (!isWanted()) return;
      page.nodes = answer.children;
      this.#total = answer.total;
      this.#place();
      this.#opening = filter ? this.#openInside(answer.children, filter) : undefined;
    } catch (error) {
      if (!isWanted()) return;
      page.error = error;
    }
    this.shared.changed();
  }

  /** Opens the nodes in which the filter finds something, as long as it matches and there are not too many. */
  async #openInside(nodes: Node[], filter: string): Promise<void> {
    for (const node of nodes.filter(({ inside }) => inside)) {
      if (filter !== this.shared.filter || (this.shared.opened += 1) > mostOpened) return;
      const branch = this.inner(node);
      if (!branch.open) {
        branch.#openedBy = filter;
        await branch.load(0);
      }
      // All in one node before the next, so that the limit leaves whole ways open.
      await branch.#opening;
    }
  }

  /** Returns the slot of a node, and loads pages until it is found. */
  async find(node: Node): Promise<number | undefined> {
    await this.load(0);
    await this.#bisect(node);
    for (let number = 0; number * pageSize < (this.#total ?? 0); number += 1) {
      const slot = this.slotOf(node);
      if (slot !== undefined) return slot;
      await this.load(number);
      if (this.#pages.get(number)?.error !== undefined) return undefined;
    }
    return this.slotOf(node);
  }

  /** Loads the page with a node if the list is sorted by name, as folders are. */
  async #bisect({ at, path, name }: Node): Promise<void> {
    let low = 0;
    let high = Math.ceil((this.#total ?? 0) / pageSize) - 1;
    while (low <= high && this.slotOf({ at, path }) === undefined) {
      const middle = (low + high) >> 1;
      await this.load(middle);
      const nodes = this.#pages.get(middle)?.nodes;
      if (!nodes?.length) return;
      if (name < nodes[0]!.name) high = middle - 1;
      else low = middle + 1;
    }
  }

  /** Asks again for what is open, after the filter has changed. The rows of before stay until the new ones arrive. */
  reload(): void {
    for (const branch of this.#inner.values()) branch.reload();
    const page: Page = { promise: Promise.resolve() };
    const forget = (): boolean => {
      if (this.#reloading !== page.promise) return false;
      this.#reloading = undefined;
      this.#pages.clear();
      this.#slots.clear();
      this.#total = undefined;
      if (this.open) this.#pages.set(0, page);
      return this.open;
    };
    if (this.open) page.promise = this.#ask(0, page, forget);
    this.#reloading = page.promise;
    if (!this.open) forget();
  }

  #pageOf(slot: number): number {
    return Math.floor(slot / pageSize);
  }

  /** Finds out the slots of what has arrived. */
  #place(): void {
    for (const [number, { nodes }] of this.#pages) {
      nodes?.forEach((node, index) => {
        this.#slots.set(keyOf(node), number * pageSize + index);
      });
    }
  }

  #openNodes(): [number, Branch][] {
    const open: [number, Branch][] = [];
    for (const branch of this.#inner.values()) {
      const slot = branch.open ? this.slotOf(branch.node!) : undefined;
      if (slot !== undefined && this.#total !== undefined) open.push([slot, branch]);
    }
    return open.sort(([a], [b]) => a - b);
  }
}
