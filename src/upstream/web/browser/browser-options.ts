import path from 'node:path';
import { type Settings } from '../../../common/config/settings.js';

/** How a browser is started or reached. */
export interface BrowserOptions {
  /** Chrome, Chromium or its headless shell. */
  readonly executablePath?: string;
  /** WebSocket address of a running browser, used in place of a local one. */
  readonly wsEndpoint?: string;
  /** Starts the browser without its sandbox. */
  readonly noSandbox: boolean;
  /** Folder for the profiles of local browsers; swept when the first one starts. */
  readonly profilesFolder: string;
  /** URL patterns (URLPattern syntax) that pages, workers and sockets may reach; everything else fails. */
  readonly allowlist: readonly string[];
  /** Environment of a display, e.g. `{ DISPLAY: ':0' }`, for a browser with a window; only the recipe workbench sets it. */
  readonly display?: Readonly<Record<string, string>>;
  /** Time limit of a start in ms; default 5000. */
  readonly launchTimeoutMs?: number;
}

/** Browser options from the settings, restricted to these origins; without any, pages may reach every URL. */
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
