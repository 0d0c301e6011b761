/// Asks the server about changes, and has it make the downloads.
import { post, type EditCheck } from '../api.ts';
import { counted, formatCount } from '../shell/text.ts';
import type { Change } from '../edits.ts';

/**
 * Checks that a field can have a value, given as the user typed it. Returns the change with what there is to say about it, or the
 * server's sentence.
 */
export const checkField = async (at: string, path: string, text: string,
  signal?: AbortSignal): Promise<{ change: Change; notes: string[] } | string> =>
{
  const response = await post('edit/check', { at, changes: [{ set: path, to: text }] }, signal);
  const { results, notes } = (await response.json()) as EditCheck;
  const { from, to, file = '', path: inFile, error } = results[0] ?? {};
  // The server knows the type of the field, and where the part is in the outermost file.
  if (from !== undefined && to !== undefined && inFile !== undefined) {
    return { change: { at, path, file, inFile, from, to }, notes };
  }
  return error ?? 'This field cannot be changed.';
};

/** Returns what becomes of all changes of a file together. */
const checkAll = async (changes: Change[]): Promise<EditCheck> => {
  const response = await post('edit/check', { at: changes[0]!.file,
    changes: changes.map(({ inFile, from, to }) => ({ set: inFile, from, to })) });
  return (await response.json()) as EditCheck;
};

/** Returns what there is to say about changes of a file. */
export const notesOn = async (changes: Change[]): Promise<string[]> => (await checkAll(changes)).notes;

/** Returns what becomes of the changes of a file, as `worldview apply` says it. */
export const account = async (changes: Change[]): Promise<string> => {
  const { account: { done, equal, refused }, notes } = await checkAll(changes);
  const counts = [counted(done, 'change'), equal > 0 && `${formatCount(equal)} there already`,
    refused > 0 && `${formatCount(refused)} refused`];
  return `${counts.filter(Boolean).join(', ')}. ${notes.join(' ')}`.trimEnd();
};

/** Downloads the changes of a file: as a changes file, or applied to a copy. */
export const download = async (kind: 'changes' | 'apply', changes: Change[]): Promise<string> => {
  const at = changes[0]!.file;
  const response = await post(`edit/${kind}`, { at, changes: changes.map(({ inFile, from, to }) => ({ set: inFile, from, to })) });
  const name = fileName(response.headers.get('Content-Disposition')) ?? (kind === 'changes' ? 'changes.json' : 'edited');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return name;
};

const fileName = (disposition: string | null): string | undefined => {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1]?.replaceAll(/\\(.)/g, '$1');
};
