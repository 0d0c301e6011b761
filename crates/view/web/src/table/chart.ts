/// Draws a histogram or a scatter plot on a canvas, and follows the pointer and the keys.
import { el } from '../shell/dom.ts';
import { counted, formatCount } from '../shell/text.ts';
import { colorOf } from '../shell/theme.ts';
import { numberText, position, scaleOf, ticks, valueAt, type Scale } from './scale.ts';
import { histogram, smallestPositive, type Bin, type Summary } from './series.ts';

export interface Axis {
  name: string;
  values: Float64Array;
  summary: Summary;
  log: boolean;
}

export interface Selection {
  x: [number, number];
  y?: [number, number];
}

interface Options {
  x: Axis;
  /** Without it, the plot is a histogram. */
  y: Axis | undefined;
  /** Whether the counts of a histogram are on a logarithmic scale. */
  logCount: boolean;
  describedBy: string;
  /** Describes what is under the pointer: a bar, or the point of a record. */
  hover(text: string, index: number | undefined): void;
  /** The user clicked a point. */
  choose(index: number): void;
  select(selection: Selection): void;
}

const margin = { left: 64, right: 32, top: 24, bottom: 40 };
/** How near the pointer must be to a point, in pixels. */
const reach = 8;

type Box = { left: number; top: number; width: number; height: number };

export class Chart {
  readonly #options: Options;
  readonly #canvas: HTMLCanvasElement;
  readonly #base = document.createElement('canvas');
  readonly #host: HTMLElement;
  readonly #x: Scale;
  readonly #y: Scale;
  readonly #bins: Bin[];
  /** The bar or point that is described. */
  #at: number | undefined;
  #brush: { from: [number, number]; to: [number, number] } | undefined;
  /** The last point of each small square of the plot. */
  #points = new Map<number, number>();

  constructor(host: HTMLElement, options: Options) {
    this.#host = host;
    this.#options = options;
    const { x, y } = options;
    const range = ({ values, summary, log }: Axis): [number, number] => [log ? smallestPositive(values) : summary.min, summary.max];
    const [from, to] = range(x);
    this.#bins = y ? [] : histogram(x.values, from, to, x.log, 48);
    if (y) {
      this.#x = padded(scaleOf(from, to, x.log));
      this.#y = padded(scaleOf(...range(y), y.log));
    } else {
      this.#x = { min: this.#bins[0]?.from ?? from, max: this.#bins.at(-1)?.to ?? to, log: x.log };
      const most = Math.max(1, ...this.#bins.map(({ count }) => count));
      this.#y = { min: options.logCount ? 0.5 : 0, max: most * 1.04, log: options.logCount };
    }
    const title = y ? `${y.name} against ${x.name}` : `Histogram of ${x.name}`;
    this.#canvas = el('canvas', { class: 'plot-canvas', tabindex: 0, role: 'application', 'aria-roledescription': 'plot',
      'aria-describedby': options.describedBy,
      'aria-label': `${title}. Arrow keys move${y ? '' : ', Shift with arrow keys selects a range, Enter filters by it'}.` });
    host.replaceChildren(this.#canvas);
    this.#listen();
  }

  /** Draws everything. */
  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (!width || !height) return;
    for (const canvas of [this.#base, this.#canvas]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
    }
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    const context = this.#base.getContext('2d');
    if (!context) return;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = `12px ${this.#color('--font')}`;
    this.#drawAxes(context);
    const { left, top, width: w, height: h } = this.#area();
    context.beginPath();
    context.rect(left, top, w, h);
    context.clip();
    if (this.#options.y) this.#drawPoints(context);
    else this.#bins.forEach((_, index) => this.#drawBar(context, index));
    this.#drawOverlay();
  }

  /** Draws what changes with the pointer, on top of the rest, which can have many points. */
  #drawOverlay(): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(this.#base, 0, 0);
    context.scale(devicePixelRatio, devicePixelRatio);
    const { y, x } = this.#options;
    if (this.#at !== undefined && y) {
      context.strokeStyle = this.#color('--text');
      context.lineWidth = 2;
      context.beginPath();
      context.arc(this.#px(x.values[this.#at]!), this.#py(y.values[this.#at]!), 6, 0, 2 * Math.PI);
      context.stroke();
    } else if (this.#at !== undefined) {
      this.#drawBar(context, this.#at, true);
    }
    this.#drawBrush(context);
  }

  #color(name: string): string {
    return name === '--font' ? getComputedStyle(this.#canvas).fontFamily : colorOf(this.#canvas, name);
  }

  #area(): Box {
    return { left: margin.left, top: margin.top, width: Math.max(10, this.#host.clientWidth - margin.left - margin.right),
      height: Math.max(10, this.#host.clientHeight - margin.top - margin.bottom) };
  }

  #px(value: number): number {
    const { left, width } = this.#area();
    return left + position(this.#x, value) * width;
  }

  #py(value: number): number {
    const { top, height } = this.#area();
    return top + (1 - position(this.#y, value)) * height;
  }

  #drawAxes(context: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.#area();
    const bottom = top + height;
    context.strokeStyle = this.#color('--line');
    context.fillStyle = this.#color('--text-dim');
    context.lineWidth = 1;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const tick of ticks(this.#x, width / 90)) {
      const x = Math.round(this.#px(tick)) + 0.5;
      line(context, x, top, x, bottom);
      context.fillText(numberText(tick), x, bottom + 5);
    }
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const tick of ticks(this.#y, height / 40)) {
      if (!this.#options.y && !Number.isInteger(tick)) continue;
      const y = Math.round(this.#py(tick)) + 0.5;
      line(context, left, y, left + width, y);
      context.fillText(numberText(tick), left - 7, y);
    }
    context.strokeStyle = this.#color('--line-strong');
    line(context, left, bottom + 0.5, left + width, bottom + 0.5);
    context.fillStyle = this.#color('--text');
    context.textAlign = 'right';
    context.textBaseline = 'alphabetic';
    context.fillText(this.#options.x.name, left + width, bottom + 34);
    context.textAlign = 'left';
    context.fillText(this.#options.y?.name ?? 'records', 6, 13);
  }

  #drawBar(context: CanvasRenderingContext2D, index: number, strong = false): void {
    const { from, to, count } = this.#bins[index]!;
    if (!count) return;
    const { top, height } = this.#area();
    const [x, end] = [this.#px(from), this.#px(to)];
    // Even one record can be seen.
    const y = Math.min(this.#py(count), top + height - 1);
    context.fillStyle = this.#color(strong ? '--accent-strong' : '--accent');
    context.fillRect(x + 0.5, y, Math.max(1, end - x - 1), top + height - y);
  }

  #drawPoints(context: CanvasRenderingContext2D): void {
    const [xs, ys] = [this.#options.x.values, this.#options.y!.values];
    const size = xs.length > 20_000 ? 2 : xs.length > 2000 ? 3 : 4;
    context.fillStyle = this.#color('--accent');
    context.globalAlpha = xs.length > 20_000 ? 0.35 : xs.length > 2000 ? 0.5 : 0.75;
    this.#points = new Map();
    for (let index = 0; index < xs.length; index += 1) {
      const [x, y] = [this.#px(xs[index]!), this.#py(ys[index]!)];
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      context.fillRect(x - size / 2, y - size / 2, size, size);
      this.#points.set(square(x, y), index);
    }
  }

  #drawBrush(context: CanvasRenderingContext2D): void {
    const box = this.#brushBox();
    if (!box) return;
    context.fillStyle = this.#color('--accent');
    context.strokeStyle = this.#color('--accent');
    context.lineWidth = 1;
    context.globalAlpha = 0.15;
    context.fillRect(box.left, box.top, box.width, box.height);
    context.globalAlpha = 1;
    context.strokeRect(box.left + 0.5, box.top + 0.5, box.width, box.height);
  }

  #brushBox(): Box | undefined {
    if (!this.#brush) return undefined;
    const { from, to } = this.#brush;
    const area = this.#area();
    const left = Math.min(from[0], to[0]);
    const width = Math.abs(from[0] - to[0]);
    if (!this.#options.y) return { left, width, top: area.top, height: area.height };
    return { left, width, top: Math.min(from[1], to[1]), height: Math.abs(from[1] - to[1]) };
  }

  /** The range that the brush covers; whole bars of a histogram. */
  #selection(): Selection | undefined {
    const box = this.#brushBox();
    if (!box) return undefined;
    const area = this.#area();
    const across = (x: number): number => valueAt(this.#x, (x - area.left) / area.width);
    const along = (y: number): number => valueAt(this.#y, 1 - (y - area.top) / area.height);
    const [from, to] = [across(box.left), across(box.left + box.width)];
    if (this.#options.y) return { x: [from, to], y: [along(box.top + box.height), along(box.top)] };
    const bins = this.#bins.filter((bin) => bin.to > from && bin.from < to);
    return bins.length ? { x: this.#range(bins) } : undefined;
  }

  /** The range of the values in neighboring bars. */
  #range(bins: Bin[]): [number, number] {
    const [from, to] = [bins[0]!.from, bins.at(-1)!.to];
    // The bars of integers begin and end between them.
    const half = !this.#x.log && from % 1 !== 0
      && this.#options.x.values.every((value) => !Number.isFinite(value) || Number.isInteger(value));
    return half ? [Math.ceil(from), Math.floor(to)] : [from, to];
  }

  #listen(): void {
    const canvas = this.#canvas;
    const point = (event: PointerEvent): [number, number] => {
      const box = canvas.getBoundingClientRect();
      const { left, top, width, height } = this.#area();
      return [
        Math.min(left + width, Math.max(left, event.clientX - box.left)),
        Math.min(top + height, Math.max(top, event.clientY - box.top)),
      ];
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      this.#brush = { from: point(event), to: point(event) };
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.#brush && event.buttons) this.#brush.to = point(event);
      this.#hover(...point(event));
      this.#drawOverlay();
    });
    canvas.addEventListener('pointerup', () => {
      const box = this.#brushBox();
      const selection = this.#selection();
      this.#brush = undefined;
      if (box && selection && box.width > 4 && (!this.#options.y || box.height > 4)) this.#options.select(selection);
      else if (this.#at !== undefined && this.#options.y) this.#options.choose(this.#at);
      else if (this.#at !== undefined) this.#options.select({ x: this.#range([this.#bins[this.#at]!]) });
      this.#drawOverlay();
    });
    canvas.addEventListener('pointercancel', () => {
      this.#brush = undefined;
      this.#drawOverlay();
    });
    canvas.addEventListener('pointerleave', () => this.#show(undefined));
    canvas.addEventListener('keydown', (event) => {
      if (this.#key(event)) event.preventDefault();
    });
  }

  #hover(x: number, y: number): void {
    if (!this.#options.y) {
      const value = valueAt(this.#x, (x - this.#area().left) / this.#area().width);
      const bin = this.#bins.findIndex((candidate) => value >= candidate.from && value < candidate.to);
      this.#show(bin < 0 ? undefined : bin);
      return;
    }
    let nearest: number | undefined;
    let distance = reach * reach;
    for (let dx = -reach; dx <= reach; dx += cell) {
      for (let dy = -reach; dy <= reach; dy += cell) {
        const index = this.#points.get(square(x + dx, y + dy));
        if (index === undefined) continue;
        const away = (this.#px(this.#options.x.values[index]!) - x) ** 2
          + (this.#py(this.#options.y.values[index]!) - y) ** 2;
        if (away < distance) [nearest, distance] = [index, away];
      }
    }
    this.#show(nearest);
  }

  #show(at: number | undefined): void {
    if (at === this.#at) return;
    this.#at = at;
    const { x, y } = this.#options;
    if (at === undefined) this.#options.hover('', undefined);
    else if (y) this.#options.hover(`${x.name} ${numberText(x.values[at]!)}, ${y.name} ${numberText(y.values[at]!)}`, at);
    else {
      const bin = this.#bins[at]!;
      const [from, to] = this.#range([bin]);
      const range = from === to ? numberText(from) : `${numberText(from)} to ${numberText(to)}`;
      const share = (bin.count / x.summary.count * 100).toFixed(1);
      const text = `${counted(bin.count, 'record')} of ${formatCount(x.summary.count)} (${share} %)`;
      this.#options.hover(`${x.name} ${range}: ${text}`, undefined);
    }
    this.#drawOverlay();
  }

  #key(event: KeyboardEvent): boolean {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const count = this.#options.y ? this.#options.x.values.length : this.#bins.length;
    if (step) {
      const before = this.#at;
      const at = before === undefined ? (step > 0 ? 0 : count - 1) : Math.min(count - 1, Math.max(0, before + step));
      if (event.shiftKey && !this.#options.y) {
        const start = this.#brush?.from ?? [this.#px(this.#bins[before ?? at]!.from) + 1, 0] as [number, number];
        this.#brush = { from: start, to: [this.#px(this.#bins[at]!.to) - 1, 0] };
      } else {
        this.#brush = undefined;
      }
      this.#show(at);
      this.#drawOverlay();
      return true;
    }
    if (event.key === 'Enter' && this.#at !== undefined) {
      const selection = this.#selection();
      this.#brush = undefined;
      if (this.#options.y) this.#options.choose(this.#at);
      else this.#options.select(selection ?? { x: this.#range([this.#bins[this.#at]!]) });
      return true;
    }
    if (event.key === 'Escape' && this.#brush) {
      this.#brush = undefined;
      this.#drawOverlay();
      return true;
    }
    return false;
  }
}

/** The size of the squares that remember a point, in pixels. */
const cell = 2;
const square = (x: number, y: number): number => Math.floor(y / cell) * 100_000 + Math.floor(x / cell);

/** Leaves some room around the points. */
const padded = (scale: Scale): Scale => ({ min: valueAt(scale, -0.02), max: valueAt(scale, 1.02), log: scale.log });

const line = (context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void => {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
};
