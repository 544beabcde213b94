import { commaList } from '../text/comma-list.js';

/** Endpoint of a browser on another machine. */
export interface BrowserEndpoint {
  /** `socket`: its DevTools; `chromium`: its DevTools over HTTP, which tell the socket; `grid`: a Selenium Grid. */
  readonly kind: 'socket' | 'chromium' | 'grid';
  /** `ws`, `wss`, `http` or `https`. May hold a token or a password, so it is never to be shown. */
  readonly url: URL;
}

const GRID = 'webdriver+';
const FORMS = 'ws(s)://host/…, http(s)://host:port or webdriver+http(s)://host:port';

/**
 * The entries of a list of endpoints, separated by commas.
 * @throws TypeError naming the first entry that is none by its number, and nothing of its text
 */
export function parseBrowserEndpoints(list: string): readonly BrowserEndpoint[] {
  const entries = commaList(list);
  return entries.map((entry, at) => {
    if (entries.indexOf(entry) !== at) {
      throw new TypeError(`entry ${at + 1} repeats entry ${entries.indexOf(entry) + 1}`);
    }
    const endpoint = parseEntry(entry);
    if (endpoint === undefined) {
      throw new TypeError(`entry ${at + 1} must be ${FORMS}`);
    }
    if (endpoint.kind === 'chromium' && (endpoint.url.pathname !== '/' || endpoint.url.search !== '')) {
      throw new TypeError(`entry ${at + 1} must name a host and a port only`);
    }
    return endpoint;
  });
}

/** The fault of a list of endpoints; `false` if it has none. */
export function browserEndpointsProblem(list: string): string | false {
  try {
    parseBrowserEndpoints(list);
    return false;
  } catch (error) {
    return `BROWSER_ENDPOINTS: ${(error as Error).message}`;
  }
}

/** An endpoint's name for log lines and messages: without what may be secret. */
export function endpointName({ kind, url }: BrowserEndpoint): string {
  return `${kind === 'grid' ? GRID : ''}${url.origin}`;
}

function parseEntry(entry: string): BrowserEndpoint | undefined {
  const isGrid = entry.toLowerCase().startsWith(GRID);
  const text = isGrid ? entry.slice(GRID.length) : entry;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return undefined;
  }
  if (/^https?:$/.test(url.protocol)) {
    return { kind: isGrid ? 'grid' : 'chromium', url };
  }
  return /^wss?:$/.test(url.protocol) && !isGrid ? { kind: 'socket', url } : undefined;
}
