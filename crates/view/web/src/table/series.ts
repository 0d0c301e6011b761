/// The numbers behind a plot.

export interface Summary {
  count: number;
  /** Cells that are no numbers. */
  missing: number;
  min: number;
  max: number;
  mean: number;
}

export const summarize = (values: Float64Array): Summary => {
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    count += 1;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { count, missing: values.length - count, min, max, mean: sum / count };
};

/** The smallest value that a logarithmic scale can show. */
export const smallestPositive = (values: Float64Array): number => {
  let least = Infinity;
  for (const value of values) if (value > 0 && value < least) least = value;
  return least;
};

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Counts values in bins: one for each integer if there are few, else of equal widths on the scale. */
export const histogram = (values: Float64Array, min: number, max: number, log: boolean, most: number): Bin[] => {
  let integers = true;
  for (const value of values) if (Number.isFinite(value) && !Number.isInteger(value)) integers = false;
  let edges: number[];
  if (log) {
    const step = (max / min) ** (1 / most);
    edges = Array.from({ length: most + 1 }, (_, index) => min * step ** index);
  } else if (integers) {
    const width = Math.max(1, Math.ceil((max - min + 1) / most));
    const count = Math.ceil((max - min + 1) / width);
    edges = Array.from({ length: count + 1 }, (_, index) => min - 0.5 + index * width);
  } else {
    const width = (max - min) / most || 1;
    edges = Array.from({ length: most + 1 }, (_, index) => min + index * width);
  }
  const bins = edges.slice(1).map((to, index): Bin => ({ from: edges[index]!, to, count: 0 }));
  const [first, last] = [edges[0]!, edges.at(-1)!];
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    const at = log ? Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first);
    const bin = bins[Math.min(bins.length - 1, Math.max(0, Math.floor(at * bins.length)))];
    if (bin) bin.count += 1;
  }
  return bins;
};
