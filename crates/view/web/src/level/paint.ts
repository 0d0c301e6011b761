/// Paints planes from their pictures.
import type { Plane } from './info.ts';
import { type Box, copies, runs, type Placement, type Run, type Size } from './place.ts';
import { SIDE, type LayerName, type Tile, type Tiles } from './tiles.ts';

/** Something that is painted over the level: a plane, its objects, or what its tiles do. */
export interface Layer {
  name: LayerName;
  placement: Placement;
  after?: number | undefined;
}

/** With more copies of a plane than this, a pattern is painted instead of each copy. */
const MOST_COPIES = 48;

/** Longest side of the picture of a plane that is repeated as a pattern. */
const MOST_PATTERN = 2048;

interface Pattern {
  pattern: CanvasPattern;
  width: number;
  height: number;
  version: number;
}

/** A picture that is to be loaded. The smaller the rank, the sooner. */
interface Wanted {
  tile: Tile;
  rank: number;
}

export class Painter {
  readonly #tiles: Tiles;
  readonly #context: CanvasRenderingContext2D;
  /** Number of resolutions. */
  readonly #zooms: number;
  readonly #patterns = new Map<string, Pattern>();
  #wanted: Wanted[] = [];

  constructor(context: CanvasRenderingContext2D, tiles: Tiles, zooms: number) {
    this.#context = context;
    this.#tiles = tiles;
    this.#zooms = Math.max(zooms, 1);
  }

  /** Paints the layers over each other, and loads what is missing unless the view moves on. `size` is in CSS pixels. */
  paint(layers: Layer[], size: Size, density: number, moving: boolean, clip?: Box): void {
    this.#tiles.nextFrame();
    this.#wanted = [];
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    const used = new Set<string>();
    for (const layer of layers) {
      // Planes that wrap end with the level.
      const isClipped = clip && layer.placement.plane.wrap.some(Boolean);
      if (isClipped) this.#clip(clip, density);
      this.#paintLayer(layer, size, density, used);
      if (isClipped) this.#context.restore();
    }
    for (const key of this.#patterns.keys()) if (!used.has(key)) this.#patterns.delete(key);
    if (moving) return;
    this.#wanted.sort((a, b) => a.rank - b.rank);
    this.#tiles.want(this.#wanted.map(({ tile }) => tile));
  }

  #clip({ left, top, right, bottom }: Box, density: number): void {
    this.#context.save();
    this.#context.beginPath();
    this.#context.rect(left * density, top * density, (right - left) * density, (bottom - top) * density);
    this.#context.clip();
  }

  #paintLayer(layer: Layer, size: Size, density: number, used: Set<string>): void {
    const { plane, left, top } = layer.placement;
    // From here on in pixels of the canvas.
    const scale = layer.placement.scale * density;
    const [width, height] = [size.width * density, size.height * density];
    const zoom = this.#zoomFor(scale);
    // The coarsest picture is the first, so that there is something soon wherever the user goes.
    const coarsest: Tile = { ...tileOf(layer), zoom: this.#zooms - 1, x: 0, y: 0 };
    this.#want(coarsest, -1);

    const across = copies(left * density, scale, plane.width, plane.wrap[0], width);
    const down = copies(top * density, scale, plane.height, plane.wrap[1], height);
    if (across * down > MOST_COPIES) {
      this.#paintPattern(layer, scale, density, [width, height], used);
      return;
    }
    const rows = runs(top * density, scale, plane.height, plane.wrap[1], height);
    for (const column of runs(left * density, scale, plane.width, plane.wrap[0], width)) {
      for (const row of rows) this.#paintCopy(layer, zoom, scale, column, row, [width / 2, height / 2]);
    }
  }

  /** Returns the resolution with about one pixel of the picture per pixel of the canvas, rather more than less. */
  #zoomFor(scale: number): number {
    const exact = Math.floor(0.25 - Math.log2(scale));
    return Math.min(Math.max(exact, 0), this.#zooms - 1);
  }

  #want(tile: Tile, rank: number): void {
    if (this.#tiles.isWanted(tile)) this.#wanted.push({ tile, rank });
  }

  #paintCopy(layer: Layer, zoom: number, scale: number, column: Run, row: Run, middle: [number, number]): void {
    const span = SIDE * 2 ** zoom;
    for (let y = Math.floor(row.from / span); y * span < row.to; y++) {
      for (let x = Math.floor(column.from / span); x * span < column.to; x++) {
        const tile: Tile = { ...tileOf(layer), zoom, x, y };
        const piece = pieceOf(layer.placement.plane, tile, scale, column.origin, row.origin);
        const picture = this.#tiles.get(tile);
        this.#want(tile, Math.hypot((piece.left + piece.right) / 2 - middle[0], (piece.top + piece.bottom) / 2 - middle[1]));
        if (picture) this.#draw(picture, piece);
        if (picture !== undefined) continue;
        if (this.#tiles.isBroken(tile)) this.#drawBroken(piece);
        else this.#drawSubstitute(tile, scale, column.origin, row.origin, piece);
      }
    }
  }

  /** Draws a coarser picture until the right one arrives, and finer ones that are still there over it. */
  #drawSubstitute(tile: Tile, scale: number, left: number, top: number, piece: Piece): void {
    for (let up = 1; tile.zoom + up < this.#zooms; up++) {
      const coarser = { ...tile, zoom: tile.zoom + up, x: tile.x >> up, y: tile.y >> up };
      const picture = this.#tiles.get(coarser);
      if (picture === undefined) continue;
      const part = SIDE / 2 ** up;
      const source = { x: (tile.x - (coarser.x << up)) * part, y: (tile.y - (coarser.y << up)) * part };
      const [width, height] = [piece.width / 2 ** up, piece.height / 2 ** up];
      if (picture) this.#draw(picture, { ...piece, width, height }, source, true);
      break;
    }
    if (tile.zoom === 0) return;
    for (const [x, y] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
      const finer = { ...tile, zoom: tile.zoom - 1, x: tile.x * 2 + x, y: tile.y * 2 + y };
      const picture = this.#tiles.get(finer);
      if (!picture) continue;
      this.#draw(picture, pieceOf(piece.plane, finer, scale, left, top));
    }
  }

  #draw(picture: ImageBitmap, piece: Piece, source = { x: 0, y: 0 }, smooth = false): void {
    const { left, top, right, bottom, width, height } = piece;
    if (left >= right || top >= bottom || width <= 0 || height <= 0) return;
    // Enlarged pixels stay sharp; a coarse picture that stands in for a fine one does not pretend to have pixels.
    this.#context.imageSmoothingEnabled = smooth || right - left < width || piece.zoom > 0;
    this.#context.drawImage(picture, source.x, source.y, width, height, left, top, right - left, bottom - top);
  }

  #drawBroken({ left, top, right, bottom }: Piece): void {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    context.strokeStyle = 'rgb(255 84 84 / 45%)';
    context.lineWidth = 2;
    context.beginPath();
    for (let x = left - (bottom - top); x < right; x += 16) {
      context.moveTo(x, bottom);
      context.lineTo(x + bottom - top, top);
    }
    context.stroke();
    context.restore();
  }

  #paintPattern(layer: Layer, scale: number, density: number, [width, height]: [number, number], used: Set<string>): void {
    const { plane, left, top } = layer.placement;
    const pattern = this.#pattern(layer, scale, used);
    if (!pattern) return;
    const context = this.#context;
    const [x, y] = [left * density, top * density];
    pattern.pattern.setTransform(
      new DOMMatrix([(plane.width * scale) / pattern.width, 0, 0, (plane.height * scale) / pattern.height, x, y]),
    );
    const [from, to] = plane.wrap[0] ? [0, width] : [Math.max(x, 0), Math.min(x + plane.width * scale, width)];
    const [above, below] = plane.wrap[1] ? [0, height] : [Math.max(y, 0), Math.min(y + plane.height * scale, height)];
    context.imageSmoothingEnabled = true;
    context.fillStyle = pattern.pattern;
    context.fillRect(from, above, to - from, below - above);
  }

  /** Returns a picture of the whole plane as a pattern. Planes that are repeated this often are small on the screen. */
  #pattern(layer: Layer, scale: number, used: Set<string>): Pattern | undefined {
    const { plane } = layer.placement;
    let zoom = this.#zoomFor(scale);
    while (Math.max(plane.width, plane.height) / 2 ** zoom > MOST_PATTERN && zoom < this.#zooms - 1) zoom += 1;
    const key = `${plane.index} ${layer.name} ${layer.after ?? ''} ${zoom}`;
    used.add(key);
    const known = this.#patterns.get(key);
    if (known?.version === this.#tiles.version) return known;
    const [width, height] = [Math.ceil(plane.width / 2 ** zoom), Math.ceil(plane.height / 2 ** zoom)];
    const canvas = new OffscreenCanvas(Math.min(width, MOST_PATTERN), Math.min(height, MOST_PATTERN));
    const inner = canvas.getContext('2d')!;
    for (let y = 0; y * SIDE < canvas.height; y++) {
      for (let x = 0; x * SIDE < canvas.width; x++) {
        const tile: Tile = { ...tileOf(layer), zoom, x, y };
        const picture = this.#tiles.get(tile);
        if (picture) inner.drawImage(picture, x * SIDE, y * SIDE);
        this.#want(tile, 0);
      }
    }
    const pattern = this.#context.createPattern(canvas, 'repeat');
    if (!pattern) return undefined;
    const made = { pattern, width: canvas.width, height: canvas.height, version: this.#tiles.version };
    this.#patterns.set(key, made);
    return made;
  }
}

/** What a picture shows of a plane: where on the canvas, and how many of its pixels. */
interface Piece extends Box, Size {
  plane: Plane;
  zoom: number;
}

const tileOf = ({ name, after, placement }: Layer): Pick<Tile, 'plane' | 'layer' | 'after'> => ({ plane: placement.plane.index, layer: name,
  after });

/** Edges are rounded to pixels of the canvas, so that neighbors meet without a seam. */
const pieceOf = (plane: Plane, tile: Tile, scale: number, left: number, top: number): Piece => {
  const span = SIDE * 2 ** tile.zoom;
  const [fromX, fromY] = [tile.x * span, tile.y * span];
  const [toX, toY] = [Math.min(fromX + span, plane.width), Math.min(fromY + span, plane.height)];
  return { plane, zoom: tile.zoom, left: Math.round(left + fromX * scale), top: Math.round(top + fromY * scale),
    right: Math.round(left + toX * scale), bottom: Math.round(top + toY * scale), width: (toX - fromX) / 2 ** tile.zoom,
    height: (toY - fromY) / 2 ** tile.zoom };
};
