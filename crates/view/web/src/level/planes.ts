/// The list of planes, where the pictures come from, and what the colors of attributes mean.
import { el } from '../shell/dom.ts';
import { icon } from '../shell/icons.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Level, Plane } from './info.ts';
import type { State } from './state.ts';

interface Hooks {
  /** Planes were shown or hidden, or another became the one that is pointed at. */
  changed(): void;
}

interface Entry {
  plane: Plane;
  row: HTMLElement;
  shown: HTMLInputElement;
  active: HTMLElement;
}

export class PlaneList {
  readonly element: HTMLElement;
  readonly #entries: Entry[];
  readonly #legend: HTMLElement;
  readonly #state: State;

  constructor(level: Level, file: string, state: State, hooks: Hooks) {
    this.#state = state;
    this.#entries = level.planes.map((plane) => this.#entry(plane, hooks));
    const show = (which: (plane: Plane) => boolean): void => {
      state.planes = new Set(level.planes.filter(which).map(({ index }) => index));
      hooks.changed();
    };
    const button = (label: string, title: string, onclick: () => void): HTMLElement =>
      el('button', { class: 'button quiet', type: 'button', title, onclick }, label);
    this.#legend = legend(level);
    this.element = el('div', { class: 'level-planes' }, pictures(level, file),
      el('ul', { 'aria-label': "Planes in the game's order, from back to front" }, ...this.#entries.map(({ row }) => row)),
      Boolean(level.omitted) && el('p', { class: 'level-note' }, `${counted(level.omitted, 'more plane is', 'more planes are')} left out.`),
      level.planes.length > 1 &&
        el('div', { class: 'level-actions' }, button('All', 'Show all planes', () => show(() => true)),
          button('As in the game', 'Show the planes that the game draws', () => show(({ drawn }) => drawn)),
          button('None', 'Hide all planes', () => show(() => false))), this.#legend);
  }

  /** Shows what is chosen. */
  update(): void {
    for (const { plane, row, shown, active } of this.#entries) {
      shown.checked = this.#state.planes.has(plane.index);
      row.classList.toggle('active', plane.index === this.#state.active);
      active.setAttribute('aria-pressed', String(plane.index === this.#state.active));
    }
    this.#legend.hidden = !this.#state.overlays.has('attributes');
  }

  #entry(plane: Plane, hooks: Hooks): Entry {
    const name = plane.name || `Plane ${plane.index}`;
    const shown = el('input', { type: 'checkbox', 'aria-label': `Show ${name}` });
    shown.addEventListener('change', () => {
      if (shown.checked) this.#state.planes.add(plane.index);
      else this.#state.planes.delete(plane.index);
      hooks.changed();
    });
    const active = el('button', {
      class: 'level-plane',
      type: 'button',
      title: 'Point at the tiles of this plane',
      onclick: () => {
        this.#state.active = plane.index;
        hooks.changed();
      },
    }, el('span', { class: 'level-plane-name' }, el('span', { class: 'name' }, name), ...badges(plane)),
      el('span', { class: 'dim numeric' }, describe(plane)));
    const only = el('button', {
      class: 'button quiet',
      type: 'button',
      'aria-label': `Only ${name}`,
      title: 'Hide all other planes',
      onclick: () => {
        this.#state.planes = new Set([plane.index]);
        this.#state.active = plane.index;
        hooks.changed();
      },
    }, 'Only');
    return { plane, row: el('li', {}, shown, active, only), shown, active };
  }
}

const badges = (plane: Plane): HTMLElement[] => {
  const found: HTMLElement[] = [];
  if (plane.main) found.push(el('span', { class: 'badge info', title: 'The plane with the player, which the camera follows' }, 'main'));
  const wraps = plane.wrap.map((wraps, axis) => (wraps ? 'xy'[axis] : '')).join('');
  if (wraps) found.push(el('span', { class: 'badge', title: 'The plane is repeated in this direction' }, `wraps ${wraps}`));
  if (!plane.drawn) found.push(el('span', { class: 'badge warning', title: 'The game does not draw this plane' }, 'not drawn'));
  return found;
};

const describe = (plane: Plane): string => {
  const parts = [`${formatCount(plane.columns)} × ${formatCount(plane.rows)} tiles of ${plane.tile.join('×')}`];
  if (!plane.main || plane.move.some((percent) => percent !== 100)) {
    const [x, y] = plane.move;
    parts.push(x === y ? `moves ${x}%` : `moves ${x}%, ${y}%`);
  }
  if (plane.z) parts.push(`z ${plane.z}`);
  if (plane.objects) parts.push(counted(plane.objects, 'object'));
  return parts.join(' · ');
};

/** Says whether the game's pictures are shown, and how to get them. */
const pictures = (level: Level, file: string): HTMLElement => {
  const { found, from, missing, error } = level.pictures;
  if (!found) {
    return el('div', { class: 'level-note' }, icon('info'),
      el('p', {}, error ? `The game's pictures can't be read: ${error}. ` : "The game's pictures are not here. ",
        'Every tile number has a color of its own. To see the pictures, start ',
        el('code', { class: 'mono' }, `worldview view ${file} --game PATH`),
        " with the game's folder or its REZ archive, or open the level inside the archive."));
  }
  return el('div', { class: 'level-note' }, icon('picture'),
    el('p', {}, 'Pictures of the game', from ? ` from ${from}` : '',
      missing ? `; ${counted(missing, 'picture is', 'pictures are')} missing.` : '; none is missing.', error ? ` ${error}` : ''));
};

const legend = (level: Level): HTMLElement =>
  el('section', { class: 'level-legend', 'aria-label': 'Tile attributes' }, el('h3', {}, 'Tile attributes of the main plane'),
    el('ul', {}, ...level.legend.map(([name, color]) => {
      const swatch = el('span', { class: 'level-swatch', 'aria-hidden': 'true' });
      swatch.style.background = color;
      return el('li', {}, swatch, name);
    })));
