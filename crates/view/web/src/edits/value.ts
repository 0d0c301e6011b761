/// Values of changes, as people read them.
import type { Value } from '../api.ts';

/** Writes a value as the user would type it. */
export const valueText = (value: Value): string => {
  if (typeof value === 'object' && !Array.isArray(value)) return 'bits' in value ? value.bits : `bytes ${value.bytes}`;
  return Array.isArray(value) ? value.join(', ') : String(value);
};
