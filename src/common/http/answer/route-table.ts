/** Methods by path, to tell an unknown path from a wrong method. Patterns match as in Express. */
export class RouteTable {
  private readonly routes: { readonly segments: readonly string[]; readonly method: string }[] = [];

  /** @param pattern path of a controller's route, e.g. `v1/models/:id` or `files/*path` */
  add(method: string, pattern: string): void {
    this.routes.push({ method: method.toUpperCase(), segments: segmentsOf(pattern) });
  }

  /** Methods of a path in the order in which they were added, HEAD after GET; empty for an unknown path. */
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
