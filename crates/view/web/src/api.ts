/// The answers of the server, and how to ask for them. The server side is in `crates/view/src/api`.

/** A row of the tree: a folder, a file, a member of an archive, a model, … */
export interface Node {
  at: string;
  path: string;
  name: string;
  /** What people call it, if the name does not say so. */
  title?: string;
  kind: Kind;
  format?: string;
  size?: number;
  /** Whether there is something in it. */
  open: boolean;
  /** Whether the filter of the tree finds something in it. */
  inside?: boolean;
  note?: string;
  error?: string;
}

export type Kind =
  | 'folder' | 'archive' | 'table' | 'level' | 'database' | 'world' | 'model' | 'part' | 'texture' | 'picture' | 'data'
  | 'broken';

export type Tab = 'model' | 'level' | 'table' | 'picture' | 'children' | 'fields' | 'hex' | 'findings';

export interface Session {
  version: string;
  /** A digest of the paths that were given: of which files the changes in this tab are. */
  id: string;
  roots: Node[];
  compare: boolean;
  game: string[];
}

export interface Children {
  total: number;
  from: number;
  children: Node[];
}

export interface Download {
  label: string;
  href: string;
  file: string;
}

export type Space = 'file' | 'image';

export interface About {
  node: Node;
  parents: Node[];
  facts: [string, string][];
  views: Tab[];
  downloads: Download[];
  spaces: Space[];
  /** The bytes of the part: where they begin in the file, and how many they are; and those of an unpacked level. */
  length: { start: number; file: number; image?: number };
  /** Whether numbers are stored with their first byte first. */
  big_endian: boolean;
  /** How many parts of the file could not be read. */
  unreadable?: number;
}

/** Something that a part contains, with the bytes that it was read from. */
export interface Row {
  kind: 'field' | 'array' | 'part' | 'list' | 'link' | 'error';
  name: string;
  path: string;
  text?: string;
  role?: 'data' | 'storage' | 'reserved' | 'derived';
  at?: [offset: number, length: number, space: Space];
  open?: boolean;
  count?: number;
}

export interface Fields {
  path: string;
  total?: number;
  next?: number;
  rows: Row[];
}

export interface Hit {
  at: string;
  path: string;
  kind: Kind;
  what: string;
  text: string;
  /** The words for it, if it is a key. */
  words?: string;
  offset: number;
  space: Space;
}

/** A file that could not be searched, or not all of it. */
export interface Unsearched {
  at: string;
  unsearched: string;
}

/** What a search finds: texts, files and folders with the name, and what could not be searched. */
export type Found = Hit | Node | Unsearched;

export interface Finding {
  at: string;
  severity: 'fatal' | 'suspicious' | 'curious';
  code: string;
  message: string;
  offset: number;
  space: Space;
  path: string;
}

export type Parameters = Record<string, string | number | undefined>;

/** An answer that is not the one that was asked for, in the words of the server. */
export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Returns the address of an endpoint. */
const address = (endpoint: string, parameters: Parameters = {}): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `/api/${endpoint}${text ? `?${text}` : ''}`;
};

const keyName = 'worldview.key';

/**
 * Returns the key that every request needs. The page that is opened with a token contains it; from then on it is in the
 * storage of this address with its port, which other servers on this machine do not see.
 */
const findKey = (): string => {
  const given = document.querySelector<HTMLMetaElement>('meta[name=worldview-key]');
  if (!given) return localStorage.getItem(keyName) ?? '';
  given.remove();
  // The token has been used up, so the address without it is what can be kept.
  const url = new URL(location.href);
  url.searchParams.delete('token');
  history.replaceState(null, '', url.pathname + url.search);
  localStorage.setItem(keyName, given.content);
  return given.content;
};

let key: string | undefined;

/** Asks the server, and returns an answer that is not an error. */
export const ask = async (endpoint: string, parameters: Parameters, options: RequestInit): Promise<Response> => {
  key ??= findKey();
  const headers = { ...options.headers, 'X-Worldview-Key': key };
  let response: Response;
  try {
    response = await fetch(address(endpoint, parameters), { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'The viewer no longer runs. Start `worldview view` again, and open the new address that it prints.');
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = (JSON.parse(text) as { error: string }).error;
  } catch {
    // Not an answer of the API: the text itself says what is wrong.
  }
  throw new ApiError(response.status, message || `The viewer answered with status ${response.status}.`);
};

/** Asks for JSON. */
export const json = async <T>(endpoint: string, parameters: Parameters, signal?: AbortSignal): Promise<T> =>
  (await ask(endpoint, parameters, { signal: signal ?? null })).json() as Promise<T>;

/** Asks for bytes; `null` if there are none. */
export const bytes = async (endpoint: string, parameters: Parameters, signal?: AbortSignal): Promise<ArrayBuffer | null> => {
  const response = await ask(endpoint, parameters, { signal: signal ?? null });
  return response.status === 204 ? null : response.arrayBuffer();
};

/** Asks for an address of a download that works once. A link cannot have the header with the key. */
export const downloadAddress = async (href: string): Promise<string> => {
  const response = await ask('token', {}, { method: 'POST' });
  return `${href}&token=${await response.text()}`;
};

/** Sends JSON. */
export const post = async (endpoint: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  ask(endpoint, {}, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });

/** Asks for lines of JSON, and passes each on as it arrives. Returns the last, which sums up. */
export const lines = async <T, D = { done: true }>(
  endpoint: string,
  parameters: Parameters,
  each: (line: T) => void,
  signal?: AbortSignal,
): Promise<D> => {
  const response = await ask(endpoint, parameters, { signal: signal ?? null });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new ApiError(response.status, 'The answer ended early.');
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const line = JSON.parse(part) as T & { done?: boolean; error?: string };
      if (line.done) return line as unknown as D;
      if (line.error !== undefined && Object.keys(line).length === 1) throw new ApiError(response.status, line.error);
      each(line);
    }
  }
};
