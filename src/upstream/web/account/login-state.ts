import { type BrowserContext, type Cookie, type Page } from 'puppeteer';
import { z } from 'zod';

/** What keeps an account logged in: kept (encrypted) in the store and put into each new context. */
const loginState = z.object({
  cookies: z.array(z.record(z.string(), z.unknown())),
  /** Entries of local storage by origin. */
  storage: z.record(z.string(), z.record(z.string(), z.string())),
});

declare const location: { origin: string };

export type LoginState = z.output<typeof loginState>;

/** Undefined if there is none, or it cannot be read; the account then logs in anew. */
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
  const [cookies, entries] = await Promise.all([
    context.cookies(),
    page.evaluate(() => ({ origin: location.origin, entries: { ...localStorage } })),
  ]);
  const { origin, entries: stored } = entries as { origin: string; entries: Record<string, string> };
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    storage: Object.keys(stored).length === 0 ? {} : { [origin]: stored },
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
 * Puts the local storage of a state into the documents that this page loads from now on. Returns a function that ends
 * this, to be called after the first one: later on the site's own changes count.
 */
export async function restoreStorage(page: Page, state: LoginState): Promise<() => Promise<void>> {
  const { identifier } = await page.evaluateOnNewDocument((storage: LoginState['storage']) => {
    for (const [key, value] of Object.entries(storage[location.origin] ?? {})) {
      localStorage.setItem(key, value);
    }
  }, state.storage);
  return () => page.removeScriptToEvaluateOnNewDocument(identifier);
}
