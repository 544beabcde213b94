import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { LogsService } from '../../../src/logs/logs.service.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { type LongestTurn, watchLoop } from '../watch/loop-watch.js';
import { processPace } from '../watch/machine-pace.js';
import { ProcessFaults, ProcessLog } from '../watch/process-watch.js';
import { type TestGateway } from './gateway.js';
import { LogEntries } from './log-entries.js';

const PROBE_EVERY_MS = 100;
/** The first answers of a process take longest. */
const LEAST_PROBES = 5;
/** Time until everything is given back after the last answer. */
const SETTLE_MS = 2000;
/** Half of the answers of `GET /v1/models` must be faster. */
const MODELS_MS = 100;
/** CPU time of one turn of the event loop, in milliseconds. */
const LONGEST_TURN_MS = 250;

export interface InvariantOptions {
  /** Number of configured accounts. */
  readonly accounts: number;
  /** Keys, passwords and cookies; they must appear in no log, entry or body. */
  readonly secrets: readonly string[];
  /** Number of sockets that may stay open in addition to the first ones, e.g. both ends of kept-alive connections. */
  readonly idleSockets?: () => number | Promise<number>;
  /** Numbers of other handles that may stay open, by kind, e.g. those of a browser that was started meanwhile. */
  readonly handles?: Readonly<Record<string, number>>;
  /** Throws if the browser's processes are not as they should be. */
  readonly browsers?: () => Promise<void>;
}

/** The requests and prompts of a scenario, as seen from outside the gateway. */
export interface Scenario {
  /** Completions that were asked for. */
  readonly requests: number;
  /** Most attempts for each of them. */
  readonly attempts: number;
  /** Prompts that the upstream accepted, one entry each time. */
  readonly accepted: readonly string[];
  /** Prompts whose answer a caller saw begin. */
  readonly begun: readonly string[];
}

/**
 * Watches a gateway from the beginning of a scenario and proves at its end that nothing was lost, leaked, hung or
 * disclosed. The file must begin with `@jest-environment ./test/support/gateway/process-environment.mjs`.
 *
 *     const watch = InvariantWatch.begin(gateway, { accounts: 3, secrets: ['the-key'] });
 *     try {
 *       … the scenario; watch.saw(body) for each body a caller received …
 *       const entries = await watch.verify({ requests: 1, attempts: 3, accepted: ['hi'], begun: ['hi'] });
 *     } finally {
 *       await watch.stop();
 *     }
 */
export class InvariantWatch {
  private readonly faults = new ProcessFaults();
  private readonly log = new ProcessLog();
  private readonly loop = watchLoop();
  private readonly resources = countResources();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly stopping = new AbortController();
  private readonly entries: LogEntries;
  private readonly modelsMs: number[] = [];
  private readonly refusals: unknown[] = [];
  private readonly bodies: string[] = [];
  private turn: LongestTurn = { cpuMs: 0, wallMs: 0 };
  private readonly probing: Promise<void>;

  private constructor(
    private readonly gateway: TestGateway,
    private readonly options: InvariantOptions,
  ) {
    this.entries = new LogEntries(gateway.app.get(LogsService));
    this.probing = this.probe();
  }

  static begin(gateway: TestGateway, options: InvariantOptions): InvariantWatch {
    return new InvariantWatch(gateway, options);
  }

  /** Adds a body that a caller received to the texts that are searched for secrets. */
  saw(body: string): void {
    this.bodies.push(body);
  }

  /** Checks everything and stops watching. Returns the scenario's log entries, oldest first. */
  async verify(scenario: Scenario): Promise<readonly RequestLogEntry[]> {
    const endedAt = performance.now();
    await eventually(PATIENCE_MS, () => this.expectAllGivenBack());
    const entries = await eventually(PATIENCE_MS, () => this.expectLogged(scenario));
    await processPace.expectWithin(performance.now() - endedAt, SETTLE_MS);
    expectPrompts(scenario);
    while (this.modelsMs.length < LEAST_PROBES) {
      await this.timeModels();
    }
    await this.stop();
    await this.expectResourcesBack();
    await this.options.browsers?.();
    await this.expectResponsive();
    this.expectNoSecret();
    expect(this.faults.seen).toEqual([]);
    return entries;
  }

  /** Stops watching, also after a scenario that failed. Further calls do nothing. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) {
      return;
    }
    this.stopping.abort();
    await this.probing;
    this.turn = this.loop.stop();
    this.agent.destroy();
    this.faults.stop();
    this.log.stop();
  }

  /** No lease, nobody waiting, and every account in a state that the operator can read. */
  private expectAllGivenBack(): void {
    const { leases, waiting, accounts } = this.gateway.app.get(SessionPool).stats();
    const states = this.gateway.app
      .get(AccountRegistry)
      .list()
      .map((account) => account.stateAt(performance.now()));
    expect({ leases, waiting, held: Object.keys(accounts).length, accounts: states.length }).toEqual({
      leases: 0,
      waiting: 0,
      held: this.options.accounts,
      accounts: this.options.accounts,
    });
  }

  /** Each request has exactly one entry, and each entry an outcome. */
  private expectLogged({ requests }: Scenario): readonly RequestLogEntry[] {
    const entries = this.entries.all.filter(({ path }) => path === '/v1/chat/completions');
    expect(entries.filter(({ outcome }) => outcome === 'pending')).toEqual([]);
    expect(entries.length).toBe(requests);
    return entries.sort((a, b) => a.startedAt - b.startedAt);
  }

  private async expectResourcesBack(): Promise<void> {
    // Connections are kept alive for a while.
    await eventually(PATIENCE_MS, async () => {
      const idle = (await this.options.idleSockets?.()) ?? 0;
      const now = countResources();
      const grown = Object.entries(now).filter(([kind, count]) => {
        const spare = kind === 'TCPSocketWrap' ? idle : (this.options.handles?.[kind] ?? 0);
        return count > (this.resources[kind] ?? 0) + spare;
      });
      expect(grown).toEqual([]);
    });
  }

  private async expectResponsive(): Promise<void> {
    const sorted = this.modelsMs.sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    expect(this.refusals).toEqual([]);
    await processPace.expectWithin(median, MODELS_MS);
    // By the pace of processes: where the machine is virtual, time that its host takes away counts as CPU time.
    await processPace.expectWithin(this.turn.cpuMs, LONGEST_TURN_MS);
  }

  private expectNoSecret(): void {
    // Otherwise no log was captured that could hold a secret.
    expect(this.log.text).toContain('request finished');
    const places = {
      log: this.log.text,
      entries: JSON.stringify(this.entries.all),
      bodies: this.bodies.join('\n'),
    };
    for (const [place, text] of Object.entries(places)) {
      const found = this.options.secrets.filter((secret) => text.includes(secret));
      expect({ place, found }).toEqual({ place, found: [] });
    }
  }

  /** Times `GET /v1/models` every 100 ms. */
  private async probe(): Promise<void> {
    const { signal } = this.stopping;
    do {
      await this.timeModels();
      await pause(PROBE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
  }

  private async timeModels(): Promise<void> {
    const began = performance.now();
    const status = await this.modelsStatus().catch((error: unknown) => error);
    this.modelsMs.push(performance.now() - began);
    if (status !== 200) {
      this.refusals.push(status);
    }
  }

  private modelsStatus(): Promise<number | undefined> {
    const { API_KEY } = this.gateway.settings;
    const headers = API_KEY === '' ? {} : { authorization: `Bearer ${API_KEY}` };
    return new Promise((resolve, reject) => {
      const request = get(`${this.gateway.baseUrl}/models`, { agent: this.agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection in the moment in which it is used again.
        if (request.reusedSocket && error.code === 'ECONNRESET') {
          this.modelsStatus().then(resolve, reject);
        } else {
          reject(error);
        }
      });
    });
  }
}

/** No more prompts than allowed attempts, and exactly one for each answer that a caller saw begin. */
function expectPrompts({ requests, attempts, accepted, begun }: Scenario): void {
  expect(accepted.length).toBeLessThanOrEqual(requests * attempts);
  const times = begun.map((prompt) => accepted.filter((other) => other === prompt).length);
  expect(times).toEqual(begun.map(() => 1));
}

/** Open handles by kind, e.g. `TCPSocketWrap`. */
function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
