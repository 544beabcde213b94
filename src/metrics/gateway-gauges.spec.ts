import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type Readiness } from '../health/readiness.service.js';
import { addGauges, type GaugeSources } from './gateway-gauges.js';

const SOURCES: GaugeSources = {
  readiness: () => 'ok',
  lostBrowsers: () => 19,
  running: () => 1,
  pool: () => ({ sessions: 2, idle: 3, opening: 4, leases: 5, waiting: 6, capacity: 13 }),
  accountCounts: () => [{ name: 'one', requests: 14, failures: 15, rateLimits: 16 }],
  sessionsOpened: () => 17,
  loginFailures: () => new Map([['login_wall', 18]]),
  accounts: () => ({ ready: 7, cooldown: 8, login_required: 9, disabled: 0 }),
  log: () => ({ dropped: 3, entries: 10, bytes: 11, isHealthy: true }),
  strangers: () => 12,
};

/** The lines of the metrics whose names begin as given. */
async function lines(registry: Registry, start = ''): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && line.startsWith(start));
}

describe('addGauges', () => {
  it('reads the sources at each scrape', async () => {
    const registry = new Registry();
    let dropped = 3;
    let readiness: Readiness = 'ok';
    addGauges(registry, {
      ...SOURCES,
      readiness: () => readiness,
      log: () => ({ ...SOURCES.log(), dropped }),
    });
    expect(await lines(registry)).toEqual([
      'gateway_ready 1',
      'gateway_lost_browsers 19',
      'gateway_requests_running 1',
      'gateway_pool_sessions 2',
      'gateway_pool_idle_sessions 3',
      'gateway_pool_opening_sessions 4',
      'gateway_pool_leases 5',
      'gateway_pool_waiting_requests 6',
      'gateway_pool_capacity 13',
      'gateway_log_records 10',
      'gateway_log_size_bytes 11',
      'gateway_log_records_dropped_total 3',
      'gateway_refused_strangers_total 12',
      'gateway_sessions_opened_total 17',
      'gateway_accounts{state="ready"} 7',
      'gateway_accounts{state="cooldown"} 8',
      'gateway_accounts{state="login_required"} 9',
      'gateway_accounts{state="disabled"} 0',
      'gateway_account_requests_total{account="one"} 14',
      'gateway_account_failures_total{account="one"} 15',
      'gateway_account_rate_limits_total{account="one"} 16',
      'gateway_login_failures_total{reason="login_wall"} 18',
    ]);
    dropped = 4;
    readiness = 'no_account';
    expect(await lines(registry)).toEqual(
      expect.arrayContaining(['gateway_ready 0', 'gateway_log_records_dropped_total 4']),
    );
  });

  it('never lets a counter of an account go down, and gives its name free with the account', async () => {
    const registry = new Registry();
    const counts = new Map(Array.from({ length: 53 }, (_, at) => [`a${at}`, 1]));
    addGauges(registry, {
      ...SOURCES,
      accountCounts: () =>
        [...counts].map(([name, requests]) => ({ name, requests, failures: 0, rateLimits: 0 })),
    });
    const read = async (name: string): Promise<string[]> =>
      (await lines(registry, `gateway_account_requests_total{account="${name}"}`)).map((line) =>
        line.replace(/.* /, ''),
      );
    expect([await read('a49'), await read('a50'), await read('other')]).toEqual([['1'], [], ['3']]);
    counts.delete('a50');
    counts.set('a51', 5);
    expect(await read('other')).toEqual(['7']);
    // It was deleted, and added anew.
    counts.set('a52', 0);
    expect(await read('other')).toEqual(['7']);
    counts.delete('a0');
    counts.set('a52', 2);
    expect(await read('a0')).toEqual([]);
    counts.set('a51', 6);
    counts.set('a52', 4);
    // One of the two has got the name that is free.
    expect([await read('a51'), await read('a52'), await read('other')]).toEqual([['1'], [], ['11']]);
    expect(await lines(registry, 'gateway_account_failures_total{account="a0"}')).toEqual([]);
  });
});
