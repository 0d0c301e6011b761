/// How to ask the server. Its side is in `crates/view/src/api`, from which the types of answers are generated.

export type * from './types.ts';

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
  // A token works once, so the address without it is what can be kept.
  const url = new URL(location.href);
  isUsed = !given && url.searchParams.has('token');
  url.searchParams.delete('token');
  history.replaceState(null, '', url.pathname + url.search);
  if (!given) return localStorage.getItem(keyName) ?? '';
  given.remove();
  localStorage.setItem(keyName, given.content);
  return given.content;
};

/** Whether the page was opened with a token that was used before. */
let isUsed = false;

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
  if (response.status === 401 && isUsed) {
    message = 'This address was used: it works once, in the browser that opens it first. For this browser, start another viewer.';
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
  ask(endpoint, {}, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    signal: signal ?? null });

/** Asks for lines of JSON, and passes each on as it arrives. Returns the last, which sums up. */
export const lines = async <T, D = { done: true }>(endpoint: string, parameters: Parameters, each: (line: T) => void,
  signal?: AbortSignal): Promise<D> =>
{
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
