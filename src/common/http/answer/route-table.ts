/** Knows which methods a path has, to tell "no such path" from "not with this method". Matches as Express does. */
export class RouteTable {
  private readonly routes: { readonly segments: readonly string[]; readonly method: string }[] = [];

  /** @param pattern as in a controller: `v1/models/:id`, `files/*path` */
  add(method: string, pattern: string): void {
    this.routes.push({ method: method.toUpperCase(), segments: segmentsOf(pattern) });
  }

  /** Methods of a path in the order of their first mention, HEAD after GET; empty if nothing is there. */
  methodsOf(path: string): readonly string[] {
    const segments = segmentsOf(path);
    const methods = this.routes
      .filter((route) => matches(route.segments, segments))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [...new Set(methods)];
  }
}

function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith('*')) {
      return path.length > i;
    }
    const segment = path[i];
    if (segment === undefined || segment === '') {
      return false;
    }
    if (!part.startsWith(':') && part.toLowerCase() !== segment.toLowerCase()) {
      return false;
    }
  }
  return pattern.length === path.length;
}
