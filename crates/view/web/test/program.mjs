// The command, for tests and recipes.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../..');

export const program = process.env.WORLDVIEW ?? resolve(root, process.env.CARGO_TARGET_DIR ?? 'target', 'debug/worldview');

/** Runs the command, and returns what it prints. `diff` ends with 1 if there are differences. */
export const worldview = (...words) => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0 && !(status === 1 && words[0] === 'diff')) throw new Error(`worldview ${words.join(' ')}: ${stderr}`);
  return stdout;
};
