import { access } from 'node:fs/promises';
import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { AccountCommands } from '../../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';
import { type PromptRecord } from '../../../src/sandbox/state/sandbox-records.js';
import { SandboxDriver } from '../../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../../src/upstream/upstream-driver.js';
import { type BrowserFleet } from '../../../src/upstream/web/browser/browser-fleet.js';
import { startGateway, type TestGateway } from '../gateway/gateway.js';
import { InvariantWatch } from '../gateway/invariants.js';
import { type Received, StreamCaller } from '../gateway/stream-caller.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { browserPace } from '../watch/machine-pace.js';
import { childBrowsers, survivors } from './child-browsers.js';

/** Silence of the upstream that is allowed, on a quiet machine. */
const IDLE_MS = 2000;
const SHORT: Partial<Settings> = {
  RETRY_BASE_DELAY_MS: 50,
  RETRY_MAX_DELAY_MS: 200,
  RATE_LIMIT_COOLDOWN_MS: 2000,
  WAIT_FOR_COOLDOWN_MS: 0,
  DRAIN_MS: 1000,
};
/** The browser's to the site and the callers' to the gateway, both ends; they are kept alive for a while. */
const IDLE_SOCKETS = 40;

/** Handles of a browser in the gateway's process: its boundary has a proxy, and one for each of three accounts. */
export const BROWSER_HANDLES = { ProcessWrap: 1, PipeWrap: 5, TCPServerWrap: 4 };

/** Action of a test against processes, with its time. */
export interface Strike {
  readonly at: number;
  readonly pids: readonly number[];
}

/** The whole gateway before its sandbox site, with real browsers that a test may harm. */
export class BrowserGateway {
  readonly driver: SandboxDriver;
  readonly pool: SessionPool;
  readonly registry: AccountRegistry;
  private readonly callers: StreamCaller[] = [];
  private readonly profiles = new Set<string>();

  private constructor(readonly gateway: TestGateway) {
    const driver = gateway.app.get(UpstreamDriver);
    if (!(driver instanceof SandboxDriver)) {
      throw new Error('These tests look into the sandbox.');
    }
    this.driver = driver;
    this.pool = gateway.app.get(SessionPool);
    this.registry = gateway.app.get(AccountRegistry);
  }

  static async start(settings: Partial<Settings> = {}): Promise<BrowserGateway> {
    const idleMs = Math.round(IDLE_MS * (await browserPace.factor()));
    const silence = { UPSTREAM_FIRST_BYTE_MS: 2 * idleMs, UPSTREAM_IDLE_MS: idleMs };
    return new BrowserGateway(await startGateway({ ...SHORT, ...silence, ...settings }));
  }

  /** Silence of the upstream after which an answer is given up; longer than usual on a busy machine. */
  get idleMs(): number {
    return this.gateway.settings.UPSTREAM_IDLE_MS;
  }

  get site(): SandboxDriver['sandbox'] {
    return this.driver.sandbox;
  }

  /**
   * Waits until every account that may be used now holds a session, logged in. For a gateway that has just started:
   * after the loss of a browser only `POOL_MIN_SESSIONS` are opened again by themselves.
   */
  async ready(): Promise<void> {
    await eventually(PATIENCE_MS, () => {
      const { accounts } = this.pool.stats();
      const cold = this.registry
        .list()
        .filter(
          (account) => account.stateAt(performance.now()) === 'ready' && !accounts[account.id]?.sessions,
        );
      if (cold.length > 0) {
        const pools = cold.map(({ id, name }) => `${name} ${JSON.stringify(accounts[id])}`);
        throw new Error(`Without a session: ${pools.join(', ')}`);
      }
    });
  }

  /** Only the first account is left in use. */
  async useOneAccount(): Promise<void> {
    for (const { id } of this.registry.list().slice(1)) {
      await this.gateway.app.get(AccountCommands).disable(null, id);
    }
    await this.ready();
    await eventually(PATIENCE_MS, () => {
      if (this.pool.stats().sessions !== 1) {
        throw new Error('Sessions of other accounts are left.');
      }
    });
  }

  /**
   * Runs a scenario and proves the invariants after it. Returns the log entries of its requests, oldest first.
   * @param handles those that may be open at its end besides those at its beginning
   */
  async scenario(
    run: () => Promise<void>,
    handles: Readonly<Record<string, number>> = {},
  ): Promise<readonly RequestLogEntry[]> {
    const watch = InvariantWatch.begin(this.gateway, {
      accounts: this.site.accounts.length,
      secrets: this.site.accounts.map(({ password }) => password),
      idleSockets: () => IDLE_SOCKETS,
      handles,
      browsers: () => this.expectSoundBrowsers(),
    });
    try {
      await run();
      const received = await Promise.all(this.callers.map(({ ended }) => ended));
      received.forEach(({ text }) => watch.saw(text));
      return await watch.verify({
        requests: this.callers.length,
        attempts: this.gateway.settings.RETRY_MAX_ATTEMPTS,
        accepted: this.site.records.filter(({ piecesSent }) => piecesSent > 0).map(promptOf),
        begun: this.callers.filter((_, at) => received[at]?.answer).map(({ prompt }) => prompt),
      });
    } finally {
      await watch.stop();
    }
  }

  /** Asks for a streamed completion. The prompt gets a number, so that no two are the same. */
  ask(prompt: string): StreamCaller {
    const caller = new StreamCaller(this.gateway.baseUrl, `${prompt} #${this.callers.length}`);
    this.callers.push(caller);
    return caller;
  }

  /** Asks for so many endless answers and waits until each has begun. */
  async streams(count: number): Promise<StreamCaller[]> {
    const callers = Array.from({ length: count }, () => this.ask('[[chunks:5000x10ms]]'));
    await Promise.all(callers.map((caller) => caller.began));
    return callers;
  }

  /** The site's record of a caller's prompt. */
  record({ prompt }: StreamCaller): Promise<PromptRecord> {
    return this.site.whenRecord((record) => promptOf(record) === prompt, AbortSignal.timeout(PATIENCE_MS));
  }

  /** The log entry of an answer. */
  entry({ headers }: Pick<Received, 'headers'>): RequestLogEntry | undefined {
    return this.gateway.entries.of(headers.get('x-request-id'));
  }

  /** Keeps the main thread of every page of the site busy for good. */
  async loopInPages(): Promise<Strike> {
    await this.closeBlankPage();
    const { browser } = await this.browser();
    const pages = await browser.pages();
    const pids = await this.pidsOf('renderer');
    const at = performance.now();
    await Promise.all(pages.map((page) => page.evaluate('void setTimeout(() => { for (;;) {} })')));
    return { at, pids };
  }

  /**
   * Sends a signal to every browser process of one type; `renderer` means those with pages of the site, `utility` the
   * network service.
   */
  async strike(type: 'browser' | 'renderer' | 'utility', signal: NodeJS.Signals): Promise<Strike> {
    if (type === 'renderer') {
      await this.closeBlankPage();
    }
    const pids = await this.pidsOf(type);
    const at = performance.now();
    pids.forEach((pid) => process.kill(pid, signal));
    return { at, pids };
  }

  /**
   * Closes the empty page that every browser starts with, so that all renderers are those of the site. Nothing about a
   * process tells it apart: it may have been started before or after those of the first accounts.
   */
  private async closeBlankPage(): Promise<void> {
    const { browser } = await this.browser();
    const blank = await browser.defaultBrowserContext().pages();
    const before = await this.pidsOf('renderer');
    await Promise.all(blank.map((page) => page.close()));
    await eventually(PATIENCE_MS, async () => {
      const left = await survivors(before);
      if (left.length !== before.length - blank.length) {
        throw new Error(`${left.length} of ${before.length} renderers after ${blank.length} closed pages`);
      }
    });
  }

  private browser(): ReturnType<BrowserFleet['browser']> {
    const { fleet } = this.driver as unknown as { fleet: BrowserFleet };
    return fleet.browser('');
  }

  private async pidsOf(type: string): Promise<number[]> {
    const { processes, profiles } = await childBrowsers(process.pid);
    profiles.forEach((profile) => this.profiles.add(profile));
    return processes.filter((one) => one.type === type).map(({ pid }) => pid);
  }

  /**
   * Milliseconds from a moment until all these accounts have answered again. Every completion on the way must
   * succeed: nobody is to notice the repair.
   */
  async reusable(accounts: readonly (string | undefined)[], from: number): Promise<number> {
    const missing = new Set(accounts);
    for (let tries = 0; tries < 20; tries++) {
      const caller = this.ask('[[say:back]]');
      const { status, answer, text, endedAt } = await caller.ended;
      if (status !== 200 || answer !== 'back') {
        throw new Error(`Not usable again: ${status} ${text}`);
      }
      missing.delete((await this.record(caller)).account);
      if (missing.size === 0) {
        return endedAt - from;
      }
    }
    throw new Error(`${[...missing].join(', ')}: not back`);
  }

  /** Stops it, and rejects if anything of its browsers is left then: a process or a profile. */
  async close(): Promise<void> {
    const { processes, profiles } = await childBrowsers(process.pid);
    profiles.forEach((profile) => this.profiles.add(profile));
    await this.gateway.close();
    await gone(
      processes.map(({ pid }) => pid),
      2000,
    );
    for (const profile of this.profiles) {
      if (
        await access(profile).then(
          () => true,
          () => false,
        )
      ) {
        throw new Error(`${profile} is left`);
      }
    }
  }

  private async expectSoundBrowsers(): Promise<void> {
    await eventually(PATIENCE_MS, async () => {
      const { processes } = await childBrowsers(process.pid);
      const count = processes.filter(({ type }) => type === 'browser').length;
      const unsound = processes.filter(({ state }) => 'TZ'.includes(state));
      const expected = this.gateway.settings.BROWSER_WS_ENDPOINT ? 0 : 1;
      if (count !== expected || unsound.length > 0) {
        throw new Error(`${count} browsers; stopped or zombies: ${JSON.stringify(unsound)}`);
      }
    });
  }
}

/** Short prompts are kept whole. */
function promptOf({ promptTail }: PromptRecord): string {
  return promptTail;
}

/** Waits until none of the processes is left; returns how many milliseconds it took. Rejects if that is too long. */
export async function gone(pids: readonly number[], limitMs: number): Promise<number> {
  const from = performance.now();
  await eventually(PATIENCE_MS, async () => {
    const left = await survivors(pids);
    if (left.length > 0) {
      throw new Error(`Still there: ${JSON.stringify(left)}`);
    }
  });
  const tookMs = performance.now() - from;
  await browserPace.expectWithin(tookMs, limitMs);
  return tookMs;
}

/** One line of measured times on the test's output. */
export function report(scenario: string, times: Readonly<Record<string, number>>): void {
  const parts = Object.entries(times).map(([what, ms]) => `${what} ${Math.round(ms)} ms`);
  process.stdout.write(`${scenario}: ${parts.join('; ')}\n`);
}
