/// Numbers and names for people.

const sizes = ['bytes', 'kB', 'MB', 'GB'];

/** A size in bytes, with three digits: `1.23 MB`. */
export const formatSize = (bytes: number): string => {
  if (bytes === 1) return '1 byte';
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit < sizes.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${sizes[unit]}`;
};

/** A number with separators. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A number with its noun: `1 file`, `2,000 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** An offset as the hex view prints it. */
export const formatOffset = (offset: number, digits = 1): string => offset.toString(16).padStart(digits, '0');

/** What the files and folders that were given are called, which may have more than their names. */
export const rootNames = new Map<string, string>();

/** The names in an `at`, decoded. Used only to show them. */
export const namesOf = (at: string): string[] =>
  at.split('/').map((name, index) => {
    const root = index ? undefined : rootNames.get(name);
    if (root !== undefined) return root;
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  });

/** Splits a text at the places where one of the words occurs: every second part is a match. */
export const splitMatches = (text: string, words: string[]): string[] => {
  const pattern = words.filter(Boolean).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return pattern ? text.split(new RegExp(`(${pattern})`, 'gi')) : [text];
};
