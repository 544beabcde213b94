import path from 'node:path';
import { type Settings } from '../../../common/config/settings.js';
import { type PageRules } from './boundary/allowed-reach.js';

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
  /** What pages may reach. */
  readonly rules: PageRules;
  /** Environment of a display, e.g. `{ DISPLAY: ':0' }`, for a browser with a window; only the recipe workbench sets it. */
  readonly display?: Readonly<Record<string, string>>;
  /** Time limit of a start in ms; default 5000. */
  readonly launchTimeoutMs?: number;
}

/** Browser options from the settings. */
export function browserOptions(settings: Settings, rules: PageRules): BrowserOptions {
  return {
    executablePath: settings.BROWSER_EXECUTABLE_PATH,
    wsEndpoint: settings.BROWSER_WS_ENDPOINT,
    noSandbox: settings.BROWSER_NO_SANDBOX,
    profilesFolder: path.resolve(settings.DATA_DIR, 'profiles'),
    rules,
  };
}
