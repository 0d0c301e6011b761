/// The words in which two texts differ.

/** A piece of a text, and whether the other text has it, too. */
export type Piece = [text: string, same: boolean];

/** With more combinations, the whole middle counts as different. */
const mostCombinations = 250_000;

const tokens = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Compares two texts word by word. */
export const compareWords = (left: string, right: string): [left: Piece[], right: Piece[]] => {
  const [a, b] = [tokens(left), tokens(right)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const [sameA, sameB] = common(middleA, middleB);
  const pieces = (all: string[], middle: boolean[]): Piece[] =>
    joined(all.map((token, index): Piece => [token, index < start || index >= all.length - end || middle[index - start] === true]));
  return [pieces(a, sameA), pieces(b, sameB)];
};

/** Marks the words of a longest common subsequence. */
const common = (a: string[], b: string[]): [boolean[], boolean[]] => {
  const marks: [boolean[], boolean[]] = [a.map(() => false), b.map(() => false)];
  if (!a.length || !b.length || a.length * b.length > mostCombinations) return marks;
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      marks[0][i] = true;
      marks[1][j] = true;
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return marks;
};

/** Joins neighbors of the same kind. */
const joined = (pieces: Piece[]): Piece[] => {
  const result: Piece[] = [];
  for (const [text, same] of pieces) {
    const last = result.at(-1);
    if (last && last[1] === same) last[0] += text;
    else result.push([text, same]);
  }
  return result;
};
