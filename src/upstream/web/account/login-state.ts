import { type BrowserContext, type Cookie, type Page } from 'puppeteer';
import { z } from 'zod';
import { fillDatabases } from './database-functions.js';
import { readDatabases, savedDatabases } from './saved-databases.js';

/** Cookies, local storage and databases of a logged-in account, kept encrypted in the store and restored in each new context. */
const loginState = z.object({
  cookies: z.array(z.record(z.string(), z.unknown())),
  /** Entries of local storage by origin. */
  storage: z.record(z.string(), z.record(z.string(), z.string())),
  databases: savedDatabases.default({}),
});

declare const location: { origin: string };

export type LoginState = z.output<typeof loginState>;

/** The saved state; undefined if there is none or it cannot be read, so that the account logs in again. */
export function parseLoginState(text: string | undefined): LoginState | undefined {
  if (text === undefined) {
    return undefined;
  }
  try {
    return loginState.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads the state of a logged-in page. */
export async function readLoginState(context: BrowserContext, page: Page): Promise<LoginState> {
  const [cookies, databases, entries] = await Promise.all([
    context.cookies(),
    readDatabases(page),
    page.evaluate(() => ({ origin: location.origin, entries: { ...localStorage } })),
  ]);
  const { origin, entries: stored } = entries as { origin: string; entries: Record<string, string> };
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    storage: Object.keys(stored).length === 0 ? {} : { [origin]: stored },
    databases,
  };
}

/** Puts the cookies of a state into a context. */
export async function restoreCookies(context: BrowserContext, state: LoginState): Promise<void> {
  const cookies = state.cookies as unknown as Cookie[];
  if (cookies.length > 0) {
    await context.setCookie(...cookies);
  }
}

/**
 * Restores local storage and databases in every document that this page loads from now on. The returned function ends
 * this; it is to be called after the first document, since the site's own changes count from then on.
 */
export async function restoreStorage(page: Page, state: LoginState): Promise<() => Promise<void>> {
  const { identifier } = await page.evaluateOnNewDocument((storage: LoginState['storage']) => {
    for (const [key, value] of Object.entries(storage[location.origin] ?? {})) {
      localStorage.setItem(key, value);
    }
  }, state.storage);
  const filling = await page.evaluateOnNewDocument(fillDatabases, state.databases);
  return async () => {
    await page.removeScriptToEvaluateOnNewDocument(identifier);
    await page.removeScriptToEvaluateOnNewDocument(filling.identifier);
  };
}
