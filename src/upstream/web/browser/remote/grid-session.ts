import { askJson, authorization } from './ask-json.js';
import { type RemoteAddress, socketPath } from './remote-address.js';

/** A grid ends a session without WebDriver commands after 5 min; DevTools count as none (SeleniumHQ/selenium#12223). */
const TOUCH_EVERY_MS = 60_000;
const TOUCH_LIMIT_MS = 30_000;
const END_LIMIT_MS = 5000;

/** Answer to WebDriver's `POST /session`. */
interface NewSession {
  readonly value?: {
    readonly sessionId?: unknown;
    readonly capabilities?: { readonly 'se:cdp'?: unknown };
  } | null;
}

/** A session of a Selenium Grid, thus a browser for this gateway alone. It is kept until it is released. */
export class GridSession implements RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  private readonly timer: NodeJS.Timeout;
  private ending: Promise<void> | undefined;

  private constructor(
    private readonly grid: URL,
    private readonly id: string,
    socket: string,
    touchEveryMs: number,
  ) {
    this.url = `${grid.protocol === 'https:' ? 'wss:' : 'ws:'}//${grid.host}${socket}`;
    this.headers = { ...authorization(grid) };
    this.timer = setInterval(() => void this.touch(), touchEveryMs);
  }

  /**
   * Asks for a session. A grid that is full keeps the request in its queue, for 5 min by default.
   * @param args for the browser's command line
   * @param signal ends the request
   */
  static async start(
    grid: URL,
    args: readonly string[],
    signal: AbortSignal,
    touchEveryMs = TOUCH_EVERY_MS,
  ): Promise<GridSession> {
    const alwaysMatch = { browserName: 'chrome', 'goog:chromeOptions': { args } };
    const { value } = (await askJson(grid, {
      method: 'POST',
      path: pathOn(grid),
      body: { capabilities: { alwaysMatch } },
      signal,
    })) as NewSession;
    const id = value?.sessionId;
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) {
      throw new Error('It names no session.');
    }
    try {
      // Its host is often one that only the grid itself can reach (SeleniumHQ/docker-selenium#2889).
      return new GridSession(grid, id, socketPath(value?.capabilities?.['se:cdp']), touchEveryMs);
    } catch (error) {
      await endSession(grid, id);
      throw error;
    }
  }

  /** Ends the session, which gives its place in the grid to others. */
  release(): Promise<void> {
    clearInterval(this.timer);
    this.ending ??= endSession(this.grid, this.id);
    return this.ending;
  }

  /** A failure says nothing: whether the browser is there, its DevTools tell. */
  private async touch(): Promise<void> {
    const signal = AbortSignal.timeout(TOUCH_LIMIT_MS);
    const path = pathOn(this.grid, `/${this.id}/url`);
    await askJson(this.grid, { method: 'GET', path, signal }).catch(() => undefined);
  }
}

/** Never throws: a grid that does not hear of it ends the session by its own time limit. */
async function endSession(grid: URL, id: string): Promise<void> {
  const signal = AbortSignal.timeout(END_LIMIT_MS);
  await askJson(grid, { method: 'DELETE', path: pathOn(grid, `/${id}`), signal }).catch(() => undefined);
}

/** A path below the grid's `/session`, with the query of its URL, which may hold a token. */
function pathOn({ pathname, search }: URL, rest = ''): string {
  return `${pathname.replace(/\/$/, '')}/session${rest}${search}`;
}
