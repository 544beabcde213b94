import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { RequestLog } from '../../logs/request-log.js';
import { DashboardModule } from '../dashboard.module.js';

const ROUTE = '/dashboard/api/clients';

describe('ClientFindingsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
    await app.logReady();
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: { bad: [['?minutes=5', 'minutes']], good: { body: { findings: [] } } },
  });

  it('finds what the log has, also of requests that count as no completions', async () => {
    const requests = app.app.get(RequestLog);
    for (const id of ['req_1', 'req_2']) {
      const error = { code: 'model_not_found', reason: 'model_not_found' } as const;
      requests
        .open({ id, method: 'POST', path: '/v1/chat/completions', operation: 'completion', key: 'ci' })
        .finish('client_error', { status: 404, client: 'agent/1', model: 'svc-maxx', error });
    }
    for (const id of ['req_3', 'req_4', 'req_5']) {
      const error = { code: 'invalid_api_key', reason: 'invalid_api_key' } as const;
      requests
        .open({ id, method: 'GET', path: '/v1/models', isStranger: true })
        .finish('client_error', { status: 401, client: 'agent/2', error });
    }
    const [one, two] = await Promise.all([app.ask('GET', ROUTE), app.ask('GET', ROUTE)]);
    expect(one.body).toMatchObject({
      findings: [
        { kind: 'refused_key', client: 'agent/2', count: 3, lastId: 'req_5' },
        { kind: 'unknown_model', client: 'agent/1', key: 'ci', line: 'svc-max', count: 2, lastId: 'req_2' },
      ],
    });
    expect(two.body).toEqual(one.body);
  });
});
