import { type BrowserContext, type Cookie, type Page } from 'puppeteer';
import { z } from 'zod';
import { notedMarks } from '../capture/earlier-prompts.js';
import { type DumpedDatabases, dumpExpression, fillDatabases } from './database-functions.js';
import { type SavedDatabases, savedDatabases } from './saved-databases.js';

/** Most characters of JSON that are kept of one database: a login is small, what is larger are conversations. */
const MAX_DATABASE_CHARS = 256 * 1024;
const READ_LIMIT_MS = 3000;

/**
 * Cookies, storage and databases of a logged-in account, kept encrypted in the store and restored in each new context;
 * and the marks of prompts that may stand there.
 */
const loginState = z.object({
  cookies: z.array(z.record(z.string(), z.unknown())),
  /** Entries of local storage by origin. */
  storage: z.record(z.string(), z.record(z.string(), z.string())),
  /** Entries of session storage by origin, which belongs to a tab: each page gets them. */
  tab: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  databases: savedDatabases.default({}),
  /** Missing in states of earlier releases; no login is lost for them. */
  earlier: notedMarks.catch([]),
});

declare const location: { origin: string };

export type LoginState = z.output<typeof loginState>;
type Entries = Record<string, string>;

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
  const [cookies, databases, { origin, storage, tab }] = await Promise.all([
    context.cookies(),
    readDatabases(page),
    page.evaluate(() => ({
      origin: location.origin,
      storage: { ...localStorage },
      tab: { ...sessionStorage },
    })) as Promise<{ origin: string; storage: Entries; tab: Entries }>,
  ]);
  const ofOrigin = (entries: Entries): Record<string, Entries> =>
    Object.keys(entries).length === 0 ? {} : { [origin]: entries };
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    storage: ofOrigin(storage),
    tab: ofOrigin(tab),
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
 * Restores storage in every document that this page loads from now on. The returned function ends this; it is to be called
 * after the first document, since the site's own changes count from then on.
 * @param tab what the login left in its tab
 * @param state what all pages of a context share, for the first of them
 */
export async function restoreStorage(
  page: Page,
  tab: LoginState['tab'],
  state?: LoginState,
): Promise<() => Promise<void>> {
  const scripts = await Promise.all([
    ...(Object.keys(tab).length > 0 ? [page.evaluateOnNewDocument(fillTab, tab)] : []),
    ...(state
      ? [
          page.evaluateOnNewDocument(fillStorage, state.storage),
          page.evaluateOnNewDocument(fillDatabases, state.databases),
        ]
      : []),
  ]);
  return async () => {
    await Promise.all(scripts.map(({ identifier }) => page.removeScriptToEvaluateOnNewDocument(identifier)));
  };
}

/** Runs inside the page. */
function fillStorage(storage: LoginState['storage']): void {
  for (const [key, value] of Object.entries(storage[location.origin] ?? {})) {
    localStorage.setItem(key, value);
  }
}

/** Runs inside the page. What is there is the tab's own, and later. */
function fillTab(tab: LoginState['tab']): void {
  for (const [key, value] of Object.entries(tab[location.origin] ?? {})) {
    if (sessionStorage.getItem(key) === null) {
      sessionStorage.setItem(key, value);
    }
  }
}

/** Reads the databases of a page's origin; large ones are left out. */
async function readDatabases(page: Page): Promise<SavedDatabases> {
  const dumped = await page.evaluate(dumpExpression(MAX_DATABASE_CHARS, READ_LIMIT_MS));
  const { origin, databases } = dumped as DumpedDatabases;
  return databases.length === 0 ? {} : { [origin]: databases };
}
