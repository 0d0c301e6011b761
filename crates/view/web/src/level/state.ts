/// What of a level is shown, as the address of the page has it.
import { mainPlane, type Level, type Plane } from './info.ts';
import type { Camera, View } from './place.ts';

/** What can be laid over the planes. */
export const overlays = ['sprites', 'objects', 'attributes', 'grid'] as const;

export type Overlay = (typeof overlays)[number];

const cameras: readonly string[] = ['flat', 'frame', 'whole'] satisfies Camera[];

export class State {
  /** `undefined` is where the player starts, or the whole level. */
  view: View | undefined;
  /** Whether the view is the whole level as long as there is no other. */
  isWhole = false;
  camera: Camera = 'flat';
  /** Indices of the planes that are shown. */
  planes: Set<number>;
  overlays: Set<Overlay>;
  /** The plane whose tiles are pointed at. */
  active: number;
  readonly #level: Level;

  constructor(level: Level, more: Record<string, string> = {}) {
    this.#level = level;
    this.planes = this.#usualPlanes();
    this.overlays = this.#usualOverlays();
    this.active = mainPlane(level)?.index ?? 0;
    this.read(more);
  }

  /** Takes over what an address says; what it does not say is as usual. */
  read(more: Record<string, string>): void {
    const [x, y, scale] = [more.x, more.y, more.zoom].map(number);
    this.view = x !== undefined && y !== undefined && scale !== undefined && scale > 0 ? { x, y, scale } : undefined;
    this.isWhole = more.zoom === WHOLE;
    this.camera = cameras.includes(more.camera ?? '') ? (more.camera as Camera) : 'flat';
    const indices = list(more.planes)?.map(Number).filter((index) => this.#level.planes[index]);
    this.planes = indices ? new Set(indices) : this.#usualPlanes();
    const shown = list(more.show);
    this.overlays = shown ? new Set(overlays.filter((overlay) => shown.includes(overlay))) : this.#usualOverlays();
    const active = number(more.plane);
    if (active !== undefined && this.#level.planes[active]) this.active = active;
  }

  /** Returns the parameters of the address. What is as usual is left out. */
  write(): Record<string, string> {
    const more: Record<string, string> = {};
    if (this.view) {
      more.x = decimal(this.view.x, 1);
      more.y = decimal(this.view.y, 1);
      more.zoom = decimal(this.view.scale, 5);
    } else if (this.isWhole) {
      more.zoom = WHOLE;
    }
    if (this.camera !== 'flat') more.camera = this.camera;
    if (!sameSet(this.planes, this.#usualPlanes())) more.planes = text([...this.planes].sort((a, b) => a - b));
    if (!sameSet(this.overlays, this.#usualOverlays())) {
      more.show = text(overlays.filter((overlay) => this.overlays.has(overlay)));
    }
    if (this.active !== (mainPlane(this.#level)?.index ?? 0)) more.plane = String(this.active);
    return more;
  }

  /** Returns the planes that are shown, in the game's order. */
  shown(): Plane[] {
    return this.#level.planes.filter(({ index }) => this.planes.has(index));
  }

  #usualPlanes(): Set<number> {
    return new Set(this.#level.planes.filter(({ drawn }) => drawn).map(({ index }) => index));
  }

  #usualOverlays(): Set<Overlay> {
    return new Set(this.#level.pictures.found ? ['sprites', 'objects'] : ['objects']);
  }
}

/** The zoom of an address that shows the whole level. */
export const WHOLE = 'fit';

const number = (text: string | undefined): number | undefined => {
  const value = text ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
};

const decimal = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

const NOTHING = 'none';

const text = (items: readonly (string | number)[]): string => items.join('.') || NOTHING;

const list = (text: string | undefined): string[] | undefined => text === undefined ? undefined : text === NOTHING ? [] : text.split('.');

const sameSet = <T>(a: Set<T>, b: Set<T>): boolean => a.size === b.size && [...a].every((item) => b.has(item));
