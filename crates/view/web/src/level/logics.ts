/// The colors of objects: each logic has one.

/** Returns the color of a logic. The same name has the same color in every level. */
export const logicColor = (logic: string, lightness = 68): string => {
  if (!logic) return `hsl(0 0% ${lightness}%)`;
  let hash = 0;
  for (let index = 0; index < logic.length; index++) hash = (Math.imul(hash, 31) + logic.charCodeAt(index)) >>> 0;
  // Multiples of the golden angle are far from each other.
  return `hsl(${Math.round(((hash % 4096) * 137.508) % 360)} 85% ${lightness}%)`;
};
