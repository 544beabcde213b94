import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type Readiness } from '../health/readiness.service.js';
import { addGauges } from './gateway-gauges.js';

describe('addGauges', () => {
  it('reads the sources at each scrape', async () => {
    const registry = new Registry();
    let dropped = 3;
    let readiness: Readiness = 'ok';
    addGauges(registry, {
      readiness: () => readiness,
      running: () => 1,
      pool: () => ({ sessions: 2, idle: 3, opening: 4, leases: 5, waiting: 6 }),
      capacity: () => 13,
      accountCounts: () => [{ name: 'one', requests: 14, failures: 15, rateLimits: 16 }],
      sessionsOpened: () => 17,
      loginFailures: () => new Map([['login_wall', 18]]),
      accounts: () => ({ ready: 7, cooldown: 8, login_required: 9, disabled: 0 }),
      log: () => ({ dropped, entries: 10, bytes: 11, isHealthy: true }),
      strangers: () => 12,
    });
    const values = async () =>
      (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(await values()).toEqual([
      'gateway_ready 1',
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
    expect(await values()).toEqual(
      expect.arrayContaining(['gateway_ready 0', 'gateway_log_records_dropped_total 4']),
    );
  });
});
