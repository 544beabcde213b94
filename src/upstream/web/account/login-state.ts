import { type BrowserContext, type Cookie, type Page } from 'puppeteer';
import { z } from 'zod';
import { notedMarks } from '../capture/earlier-prompts.js';
import { dumpDatabases, fillDatabases } from './database-functions.js';
import { type SavedDatabases, savedDatabases } from './saved-databases.js';

/** Most characters of JSON that are kept of one database: a login is small, what is larger are conversations. */
const MAX_DATABASE_CHARS = 256 * 1024;
const READ_LIMIT_MS = 3000;

/**
 * Cookies, local storage and databases of a logged-in account, kept encrypted in the store and restored in each new context;
 * and the marks of prompts that may stand there.
 */
const loginState = z.object({
  cookies: z.array(z.record(z.string(), z.unknown())),
  /** Entries of local storage by origin. */
  storage: z.record(z.string(), z.record(z.string(), z.string())),
  databases: savedDatabases.default({}),
  /** Missing in states of earlier releases; no login is lost for them. */
  earlier: notedMarks.catch([]),
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
export async function readLoginState(
  context: BrowserContext,
  page: Page,
): Promise<Omit<LoginState, 'earlier'>> {
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

/** Reads the databases of a page's origin; large ones are left out. */
async function readDatabases(page: Page): Promise<SavedDatabases> {
  const { origin, databases } = await page.evaluate(dumpDatabases, READ_LIMIT_MS);
  const small = databases.filter((database) => JSON.stringify(database).length <= MAX_DATABASE_CHARS);
  return small.length === 0 ? {} : { [origin]: small };
}
