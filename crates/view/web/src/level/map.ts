/// The map: a canvas with the planes of a level and what is laid over them.
import { el, perFrame } from '../shell/dom.ts';
import { Flight } from './flight.ts';
import { hasPixels, type Level, type Plane } from './info.ts';
import { listen } from './input.ts';
import type { Cluster, Mark } from './marks.ts';
import type { Objects } from './objects.ts';
import { Painter } from './paint.ts';
import { around, type Box, type Camera, GAME_SCREEN, pixelAt, place, type Placement, type Point, reachable, seen, type Size, type View,
  whole } from './place.ts';
import { Scene } from './scene.ts';
import { boxOf, type ObjectName, sameSelection, type Selection } from './selection.ts';
import type { State } from './state.ts';
import type { Tiles } from './tiles.ts';

/** From this scale on, a level can be read. */
const READABLE = 0.75;

/** The scale at which a level without pictures can be recognized. */
const RECOGNIZABLE = 0.15;

/** What is under the pointer. */
export interface Pointed {
  plane: Plane;
  x: number;
  y: number;
  column: number;
  row: number;
  object?: ObjectName | undefined;
}

interface Hooks {
  /** The map was drawn; pictures may still be missing. */
  drawn(): void;
  /** The view moved, or something else that the address has. */
  moved(): void;
  pointed(pointed: Pointed | undefined): void;
  picked(selection: Selection | undefined): void;
  /** The selected object was dragged, by pixels of its plane. */
  dragged(object: ObjectName, by: Point): void;
}

export class LevelMap {
  readonly canvas: HTMLCanvasElement;
  /** What is covered by the small map, in CSS pixels. */
  covered: Box | undefined;
  /** Draws what changed, with the next frame. */
  readonly invalidate: () => void;
  readonly #level: Level;
  readonly #main: Plane;
  readonly #state: State;
  readonly #objects: ReadonlyMap<number, Objects>;
  readonly #tiles: Tiles;
  readonly #hooks: Hooks;
  readonly #scene: Scene;
  readonly #flight = new Flight();
  readonly #observer: ResizeObserver;
  #size: Size = { width: 0, height: 0 };
  #density = 1;
  #selection: Selection | undefined;
  #marks: Mark[] = [];
  #pointer: Point | undefined;
  #drag: Point | undefined;
  #hovered: ObjectName | undefined;
  #clusters: { plane: number; cluster: Cluster }[] = [];
  /** What is flown to as soon as the map has a size. */
  #awaited: Selection | undefined;
  #lastClick: { point: Point; view: View } | undefined;
  #ended = false;

  constructor(host: HTMLElement, level: Level, main: Plane, state: State, objects: ReadonlyMap<number, Objects>, tiles: Tiles, hooks: Hooks,
    signal: AbortSignal)
  {
    this.#level = level;
    this.#main = main;
    this.#state = state;
    this.#objects = objects;
    this.#tiles = tiles;
    this.#hooks = hooks;
    this.invalidate = perFrame(() => this.#draw());
    this.canvas = el('canvas', { class: 'level-canvas', tabindex: 0, role: 'application', 'aria-roledescription': 'map',
      'aria-label': `Map of ${level.name || 'the level'}. Arrow keys move, plus and minus zoom, Enter selects what is in the `
        + 'middle. The list of objects has all that can be selected.' });
    const context = this.canvas.getContext('2d', { alpha: false })!;
    this.#scene = new Scene(context, new Painter(context, tiles, level.zooms), level, main, state, objects);
    host.append(this.canvas);
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this.canvas);
    listen(this.canvas, { grabs: (at) => this.#grabs(at), drag: (x, y, isEnd) => this.#dragged(x, y, isEnd), pan: (x, y) => this.pan(x, y),
      zoom: (factor, at) => this.zoom(factor, at), click: (at) => this.#click(at), hover: (at) => this.#hover(at) }, signal);
    for (const type of ['focus', 'blur']) this.canvas.addEventListener(type, this.invalidate, { signal });
  }

  destroy(): void {
    this.#ended = true;
    this.#flight.stop();
    this.#observer.disconnect();
    this.#tiles.destroy();
  }

  /** The view, or where it is flying. */
  get view(): View {
    return this.#flight.target ?? this.#view();
  }

  /** The size of the map in CSS pixels. */
  get size(): Size {
    return this.#size;
  }

  get selection(): Selection | undefined {
    return this.#selection;
  }

  set selection(selection: Selection | undefined) {
    this.#selection = selection;
    this.invalidate();
  }

  set marks(marks: Mark[]) {
    this.#marks = marks;
    this.invalidate();
  }

  /** Moves what is shown by CSS pixels. */
  pan(x: number, y: number): void {
    const view = this.view;
    this.#move({ ...view, x: view.x - x / view.scale, y: view.y - y / view.scale });
  }

  /** Zooms around a point of the screen, by default its middle. */
  zoom(factor: number, at: Point = this.#middle()): void {
    this.#move(this.#zoomed(this.view.scale * factor, at));
  }

  /** Zooms smoothly to a scale, around the middle. */
  zoomTo(scale: number): void {
    this.fly(this.#zoomed(scale, this.#middle()));
  }

  /** Zooms smoothly to the next power of two. */
  step(direction: 1 | -1): void {
    const exact = Math.log2(this.view.scale);
    this.zoomTo(2 ** (direction > 0 ? Math.floor(exact + 1.01) : Math.ceil(exact - 1.01)));
  }

  /** Flies to the whole level. */
  fit(): void {
    this.fly(whole(this.#main, this.#size));
  }

  /** Flies to a view. */
  fly(target: View): void {
    const to = reachable(target, this.#main, this.#size, this.#state.camera);
    this.#flight.start(this.#view(), to, this.#size, (view) => this.#show(view));
  }

  /** Flies to an object or a tile, and near enough to see it. */
  flyTo(selection: Selection): void {
    const box = boxOf(selection, this.#level, this.#objects);
    const plane = this.#level.planes[selection.plane];
    this.#awaited = this.#size.width ? undefined : selection;
    if (!box || !plane || this.#awaited) return;
    const point = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    // A plane with parallax is elsewhere: the middle moves until the point is there.
    const { scale } = this.view;
    const target = { ...point, scale: Math.max(scale, 1) };
    if (this.#state.camera !== 'flat' && !plane.main) {
      for (const [axis, percent] of [['x', plane.move[0]], ['y', plane.move[1]]] as const) {
        if (percent !== 0) target[axis] = (point[axis] * 100) / percent;
      }
    }
    this.fly(target);
  }

  /** Returns the view with which to start a camera: the game's camera is near enough to the level to move in it. */
  viewFor(camera: Camera): View {
    const { view } = this;
    const { width, height } = seen(camera, view.scale, this.#size);
    const sees = camera === 'whole' && (width > this.#main.width / 2 || height > this.#main.height / 2);
    const isSmall = camera === 'frame' && width * view.scale < this.#size.width / 4;
    if (!sees && !isSmall) return view;
    const fitting = Math.min(this.#size.width / GAME_SCREEN.width, this.#size.height / GAME_SCREEN.height);
    return { ...view, scale: Math.max(fitting * 0.9, view.scale) };
  }

  /** Selects what is in the middle, for the keyboard. */
  pickMiddle(): void {
    this.#click(this.#middle());
  }

  /** Takes over the state after it changed. */
  refresh(): void {
    this.#flight.stop();
    if (this.#state.view && this.#size.width) {
      this.#state.view = reachable(this.#state.view, this.#main, this.#size, this.#state.camera);
    }
    this.invalidate();
  }

  #view(): View {
    return this.#state.view ?? reachable(this.#first(), this.#main, this.#size, this.#state.camera);
  }

  /** The first view of a level: where the player starts, or the whole level if that can be read or has no start. */
  #first(): View {
    const all = whole(this.#main, this.#size);
    const { start } = this.#level;
    if (this.#state.isWhole || all.scale >= READABLE) return all;
    // Colors of tiles say nothing near by, and from afar they are noise.
    const scale = this.#level.pictures.found ? 1 : Math.max(all.scale, RECOGNIZABLE);
    if (!start) return { ...all, scale: this.#level.pictures.found ? all.scale : scale };
    return around(this.#main, { x: start[0], y: start[1] }, scale, this.#size);
  }

  #middle(): Point {
    return { x: this.#size.width / 2, y: this.#size.height / 2 };
  }

  #zoomed(wanted: number, at: Point): View {
    const view = this.view;
    const middle = this.#middle();
    const { scale } = reachable({ ...view, scale: wanted }, this.#main, this.#size, this.#state.camera);
    const shift = 1 / view.scale - 1 / scale;
    return { x: view.x + (at.x - middle.x) * shift, y: view.y + (at.y - middle.y) * shift, scale };
  }

  #move(view: View): void {
    this.#flight.stop();
    this.#show(reachable(view, this.#main, this.#size, this.#state.camera));
  }

  /** Shows a view at once. */
  show(view: View): void {
    this.#move(view);
  }

  #show(view: View): void {
    this.#state.view = view;
    this.#hooks.moved();
    this.invalidate();
    // The level moved under the pointer; with the keyboard, the middle is what counts.
    this.#hover(this.#pointer);
  }

  #resize(): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.#density = devicePixelRatio;
    this.canvas.width = Math.round(width * this.#density);
    this.canvas.height = Math.round(height * this.#density);
    this.#size = { width: this.canvas.width / this.#density, height: this.canvas.height / this.#density };
    // A changed size clears the canvas: waiting for the next frame would flicker.
    this.#draw();
    this.#hooks.moved();
    if (this.#awaited) this.flyTo(this.#awaited);
  }

  #placement(plane: Plane): Placement {
    return place(plane, this.#view(), this.#size, this.#state.camera);
  }

  // Pointing and selecting.

  #objectsAt(point: Point): ObjectName[] {
    return this.#scene.planesWithObjects().reverse().flatMap((plane) => {
      const { left, top, scale } = this.#placement(plane);
      const at = { x: (point.x - left) / scale, y: (point.y - top) / scale };
      return this.#objects.get(plane.index)!.at(at, 4 / scale).map((object) => ({ plane: plane.index, object }));
    });
  }

  #cellAt(point: Point): Pointed | undefined {
    const plane = this.#level.planes[this.#state.active];
    if (!plane || !hasPixels(plane)) return undefined;
    const pixel = pixelAt(this.#placement(plane), point);
    if (!pixel) return undefined;
    return { plane, ...pixel, column: Math.floor(pixel.x / plane.tile[0]), row: Math.floor(pixel.y / plane.tile[1]) };
  }

  #hover(point: Point | undefined): void {
    this.#pointer = point;
    const at = point ?? (this.#usesKeyboard() ? this.#middle() : undefined);
    const object = at && !this.#clusterAt(at) ? this.#objectsAt(at)[0] : undefined;
    if (object?.object !== this.#hovered?.object || object?.plane !== this.#hovered?.plane) {
      this.#hovered = object;
      this.canvas.classList.toggle('on-object', Boolean(object));
      this.canvas.classList.toggle('on-selected', object !== undefined && sameSelection(object, this.#selection));
      this.invalidate();
    }
    const cell = at && this.#cellAt(at);
    this.#hooks.pointed(cell && { ...cell, object });
  }

  #usesKeyboard(): boolean {
    return this.canvas.matches(':focus-visible');
  }

  /** Returns whether the selected object is at a point, and the topmost one there. */
  #grabs(point: Point): boolean {
    if (!this.#selection || !('object' in this.#selection) || this.#clusterAt(point)) return false;
    return this.#objectsAt(point).some((object) => sameSelection(object, this.#selection));
  }

  #dragged(x: number, y: number, isEnd: boolean): void {
    const { scale } = this.#view();
    const by = { x: Math.round(x / scale), y: Math.round(y / scale) };
    this.#drag = isEnd || (!by.x && !by.y) ? undefined : by;
    const { selection } = this;
    if (isEnd && (by.x || by.y) && selection && 'object' in selection) this.#hooks.dragged(selection, by);
    this.invalidate();
  }

  #clusterAt(point: Point): Cluster | undefined {
    return this.#clusters.map(({ cluster }) => cluster).find((cluster) =>
      cluster.objects.length > 1 && Math.hypot(cluster.x - point.x, cluster.y - point.y) <= cluster.radius + 2
    );
  }

  /** Selects what is at a point: the topmost object, with further clicks those below it, and then the tile. */
  #click(point: Point): void {
    const cluster = this.#clusterAt(point);
    if (cluster) {
      this.#flyInto(cluster, point);
      return;
    }
    const cell = this.#cellAt(point);
    const found: Selection[] = this.#objectsAt(point);
    if (cell) found.push({ plane: cell.plane.index, column: cell.column, row: cell.row });
    const view = this.#view();
    const last = this.#lastClick;
    const again = last && last.view.x === view.x && last.view.y === view.y && last.view.scale === view.scale
      && Math.hypot(last.point.x - point.x, last.point.y - point.y) < 5;
    this.#lastClick = { point, view };
    const before = again ? found.findIndex((selection) => sameSelection(selection, this.#selection)) : -1;
    this.#hooks.picked(found[(before + 1) % Math.max(found.length, 1)]);
  }

  #flyInto({ objects }: Cluster, point: Point): void {
    const plane = this.#clusters.find(({ cluster }) => cluster.objects === objects)!.plane;
    const all = this.#objects.get(plane)!;
    const xs = objects.map((object) => all.x[object]!);
    const ys = objects.map((object) => all.y[object]!);
    const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 1);
    const room = Math.min(this.#size.width, this.#size.height) * 0.7;
    const scale = Math.min(Math.max(room / extent, this.view.scale * 2), Math.max(1, this.view.scale * 2));
    this.fly(this.#zoomed(scale, point));
  }

  #draw(): void {
    if (this.#ended || !this.#size.width || !this.#size.height) return;
    this.#clusters = this.#scene.draw({ view: this.#view(), size: this.#size, density: this.#density,
      moving: this.#flight.target !== undefined, selection: this.#selection, hovered: this.#hovered, marks: this.#marks, drag: this.#drag,
      covered: this.covered, crosshair: this.#usesKeyboard() });
    this.#hooks.drawn();
  }
}
