/// The bar above the map.
import { el } from '../shell/dom.ts';
import { icon, type IconName } from '../shell/icons.ts';
import { keyOf, levels } from '../shell/keys.ts';
import type { Level } from './info.ts';
import type { Camera } from './place.ts';
import type { Overlay, State } from './state.ts';

export interface Actions {
  zoom(direction: 1 | -1): void;
  actualSize(): void;
  fit(): void;
  camera(camera: Camera): void;
  toggle(overlay: Overlay): void;
  panel(): void;
}

interface Switch {
  overlay: Overlay;
  label: string;
  icon: IconName;
  title: string;
}

const switches: Switch[] = [
  { overlay: 'sprites', label: 'Pictures', icon: 'picture', title: 'Pictures of objects, as the game draws them' },
  { overlay: 'objects', label: 'Objects', icon: 'part', title: 'Boxes and names of objects' },
  { overlay: 'attributes', label: 'Attributes', icon: 'layers', title: 'What the tiles of the main plane do' },
  { overlay: 'grid', label: 'Grid', icon: 'grid', title: 'Lines between tiles, with columns and rows' },
];

const cameras: { camera: Camera; label: string; title: string }[] = [
  { camera: 'flat', label: 'Flat', title: 'Flat: all planes start at the top left, as they are stored' },
  { camera: 'frame', label: 'Game screen', title: 'Game screen: what a player sees in 640×480 pixels; planes move at their own speeds' },
  { camera: 'whole', label: 'Game camera',
    title: "Game camera: planes move at their own speeds, as if the whole map were the player's screen" },
];

/** Returns the overlays that a level has. */
export const overlaysOf = (level: Level): Switch[] =>
  switches.filter(({ overlay }) => {
    if (overlay === 'sprites') return level.pictures.found;
    if (overlay === 'attributes') return level.attributes;
    return overlay === 'grid' || level.planes.some((plane) => plane.objects > 0);
  });

export class Toolbar {
  readonly element: HTMLElement;
  readonly #scale = el('button', { class: 'button quiet level-scale', type: 'button', title: 'Actual size (1)' });
  readonly #cameras = new Map<Camera, HTMLElement>();
  readonly #switches = new Map<Overlay, HTMLElement>();
  readonly #panel: HTMLElement;
  /** What the camera does, as long as it is not the usual one. */
  readonly explained = el('p', { class: 'dim level-camera', role: 'status' });

  constructor(level: Level, actions: Actions) {
    const tool = (label: string, key: string, name: IconName, onclick: () => void): HTMLElement =>
      el('button', { class: 'icon-button', type: 'button', 'aria-label': label, title: `${label} (${key})`, onclick }, icon(name));
    this.#scale.addEventListener('click', actions.actualSize);
    const zoom = el('div', { class: 'toolbar-group', role: 'group', 'aria-label': 'Zoom' },
      tool('Zoom out', '−', 'minus', () => actions.zoom(-1)), this.#scale, tool('Zoom in', '+', 'plus', () => actions.zoom(1)),
      el('button', { class: 'button quiet', type: 'button', 'aria-label': 'Whole level', title: 'Whole level (0)', 'aria-keyshortcuts': '0',
        onclick: actions.fit }, icon('fit'), el('span', { class: 'label' }, 'Whole level')));

    const camera = el('div', { class: 'segmented', role: 'group', 'aria-label': 'Camera' });
    for (const { camera: name, label, title } of cameras) {
      const button = el('button', { type: 'button', title: `${title} (C)`, onclick: () => actions.camera(name) }, label);
      this.#cameras.set(name, button);
      camera.append(button);
    }

    const shown = el('div', { class: 'toolbar-group', role: 'group', 'aria-label': 'Overlays' });
    for (const { overlay, label, icon: name, title } of overlaysOf(level)) {
      const key = keyOf(levels, overlay);
      const button = el('button', { class: 'button quiet', type: 'button', 'aria-label': label, title: `${title} (${key})`,
        'aria-keyshortcuts': key, onclick: () => actions.toggle(overlay) }, icon(name), el('span', { class: 'label' }, label));
      this.#switches.set(overlay, button);
      shown.append(button);
    }

    this.#panel = el('button', { class: 'button quiet', type: 'button', 'aria-label': 'Panel', title: 'Planes, objects and selection (B)',
      'aria-keyshortcuts': 'b', onclick: actions.panel }, icon('list'), el('span', { class: 'label' }, 'Panel'));
    this.element = el('div', { class: 'toolbar level-toolbar', role: 'group', 'aria-label': 'Map' }, zoom, camera, shown,
      el('span', { class: 'grow' }), this.#panel);
  }

  /** Shows what is chosen. */
  update(state: State, scale: number, panel: boolean): void {
    const percent = scale * 100;
    const text = `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))}%`;
    if (this.#scale.textContent !== text) this.#scale.textContent = text;
    this.#scale.setAttribute('aria-label', `${text}; set actual size`);
    const title = state.camera === 'flat' ? '' : cameras.find(({ camera }) => camera === state.camera)!.title;
    if (this.explained.textContent !== title) this.explained.textContent = title;
    for (const [camera, button] of this.#cameras) button.setAttribute('aria-pressed', String(camera === state.camera));
    for (const [overlay, button] of this.#switches) button.setAttribute('aria-pressed', String(state.overlays.has(overlay)));
    this.#panel.setAttribute('aria-pressed', String(panel));
  }
}
