/// Builds elements. Texts go in as text nodes, so that names from files can't become markup.

type Content = globalThis.Node | string | number | null | undefined | false;
type Listener = (event: never) => void;
type Attributes = Record<string, string | number | boolean | undefined | Listener>;

/**
 * Creates an element: `el('button', { class: 'button', onclick: () => … }, 'Text')`.
 *
 * Attributes that are functions become listeners; `true` and `false` set and leave out an attribute.
 */
export const el = <K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {},
  ...contents: Content[]): HTMLElementTagNameMap[K] =>
{
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value as EventListener);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else if (value !== undefined)
      element.setAttribute(name, name === 'title' || name === 'aria-label' ? visible(String(value)) : String(value));
  }
  put(element, ...contents);
  return element;
};

/**
 * Returns a text with `\u{FFFD}` for characters that are not seen but change how others are: of control, of direction, of no
 * width. A name from a file could look like another one by them.
 */
export const visible = (text: string): string => text.replaceAll(/[^\P{C}\t\n\p{Co}\p{Cn}]/gu, '\u{FFFD}');

/** The length up to which a text has room, and that of the end of a longer one, which stays. */
const [short, end] = [14, 9];

/** Shows a text whose middle is cut if there is no room, since names often differ in their ends. */
export const middle = (text: string): HTMLElement =>
  text.length <= short ? el('span', { class: 'name' }, text)
    // Screen readers would take the parts for two words.
    : el('span', { class: 'middle' }, el('span', { class: 'visually-hidden' }, text),
      el('span', { class: 'middle-start', 'aria-hidden': 'true', 'data-text': text.slice(0, -end) }),
      el('span', { 'aria-hidden': 'true', 'data-text': text.slice(-end) }));

/** Appends elements and texts, and skips what is absent. */
export const put = (element: Element, ...contents: Content[]): void => {
  for (const content of contents) {
    if (content === null || content === undefined || content === false) continue;
    element.append(typeof content === 'object' ? content : visible(String(content)));
  }
};

/** Puts what floats under an element, inside of the window. */
export const placeUnder = (floating: HTMLElement, element: HTMLElement): void => {
  const { right, top, bottom } = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const below = bottom + 4;
  floating.style.inset = 'auto';
  floating.style.margin = '0';
  floating.style.left = `${Math.max(8, Math.min(right - width, innerWidth - width - 8))}px`;
  floating.style.top = `${below + height <= innerHeight ? below : Math.max(8, top - height - 4)}px`;
};

/** Returns an id for `aria-controls` and the like. */
export const uniqueId = (prefix: string): string => `${prefix}-${(count += 1)}`;
let count = 0;

/** Calls `work` at most once per frame. */
export const perFrame = (work: () => void): () => void => {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      work();
    });
  };
};

/** Calls `work` when `wait` milliseconds have passed without another call. */
export const later = <A extends unknown[]>(wait: number, work: (...args: A) => void): (...args: A) => void => {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => work(...args), wait);
  };
};
