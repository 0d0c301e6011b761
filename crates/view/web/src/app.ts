/// The page of `worldview view`: shows what the address names. Addresses are described in `shell/router.ts`.
import { ApiError, ask, json, type About, type Download, type Session, type Tab } from './api.ts';
import { mountCompare } from './compare/compare.ts';
import { Edits } from './edits.ts';
import { el, later, visible } from './shell/dom.ts';
import { failure, isAbort, sentence } from './shell/failure.ts';
import { Frame } from './shell/frame.ts';
import { type Head, missingPlace, mountView, placeHead, pointTabs, tabOf } from './shell/place.ts';
import { Router, type Route } from './shell/router.ts';
import { startPage } from './shell/start.ts';
import { rootNames } from './shell/text.ts';
import { startTheme } from './shell/theme.ts';
import type { Context, PageContext, PageView, Place, View } from './view.ts';

/** How often the page looks whether the viewer still runs, in milliseconds. */
const heartbeat = 5000;

/** A slow answer shows that it is on its way after this time. */
const patience = 150;

/** What is shown now. */
interface Shown {
  /** Ends when it is left. */
  controller: AbortController;
  place?: {
    /** What the head describes. */
    about: About;
    /** What the view was made for. */
    mounted: About;
    place: Place;
    tab: Tab;
    view: View;
    head: Head;
    /** What the view offers to download. */
    offered: Download[];
  };
  compare?: PageView;
}

class App {
  readonly #session: Session;
  readonly #router: Router;
  readonly #frame: Frame;
  readonly #edits: Edits;
  #shown: Shown = { controller: new AbortController() };
  /** The request for what is shown next. */
  #request = new AbortController();
  readonly #refresh = later(400, (place: Place) => void this.#refreshHead(place));

  constructor(session: Session) {
    this.#session = session;
    for (const { at, name } of session.roots) rootNames.set(at, name);
    this.#edits = new Edits(sessionStorage, session.id);
    this.#router = new Router((route) => void this.#show(route));
    this.#frame = new Frame({
      session,
      edits: this.#edits,
      go: (place) => this.#go(place),
      scope: () => {
        const node = this.#shown.place?.about.node;
        return node && { at: node.at, name: node.name };
      },
    });
    this.#router.show();
    setInterval(() => void this.#listen(), heartbeat);
    document.addEventListener('visibilitychange', () => void this.#listen());
  }

  /** Says so when the viewer has stopped. */
  async #listen(): Promise<void> {
    if (document.hidden) return;
    try {
      await ask('alive', {}, {});
      this.#frame.warn('');
    } catch (error) {
      this.#frame.warn(sentence(error));
    }
  }

  #go(place: Place): void {
    this.#router.go({ page: 'place', place });
  }

  async #show(route: Route): Promise<void> {
    this.#request.abort();
    this.#request = new AbortController();
    if (route.page === 'place') {
      await this.#showPlace(route.place);
    } else if (route.page === 'compare') {
      this.#showCompare(route.more);
    } else {
      this.#showStart();
    }
  }

  #showStart(): void {
    const { roots, compare } = this.#session;
    if (compare) {
      this.#router.replace({ page: 'compare', more: {} });
      this.#router.show();
      return;
    }
    const [root] = roots;
    if (roots.length === 1 && root && root.kind !== 'folder') {
      const place = { at: root.at, path: root.path };
      this.#router.replace({ page: 'place', place });
      this.#router.show();
      return;
    }
    this.#leave();
    document.title = 'worldview';
    this.#frame.widen(false);
    this.#frame.main.replaceChildren(startPage(this.#session, this.#shown.controller.signal));
    this.#frame.arrived('Start page');
    void this.#frame.tree.reveal(undefined);
  }

  #showCompare(more: Record<string, string>): void {
    if (this.#shown.compare) {
      this.#shown.compare.select?.(more);
      return;
    }
    this.#leave();
    document.title = 'Compare – worldview';
    this.#frame.widen(true);
    const host = el('div', { class: 'view compare-page' });
    this.#frame.main.replaceChildren(host);
    const context: PageContext = {
      session: this.#session,
      more,
      signal: this.#shown.controller.signal,
      go: (place) => this.#go(place),
      update: (changed, push) => {
        const route: Route = { page: 'compare', more: changed };
        if (push) this.#router.go(route);
        else this.#router.replace(route);
      },
      announce: (text) => this.#frame.announce(text),
    };
    this.#shown.compare = mountCompare(host, context);
    this.#frame.arrived('Compare');
  }

  async #showPlace(place: Place): Promise<void> {
    const { signal } = this.#request;
    const timer = setTimeout(() => this.#frame.main.classList.add('waiting'), patience);
    try {
      const about = await json<About>('about', { at: place.at, path: place.path }, signal);
      if (!signal.aborted) this.#present(about, place);
    } catch (error) {
      if (isAbort(error)) return;
      this.#leave();
      document.title = 'Error – worldview';
      const isMissing = error instanceof ApiError && [400, 404].includes(error.status);
      this.#frame.main.replaceChildren(
        isMissing ? missingPlace(place, error, () => this.#router.show()) : failure(error, () => this.#router.show()),
      );
      this.#frame.arrived('There is nothing with this address');
    } finally {
      clearTimeout(timer);
      if (this.#request.signal === signal) this.#frame.main.classList.remove('waiting');
    }
  }

  #present(about: About, place: Place): void {
    const tab = tabOf(about, place);
    const before = this.#shown.place;
    const { node } = about;
    const name = [node.title, node.name].filter(Boolean).join(' – ') || '(no name)';
    document.title = `${visible(name)} – worldview`;
    if (before && before.tab === tab && isShownBy(before.mounted, about, tab)) {
      this.#replaceHead(about, place);
      before.view.select?.(place);
      return;
    }
    this.#leave();
    const panel = el('div', { class: `view view-${tab}`, id: 'view', role: 'tabpanel', 'aria-labelledby': `tab-${tab}` });
    const head = placeHead(about, place, panel.id);
    this.#frame.widen(false);
    this.#frame.main.replaceChildren(head, panel);
    const { controller } = this.#shown;
    const context: Context = {
      about,
      place,
      signal: controller.signal,
      edits: this.#edits,
      go: (next) => this.#go(next),
      update: (change, push) => this.#update(change, push),
      announce: (text) => this.#frame.announce(text),
      offer: (downloads) => {
        shown.offered = downloads;
        shown.head.offer(downloads);
      },
    };
    // Before the view, which may change the address at once.
    const shown: NonNullable<Shown['place']> = { about, mounted: about, place, tab, head, offered: [], view: { destroy: () => {} } };
    this.#shown.place = shown;
    shown.view = mountView(tab, panel, context);
    this.#frame.arrived(name);
    void this.#frame.tree.reveal(about);
  }

  /** Changes the address for what the user selected in the view. */
  #update(change: { path?: string; more?: Record<string, string> }, push = false): void {
    const { place: shown } = this.#shown;
    if (!shown) return;
    const place: Place = { ...shown.place, ...change };
    const isPath = place.path !== shown.place.path;
    shown.place = place;
    if (push) this.#router.push({ page: 'place', place });
    else this.#router.replace({ page: 'place', place });
    pointTabs(shown.head, place);
    if (isPath && showsFile(shown.tab)) this.#refresh(place);
  }

  /** Asks what surrounds a selection, which may be another part of the file. */
  async #refreshHead(place: Place): Promise<void> {
    const { place: shown, controller } = this.#shown;
    if (shown?.place !== place) return;
    try {
      const about = await json<About>('about', { at: place.at, path: place.path }, controller.signal);
      if (this.#shown.place?.place !== place || tabOf(about, { ...place, view: shown.tab }) !== shown.tab) return;
      this.#replaceHead(about, { ...place, view: shown.tab });
    } catch {
      // The head stays as it was: the view itself has shown the selection.
    }
  }

  #replaceHead(about: About, place: Place): void {
    const shown = this.#shown.place!;
    const isOther = !sameNode(shown.about, about);
    const focused = document.activeElement?.closest('[role=tab]')?.id;
    const head = placeHead(about, place, 'view');
    head.offer(shown.offered);
    shown.head.replaceWith(head);
    Object.assign(shown, { head, place, about });
    if (focused) head.querySelector<HTMLElement>(`#${focused}`)?.focus();
    if (isOther) void this.#frame.tree.reveal(about);
  }

  /** Ends what is shown. */
  #leave(): void {
    this.#shown.controller.abort();
    this.#shown.place?.view.destroy();
    this.#shown.compare?.destroy();
    this.#shown = { controller: new AbortController() };
  }
}

/** Returns whether a view shows all of a file, whatever is selected in it. */
const showsFile = (tab: Tab): boolean => tab === 'fields' || tab === 'hex';

/** Returns whether a view that was made for one place can show another. */
const isShownBy = (mounted: About, about: About, tab: Tab): boolean =>
  showsFile(tab) ? mounted.node.at === about.node.at : sameNode(mounted, about);

const sameNode = (a: About, b: About): boolean => a.node.at === b.node.at && a.node.path === b.node.path;

const start = async (): Promise<void> => {
  startTheme();
  try {
    const session = await json<Session>('session', {});
    document.body.replaceChildren();
    new App(session);
  } catch (error) {
    document.body.replaceChildren(el('main', { class: 'alone' }, failure(error, () => void start())));
  }
};

void start();
