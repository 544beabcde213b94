import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { NetworkLog } from '../common/network/network-log.js';
import { LogsService } from '../logs/logs.service.js';
import { DashboardModule } from './dashboard.module.js';

describe('RequestsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
    await app.logReady();
    const request = { id: 'req_1', method: 'POST', path: '/v1/chat/completions' };
    const log = app.app.get(LogsService).open(request);
    const exchange = app.app
      .get(NetworkLog)
      .begin({ requestId: 'req_1', method: 'POST', url: 'http://upstream.test/chat' });
    exchange.head(200, {});
    exchange.end();
    log.finish('ok', { status: 200 });
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'GET /dashboard/api/requests/req_1': {
      good: {
        body: {
          entry: { id: 'req_1', outcome: 'ok', status: 200 },
          network: [{ requestId: 'req_1', url: 'http://upstream.test/chat', status: 200 }],
        },
      },
    },
  });

  it.each(['unknown', '%2e%2e%2fsettings', "'%20OR%201=1"])(
    'answers the unknown id %s with 404',
    async (id) => {
      const answer = await app.ask('GET', `/dashboard/api/requests/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    },
  );
});
