/// The buttons above the picture.
import { el } from '../shell/dom.ts';
import type { LevelChoice } from './appearance.ts';
import { iconButton } from './button.ts';
import type { IconName } from './icons.ts';

export type Toggle = 'hidden' | 'wireframe' | 'normals' | 'bounds' | 'grid' | 'light' | 'panel';

export interface ToolbarEvents {
  frame(): void;
  reset(): void;
  level(choice: LevelChoice): void;
  toggle(name: Toggle, isOn: boolean): void;
}

/** Each toggle with its icon, its name, and its key. */
const TOGGLES: [Toggle, IconName, string, string][] = [
  ['hidden', 'ghost', 'Show hidden objects', 'H'],
  ['wireframe', 'wireframe', 'Wireframe', 'W'],
  ['normals', 'normals', 'Normals', 'N'],
  ['bounds', 'bounds', 'Bounds', 'B'],
  ['grid', 'grid', 'Grid and axes', 'G'],
  ['light', 'light', 'Light and shade', 'L'],
];

const KEYS: [string, string][] = [
  ['Drag, one finger, arrows', 'Turn'],
  ['Right button, two fingers, Shift and arrows', 'Move sideways'],
  ['Wheel, pinch, + and −', 'Zoom'],
  ['Click', 'Select; twice to frame'],
  ['F', 'Frame the selection'],
  ['R', 'First view'],
  ['Space', 'Play or pause'],
  [', and .', 'Previous and next key'],
  ['Esc', 'Select nothing'],
];

export class Toolbar {
  readonly element: HTMLElement;
  readonly #buttons = new Map<Toggle, HTMLButtonElement>();
  readonly #events: ToolbarEvents;

  constructor(events: ToolbarEvents, levels: { numbers: number[]; hasDistances: boolean }) {
    this.#events = events;
    const toggles = TOGGLES.map(([name, picture, label, key]) => this.#toggle(name, picture, label, key));
    this.element = el('div', { class: 'model-toolbar floating', role: 'toolbar', 'aria-label': 'View' },
      iconButton('frame', 'Frame selection', 'F', () => events.frame()),
      iconButton('reset', 'First view', 'R', () => events.reset()),
      levels.numbers.length ? this.#levels(levels) : null,
      el('span', { class: 'model-gap', role: 'separator' }),
      ...toggles,
      el('span', { class: 'model-gap', role: 'separator' }),
      this.#help(),
      this.#toggle('panel', 'panel', 'List of objects', 'P'));
  }

  /** Shows which toggles are on. */
  set(name: Toggle, isOn: boolean): void {
    this.#buttons.get(name)?.setAttribute('aria-pressed', String(isOn));
  }

  /** Turns a toggle as a click does. */
  flip(name: Toggle): void {
    this.#buttons.get(name)?.click();
  }

  #toggle(name: Toggle, picture: IconName, label: string, key: string): HTMLButtonElement {
    const button = iconButton(picture, label, key, () => {
      const isOn = button.getAttribute('aria-pressed') !== 'true';
      this.set(name, isOn);
      this.#events.toggle(name, isOn);
    });
    button.classList.add(`model-toggle-${name}`);
    button.setAttribute('aria-pressed', 'false');
    this.#buttons.set(name, button);
    return button;
  }

  #levels({ numbers, hasDistances }: { numbers: number[]; hasDistances: boolean }): HTMLElement {
    const select = el('select', {
      class: 'select',
      'aria-label': 'Level of detail',
      onchange: () => {
        const { value } = select;
        this.#events.level(value === 'finest' || value === 'distance' ? value : Number(value));
      },
    }, el('option', { value: 'finest' }, 'Finest level'));
    for (const number of numbers) {
      const name = number === 0 ? 'LOD 0 (coarsest)' : `LOD ${number}`;
      select.append(el('option', { value: number }, name));
    }
    if (hasDistances) select.append(el('option', { value: 'distance' }, 'By distance'));
    return select;
  }

  #help(): HTMLElement {
    const rows = KEYS.flatMap(([keys, what]) => [el('dt', {}, keys), el('dd', {}, what)]);
    const list = el('div', { class: 'model-keys floating', hidden: true }, el('dl', {}, ...rows));
    const button = iconButton('keys', 'Mouse and keys', '', () => {
      list.hidden = !list.hidden;
      button.setAttribute('aria-expanded', String(!list.hidden));
    });
    button.setAttribute('aria-expanded', 'false');
    const box = el('div', {
      class: 'model-help',
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || list.hidden) return;
        event.stopPropagation();
        button.click();
        button.focus();
      },
      onfocusout: (event: FocusEvent) => {
        if (!list.hidden && !box.contains(event.relatedTarget as Element | null)) button.click();
      },
    }, button, list);
    return box;
  }
}
