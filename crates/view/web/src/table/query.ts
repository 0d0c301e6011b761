/// What a table shows: order, filters, columns. It is kept in the address of the page.
import type { Parameters } from '../api.ts';

/** A column that decides about the order. */
export interface Sort {
  column: number;
  descending: boolean;
}

export interface Query {
  /** The first one decides, the others where it is equal. */
  sort: Sort[];
  /** Text in any cell. */
  text: string;
  /** Expressions by column. */
  filters: Map<number, string>;
  hidden: Set<number>;
  widths: Map<number, number>;
  plot: Plot | undefined;
}

export interface Plot {
  x: number;
  /** The second column of a scatter plot. */
  y: number | undefined;
  logX: boolean;
  logY: boolean;
}

type More = Record<string, string>;

const integers = (text: string | undefined): number[] => (text ?? '').split(',').filter(Boolean).map(Number).filter(Number.isInteger);

/** Reads the parameters of an address. */
export const readQuery = (more: More = {}): Query => {
  const filters = new Map<number, string>();
  const widths = new Map<number, number>();
  for (const [name, value] of Object.entries(more)) {
    if (/^f\.\d+$/.test(name) && value) filters.set(Number(name.slice(2)), value);
  }
  for (const pair of (more.widths ?? '').split(',')) {
    const [column, width] = pair.split(':').map(Number);
    if (column !== undefined && width) widths.set(column, width);
  }
  const [x, y] = integers(more.plot);
  return { sort: (more.sort ?? '').split(',').filter((text) => /^-?\d+$/.test(text))
    .map((text) => ({ column: Math.abs(Number(text)), descending: text.startsWith('-') })), text: more.q ?? '', filters,
    hidden: new Set(integers(more.hide)), widths,
    plot: x === undefined ? undefined : { x, y, logX: /x/.test(more.log ?? ''), logY: /y/.test(more.log ?? '') } };
};

/** Writes the parameters of an address. */
export const writeQuery = (query: Query): More => {
  const more: More = {};
  if (query.sort.length) more.sort = sortText(query);
  if (query.text) more.q = query.text;
  for (const [column, expression] of query.filters) more[`f.${column}`] = expression;
  if (query.hidden.size) more.hide = [...query.hidden].join(',');
  if (query.widths.size) more.widths = [...query.widths].map(([column, width]) => `${column}:${width}`).join(',');
  const { plot } = query;
  if (plot) {
    more.plot = [plot.x, plot.y].filter((column) => column !== undefined).join(',');
    if (plot.logX || plot.logY) more.log = `${plot.logX ? 'x' : ''}${plot.logY ? 'y' : ''}`;
  }
  return more;
};

const sortText = ({ sort }: Query): string => sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(',');

/** Returns the parameters that select records. */
export const filterParameters = (query: Query): Parameters => {
  const parameters: Parameters = { q: query.text || undefined };
  for (const [column, expression] of query.filters) parameters[`f.${column}`] = expression;
  return parameters;
};

/** Returns the parameters that select and order records. */
export const rowParameters = (query: Query): Parameters => ({ ...filterParameters(query), sort: sortText(query) || undefined });
