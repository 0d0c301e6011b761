/// Draws the objects of a plane: as boxes with labels or, where there are too many, as dots that stand for several.
import { logicColor } from './logics.ts';
import type { Objects } from './objects.ts';
import { type Box, type Placement, type Point, type Size, overlaps } from './place.ts';

const START = 'rgb(126 232 160)';
const OUTLINE = 'rgb(24 26 32 / 75%)';
const FONT = '10.5px system-ui, "Liberation Sans", sans-serif';

/** With fewer visible objects, each gets its own mark. */
const LEAST_CLUSTERED = 250;

/** Side of the squares of the screen whose objects become one dot. */
const CLUSTER = 44;

/** With more visible objects, none has a label. */
const MOST_LABELS = 160;

/** Below this scale, labels would hide the level. */
const LEAST_LABELED_SCALE = 0.4;

/** Several objects that are shown as one dot. */
export interface Cluster {
  x: number;
  y: number;
  radius: number;
  objects: number[];
}

/** The objects of a plane, and which of them stand out. */
export interface Marked {
  objects: Objects;
  placement: Placement;
  selected: number | undefined;
  hovered: number | undefined;
  /** Where the selected one is dragged to, in pixels from where it is. */
  drag: Point | undefined;
  /** What labels must not be under. */
  covered: Box | undefined;
  /** Whether the pictures of objects are shown, which makes boxes less important. */
  subtle: boolean;
}

/** Returns the rectangle of an object on the screen. */
export const screenBox = (box: Box, { left, top, scale }: Placement): Box => ({ left: left + box.left * scale, top: top + box.top * scale,
  right: left + box.right * scale, bottom: top + box.bottom * scale });

/** Draws the objects of a plane in CSS pixels. Returns the dots that stand for several. */
export const drawObjects = (context: CanvasRenderingContext2D, marked: Marked, size: Size): Cluster[] => {
  const { objects, placement, selected, hovered, subtle, drag, covered } = marked;
  const margin = 48;
  const visible = objects.within({ left: (-margin - placement.left) / placement.scale, top: (-margin - placement.top) / placement.scale,
    right: (size.width + margin - placement.left) / placement.scale, bottom: (size.height + margin - placement.top) / placement.scale });
  context.font = FONT;
  context.textBaseline = 'middle';
  const clusters = visible.length < LEAST_CLUSTERED ? [] : cluster(visible, objects, placement, size);
  if (clusters.length && clusters.length < visible.length / 2) {
    drawClusters(context, clusters, objects);
  } else {
    clusters.length = 0;
    drawBoxes(context, visible, objects, placement, subtle);
    if (visible.length <= MOST_LABELS && placement.scale >= LEAST_LABELED_SCALE) {
      drawLabels(context, visible.filter((object) => object !== selected && object !== hovered), objects, placement, covered);
    }
  }
  if (hovered !== undefined && hovered !== selected) drawOne(context, hovered, objects, placement, 'white');
  if (selected !== undefined) {
    const moved = drag && { ...placement, left: placement.left + drag.x * placement.scale, top: placement.top + drag.y * placement.scale };
    drawOne(context, selected, objects, moved ?? placement, 'rgb(255 214 64)');
  }
  return clusters;
};

const positionOf = (object: number, objects: Objects, { left, top, scale }: Placement): Point => ({ x: left + objects.x[object]! * scale,
  y: top + objects.y[object]! * scale });

const cluster = (visible: number[], objects: Objects, placement: Placement, size: Size): Cluster[] => {
  const cells = new Map<number, Cluster>();
  const { left, top } = placement;
  for (const object of visible) {
    // Of a box that reaches into the view from afar, the nearest place counts: there are no more dots than room.
    const position = positionOf(object, objects, placement);
    const x = Math.min(Math.max(position.x, -CLUSTER), size.width + CLUSTER);
    const y = Math.min(Math.max(position.y, -CLUSTER), size.height + CLUSTER);
    // Squares of the level, not of the screen, so that dots stay where they are when the view moves.
    const cell = Math.floor((x - left) / CLUSTER) * 1_000_003 + Math.floor((y - top) / CLUSTER);
    const known = cells.get(cell);
    if (known) {
      known.x += x;
      known.y += y;
      known.objects.push(object);
    } else {
      cells.set(cell, { x, y, radius: 0, objects: [object] });
    }
  }
  return [...cells.values()].map((cluster) => {
    const count = cluster.objects.length;
    const radius = count === 1 ? 3 : Math.min(5 + Math.log2(count) * 0.8, CLUSTER / 2 - 4);
    return { ...cluster, x: cluster.x / count, y: cluster.y / count, radius };
  });
};

/** Draws dots in the color of the logic that most of their objects have. */
const drawClusters = (context: CanvasRenderingContext2D, clusters: Cluster[], all: Objects): void => {
  context.lineWidth = 1.5;
  context.strokeStyle = OUTLINE;
  for (const { x, y, radius, objects } of clusters) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = logicColor(mainLogic(objects, all));
    context.fill();
    context.stroke();
  }
  context.fillStyle = 'rgb(24 26 32)';
  context.textAlign = 'center';
  for (const { x, y, objects } of clusters) {
    if (objects.length > 1) context.fillText(short(objects.length), x, y + 0.5);
  }
  context.textAlign = 'start';
};

/** Returns the logic that most of some objects have. */
export const mainLogic = (objects: number[], all: Pick<Objects, 'logic'>): string => {
  const counts = new Map<string, number>();
  for (const object of objects) counts.set(all.logic(object), (counts.get(all.logic(object)) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
};

/** Writes a count in at most three characters. */
const short = (count: number): string => (count < 1000 ? String(count) : `${Math.min(Math.round(count / 1000), 99)}k`);

const drawBoxes = (context: CanvasRenderingContext2D, visible: number[], objects: Objects, placement: Placement, subtle: boolean): void => {
  const paths = new Map<string, { boxes: Path2D; diamonds: Path2D }>();
  const radius = Math.min(Math.max(placement.scale * 6, 3), 5);
  for (const object of visible) {
    const logic = objects.logic(object);
    let path = paths.get(logic);
    if (!path) paths.set(logic, path = { boxes: new Path2D(), diamonds: new Path2D() });
    const { boxes, diamonds } = path;
    const { left, top, right, bottom } = screenBox(objects.box(object), placement);
    if (right - left > 2 * radius || bottom - top > 2 * radius) {
      boxes.rect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(right - left) - 1, Math.round(bottom - top) - 1);
    }
    const { x, y } = positionOf(object, objects, placement);
    diamonds.moveTo(x, y - radius);
    diamonds.lineTo(x + radius, y);
    diamonds.lineTo(x, y + radius);
    diamonds.lineTo(x - radius, y);
    diamonds.closePath();
  }
  for (const [logic, { boxes, diamonds }] of paths) {
    const color = logicColor(logic);
    context.globalAlpha = subtle ? 0.6 : 1;
    context.lineWidth = 3;
    context.strokeStyle = OUTLINE;
    if (!subtle) context.stroke(boxes);
    context.lineWidth = 1;
    context.strokeStyle = color;
    context.stroke(boxes);
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.fill(diamonds);
    context.strokeStyle = OUTLINE;
    context.stroke(diamonds);
  }
};

const drawLabels = (context: CanvasRenderingContext2D, visible: number[], objects: Objects, placement: Placement,
  covered: Box | undefined): void =>
{
  const taken: Box[] = covered ? [covered] : [];
  for (const object of visible) {
    const box = labelBox(context, objects.title(object), screenBox(objects.box(object), placement));
    if (taken.some((other) => overlaps(other, box))) continue;
    taken.push(box);
    drawLabel(context, objects.title(object), box, 'rgb(24 26 32 / 78%)', logicColor(objects.logic(object), 85));
  }
};

const labelBox = (context: CanvasRenderingContext2D, text: string, { left, right, top }: Box): Box => {
  const width = context.measureText(text).width + 8;
  const start = Math.round((left + right - width) / 2);
  return { left: start, top: Math.round(top) - 18, right: start + width, bottom: Math.round(top) - 3 };
};

const drawLabel = (context: CanvasRenderingContext2D, text: string, box: Box, back: string, ink: string): void => {
  context.fillStyle = back;
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 3);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, box.left + 4, (box.top + box.bottom) / 2 + 0.5);
};

const drawOne = (context: CanvasRenderingContext2D, object: number, objects: Objects, placement: Placement, color: string): void => {
  const least = 14;
  let { left, top, right, bottom } = screenBox(objects.box(object), placement);
  const [wider, higher] = [Math.max(0, least - right + left) / 2, Math.max(0, least - bottom + top) / 2];
  [left, right, top, bottom] = [left - wider, right + wider, top - higher, bottom + higher];
  context.beginPath();
  context.rect(Math.round(left) - 1, Math.round(top) - 1, Math.round(right - left) + 2, Math.round(bottom - top) + 2);
  context.lineWidth = 5;
  context.strokeStyle = OUTLINE;
  context.stroke();
  context.lineWidth = 2.5;
  context.strokeStyle = color;
  context.stroke();
  const label = labelBox(context, objects.title(object), { left, top: top - 3, right, bottom });
  drawLabel(context, objects.title(object), label, color, 'rgb(24 26 32)');
};

/** Draws where the player starts. */
export const drawStart = (context: CanvasRenderingContext2D, start: [x: number, y: number], placement: Placement): void => {
  const [x, y] = [placement.left + start[0] * placement.scale, placement.top + start[1] * placement.scale];
  context.font = FONT;
  context.textBaseline = 'middle';
  context.fillStyle = START;
  context.strokeStyle = OUTLINE;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 5, y - 9);
  context.lineTo(x + 5, y - 9);
  context.closePath();
  context.fill();
  context.stroke();
  drawLabel(context, 'Start', labelBox(context, 'Start', { left: x, right: x, top: y - 6, bottom: y }), START, 'rgb(24 26 32)');
};

/** A place that is framed, for the comparison of two levels. */
export interface Mark {
  plane: number;
  rect: [left: number, top: number, right: number, bottom: number];
  kind: 'added' | 'removed' | 'changed';
}

const colors: Record<Mark['kind'], string> = { added: '#3fd07f', removed: '#ff6b70', changed: '#ffc24a' };

/** Draws frames. Small ones are widened, so that they are seen from afar. */
export const drawFrames = (context: CanvasRenderingContext2D, marks: Mark[], placement: Placement): void => {
  for (const { rect, kind } of marks) {
    const [left, top, right, bottom] = rect;
    const box = screenBox({ left, top, right, bottom }, placement);
    const margin = Math.max(0, 8 - (box.right - box.left), 8 - (box.bottom - box.top)) / 2 + 1;
    context.beginPath();
    context.rect(box.left - margin, box.top - margin, box.right - box.left + 2 * margin, box.bottom - box.top + 2 * margin);
    context.lineWidth = 4;
    context.strokeStyle = OUTLINE;
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = colors[kind];
    context.stroke();
  }
};
