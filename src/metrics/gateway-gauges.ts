import { Counter, Gauge, type Registry } from 'prom-client';
import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { type HeldState } from '../accounts/registry/account-states.js';
import { type LogStats } from '../logs/store/log-store.js';

/** Sources of the gauges, read at each scrape. */
export interface GaugeSources {
  /** Number of running completions. */
  running(): number;
  pool(): Omit<PoolStats, 'accounts'>;
  accounts(): Readonly<Record<HeldState, number>>;
  log(): LogStats;
  /** Requests of strangers since the start. */
  strangers(): number;
}

/** Registers gauges that are computed at each scrape. */
export function addGauges(registry: Registry, sources: GaugeSources): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };
  gauge('gateway_requests_running', 'Completion requests under way.', () => sources.running());
  gauge('gateway_pool_sessions', 'Open sessions, idle or lent.', () => sources.pool().sessions);
  gauge('gateway_pool_idle_sessions', 'Open sessions that nobody uses.', () => sources.pool().idle);
  gauge('gateway_pool_opening_sessions', 'Sessions that are being opened.', () => sources.pool().opening);
  gauge('gateway_pool_leases', 'Sessions lent to requests.', () => sources.pool().leases);
  gauge('gateway_pool_waiting_requests', 'Requests that wait for a session.', () => sources.pool().waiting);
  gauge('gateway_log_records', 'Records in the log store.', () => sources.log().entries);
  gauge('gateway_log_size_bytes', 'Size of the log store on the disk.', () => sources.log().bytes);
  const counter = (name: string, help: string, value: () => number): void => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  counter(
    'gateway_log_records_dropped_total',
    'Log records that could not be stored and are lost.',
    () => sources.log().dropped,
  );
  counter(
    'gateway_refused_strangers_total',
    'Requests without a valid key, or from a host or page that is not allowed; only a sample of them is logged.',
    () => sources.strangers(),
  );
  new Gauge({
    name: 'gateway_accounts',
    help: 'Accounts by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(sources.accounts())) {
        this.set({ state }, count);
      }
    },
  });
}
