/// The plot above the grid: a histogram of one column, or a scatter plot of two.
import { bytes, json, type Column, type Parameters, type Record, type RowsPage, type Table } from '../api.ts';
import { el, perFrame, uniqueId } from '../shell/dom.ts';
import { failure, isAbort, loading } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { counted, formatCount } from '../shell/text.ts';
import { onTheme } from '../shell/theme.ts';
import type { Context } from '../view.ts';
import { Chart, type Selection } from './chart.ts';
import { isNumeric } from './data.ts';
import type { Plot } from './query.ts';
import { numberText } from './scale.ts';
import { summarize, type Summary } from './series.ts';

interface Hooks {
  /** The user chose other columns or scales, or closed the plot. */
  changed(plot: Plot | undefined): void;
  /** The user chose a range. */
  filter(filters: Map<number, string>): void;
  /** The user chose a record. */
  show(record: Record): void;
}

export class PlotPanel {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #table: Table;
  readonly #hooks: Hooks;
  readonly #x: HTMLSelectElement;
  readonly #y: HTMLSelectElement;
  readonly #logX: HTMLInputElement;
  readonly #logY: HTMLInputElement;
  readonly #summary = el('p', { class: 'plot-summary dim numeric', id: uniqueId('plot') });
  readonly #hover = el('p', { class: 'plot-hover numeric', 'aria-live': 'polite' });
  readonly #box = el('div', { class: 'plot-box' });
  readonly #resize: ResizeObserver;
  readonly #end = new AbortController();
  #chart: Chart | undefined;
  #plot: Plot | undefined;
  #filters: Parameters = {};
  /** What the chart shows: it is asked for again only if this changes. */
  #shown = '';
  #abort: AbortController | undefined;
  /** The column and filters of each series that is there. */
  readonly #series = new Map<string, Float64Array>();

  constructor(context: Context, table: Table, hooks: Hooks) {
    this.#context = context;
    this.#table = table;
    this.#hooks = hooks;
    this.#x = this.#select('Column', false);
    this.#y = this.#select('Against', true);
    this.#logX = el('input', { type: 'checkbox', onchange: () => this.#changed() });
    this.#logY = el('input', { type: 'checkbox', onchange: () => this.#changed() });
    this.element = el('section', { class: 'plot', 'aria-label': 'Plot', hidden: true },
      el('div', { class: 'plot-controls' }, el('label', {}, 'Plot ', this.#x), el('label', {}, 'against ', this.#y),
        el('label', { class: 'plot-check' }, this.#logX, 'log x'), el('label', { class: 'plot-check' }, this.#logY, 'log y'),
        el('span', { class: 'grow' }),
        el('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close the plot', onclick: () => hooks.changed(undefined) },
          icon('close'))), el('div', { class: 'plot-area' }, this.#box, this.#hover), this.#summary);
    this.#resize = new ResizeObserver(perFrame(() => this.#chart?.draw()));
    this.#resize.observe(this.#box);
    onTheme(() => this.#chart?.draw(), this.#end.signal);
  }

  /** The plot that fits a column. */
  suggest(column: Column | undefined): Plot {
    const numeric = column && isNumeric(column) ? column : this.#table.columns.find(isNumeric);
    return { x: numeric?.index ?? 0, y: undefined, logX: false, logY: false };
  }

  focus(): void {
    this.#x.focus();
  }

  /** Shows a plot of the records that match. */
  show(plot: Plot | undefined, filters: Parameters): void {
    this.#plot = plot;
    this.#filters = filters;
    this.element.hidden = !plot;
    const shown = JSON.stringify([plot, filters]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#abort?.abort();
    if (!plot) return;
    this.#x.value = String(plot.x);
    this.#y.value = plot.y === undefined ? '' : String(plot.y);
    this.#logX.checked = plot.logX;
    this.#logY.checked = plot.logY;
    void this.#load(plot, filters);
  }

  destroy(): void {
    this.#abort?.abort();
    this.#resize.disconnect();
    this.#end.abort();
  }

  #select(label: string, optional: boolean): HTMLSelectElement {
    const numeric = this.#table.columns.filter(isNumeric);
    return el('select', { class: 'select', 'aria-label': label, onchange: () => this.#changed() },
      optional && el('option', { value: '' }, 'count of records'),
      ...(numeric.length ? numeric : this.#table.columns).map(({ index, name }) => el('option', { value: index }, name)));
  }

  #changed(): void {
    const y = this.#y.value === '' ? undefined : Number(this.#y.value);
    const plot = { x: Number(this.#x.value), y, logX: this.#logX.checked, logY: this.#logY.checked };
    this.#hooks.changed(plot);
  }

  async #load(plot: Plot, filters: Parameters): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const wait = setTimeout(() => this.#box.replaceChildren(loading()), 150);
    try {
      const [x, y] = await Promise.all(
        [plot.x, plot.y].map((column) => column === undefined ? undefined : this.#values(column, filters, abort.signal)),
      );
      if (!abort.signal.aborted && x) this.#draw(plot, x, y);
    } catch (error) {
      this.#shown = '';
      if (!isAbort(error)) this.#box.replaceChildren(failure(error, () => this.show(this.#plot, this.#filters)));
    } finally {
      clearTimeout(wait);
    }
  }

  async #values(column: number, filters: Parameters, signal: AbortSignal): Promise<Float64Array> {
    const key = JSON.stringify([column, filters]);
    let values = this.#series.get(key);
    if (!values) {
      const { at } = this.#context.about.node;
      values = new Float64Array((await bytes('table/column', { at, column, ...filters }, signal)) ?? new ArrayBuffer(0));
      // Two columns, and those of the last filters.
      if (this.#series.size >= 4) this.#series.delete(this.#series.keys().next().value!);
      this.#series.set(key, values);
    }
    return values;
  }

  #draw(plot: Plot, x: Float64Array, y: Float64Array | undefined): void {
    const name = (column: number): string => this.#table.columns[column]?.name ?? '';
    const [first, second] = [summarize(x), y && summarize(y)];
    this.#hover.textContent = '';
    this.#chart = undefined;
    const summaries = [summaryText(name(plot.x), first), second && summaryText(name(plot.y!), second)];
    this.#summary.textContent = summaries.filter(Boolean).join(' · ');
    if (!first.count || (second && !second.count)) {
      this.#box.replaceChildren(el('p', { class: 'empty' }, 'There are no numbers to plot.'));
      return;
    }
    this.#chart = new Chart(this.#box, { x: { name: name(plot.x), values: x, summary: first, log: plot.logX && first.max > 0 },
      y: y && second ? { name: name(plot.y!), values: y, summary: second, log: plot.logY && second.max > 0 } : undefined,
      logCount: plot.logY, describedBy: this.#summary.id, hover: (text, index) => this.#describe(text, index),
      choose: (index) => void this.#record(index).then((record) => record && this.#hooks.show(record)),
      select: (selection) => this.#filter(plot, selection) });
    this.#chart.draw();
  }

  #describe(text: string, index: number | undefined): void {
    this.#hover.textContent = text;
    if (index === undefined) return;
    const { signal } = this.#abort!;
    void this.#record(index).then((record) => {
      if (record && !signal.aborted && this.#hover.textContent === text) this.#hover.textContent = `${record.cells[0]}: ${text}`;
    });
  }

  /** Returns the record of a point. */
  async #record(index: number): Promise<Record | undefined> {
    try {
      const { at } = this.#context.about.node;
      const page = await json<RowsPage>('table/rows', { at, from: index, count: 1, ...this.#filters }, this.#abort?.signal);
      return page.rows[0];
    } catch {
      // The point keeps its values; only the name is missing.
      return undefined;
    }
  }

  #filter(plot: Plot, { x, y }: Selection): void {
    const filters = new Map([[plot.x, rangeText(x)]]);
    if (plot.y !== undefined && y) filters.set(plot.y, rangeText(y));
    this.#hooks.filter(filters);
  }
}

/** Writes a range as a filter, without more digits than needed. */
const rangeText = ([from, to]: [number, number]): string => {
  const size = Math.max(Math.abs(from), Math.abs(to));
  const digits = Math.max(1, Math.min(12, Math.ceil(Math.log10(size / (to - from || 1))) + 4));
  const write = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));
  return `${write(from)}..${write(to)}`;
};

const summaryText = (name: string, { count, missing, min, max, mean }: Summary): string =>
  count
    ? `${name}: ${counted(count, 'number')}, ${numberText(min)} to ${numberText(max)}, mean ${numberText(mean)}`
      + (missing ? ` (${formatCount(missing)} not numbers)` : '')
    : `${name}: no numbers`;
