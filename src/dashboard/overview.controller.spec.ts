import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { DashboardModule } from './dashboard.module.js';

const ROUTE = '/dashboard/api/overview';

describe('OverviewController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule, { settings: { PROVIDER: 'openai' } });
    await app.logReady();
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: {
      bad: [
        ['?minutes=0', 'minutes'],
        ['?minutes=10081', 'minutes'],
        ['?minutes=1.5', 'minutes'],
        ['?minutes=', 'minutes'],
        ['?minutes=60&minutes=61', 'minutes'],
      ],
      good: {
        input: '?minutes=15',
        body: {
          totals: { running: 0, requests: 0, clientErrors: 0, p50Ms: null },
          pool: { leases: 0, waiting: 0, capacity: 4 },
          series: { bucketMs: 10_000 },
          accounts: { ready: 1, cooldown: 0, login_required: 0, disabled: 0 },
          glance: { accounts: [{ state: 'ready' }], others: 0 },
          nodes: [],
          log: { dropped: 0, isHealthy: true },
          provider: 'openai',
        },
      },
    },
  });

  it('covers the last hour by default', async () => {
    const { body } = await app.ask('GET', ROUTE);
    const { now, series } = body as { now: number; series: { bucketMs: number; t: number[] } };
    expect([series.bucketMs, series.t.length]).toEqual([30_000, 120]);
    expect(series.t.at(-1)).toBeLessThanOrEqual(now);
  });
});
