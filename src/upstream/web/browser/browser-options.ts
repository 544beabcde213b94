import path from 'node:path';
import { type BrowserEndpoint, parseBrowserEndpoints } from '../../../common/config/browser-endpoints.js';
import { type Settings } from '../../../common/config/settings.js';
import { type PageRules } from './boundary/egress-policy.js';
import { type OutboundProxies } from './proxied-route.js';

/** Launch or connection options of a browser. */
export interface BrowserOptions {
  /** Chrome, Chromium or its headless shell. */
  readonly executablePath?: string;
  /** Browser on another machine, used in place of a local one. */
  readonly endpoint?: BrowserEndpoint | undefined;
  /** Starts the browser without its sandbox. */
  readonly noSandbox: boolean;
  /** Folder for the profiles of local browsers; swept when the first one starts. */
  readonly profilesFolder: string;
  /** Origins that pages may reach. */
  readonly rules: PageRules;
  /** Outbound proxies on the way of a local browser; those of a remote one are its own. None by default. */
  readonly proxies?: OutboundProxies;
  /** Environment of a display, e.g. `{ DISPLAY: ':0' }`, for a browser with a window; only the recipe workbench sets it. */
  readonly display?: Readonly<Record<string, string>>;
  /** Time limit of a start in ms; default 5000. */
  readonly launchTimeoutMs?: number;
}

/** Endpoints of the remote browsers that the settings name; none if browsers are started here. */
export function browserEndpoints(settings: Settings): readonly BrowserEndpoint[] {
  const { BROWSER_WS_ENDPOINT, BROWSER_ENDPOINTS } = settings;
  return BROWSER_WS_ENDPOINT
    ? [{ kind: 'socket', url: new URL(BROWSER_WS_ENDPOINT) }]
    : parseBrowserEndpoints(BROWSER_ENDPOINTS);
}

/**
 * Browser options from the settings.
 * @param endpoint one of `browserEndpoints`
 */
export function browserOptions(
  settings: Settings,
  rules: PageRules,
  endpoint?: BrowserEndpoint,
): BrowserOptions {
  return {
    executablePath: settings.BROWSER_EXECUTABLE_PATH,
    endpoint,
    noSandbox: settings.BROWSER_NO_SANDBOX,
    profilesFolder: path.resolve(settings.DATA_DIR, 'profiles'),
    rules,
    proxies: settings,
  };
}
