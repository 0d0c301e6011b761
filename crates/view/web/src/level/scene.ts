/// Draws a level and what is laid over it.
import { hasPixels, type Level, type Plane } from './info.ts';
import { type Cluster, drawFrames, drawObjects, drawStart, type Mark, screenBox } from './marks.ts';
import type { Objects } from './objects.ts';
import type { Layer, Painter } from './paint.ts';
import { type Box, GAME_SCREEN, place, type Placement, type Point, type Size, type View } from './place.ts';
import { drawRulers } from './rulers.ts';
import { boxOf, type ObjectName, type Selection } from './selection.ts';
import type { State } from './state.ts';

/** The background of levels, which the pictures of `worldview export` have, too. */
const EMPTY = '#181a20';

const SELECTED = 'rgb(255 214 64)';
const OUTLINE = 'rgb(24 26 32 / 75%)';

/** How much of what is beside the level, or beside the game's screen, is covered. */
const SHADE = 0.78;

/** What a frame shows. */
export interface Frame {
  view: View;
  /** Of the canvas in CSS pixels. */
  size: Size;
  /** Pixels of the canvas per CSS pixel. */
  density: number;
  /** The view is about to change: what is missing is not worth loading. */
  moving: boolean;
  selection: Selection | undefined;
  hovered: ObjectName | undefined;
  marks: Mark[];
  /** Where the selected object is dragged to, in pixels from where it is. */
  drag: Point | undefined;
  /** What labels must not be under, in CSS pixels. */
  covered: Box | undefined;
  /** Whether the middle is marked, where the keyboard points. */
  crosshair: boolean;
}

/** Several objects of a plane that are one dot. */
export interface PlaneCluster {
  plane: number;
  cluster: Cluster;
}

export class Scene {
  readonly #context: CanvasRenderingContext2D;
  readonly #painter: Painter;
  readonly #level: Level;
  readonly #main: Plane;
  readonly #state: State;
  readonly #objects: ReadonlyMap<number, Objects>;

  constructor(context: CanvasRenderingContext2D, painter: Painter, level: Level, main: Plane, state: State,
    objects: ReadonlyMap<number, Objects>)
  {
    this.#context = context;
    this.#painter = painter;
    this.#level = level;
    this.#main = main;
    this.#state = state;
    this.#objects = objects;
  }

  /** Returns the planes whose objects can be seen, in the game's order. */
  planesWithObjects(): Plane[] {
    const { overlays } = this.#state;
    if (!overlays.has('objects') && !overlays.has('sprites')) return [];
    return this.#state.shown().filter(({ index }) => this.#objects.has(index));
  }

  /** Draws a frame. Returns the dots that stand for several objects. */
  draw(frame: Frame): PlaneCluster[] {
    const context = this.#context;
    const { size, density } = frame;
    const at = (plane: Plane): Placement => place(plane, frame.view, size, this.#state.camera);
    context.setTransform(density, 0, 0, density, 0, 0);
    const outside = getComputedStyle(context.canvas).backgroundColor;
    context.fillStyle = outside;
    context.fillRect(0, 0, size.width, size.height);
    const isFlat = this.#state.camera === 'flat';
    const everything = { left: 0, top: 0, right: size.width, bottom: size.height };
    const level = isFlat
      ? screenBox({ left: 0, top: 0, right: this.#main.width, bottom: this.#main.height }, at(this.#main))
      : everything;
    context.fillStyle = EMPTY;
    context.fillRect(level.left, level.top, level.right - level.left, level.bottom - level.top);

    this.#painter.paint(this.#layers(at), size, density, frame.moving, isFlat ? level : undefined);
    context.setTransform(density, 0, 0, density, 0, 0);
    // Planes that wrap go on beside the level, which ends there.
    if (isFlat) this.#shade(level, size, outside);
    if (this.#state.camera === 'frame') this.#drawGameScreen(frame, outside);
    const { start } = this.#level;
    if (start && this.#state.overlays.has('objects')) drawStart(context, start, at(this.#main));
    const clusters = this.#drawObjects(frame, at);
    for (const mark of frame.marks) {
      const plane = this.#level.planes[mark.plane];
      if (plane && this.#state.planes.has(plane.index)) drawFrames(context, [mark], at(plane));
    }
    this.#drawSelection(frame, at);
    const active = this.#level.planes[this.#state.active];
    if (this.#state.overlays.has('grid') && active) drawRulers(context, at(active), size, density);
    if (frame.crosshair) this.#drawCrosshair(size);
    return clusters;
  }

  #layers(at: (plane: Plane) => Placement): Layer[] {
    const layers: Layer[] = [];
    const shown = this.#state.shown().filter(hasPixels);
    const { overlays } = this.#state;
    const sprites = overlays.has('sprites') && this.#level.pictures.found
      ? shown.filter((plane) => plane.objects > 0).map(at)
      : [];
    const { after } = this.#level;
    const add = (index: number): void => {
      if (!after.includes(index)) return;
      for (const placement of sprites) layers.push({ name: 'objects', placement, after: index });
    };
    add(-1);
    for (const plane of this.#level.planes) {
      if (shown.includes(plane)) layers.push({ name: 'tiles', placement: at(plane) });
      if (after.length) add(plane.index);
      else for (const placement of sprites) if (placement.plane === plane) layers.push({ name: 'objects', placement });
    }
    if (overlays.has('attributes') && this.#level.attributes && hasPixels(this.#main)) {
      layers.push({ name: 'attributes', placement: at(this.#main) });
    }
    return layers;
  }

  /** Dims what is outside of a box. */
  #shade(box: Box, size: Size, color: string): void {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(0, 0, size.width, size.height);
    context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    context.globalAlpha = SHADE;
    context.fillStyle = color;
    context.fill('evenodd');
    context.restore();
  }

  #drawGameScreen({ view, size }: Frame, outside: string): void {
    const [width, height] = [GAME_SCREEN.width * view.scale, GAME_SCREEN.height * view.scale];
    const [left, top] = [(size.width - width) / 2, (size.height - height) / 2];
    this.#shade({ left, top, right: left + width, bottom: top + height }, size, outside);
    this.#context.lineWidth = 2;
    this.#context.strokeStyle = SELECTED;
    this.#context.strokeRect(left - 1, top - 1, width + 2, height + 2);
  }

  #drawObjects({ size, selection, hovered, drag, covered }: Frame, at: (plane: Plane) => Placement): PlaneCluster[] {
    const { overlays } = this.#state;
    if (!overlays.has('objects')) return [];
    return this.planesWithObjects().flatMap((plane) => {
      const on = (one: Selection | undefined): number | undefined =>
        one && 'object' in one && one.plane === plane.index ? one.object : undefined;
      const found = drawObjects(this.#context, { objects: this.#objects.get(plane.index)!, placement: at(plane), selected: on(selection),
        hovered: on(hovered), drag, covered, subtle: overlays.has('sprites') && this.#level.pictures.found }, size);
      return found.map((cluster) => ({ plane: plane.index, cluster }));
    });
  }

  /** Frames the selected tile, or an object whose marks are off. */
  #drawSelection({ selection }: Frame, at: (plane: Plane) => Placement): void {
    const plane = selection && this.#level.planes[selection.plane];
    if (!selection || !plane || ('object' in selection && this.#state.overlays.has('objects'))) return;
    const found = boxOf(selection, this.#level, this.#objects);
    if (!found) return;
    const box = screenBox(found, at(plane));
    const context = this.#context;
    for (const [width, color] of [[5, OUTLINE], [2.5, SELECTED]] as const) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.strokeRect(box.left - 1, box.top - 1, box.right - box.left + 2, box.bottom - box.top + 2);
    }
  }

  #drawCrosshair({ width, height }: Size): void {
    const [x, y] = [width / 2, height / 2];
    const context = this.#context;
    for (const [line, color] of [[4, OUTLINE], [1.5, 'white']] as const) {
      context.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        context.moveTo(x + dx * 4, y + dy * 4);
        context.lineTo(x + dx * 12, y + dy * 12);
      }
      context.lineWidth = line;
      context.strokeStyle = color;
      context.stroke();
    }
  }
}
