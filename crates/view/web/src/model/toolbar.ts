/// The buttons above the picture.
import { el } from '../shell/dom.ts';
import type { LevelChoice } from './appearance.ts';
import { wordButton } from './button.ts';
import type { IconName } from './icons.ts';

export type Toggle = 'hidden' | 'wireframe' | 'normals' | 'bounds' | 'grid' | 'light' | 'panel';

export interface ToolbarEvents {
  frame(): void;
  reset(): void;
  level(choice: LevelChoice): void;
  toggle(name: Toggle, isOn: boolean): void;
}

/** Each toggle with its icon, its word, its name, and its key. */
const TOGGLES: [Toggle, IconName, string, string, string][] = [
  ['hidden', 'ghost', 'Hidden', 'Show hidden objects', 'H'],
  ['wireframe', 'wireframe', 'Wireframe', 'Wireframe', 'W'],
  ['normals', 'normals', 'Normals', 'Normals', 'N'],
  ['bounds', 'bounds', 'Bounds', 'Bounds', 'B'],
  ['grid', 'grid', 'Grid', 'Grid and axes', 'G'],
  ['light', 'light', 'Light', 'Light and shade', 'L'],
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
    const toggles = TOGGLES.map((toggle) => this.#toggle(...toggle));
    this.element = el('div', { class: 'model-toolbar floating', role: 'toolbar', 'aria-label': 'View' },
      wordButton('frame', 'Frame', 'Frame selection', 'F', () => events.frame()),
      wordButton('reset', 'First view', 'First view', 'R', () => events.reset()),
      levels.numbers.length ? this.#levels(levels) : null,
      el('span', { class: 'model-gap', role: 'separator' }),
      ...toggles,
      el('span', { class: 'model-gap', role: 'separator' }),
      this.#help(),
      this.#toggle('panel', 'panel', 'List', 'List of objects', 'P'));
  }

  /** Shows which toggles are on. */
  set(name: Toggle, isOn: boolean): void {
    this.#buttons.get(name)?.setAttribute('aria-pressed', String(isOn));
  }

  /** Turns a toggle as a click does. */
  flip(name: Toggle): void {
    this.#buttons.get(name)?.click();
  }

  #toggle(name: Toggle, picture: IconName, word: string, label: string, key: string): HTMLButtonElement {
    const button = wordButton(picture, word, label, key, () => {
      const isOn = button.getAttribute('aria-pressed') !== 'true';
      this.set(name, isOn);
      this.#events.toggle(name, isOn);
    });
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
    const list = el('div', { class: 'model-keys floating', popover: 'auto' }, el('dl', {}, ...rows));
    const button = wordButton('keys', 'Keys', 'Mouse and keys', '', () => {});
    button.popoverTargetElement = list;
    const box = el('div', {
      onkeydown: (event: KeyboardEvent) => {
        // Esc closes the list and nothing else.
        if (event.key === 'Escape' && list.matches(':popover-open')) event.stopPropagation();
      },
    }, button, list);
    return box;
  }
}
