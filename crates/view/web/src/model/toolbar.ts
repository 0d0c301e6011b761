/// The buttons above the picture.
import { el } from '../shell/dom.ts';
import type { LevelChoice } from './appearance.ts';
import { menu, wordButton } from './button.ts';
import type { IconName } from '../shell/icons.ts';
import { keyOf, models } from '../shell/keys.ts';

export type Toggle = 'hidden' | 'wireframe' | 'normals' | 'bounds' | 'grid' | 'light' | 'panel';

export interface ToolbarEvents {
  frame(): void;
  reset(): void;
  level(choice: LevelChoice): void;
  toggle(name: Toggle, isOn: boolean): void;
}

/** Each toggle with its icon, its word and its name. */
const TOGGLES: [Toggle, IconName, string, string][] = [
  ['hidden', 'ghost', 'Hidden', 'Show hidden objects'],
  ['wireframe', 'wireframe', 'Wireframe', 'Wireframe'],
  ['normals', 'normals', 'Normals', 'Normals'],
  ['bounds', 'bounds', 'Bounds', 'Bounds'],
  ['grid', 'axes', 'Grid', 'Grid and axes'],
  ['light', 'light', 'Light', 'Light and shade'],
];

export class Toolbar {
  readonly element: HTMLElement;
  readonly #buttons = new Map<Toggle, HTMLButtonElement>();
  readonly #events: ToolbarEvents;

  constructor(events: ToolbarEvents, levels: { numbers: number[]; hasDistances: boolean }) {
    this.#events = events;
    const toggles = TOGGLES.map((toggle) => this.#toggle(...toggle));
    this.element = el('div', { class: 'toolbar model-toolbar floating', role: 'toolbar', 'aria-label': 'View' },
      wordButton('frame', 'Frame', 'Frame selection', 'F', () => events.frame()),
      wordButton('reset', 'First view', 'First view', 'R', () => events.reset()), levels.numbers.length ? this.#levels(levels) : null,
      ...toggles, this.#toggle('panel', 'panel', 'List', 'List of objects'));
  }

  /** Shows which toggles are on. */
  set(name: Toggle, isOn: boolean): void {
    this.#buttons.get(name)?.setAttribute('aria-pressed', String(isOn));
  }

  /** Turns a toggle as a click does. */
  flip(name: Toggle): void {
    this.#buttons.get(name)?.click();
  }

  #toggle(name: Toggle, picture: IconName, word: string, label: string): HTMLButtonElement {
    const button = wordButton(picture, word, label, keyOf(models, name), () => {
      const isOn = button.getAttribute('aria-pressed') !== 'true';
      this.set(name, isOn);
      this.#events.toggle(name, isOn);
    });
    button.setAttribute('aria-pressed', 'false');
    this.#buttons.set(name, button);
    return button;
  }

  #levels({ numbers, hasDistances }: { numbers: number[]; hasDistances: boolean }): HTMLElement {
    const options = numbers.map((number): [number, string] => [number, number === 0 ? 'LOD 0 (coarsest)' : `LOD ${number}`]);
    return menu('Level of detail', [['finest', 'Finest level'], ...options,
      ...(hasDistances ? [['distance', 'By distance'] as [string, string]] : [])],
      (value) => this.#events.level(value === 'finest' || value === 'distance' ? value : Number(value)));
  }
}
