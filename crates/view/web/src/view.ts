/// What a view of a place gets from the page, and what the page asks of it.
import type { About, Download, Session, Tab } from './api.ts';
import type { Edits } from './edits.ts';

/** A place of the page: what is shown, as in its address. */
export interface Place {
  at: string;
  /** A path inside the part; empty for the part itself. */
  path: string;
  view?: Tab;
  /** Other parameters of the address, such as the position in a level. */
  more?: Record<string, string>;
}

export interface Context {
  readonly about: About;
  /** What is selected when the view opens. */
  readonly place: Place;
  /** Ends when the page leaves the view: pass it to every request. */
  readonly signal: AbortSignal;
  /** The changes that the user has made so far. */
  readonly edits: Edits;
  /** Goes to another place, with an entry in the history. */
  go(place: Place): void;
  /** Changes the address of the current place: with an entry in the history if `push`. */
  update(change: { path?: string; more?: Record<string, string> }, push?: boolean): void;
  /** Offers downloads of what the view shows, above those of the whole place. */
  offer(downloads: Download[]): void;
  /** Says something to screen readers, and shows it at the bottom for a while. */
  announce(text: string): void;
}

export interface View {
  /** Selects what the address names now. Called when only `path` or `more` changed. */
  select?(place: Place): void;
  /** Releases what the garbage collector does not: timers, observers, WebGL contexts. */
  destroy(): void;
}

/** Shows a part in an empty element. */
export type Mount = (host: HTMLElement, context: Context) => View;

/** What a page gets that shows no single place: the comparison. Its address is `/compare` with parameters. */
export interface PageContext {
  readonly session: Session;
  /** The parameters of the address when the page opens. */
  readonly more: Record<string, string>;
  /** Ends when the user leaves the page: pass it to every request. */
  readonly signal: AbortSignal;
  /** Shows a place, with an entry in the history. */
  go(place: Place): void;
  /** Changes the parameters of the address: with an entry in the history if `push`. */
  update(more: Record<string, string>, push?: boolean): void;
  announce(text: string): void;
}

export interface PageView {
  /** Shows what the parameters of the address name now, after back or forward. */
  select?(more: Record<string, string>): void;
  destroy(): void;
}

export type MountPage = (host: HTMLElement, context: PageContext) => PageView;
