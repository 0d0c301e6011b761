/// Two files side by side: levels as maps, tables as rows, models and pictures as pairs.
import { json, type About, type CompareDone, type Node } from '../api.ts';
import { Edits } from '../edits.ts';
import { mountLevel } from '../level/level.ts';
import { WHOLE } from '../level/state.ts';
import { el } from '../shell/dom.ts';
import { attempt, failure, isAbort, loading } from '../shell/failure.ts';
import { mountView, tabsOf } from '../shell/place.ts';
import { namesOf } from '../shell/text.ts';
import type { Context, PageContext, Place, View } from '../view.ts';
import type { Difference } from './data.ts';
import { levelMarks } from './marks.ts';
import { TablePair } from './rows.ts';

/** What is shown on both sides. */
interface Subject {
  left: string;
  right: string;
  /** A part of a database. */
  path: string;
}

interface Hooks {
  /** The user selected something. */
  choose(path: string): void;
}

const segment = String.raw`(?:\\.|[^/\\])+`;
/** What of a database can be shown beside another: a world or a model in it, a part, a texture. */
const databasePart = new RegExp([
  `^world:${segment}(?:/(?:model|part):${segment})?`,
  `^[a-z_]+/(?:part|texture):${segment}`,
  `^blob:${segment}`,
].join('|'));

export class SideBySide {
  readonly #host: HTMLElement;
  readonly #context: PageContext;
  readonly #nodes: [left: Node, right: Node];
  readonly #hooks: Hooks;
  readonly #choice = el('select', { class: 'select', 'aria-label': 'Part' });
  readonly #bar: HTMLElement;
  readonly #body = el('div', { class: 'side-body' });
  #differences: Difference[] = [];
  /** How many records differ, if not all differences are there. */
  #count: number | undefined;
  #subjects: Subject[] = [];
  #shown: Subject | undefined;
  #path = '';
  #views: View[] = [];
  /** What each of two views shows. */
  #places: Place[] = [];
  #table: TablePair | undefined;
  #abort = new AbortController();

  constructor(host: HTMLElement, context: PageContext, left: Node, right: Node, hooks: Hooks) {
    this.#host = host;
    this.#context = context;
    this.#nodes = [left, right];
    this.#hooks = hooks;
    this.#bar = el('div', { class: 'side-bar', hidden: true }, el('label', {}, 'Part ', this.#choice));
    this.#choice.addEventListener('change', () => {
      const subject = this.#subjects[Number(this.#choice.value)];
      if (!subject) return;
      this.#hooks.choose(subject.path);
      this.#show(subject);
    });
    this.#body.replaceChildren(loading('Comparing…'));
    this.#host.replaceChildren(this.#bar, this.#body);
  }

  /** Takes all differences of the files. */
  set(differences: Difference[], { parts, more }: CompareDone): void {
    this.#differences = differences;
    // The records of one table; of an archive, no table is all of it.
    this.#count = more && this.#nodes[0].kind === 'table' ? parts : undefined;
    const found = new Map<string, Subject>();
    for (const difference of differences) {
      const subject = this.#subjectOf(difference);
      if (subject) found.set(JSON.stringify(subject), subject);
    }
    const [left, right] = this.#nodes;
    if (!found.size) found.set('', { left: left.at, right: right.at, path: '' });
    this.#subjects = [...found.values()];
    this.#bar.hidden = this.#subjects.length < 2 && this.#subjects[0]!.left === left.at && !this.#subjects[0]!.path;
    this.#choice.replaceChildren(
      ...this.#subjects.map((subject, index) =>
        el('option', { value: index }, [namesOf(subject.right).at(-1), subject.path].filter(Boolean).join(': '))
      ),
    );
    this.#show(this.#selected() ?? this.#subjects[0]!);
  }

  /** Marks the difference of a path. */
  select(path: string): void {
    this.#path = path;
    const subject = this.#selected();
    if (subject && subject !== this.#shown) this.#show(subject);
    else if (subject) this.#goTo(path);
  }

  destroy(): void {
    this.#abort.abort();
    for (const view of this.#views) view.destroy();
    this.#views = [];
    this.#table = undefined;
  }

  #selected(): Subject | undefined {
    const difference = this.#differences.find(({ path }) => path === this.#path);
    const subject = difference && this.#subjectOf(difference);
    return this.#subjects.find((candidate) =>
      subject ? JSON.stringify(candidate) === JSON.stringify(subject) : candidate.path !== '' && candidate.path === this.#path
    );
  }

  #subjectOf({ path, leftPlace, rightPlace }: Difference): Subject | undefined {
    const [left, right] = this.#nodes;
    const isDatabase = left.kind === 'database';
    // What only one side has is no subject of its own in a database: there is nothing to put beside it.
    if (isDatabase && (!leftPlace || !rightPlace)) return undefined;
    const part = isDatabase ? databasePart.exec(path)?.[0] ?? '' : '';
    return { left: leftPlace?.at ?? left.at, right: rightPlace?.at ?? right.at, path: part };
  }

  #show(subject: Subject): void {
    this.destroy();
    this.#shown = subject;
    this.#choice.value = String(this.#subjects.indexOf(subject));
    const abort = new AbortController();
    this.#abort = abort;
    this.#context.signal.addEventListener('abort', () => abort.abort(), { once: true });
    const { path } = subject;
    void attempt(this.#body, async () => {
      const [left, right] = await Promise.all(
        [subject.left, subject.right].map((at) => json<About>('about', { at, path }, abort.signal)),
      ) as [About, About];
      if (left.views.includes('table') && right.views.includes('table')) {
        this.#table = new TablePair(this.#body, left.node, right.node, this.#differences, {
          count: this.#count,
          signal: abort.signal,
          announce: (text) => this.#context.announce(text),
          choose: (chosen) => this.#hooks.choose(chosen),
        });
        this.#views = [this.#table];
      } else {
        this.#mountPair(left, right, abort.signal);
      }
      if (this.#path) this.#goTo(this.#path);
    });
  }

  /** Shows two views that move together. */
  #mountPair(left: About, right: About, signal: AbortSignal): void {
    const hosts = [left, right].map(({ node }, side) =>
      el('section', { class: 'compare-side', 'aria-label': `${side ? 'Right' : 'Left'}: ${node.name}` }, el('div', { class: 'view' }))
    );
    this.#body.replaceChildren(el('div', { class: 'side-pair' }, ...hosts));
    const views: View[] = [];
    // Levels are shown whole, so that all marks are visible.
    this.#places = [left, right].map(({ node }) => ({ at: node.at, path: node.path, more: { zoom: WHOLE } }));
    // A change that one view gets from the other is no news to send back.
    let following = false;
    [left, right].forEach((about, side) => {
      const tab = tabsOf(about).find((candidate) => candidate !== 'children') ?? 'fields';
      const context: Context = {
        about,
        place: this.#places[side]!,
        signal,
        edits: Edits.page,
        go: (to) => this.#context.go(to),
        update: (change) => {
          this.#places[side] = { ...this.#places[side]!, ...change };
          const other = views[1 - side];
          if (following || !other) return;
          following = true;
          // What the other view has selected stays, unless this one selected something.
          this.#places[1 - side] = { ...this.#places[1 - side]!, ...change };
          other.select?.(this.#places[1 - side]!);
          following = false;
        },
        announce: (text) => this.#context.announce(text),
        offer: () => {},
      };
      const host = hosts[side]!.querySelector<HTMLElement>('.view')!;
      host.classList.add(`view-${tab}`);
      if (tab !== 'level') {
        views[side] = mountView(tab, host, context);
        return;
      }
      const view = mountLevel(host, context);
      views[side] = view;
      void levelMarks(about.node.at, side ? 'right' : 'left', this.#differences, signal)
        .then((marks) => view.mark(marks))
        .catch((error: unknown) => {
          if (!isAbort(error)) host.before(failure(error));
        });
    });
    this.#views = views;
  }

  #goTo(path: string): void {
    if (this.#table) {
      this.#table.goTo(path);
      return;
    }
    const difference = this.#differences.find((candidate) => candidate.path === path);
    [difference?.leftPlace, difference?.rightPlace].forEach((place, side) => {
      if (!place) return;
      this.#places[side] = { ...place, more: {} };
      this.#views[side]?.select?.(this.#places[side]!);
    });
  }
}
