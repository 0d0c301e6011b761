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
import { Status } from './status.ts';
import { isDark, switchTheme } from './theme.ts';

const narrow = matchMedia('(max-width: 760px)');
const storageKey = 'worldview.tree';

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
    this.#search = new Search({ go: follow, scope });
    this.tree = new Tree({
      go: follow, announce: (text) => this.announce(text), search: (text) => this.#search.search(text),
    });
    this.#help = helpDialog(session.version);
    this.#toggle = el('button', {
      class: 'icon-button', type: 'button', 'aria-label': 'Files', title: 'Files', 'aria-controls': 'side',
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
    const header = el('header', { class: 'top' },
      this.#toggle,
      el('a', { class: 'brand', href: '/', 'aria-label': 'worldview: start page' },
        el('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), el('span', {}, 'worldview')),
      this.#search.element,
      el('span', { class: 'top-end' },
        session.compare && el('a', { class: 'button quiet', href: '/compare' }, icon('compare'), el('span', { class: 'label' }, 'Compare')),
        changesButton(edits, { announce: (text) => this.announce(text) }),
        theme,
        el('button', {
          class: 'icon-button help-button', type: 'button', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)',
          onclick: () => this.#help.showModal(),
        }, icon('help'))));
    const side = el('nav', { class: 'side', id: 'side', 'aria-label': 'Files' }, this.tree.element);
    side.append(
      splitter({ label: 'Width of the tree', part: side, min: 180, max: () => innerWidth * 0.6, initial: 280, name: 'tree' }));
    this.#body.append(side, el('div', { class: 'backdrop', onclick: () => this.#showTree(false) }), this.main);
    document.body.append(
      el('a', { class: 'skip', href: '#main', onclick: (event: Event) => {
        event.preventDefault();
        this.focusMain();
      } }, 'Skip to the contents'),
      header, this.#body, this.#status.element, this.#help);
    this.#showTree(!narrow.matches && stored() !== 'hidden', false);
    narrow.addEventListener('change', () => this.#showTree(!narrow.matches && stored() !== 'hidden', false));
    document.addEventListener('keydown', (event) => this.#key(event));
    this.tree.start(session.roots);
  }

  announce(text: string): void {
    this.#status.announce(text);
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
    this.#showTree(!isWide && !narrow.matches && stored() !== 'hidden', false);
  }

  get #isTreeShown(): boolean {
    return !this.#body.classList.contains('tree-hidden');
  }

  #showTree(isShown: boolean, remember = true): void {
    this.#body.classList.toggle('tree-hidden', !isShown);
    this.#toggle.setAttribute('aria-expanded', String(isShown));
    if (narrow.matches) {
      if (isShown) this.tree.focus();
      else if (remember) this.#toggle.focus();
    } else if (remember) {
      try {
        localStorage.setItem(storageKey, isShown ? 'shown' : 'hidden');
      } catch {
        // Without storage the choice ends with the page.
      }
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && narrow.matches && this.#isTreeShown) {
      this.#showTree(false);
      return;
    }
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select, [contenteditable], dialog[open]')) return;
    if (event.key === '/') this.#search.focus();
    else if (event.key === '?') this.#help.showModal();
    else if (event.key === 't') {
      this.#showTree(true);
      this.tree.focus();
    } else if (event.key === 'm') this.focusMain();
    else return;
    event.preventDefault();
  }
}

const stored = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};
