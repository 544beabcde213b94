import { Counter, Gauge, type Registry } from 'prom-client';
import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { type HeldState } from '../accounts/registry/account-states.js';
import { type Readiness } from '../health/readiness.service.js';
import { type LogStats } from '../logs/store/log-store.js';
import { BoundedLabel } from './bounded-label.js';

/** What this process has counted of one account. */
export interface AccountCounts {
  readonly name: string;
  readonly requests: number;
  readonly failures: number;
  readonly rateLimits: number;
}

/** Sources of the gauges, read at each scrape. */
export interface GaugeSources {
  readonly readiness: () => Readiness;
  /** Number of parts that are out while requests can be served. */
  readonly lostBrowsers: () => number;
  /** Number of running completions. */
  readonly running: () => number;
  readonly pool: () => Omit<PoolStats, 'accounts'>;
  readonly accounts: () => Readonly<Record<HeldState, number>>;
  readonly accountCounts: () => readonly AccountCounts[];
  /** Sessions opened since the start. */
  readonly sessionsOpened: () => number;
  /** Logins lost or failed since the start, by fault. */
  readonly loginFailures: () => ReadonlyMap<string, number>;
  readonly log: () => LogStats;
  /** Requests of strangers since the start. */
  readonly strangers: () => number;
}

type Source = (sources: GaugeSources) => number;

const GAUGES: readonly (readonly [name: string, help: string, value: Source])[] = [
  [
    'gateway_ready',
    'Whether requests can be served, as GET /health/ready says: 1 or 0.',
    ({ readiness }) => Number(readiness() === 'ok'),
  ],
  [
    'gateway_lost_browsers',
    'Remote browsers that cannot be used while others serve, as the status line of the dashboard says.',
    ({ lostBrowsers }) => lostBrowsers(),
  ],
  ['gateway_requests_running', 'Completion requests under way.', ({ running }) => running()],
  ['gateway_pool_sessions', 'Open sessions, idle or leased.', ({ pool }) => pool().sessions],
  ['gateway_pool_idle_sessions', 'Open sessions that nobody uses.', ({ pool }) => pool().idle],
  ['gateway_pool_opening_sessions', 'Sessions that are being opened.', ({ pool }) => pool().opening],
  ['gateway_pool_leases', 'Sessions leased to requests.', ({ pool }) => pool().leases],
  ['gateway_pool_waiting_requests', 'Requests that wait for a session.', ({ pool }) => pool().waiting],
  [
    'gateway_pool_capacity',
    'Most sessions that the accounts which are ready may have at once.',
    ({ pool }) => pool().capacity,
  ],
  ['gateway_log_records', 'Records in the log store.', ({ log }) => log().entries],
  ['gateway_log_size_bytes', 'Size of the log store on the disk.', ({ log }) => log().bytes],
];

const COUNTERS: readonly (readonly [name: string, help: string, value: Source])[] = [
  [
    'gateway_log_records_dropped_total',
    'Log records that could not be stored and are lost.',
    ({ log }) => log().dropped,
  ],
  [
    'gateway_refused_strangers_total',
    'Requests to the API with no valid key, or from a host or page that is not allowed; a sample of them is logged.',
    ({ strangers }) => strangers(),
  ],
  [
    'gateway_sessions_opened_total',
    'Sessions that were opened, each with an account that was logged in.',
    ({ sessionsOpened }) => sessionsOpened(),
  ],
];

const ACCOUNT_COUNTERS: readonly (readonly [
  name: string,
  help: string,
  value: (counts: AccountCounts) => number,
])[] = [
  ['gateway_account_requests_total', 'Prompts sent with an account.', ({ requests }) => requests],
  ['gateway_account_failures_total', 'Prompts of an account that failed.', ({ failures }) => failures],
  ['gateway_account_rate_limits_total', 'Rate limits of an account.', ({ rateLimits }) => rateLimits],
];

/** Registers gauges that are computed at each scrape. */
export function addGauges(registry: Registry, sources: GaugeSources): void {
  const registers = [registry];
  for (const [name, help, value] of GAUGES) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(sources));
      },
    });
  }
  for (const [name, help, value] of COUNTERS) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value(sources));
      },
    });
  }
  addAccountMetrics(registry, sources);
}

/** Registers the metric that tells gateways apart. */
export function addInfo(
  registry: Registry,
  labels: { readonly version: string; readonly provider: string },
): void {
  new Gauge({
    name: 'gateway_info',
    help: 'Always 1; its labels tell which gateway this is.',
    labelNames: ['version', 'provider'],
    registers: [registry],
  }).set(labels, 1);
}

function addAccountMetrics(registry: Registry, sources: GaugeSources): void {
  const registers = [registry];
  const nameOf = new BoundedLabel();
  new Gauge({
    name: 'gateway_accounts',
    help: 'Accounts by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(sources.accounts())) {
        this.set({ state }, count);
      }
    },
  });
  for (const [name, help, value] of ACCOUNT_COUNTERS) {
    /** The counts of the last scrape: what is added since then stays, also when its account is deleted. */
    const before = new Map<string, number>();
    new Counter({
      name,
      help,
      labelNames: ['account'],
      registers,
      collect() {
        const accounts = sources.accountCounts();
        const present = new Set(accounts.map((account) => account.name));
        for (const gone of [...before.keys()].filter((account) => !present.has(account))) {
          before.delete(gone);
          nameOf.free(gone);
          this.remove({ account: gone });
        }
        for (const counts of accounts) {
          const count = value(counts);
          const last = before.get(counts.name) ?? 0;
          before.set(counts.name, count);
          // A smaller count is that of a new account of the same name.
          this.inc({ account: nameOf.of(counts.name) }, count < last ? count : count - last);
        }
      },
    });
  }
  new Counter({
    name: 'gateway_login_failures_total',
    help: 'Logins that were lost or failed, by fault: the word on the card of the account.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      sources.loginFailures().forEach((count, reason) => this.inc({ reason }, count));
    },
  });
}
