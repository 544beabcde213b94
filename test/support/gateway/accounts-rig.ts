import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { createDispatchReport, type DispatchReport } from '../../../src/accounts/dispatch/dispatch-report.js';
import { UpstreamBreaker } from '../../../src/accounts/dispatch/failures/upstream-breaker.js';
import { UpstreamDispatcher } from '../../../src/accounts/dispatch/upstream-dispatcher.js';
import { UpstreamStatus } from '../../../src/accounts/dispatch/upstream-status.js';
import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { AccountCommands } from '../../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { type AccountStore } from '../../../src/accounts/registry/store/account-store.js';
import { SqliteAccountStore } from '../../../src/accounts/registry/store/sqlite-account-store.js';
import { SingleNodeTenures } from '../../../src/cluster/single-node-tenures.js';
import { type Tenures } from '../../../src/cluster/tenures.js';
import { SqliteAuditLog } from '../../../src/common/audit/sqlite-audit-log.js';
import { Settings } from '../../../src/common/config/settings.js';
import { isApi } from '../../../src/common/config/upstream-kind.js';
import { Database } from '../../../src/common/store/database.js';
import { openSecretBox } from '../../../src/common/store/secret-key.js';
import { Clock, SystemClock } from '../../../src/common/time/clock.js';
import { Random } from '../../../src/common/time/random.js';
import { FlowValve } from '../../../src/upstream/flow-gate.js';
import {
  type AccountSeed,
  type UpstreamBatch,
  type UpstreamDriver,
  type UpstreamEvent,
  type UpstreamRequest,
} from '../../../src/upstream/upstream-driver.js';
import { ScriptedDriver } from '../upstream/scripted-driver.js';

export const REQUEST: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'hello' }], text: 'hello' },
  model: 'm',
  thinking: false,
  params: { temperature: 0.7, topP: 0.9, maxTokens: 100, stop: [] },
};

/** Randomness without jitter. */
class NoRandom extends Random {
  next(): number {
    return 0;
  }
}

/** One request from the view of its caller. */
export interface Call {
  readonly batches: UpstreamBatch[];
  readonly report: DispatchReport;
  readonly flow: FlowValve;
  /** `completed`, or the error; undefined while it runs. */
  outcome: unknown;
  readonly ended: Promise<unknown>;
  /** The caller leaves by its signal. */
  abort(): void;
  unsubscribe(): void;
}

/** The parts of the accounts module, wired by hand over a real store in a temporary folder and a scripted upstream. */
export class AccountsRig {
  private constructor(
    readonly driver: UpstreamDriver,
    readonly clock: Clock,
    readonly settings: Settings,
    readonly database: Database,
    readonly store: AccountStore,
    readonly registry: AccountRegistry,
    readonly commands: AccountCommands,
    readonly health: AccountHealth,
    readonly pool: SessionPool,
    readonly dispatcher: UpstreamDispatcher,
    readonly upstream: UpstreamStatus,
  ) {}

  static async start(
    driver: UpstreamDriver,
    overrides: Partial<Settings> = {},
    clock: Clock = new SystemClock(),
    tenures: Tenures = new SingleNodeTenures(),
  ): Promise<AccountsRig> {
    Logger.overrideLogger(false);
    const folder = overrides.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'accounts-'));
    const settings = Object.assign(new Settings(), { DATA_DIR: folder, ...overrides });
    const random = new NoRandom();
    const database = new Database(settings);
    const store = new SqliteAccountStore(database, openSecretBox(database, undefined));
    const registry = await AccountRegistry.load({ settings, store, clock, driver, tenures });
    const commands = new AccountCommands(registry, driver, new SqliteAuditLog(database, clock), clock);
    const health = new AccountHealth(registry, settings, clock, random);
    const pool = new SessionPool(settings, clock, registry, health, random, driver);
    const breaker = new UpstreamBreaker(isApi(settings));
    const dispatcher = new UpstreamDispatcher(pool, health, breaker, settings, clock, random, tenures);
    return new AccountsRig(
      driver,
      clock,
      settings,
      database,
      store,
      registry,
      commands,
      health,
      pool,
      dispatcher,
      new UpstreamStatus(breaker, clock),
    );
  }

  get folder(): string {
    return this.settings.DATA_DIR;
  }

  call(request: UpstreamRequest = REQUEST): Call {
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const report = createDispatchReport();
    const flow = new FlowValve();
    const call = { batches: [] as UpstreamBatch[], report, flow, outcome: undefined as unknown, ended };
    const end = (outcome: unknown) => {
      call.outcome = outcome;
      resolve(outcome);
    };
    const answer$: Observable<UpstreamBatch> = this.dispatcher.dispatch(request, {
      signal: controller.signal,
      flow,
      report,
    });
    const subscription = answer$.subscribe({
      next: (batch) => call.batches.push(batch),
      error: end,
      complete: () => end('completed'),
    });
    return Object.assign(call, {
      abort: () => controller.abort(),
      unsubscribe: () => subscription.unsubscribe(),
    });
  }

  account(name: string) {
    const account = this.registry.list().find((one) => one.name === name);
    if (!account) {
      throw new Error(`no account ${name}`);
    }
    return account;
  }

  /** Stops everything in the order in which the application does. */
  async close({ keepFolder = false } = {}): Promise<void> {
    this.pool.beforeApplicationShutdown();
    await this.pool.onApplicationShutdown();
    await this.registry.onApplicationShutdown();
    this.database.close();
    if (!keepFolder) {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

/** A rig over accounts named a, b, c, … */
export async function rigOf(
  count: number,
  overrides: Partial<Settings> = {},
  clock?: Clock,
  tenures?: Tenures,
) {
  const seeds = Array.from({ length: count }, (_, at) => ({
    name: String.fromCharCode(97 + at),
    credentials: { user: `user-${at}`, password: `secret-${at}` },
  }));
  const driver = new ScriptedDriver(seeds);
  return { driver, rig: await AccountsRig.start(driver, overrides, clock, tenures) };
}

/** The answer's text. */
export function textOf(batches: readonly UpstreamBatch[]): string {
  return batches
    .flat()
    .map((event: UpstreamEvent) => (event.type === 'text' ? event.text : ''))
    .join('');
}

/** A wall clock and a monotonic clock that only the test moves. */
export class SteppedClock extends Clock {
  wall = Date.UTC(2030, 0, 1);
  passed = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.passed;
  }

  pass(ms: number): void {
    this.wall += ms;
    this.passed += ms;
  }
}

/** One folder of accounts over several starts of the gateway. */
export class AccountsRestarts {
  readonly clock = new SteppedClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  private rig: AccountsRig | undefined;

  /** Stops the last rig, if there is one, and starts another on the same folder. */
  async start(seeds: readonly AccountSeed[], overrides: Partial<Settings> = {}): Promise<AccountsRig> {
    await this.stop();
    this.rig = await AccountsRig.start(
      new ScriptedDriver(seeds),
      { DATA_DIR: this.folder, ...overrides },
      this.clock,
    );
    return this.rig;
  }

  async stop(): Promise<void> {
    await this.rig?.close({ keepFolder: true });
    this.rig = undefined;
  }

  /** Stops, and deletes the folder. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
