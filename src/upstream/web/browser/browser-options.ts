import path from 'node:path';
import { type Settings } from '../../../common/config/settings.js';

/** How a browser is reached. */
export interface BrowserOptions {
  /** Chrome, Chromium or its headless shell. */
  readonly executablePath?: string;
  /** A running browser to use instead of an own one. */
  readonly wsEndpoint?: string;
  /** Starts the browser without its sandbox. */
  readonly noSandbox: boolean;
  /** Folder for the profiles of own browsers; swept when the first one starts. */
  readonly profilesFolder: string;
  /** URL patterns (URLPattern syntax) that pages, workers and sockets may reach; everything else fails. */
  readonly allowlist: readonly string[];
  /** Environment that leads to a display, e.g. `{ DISPLAY: ':0' }`; the browser then shows its window there. */
  readonly display?: Readonly<Record<string, string>>;
  /** Longest time for a start, in ms. Default 5000. */
  readonly launchTimeoutMs?: number;
}

/** Browser options out of the settings, for a site with these origins. */
export function browserOptions(settings: Settings, allowedOrigins: readonly string[]): BrowserOptions {
  return {
    executablePath: settings.BROWSER_EXECUTABLE_PATH,
    wsEndpoint: settings.BROWSER_WS_ENDPOINT,
    noSandbox: settings.BROWSER_NO_SANDBOX,
    profilesFolder: path.resolve(settings.DATA_DIR, 'profiles'),
    allowlist: allowedOrigins.flatMap(originPatterns),
  };
}

/** Patterns for an origin and for its sockets. */
function originPatterns(origin: string): string[] {
  const { protocol, host } = new URL(origin);
  const socket = protocol === 'https:' ? 'wss:' : 'ws:';
  return [`${protocol}//${host}/*`, `${socket}//${host}/*`];
}
