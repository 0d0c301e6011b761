/// The addresses of the page.
///
/// | address                                    | page                                                            |
/// |--------------------------------------------|-----------------------------------------------------------------|
/// | `/`                                        | the start page                                                  |
/// | `/at/<at>?path=<path>&view=<tab>&<more>`   | a place: `at` as the server gives it; `path` inside the part;   |
/// |                                            | `view` only if it is not the first tab; other parameters belong |
/// |                                            | to the tab, such as the position in a level                     |
/// | `/at/?at=<at>&…`                           | the same, if a browser would change the path (`..` in an        |
/// |                                            | archive)                                                        |
/// | `/compare?<more>`                          | the comparison; its parameters belong to it                     |
///
/// Every address can be reloaded, and works after back and forward.
import type { Tab } from '../api.ts';
import type { Place } from '../view.ts';

export type Route =
  | { page: 'start' }
  | { page: 'place'; place: Place }
  | { page: 'compare'; more: Record<string, string> };

/** Returns the page of an address. */
export const parseAddress = (url: URL): Route => {
  const { at: named, path = '', view, ...more } = Object.fromEntries(url.searchParams);
  if (url.pathname === '/compare') return { page: 'compare', more: Object.fromEntries(url.searchParams) };
  const at = named ?? (url.pathname.startsWith('/at/') ? url.pathname.slice('/at/'.length) : '');
  if (!at) return { page: 'start' };
  return { page: 'place', place: { at, path, more, ...(view ? { view: view as Tab } : {}) } };
};

/** Returns the address of a page. */
export const addressOf = (route: Route): string => {
  if (route.page === 'start') return '/';
  if (route.page === 'compare') return withQuery('/compare', route.more);
  return placeAddress(route.place);
};

/** Returns the address of a place. */
export const placeAddress = ({ at, path, view, more = {} }: Place): string => {
  const pathname = `/at/${at}`;
  const kept = new URL(pathname, location.origin).pathname === pathname;
  return withQuery(kept ? pathname : '/at/', { ...(kept ? {} : { at }), ...(path ? { path } : {}), ...(view ? { view } : {}), ...more });
};

const withQuery = (pathname: string, parameters: Record<string, string>): string => {
  const query = new URLSearchParams(parameters).toString();
  return query ? `${pathname}?${query}` : pathname;
};

/** Follows the address, the history and clicks on links. */
export class Router {
  readonly #show: (route: Route) => void;

  constructor(show: (route: Route) => void) {
    this.#show = show;
    addEventListener('popstate', () => this.show());
    document.addEventListener('click', (event) => this.#follow(event));
  }

  get current(): Route {
    return parseAddress(new URL(location.href));
  }

  /** Shows what the address names. */
  show(): void {
    this.#show(this.current);
  }

  /** Shows a page, with an entry in the history. */
  go(route: Route): void {
    this.push(route);
    this.show();
  }

  /** Changes the address, with an entry in the history. */
  push(route: Route): void {
    const address = addressOf(route);
    if (address !== location.pathname + location.search) history.pushState(null, '', address);
  }

  /** Changes the address only. */
  replace(route: Route): void {
    history.replaceState(null, '', addressOf(route));
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.origin !== location.origin || link.hasAttribute('download') || link.target) return;
    if (link.pathname !== '/' && link.pathname !== '/compare' && !link.pathname.startsWith('/at/')) return;
    if (link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    this.go(parseAddress(new URL(link.href)));
  }
}
