import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { RequestLog } from '../../logs/request-log.js';
import { DashboardModule } from '../dashboard.module.js';

const ROUTE = '/dashboard/api/capacity';

describe('CapacityController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
    await app.logReady();
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: {
      bad: [
        ['?minutes=0', 'minutes'],
        ['?hours=1', 'hours'],
      ],
      good: {
        body: {
          advice: 'Since the start, no session was in use whenever the pool was looked at, once a second.',
        },
      },
    },
  });

  it('adds up what was asked for', async () => {
    const log = app.app.get(RequestLog).open({
      id: 'req_1',
      method: 'POST',
      path: '/v1/chat/completions',
      operation: 'completion',
    });
    const usage = { promptTokens: 3, completionTokens: 4, reasoningTokens: 0, cachedTokens: 2 };
    const condensed = [{ message: 1, tool: 'ls', rules: ['log'], before: 900, after: 300 }];
    const details = { model: 'svc-max', account: 'one', client: 'curl/8', queuedMs: 70 };
    log.finish('ok', { ...details, usage, condensed });
    const { body } = await app.ask('GET', `${ROUTE}?minutes=5`);
    const row = {
      requests: 1,
      succeeded: 1,
      promptTokens: 3,
      cachedTokens: 2,
      completionTokens: 4,
      savedCharacters: 600,
    };
    expect(body).toMatchObject({
      // One more if a minute has just begun.
      minutes: expect.arrayContaining([expect.objectContaining({ capacity: 4, leases: 0, waiting: 0 })]),
      breakdown: {
        isPartial: false,
        longestWait: { startedAt: expect.any(Number), queuedMs: 70 },
        rows: {
          model: [{ name: 'svc-max', ...row }],
          account: [{ name: 'one', ...row }],
          client: [{ name: 'curl/8', ...row }],
          key: [{ name: '', ...row }],
          reason: [],
        },
      },
    });
  });

  it('says how many requests met the limits of the accounts, whatever the sessions were', async () => {
    const log = app.app.get(RequestLog).open({
      id: 'req_limited',
      method: 'POST',
      path: '/v1/chat/completions',
      operation: 'completion',
    });
    log.finish('rate_limited', { error: { code: 'rate_limit', reason: 'rate_limited' } });
    const { body } = await app.ask('GET', `${ROUTE}?minutes=5`);
    expect(body).toMatchObject({
      advice: expect.stringMatching(/^1 request was refused because every account cooled down/),
    });
  });
});
