/** Address of a browser's DevTools, with its release after use. */
export interface RemoteAddress {
  /** `ws` or `wss`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name in the certificate, where the URL has an IP address. */
  readonly servername?: string;
  /** Gives back what was taken for this connection. Never throws, may be called twice. */
  release(): Promise<void>;
}

/** The path of a socket's URL. @throws Error if it is no such URL */
export function socketPath(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol)) {
    throw new Error('It does not name the WebSocket of its DevTools.');
  }
  const { pathname, search } = new URL(url);
  return pathname + search;
}
