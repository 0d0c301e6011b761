/// Scales and ticks of axes.

export interface Scale {
  min: number;
  max: number;
  log: boolean;
}

/** Where a value lies between the ends of a scale, from 0 to 1. */
export const position = ({ min, max, log }: Scale, value: number): number =>
  log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);

/** The value at a position from 0 to 1. */
export const valueAt = ({ min, max, log }: Scale, at: number): number => log ? min * (max / min) ** at : min + (max - min) * at;

/** The scale for values from `min` to `max`, with some room if there is only one value. */
export const scaleOf = (min: number, max: number, log: boolean): Scale => {
  if (log) return min < max ? { min, max, log } : { min: min / 2, max: max * 2, log };
  if (min < max) return { min, max, log };
  const room = Math.abs(min) / 2 || 1;
  return { min: min - room, max: max + room, log };
};

/** Returns round values on a scale, about `wanted` of them. */
export const ticks = (scale: Scale, wanted: number): number[] => {
  if (scale.log) {
    const decades = logTicks(scale, wanted);
    if (decades.length >= 2) return decades;
  }
  const rough = (scale.max - scale.min) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const result: number[] = [];
  // Counting steps avoids sums of rounding errors.
  for (let index = Math.ceil(scale.min / step - 1e-9); index * step <= scale.max + step * 1e-9; index += 1) {
    const value = Number((index * step).toPrecision(12));
    if (!scale.log || value > 0) result.push(value);
  }
  return result;
};

const logTicks = (scale: Scale, wanted: number): number[] => {
  const decades = Math.log10(scale.max / scale.min);
  if (decades * 3 <= wanted * 1.5) return powers(scale, [1, 2, 5], 1);
  return powers(scale, [1], Math.max(1, Math.ceil(decades / Math.max(1, wanted))));
};

/** Returns multiples of every nth power of ten. */
const powers = ({ min, max }: Scale, factors: number[], every: number): number[] => {
  const result: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power += every) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) result.push(value);
    }
  }
  return result;
};

/** Writes a number for an axis or a summary. */
export const numberText = (value: number): string => {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e12 || size < 1e-4)) return value.toExponential(2).replace(/\.?0+e/, 'e');
  return value.toLocaleString('en-US', { maximumSignificantDigits: Number.isInteger(value) ? 15 : 6 });
};
