import { expect } from '@jest/globals';
import { type BrowserContext, type JSHandle, type Page } from 'puppeteer';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { PageBrowser } from './page-browser.js';

export interface PageOptions {
  /** The page of the dashboard with its query, e.g. `/logs?q=x`; the overview by default. */
  readonly path?: string;
  /** Stored in the session before the page loads; without one the page prompts for it. */
  readonly key?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** A page of the same visitor, in whose browser this is one more tab. */
  readonly beside?: Page;
  /** Whether the browser has no shared workers; requests of such a worker are not seen by the page's interception. */
  readonly isWithoutWorkers?: boolean;
}

/** A browser for the dashboard that records the faults of its pages. */
export class DashboardBrowser {
  /** Script errors, violations of the content policy, dialogs, and requests to other origins. */
  readonly faults: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: PageBrowser) {}

  static async start(): Promise<DashboardBrowser> {
    return new DashboardBrowser(await PageBrowser.start());
  }

  /** Opens a page of the dashboard, as a new visitor unless it is `beside` another. */
  async open(origin: string, options: PageOptions = {}): Promise<Page> {
    const { path = '', key, theme = 'light', width = 1280 } = options;
    const context = options.beside?.browserContext() ?? (await this.newVisitor());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await this.watch(page, origin);
    if (key !== undefined) {
      await page.evaluateOnNewDocument(`sessionStorage.setItem('gateway-key', ${JSON.stringify(key)})`);
    }
    if (options.isWithoutWorkers) {
      await page.evaluateOnNewDocument('delete window.SharedWorker');
    }
    await page.goto(`${origin}/dashboard${path}`, { waitUntil: 'load' });
    return page;
  }

  /** Closes every page. */
  async leave(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.leave();
    await this.browser.close();
  }

  private async newVisitor(): Promise<BrowserContext> {
    const context = await this.browser.newVisitor();
    this.contexts.push(context);
    return context;
  }

  private async watch(page: Page, origin: string): Promise<void> {
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|refused to|violates/i.test(message.text())) {
        this.faults.push(message.text());
      }
    });
    page.on('dialog', (dialog) => {
      // A page with unsaved changes may ask before it is left.
      if (dialog.type() !== 'beforeunload') {
        this.faults.push(`${dialog.type()}: ${dialog.message()}`);
      }
      void dialog.accept();
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) {
        this.faults.push(`request to ${url}`);
      }
    });
    await page.exposeFunction('noteViolation', (text: string) => this.faults.push(text));
    await page.evaluateOnNewDocument(`
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        noteViolation('policy: ' + violatedDirective + ' ' + blockedURI));
    `);
  }
}

/** The value of an expression in the page. */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(expression)) as T;
}

/** Visible text of the first matching element, white space collapsed; '' without one. */
export async function textOf(page: Page, selector: string): Promise<string> {
  const text = await inPage<string>(
    page,
    `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`,
  );
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Waits until an element shows a text; the error contains the text shown instead. */
export async function seeText(page: Page, selector: string, text: string): Promise<void> {
  await eventually(PATIENCE_MS, async () => {
    expect(await textOf(page, selector)).toContain(text);
  });
}

/** Clicks the first element with this text within another one. */
export function press(page: Page, within: string, text: string): Promise<void> {
  return click(page, `${within} ::-p-text(${text})`);
}

/**
 * Clicks the first element that matches. A click that meets another place, because the page has just moved, is kept from
 * the page and tried again.
 */
export async function click(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).setTimeout(PATIENCE_MS);
  await eventually(PATIENCE_MS, async () => {
    const target = (await control.waitHandle()) as JSHandle<PageElement>;
    const guard = await target.evaluateHandle(guardClick);
    await control.click();
    // A page that was left by the click has lost the guard.
    const hasHit = await guard.evaluate((end) => end()).catch(() => true);
    expect([selector, hasHit]).toEqual([selector, true]);
  });
}

interface PressEvent {
  readonly type: string;
  readonly target: unknown;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

interface PageWindow {
  addEventListener(type: string, listener: (event: PressEvent) => void, isCapture: true): void;
  removeEventListener(type: string, listener: (event: PressEvent) => void, isCapture: true): void;
}

interface PageElement {
  readonly ownerDocument: { readonly defaultView: PageWindow };
  contains(other: unknown): boolean;
}

/**
 * Keeps what is pressed outside an element from its page, until the returned function is called, which tells whether the
 * element was clicked. Runs in the page.
 */
function guardClick(element: PageElement): () => boolean {
  const window = element.ownerDocument.defaultView;
  const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  let hasHit = false;
  const onPress = (event: PressEvent): void => {
    // A label passes its click on to its control.
    if (!hasHit && !element.contains(event.target)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === 'click') {
      hasHit = true;
    }
  };
  for (const type of types) {
    window.addEventListener(type, onPress, true);
  }
  return () => {
    for (const type of types) {
      window.removeEventListener(type, onPress, true);
    }
    return hasHit;
  };
}
