interface TableRow<Value> {
  /** As in its pattern. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly method: string;
  readonly value: Value;
}

/**
 * Routes with a value each, by path and method. Matches paths as Express does, as far as routes need it: behind a parameter
 * a pattern may have no more than a text that begins with a colon, as in `models/:name\\:count`.
 */
export class RouteTable<Value = undefined> {
  private readonly rows: TableRow<Value>[] = [];
  /** Rows at each path that a pattern without parameters names; nearly every request is for one of them. */
  private rowsByPath: ReadonlyMap<string, readonly TableRow<Value>[]> | undefined;

  /** @param pattern as in a controller: `v1/models/:id`, `files/*path` */
  add(method: string, pattern: string, value: Value): void {
    this.rows.push({
      method: method.toUpperCase(),
      path: `/${pattern.replace(/^\/|\/$/g, '')}`,
      segments: segmentsOf(pattern),
      value,
    });
    this.rowsByPath = undefined;
  }

  /** Every row; paths as in their patterns. */
  all(): readonly { readonly method: string; readonly path: string; readonly value: Value }[] {
    return this.rows;
  }

  /** Methods of a path in the order of their first mention, HEAD after GET; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const methods = this.rowsAt(path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    return [...new Set(methods)];
  }

  /** Value of the route that takes a request; undefined if none does. */
  find(method: string, path: string): Value | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.rowsAt(path).find((row) => row.method === wanted || row.method === 'ALL')?.value;
  }

  /** Values of all routes at a path, whatever their method. */
  at(path: string): readonly Value[] {
    return this.rowsAt(path).map(({ value }) => value);
  }

  private rowsAt(path: string): readonly TableRow<Value>[] {
    this.rowsByPath ??= this.indexPaths();
    return this.rowsByPath.get(path) ?? this.rowsMatching(segmentsOf(path));
  }

  private indexPaths(): ReadonlyMap<string, readonly TableRow<Value>[]> {
    const fixed = this.rows.filter(({ segments }) => !segments.some(isParameter));
    return new Map(fixed.map(({ segments }) => [pathOf(segments), this.rowsMatching(segments)]));
  }

  private rowsMatching(segments: readonly string[]): readonly TableRow<Value>[] {
    return this.rows.filter((row) => matches(row.segments, segments));
  }
}

function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}

/** In lower case, since Express tells no case apart; every request is looked up, so only its own path is folded. */
function segmentsOf(path: string): string[] {
  const from = path.startsWith('/') ? 1 : 0;
  const to = path.length - (path.endsWith('/') && path.length > from ? 1 : 0);
  return from === to ? [] : path.slice(from, to).toLowerCase().split('/');
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith('*')) {
      return path.length > i && path.at(-1)!.endsWith(endOf(part));
    }
    const segment = path[i];
    if (segment === undefined || segment === '') {
      return false;
    }
    if (part !== segment && !(part.startsWith(':') && segment.endsWith(endOf(part)))) {
      return false;
    }
  }
  return pattern.length === path.length;
}

/** What follows a parameter within its segment. */
function endOf(parameter: string): string {
  const end = parameter.indexOf('\\');
  return end < 0 ? '' : parameter.slice(end + 1);
}
