/// The whole main plane in a corner of the map, with a frame around what the map shows.
import { el } from '../shell/dom.ts';
import type { Level, Plane } from './info.ts';
import type { LevelMap } from './map.ts';
import type { Tiles } from './tiles.ts';

/** The longest side in CSS pixels. */
const LONGEST = 168;

export class Minimap {
  readonly element: HTMLCanvasElement;
  readonly #map: LevelMap;
  readonly #tiles: Tiles;
  readonly #plane: Plane;
  readonly #zoom: number;
  readonly #scale: number;

  constructor(level: Level, plane: Plane, map: LevelMap, tiles: Tiles) {
    this.#map = map;
    this.#tiles = tiles;
    this.#plane = plane;
    this.#zoom = Math.max(level.zooms, 1) - 1;
    this.#scale = LONGEST / Math.max(plane.width, plane.height);
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * this.#scale));
    const [width, height] = [size(plane.width), size(plane.height)];
    // The map can be moved with the keyboard, and the list has all objects.
    this.element = el('canvas', { class: 'level-minimap', 'aria-hidden': 'true', title: 'The whole level: click or drag to move',
      hidden: true, width: width * devicePixelRatio, height: height * devicePixelRatio });
    Object.assign(this.element.style, { width: `${width}px`, height: `${height}px` });
    const go = (event: PointerEvent): void => {
      if (!event.buttons) return;
      const { left, top } = this.element.getBoundingClientRect();
      const [x, y] = [(event.clientX - left) / this.#scale, (event.clientY - top) / this.#scale];
      map.show({ ...map.view, x, y });
    };
    this.element.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    this.element.addEventListener('pointermove', go);
  }

  /** Draws what the map shows, unless that is the whole level. */
  draw(): void {
    const { view, size } = this.#map;
    const { width, height } = this.#plane;
    const [wide, high] = [size.width / view.scale, size.height / view.scale];
    this.element.hidden = !size.width || (wide >= width && high >= height);
    const { offsetLeft: edge, offsetTop: top, offsetWidth, offsetHeight } = this.element;
    this.#map.covered = this.element.hidden ? undefined : { left: edge, top, right: edge + offsetWidth, bottom: top + offsetHeight };
    if (this.element.hidden) return;
    const context = this.element.getContext('2d')!;
    const scale = this.#scale * devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.element.width, this.element.height);
    const picture = this.#tiles.get({ plane: this.#plane.index, layer: 'tiles', after: undefined, zoom: this.#zoom, x: 0, y: 0 });
    if (picture) {
      const [right, bottom] = [width / 2 ** this.#zoom, height / 2 ** this.#zoom];
      context.drawImage(picture, 0, 0, right, bottom, 0, 0, this.element.width, this.element.height);
    }
    context.lineWidth = 2;
    context.strokeStyle = 'rgb(255 214 64)';
    const [left, above] = [Math.max(0, view.x - wide / 2), Math.max(0, view.y - high / 2)];
    const [right, bottom] = [Math.min(width, view.x + wide / 2), Math.min(height, view.y + high / 2)];
    context.strokeRect(left * scale + 1, above * scale + 1, (right - left) * scale - 2, (bottom - above) * scale - 2);
  }
}
