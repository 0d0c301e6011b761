/// The lines between the tiles of a plane, with the numbers of columns and rows at the edges.
import { modulo, runs, type Placement, type Size } from './place.ts';

/** Below this size of a tile on the screen, lines would hide the level. */
const LEAST_CELL = 6;

/** Room for a number at the edge. */
const LEAST_LABEL = 44;

/** Height of the numbers at the top, and width of those at the left. */
export const RULER: Size = { width: 34, height: 18 };

/** Returns whether tiles are large enough for lines between them. */
export const showsLines = ({ plane, scale }: Placement): boolean =>
  plane.tile[0] * scale >= LEAST_CELL && plane.tile[1] * scale >= LEAST_CELL;

/** Draws lines and numbers in CSS pixels. */
export const drawRulers = (context: CanvasRenderingContext2D, placement: Placement, size: Size, density: number): void => {
  const { plane, left, top, scale } = placement;
  const axes = [
    { tile: plane.tile[0], origin: left, length: plane.width, count: plane.columns, wraps: plane.wrap[0], extent: size.width },
    { tile: plane.tile[1], origin: top, length: plane.height, count: plane.rows, wraps: plane.wrap[1], extent: size.height },
  ] as const;
  if (axes.some(({ tile, length }) => tile <= 0 || length <= 0)) return;
  const pieces = axes.map(({ origin, length, wraps, extent }) =>
    length * scale < LEAST_CELL ? [] : runs(origin, scale, length, wraps, extent)
  );
  const ends = pieces.map((runs) => ({ from: Math.min(...runs.map(({ origin, from }) => origin + from * scale)),
    to: Math.max(...runs.map(({ origin, to }) => origin + to * scale)) })
  );
  if (!pieces[0]!.length || !pieces[1]!.length) return;

  if (showsLines(placement)) {
    const half = 0.5 / density;
    context.beginPath();
    axes.forEach(({ tile }, axis) => {
      const across = ends[1 - axis]!;
      for (const { origin, from, to } of pieces[axis]!) {
        for (let cell = Math.ceil(from / tile); cell * tile <= to; cell++) {
          const at = Math.round((origin + cell * tile * scale) * density) / density + half;
          if (axis === 0) {
            context.moveTo(at, across.from);
            context.lineTo(at, across.to);
          } else {
            context.moveTo(across.from, at);
            context.lineTo(across.to, at);
          }
        }
      }
    });
    context.lineWidth = 1 / density;
    context.strokeStyle = 'rgb(255 255 255 / 28%)';
    context.stroke();
  }

  context.fillStyle = 'rgb(24 26 32 / 82%)';
  context.fillRect(0, 0, size.width, RULER.height);
  context.fillRect(0, RULER.height, RULER.width, size.height - RULER.height);
  context.fillStyle = 'rgb(232 234 240)';
  context.font = '10.5px system-ui, "Liberation Sans", sans-serif';
  context.textBaseline = 'middle';
  axes.forEach(({ tile, count }, axis) => {
    const step = stepFor(LEAST_LABEL / (tile * scale));
    context.textAlign = axis === 0 ? 'center' : 'end';
    for (const { origin, from, to } of pieces[axis]!) {
      for (let cell = Math.floor(from / tile / step) * step; cell * tile < to; cell += step) {
        const at = origin + (cell + 0.5) * tile * scale;
        if (at < (axis === 0 ? RULER.width + 10 : RULER.height + 6)) continue;
        const text = String(modulo(cell, count));
        if (axis === 0) context.fillText(text, at, RULER.height / 2);
        else context.fillText(text, RULER.width - 5, at);
      }
    }
  });
  context.textAlign = 'start';
};

/** Returns the smallest of 1, 2, 5, 10, 20, … that is not below a number. */
const stepFor = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
};
