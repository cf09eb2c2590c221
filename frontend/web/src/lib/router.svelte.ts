/** A small router over the History API. Patterns are paths with `:name` for one segment. */
export type RouteParams = Readonly<Record<string, string>>;
export interface Match<T> {
  route: T;
  params: RouteParams;
  path: string;
}

/** The parameters of `path` by `pattern`, or null where it does not fit. */
export function matchPath(pattern: string, path: string): RouteParams | null {
  const wanted = segments(pattern);
  const given = segments(path);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}

function segments(path: string): string[] {
  return path.split('/').filter(Boolean);
}

/** The address's path, as state. */
class Location {
  path = $state(window.location.pathname);
  query = $state(window.location.search);
  /** Grows with each navigation, also to the same path. */
  visit = $state(0);

  /** Show another path of the page. */
  go(to: string, { replace = false } = {}): void {
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    this.#moved();
    scrollTo(0, 0);
  }

  /** Follow the browser's buttons and every plain click on an own link. Returns what ends it. */
  start(): () => void {
    const moved = () => this.#moved();
    const clicked = (event: MouseEvent) => {
      const to = ownLink(event);
      if (to === null) return;
      event.preventDefault();
      this.go(to);
    };
    addEventListener('popstate', moved);
    document.addEventListener('click', clicked);
    return () => {
      removeEventListener('popstate', moved);
      document.removeEventListener('click', clicked);
    };
  }

  #moved(): void {
    this.path = window.location.pathname;
    this.query = window.location.search;
    this.visit += 1;
  }
}

/** Where a plain click leads within the page, or null: leave it to the browser. */
function ownLink(event: MouseEvent): string | null {
  const changed = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || changed) return null;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin) return null;
  const inPage = url.hash && url.pathname === window.location.pathname;
  return inPage ? null : url.pathname + url.search + url.hash;
}

export const location = new Location();

/** The first of `routes` that fits `path`. */
export function findRoute<T extends { pattern: string }>(
  routes: readonly T[],
  path: string,
): Match<T> | null {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return { route, params, path };
  }
  return null;
}
