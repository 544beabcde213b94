import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, tap } from 'rxjs';
import { Settings } from '../../../src/common/config/settings.js';
import { SystemClock } from '../../../src/common/time/clock.js';
import { SandboxSite, type SandboxSiteOptions } from '../../../src/sandbox/sandbox-site.js';
import { FlowValve } from '../../../src/upstream/flow-gate.js';
import { type SendPermit } from '../../../src/upstream/send-permit.js';
import {
  type PromptImage,
  type UpstreamAccount,
  type UpstreamEvent,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../../src/upstream/upstream-driver.js';
import { loadRecipe } from '../../../src/upstream/web/recipe/recipe-loader.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { WebDriver } from '../../../src/upstream/web/web-driver.js';
import { type WebLimits } from '../../../src/upstream/web/web-limits.js';

/** An account whose saved login state the test can see. */
export interface TestAccount extends UpstreamAccount {
  state: string | undefined;
}

export interface WebSiteOptions extends SandboxSiteOptions {
  readonly settings?: Partial<Settings>;
  /** Changes the sandbox recipe. */
  readonly adapt?: (recipe: SiteRecipe) => SiteRecipe;
}

/** The sandbox site and a web driver that drives it with a real browser. */
export class WebSite {
  readonly logLines: string[] = [];
  private readonly drivers: WebDriver[] = [];

  private constructor(
    readonly site: SandboxSite,
    readonly origin: string,
    readonly settings: Settings,
    private readonly recipe: SiteRecipe,
  ) {}

  static async start({ settings, adapt, ...options }: WebSiteOptions = {}): Promise<WebSite> {
    const site = new SandboxSite(options);
    const recipe = await loadRecipe('recipes/sandbox.json', ['site.origin']);
    const folder = await mkdtemp(join(tmpdir(), 'gateway-web-'));
    // Root's browser runs as another user, who must get at its profile.
    await chmod(folder, 0o711);
    return new WebSite(
      site,
      await site.start(),
      Object.assign(new Settings(), {
        DATA_DIR: folder,
        BROWSER_EXECUTABLE_PATH: process.env.BROWSER_EXECUTABLE_PATH,
        UPSTREAM_FIRST_BYTE_MS: 10_000,
        UPSTREAM_IDLE_MS: 10_000,
        ...settings,
      }),
      adapt ? adapt(recipe) : recipe,
    );
  }

  /**
   * A driver for the site; several may live side by side.
   * @param limits that it is to keep in place of the usual ones
   */
  driver(
    adapt: (recipe: SiteRecipe) => SiteRecipe = (recipe) => recipe,
    limits: Partial<WebLimits> = {},
  ): WebDriver {
    const driver = new WebDriver({
      recipe: adapt(this.recipe),
      variables: { 'site.origin': this.origin, 'site.origin.socket': this.origin.replace('http', 'ws') },
      settings: this.settings,
      clock: new SystemClock(),
      log: (line) => this.logLines.push(line),
      limits,
    });
    this.drivers.push(driver);
    return driver;
  }

  /** One of the site's accounts; 0 is the first. */
  account(index = 0): TestAccount {
    const { name, password } = this.site.accounts[index] ?? { name: '', password: '' };
    const account: TestAccount = {
      id: name,
      name,
      login: 0,
      credentials: { user: name, password },
      state: undefined,
      loadState: () => Promise.resolve(account.state),
      saveState: (state) => (account.state = state),
    };
    return account;
  }

  async close(): Promise<void> {
    await Promise.all(this.drivers.map((driver) => driver.close()));
    await this.site.close();
    await rm(this.settings.DATA_DIR, { recursive: true, force: true });
  }

  /** For tests that run at once: `await using web = await WebSite.start()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export interface AskOptions {
  readonly model?: string;
  readonly thinking?: boolean;
  readonly images?: readonly PromptImage[];
  readonly signal?: AbortSignal;
  readonly flow?: FlowValve;
  readonly permit?: SendPermit;
  readonly mayRepeat?: () => boolean;
  readonly onEvent?: (event: UpstreamEvent) => void;
}

export interface Answer {
  readonly events: UpstreamEvent[];
  readonly text: string;
  readonly reasoning: string;
  readonly error: unknown;
}

export function requestOf(
  text: string,
  { model = 'svc-max', thinking = true, images = [] }: AskOptions = {},
): UpstreamRequest {
  return {
    prompt: { messages: [{ role: 'user', content: text }], text, images },
    model,
    thinking,
    params: { temperature: 0.7, topP: 0.9, maxTokens: 1000, stop: [] },
  };
}

/** Sends one prompt and collects everything that comes. Never rejects: an error is part of the answer. */
export async function ask(session: UpstreamSession, text: string, options: AskOptions = {}): Promise<Answer> {
  const { permit, mayRepeat, onEvent } = options;
  const { signal = new AbortController().signal, flow = new FlowValve() } = options;
  const events: UpstreamEvent[] = [];
  let error: unknown;
  try {
    const answer = session.send(requestOf(text, options), { signal, flow, permit, mayRepeat }).pipe(
      tap((batch) => {
        for (const event of batch) {
          events.push(event);
          onEvent?.(event);
        }
      }),
    );
    await lastValueFrom(answer, { defaultValue: [] });
  } catch (caught) {
    error = caught;
  }
  const join = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return { events, text: join('text'), reasoning: join('reasoning'), error };
}
