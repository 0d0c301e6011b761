/// What surrounds every page: the header, the tree beside it, and the line at the bottom.
import type { Session } from '../api.ts';
import { changesButton } from '../edits/panel.ts';
import type { Edits } from '../edits.ts';
import { Search } from '../search/search.ts';
import { Tree } from '../tree/tree.ts';
import type { Place } from '../view.ts';
import { el } from './dom.ts';
import { helpDialog } from './help.ts';
import { icon } from './icons.ts';
import { splitter } from './splitter.ts';
import { actionOf, everywhere, isTyping } from './keys.ts';
import { Status } from './status.ts';
import { recall, remember } from './store.ts';
import { isDark, switchTheme } from './theme.ts';

const narrow = matchMedia('(max-width: 760px)');

interface Options {
  session: Session;
  edits: Edits;
  go: (place: Place) => void;
  /** What the page shows, for searches in it. */
  scope: () => { at: string; name: string } | undefined;
}

export class Frame {
  /** Where pages are shown. */
  readonly main = el('main', { id: 'main', class: 'main', tabindex: -1 });
  readonly tree: Tree;
  readonly #edits: Edits;
  readonly #search: Search;
  readonly #status = new Status();
  readonly #body = el('div', { class: 'body' });
  readonly #toggle: HTMLElement;
  readonly #help: HTMLDialogElement;
  #isWide = false;

  constructor({ session, edits, go, scope }: Options) {
    const follow = (place: Place): void => {
      if (narrow.matches) this.#showTree(false);
      go(place);
    };
    this.#edits = edits;
    this.#search = new Search({ go: follow, scope });
    this.tree = new Tree({ go: follow, announce: (text) => this.announce(text), search: (text) => this.#search.search(text) });
    this.#help = helpDialog(session.version);
    this.#toggle = el('button', {
      class: 'icon-button',
      type: 'button',
      'aria-label': 'Files',
      title: 'Files',
      'aria-controls': 'side',
      onclick: () => this.#showTree(!this.#isTreeShown),
    }, icon('menu'));
    const theme = el('button', { class: 'icon-button', type: 'button', onclick: switchTheme });
    const drawTheme = (): void => {
      const label = isDark() ? 'Light colors' : 'Dark colors';
      theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'));
      theme.title = label;
      theme.setAttribute('aria-label', label);
    };
    document.addEventListener('themechange', drawTheme);
    drawTheme();
    const header = el('header', { class: 'top' }, this.#toggle,
      el('a', { class: 'brand', href: '/', 'aria-label': 'worldview: start page' },
        el('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), el('span', {}, 'worldview')), this.#search.element,
      el('span', { class: 'top-end' },
        session.compare && el('a', { class: 'button quiet', href: '/compare' }, icon('compare'), el('span', { class: 'label' }, 'Compare')),
        changesButton(edits, { announce: (text) => this.announce(text) }), theme,
        el('button', {
          class: 'icon-button help-button',
          type: 'button',
          'aria-label': 'Keyboard shortcuts',
          title: 'Keyboard shortcuts (?)',
          onclick: () => this.#help.showModal(),
        }, icon('help'))));
    const side = el('nav', { class: 'side', id: 'side', 'aria-label': 'Files' }, this.tree.element);
    side.append(
      splitter({ label: 'Width of the tree', part: side, min: 180, max: () => innerWidth * 0.6, initial: 280, name: 'tree' }),
    );
    this.#body.append(side, el('div', { class: 'backdrop', onclick: () => this.#showTree(false) }), this.main);
    document.body.append(
      el('a', {
        class: 'skip',
        href: '#main',
        onclick: (event: Event) => {
          event.preventDefault();
          this.focusMain();
        },
      }, 'Skip to the contents'),
      header,
      this.#status.warning,
      this.#body,
      this.#status.element,
      this.#help,
    );
    const showUsual = (): void => this.#showTree(!narrow.matches && recall('tree') !== 'hidden', false);
    showUsual();
    narrow.addEventListener('change', showUsual);
    document.addEventListener('keydown', (event) => this.#key(event));
    this.tree.start(session.roots);
  }

  announce(text: string): void {
    this.#status.announce(text);
  }

  /** Says, as long as it is so, that the viewer does not answer. */
  warn(text: string): void {
    this.#status.warn(text);
  }

  /** Moves the focus to what is shown: its first control, or its name. */
  focusMain(): void {
    (this.main.querySelector<HTMLElement>('h1[tabindex]') ?? this.main).focus();
  }

  /** Tells screen readers what is shown now, and moves the focus there if what had it is gone. */
  arrived(name: string): void {
    this.#status.whisper(name);
    if (!document.activeElement || document.activeElement === document.body) this.focusMain();
  }

  /** Gives a page the whole width, or the tree its place again. The button still shows and hides it. */
  widen(isWide: boolean): void {
    if (isWide === this.#isWide) return;
    this.#isWide = isWide;
    this.#showTree(!isWide && !narrow.matches && recall('tree') !== 'hidden', false);
  }

  get #isTreeShown(): boolean {
    return !this.#body.classList.contains('tree-hidden');
  }

  #showTree(isShown: boolean, isKept = true): void {
    this.#body.classList.toggle('tree-hidden', !isShown);
    this.#toggle.setAttribute('aria-expanded', String(isShown));
    if (narrow.matches) {
      if (isShown) this.tree.focus();
      else if (isKept) this.#toggle.focus();
    } else if (isKept) {
      remember('tree', isShown ? 'shown' : 'hidden');
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape' && narrow.matches && this.#isTreeShown) {
      this.#showTree(false);
      return;
    }
    if (isTyping(event) || (event.target as Element).closest('dialog[open]')) return;
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      this.announce(this.#edits.undo() ?? 'There is no change to take back.');
      event.preventDefault();
      return;
    }
    const actions: Record<string, () => void> = {
      search: () => this.#search.focus(),
      help: () => this.#help.showModal(),
      main: () => this.focusMain(),
      tree: () => {
        this.#showTree(true);
        this.tree.focus();
      },
    };
    const act = actions[actionOf(everywhere, event) ?? ''];
    if (!act) return;
    act();
    event.preventDefault();
  }
}
