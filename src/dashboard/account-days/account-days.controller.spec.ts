import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { withinOneDay } from '../../../test/support/watch/one-day.js';
import { RequestLog } from '../../logs/request-log.js';
import { DashboardModule } from '../dashboard.module.js';

const ROUTE = '/dashboard/api/accounts/days';

describe('AccountDaysController', () => {
  let app: ControllerApp;

  beforeEach(withinOneDay);
  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
    await app.logReady();
  });
  afterAll(() => app.close());

  describeRoutes(() => app, { [`GET ${ROUTE}`]: { good: { body: { accounts: [] } } } });

  it('tells how the requests of an account ended on each of fourteen days', async () => {
    for (const [id, outcome] of [
      ['req_1', 'ok'],
      ['req_2', 'ok'],
      ['req_3', 'cancelled'],
    ] as const) {
      const entry = { id, method: 'POST', path: '/v1/chat/completions', operation: 'completion' } as const;
      app.app.get(RequestLog).open(entry).finish(outcome, { account: 'one' });
    }
    const before = Array.from({ length: 13 }, () => 0);
    expect((await app.ask('GET', ROUTE)).body).toEqual({
      days: expect.arrayContaining([new Date().toISOString().slice(0, 10)]),
      accounts: [{ account: 'one', served: [...before, 2], failed: [...before, 1] }],
    });
  });
});
