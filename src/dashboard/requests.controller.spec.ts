import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { NetworkLog } from '../common/network/network-log.js';
import { LogReadLimiter } from '../logs/log-read-limiter.js';
import { RequestLog } from '../logs/request-log.js';
import { DashboardModule } from './dashboard.module.js';

const KEY_OF_ANN = 'key-of-a-caller';
const KEY_OF_BOB = 'key-of-another-caller';

describe('RequestsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule, {
      settings: { API_KEYS: `ann:${KEY_OF_ANN},bob:${KEY_OF_BOB}` },
    });
    await app.logReady();
    const request = { id: 'req_1', method: 'POST', path: '/v1/chat/completions', key: 'ann' };
    const log = app.app.get(RequestLog).open(request);
    const exchange = app.app
      .get(NetworkLog)
      .begin({ requestId: 'req_1', method: 'POST', url: 'http://upstream.test/chat' });
    exchange.head(200, {});
    exchange.end();
    log.finish('ok', {
      status: 200,
      account: 'team-1',
      attempts: [{ account: 'team-1', startedMs: 1, durationMs: 2, outcome: 'ok' }],
    });
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

  it('tells a caller of its own request, without what tells of the accounts', async () => {
    const { body, text } = await app.ask('GET', '/dashboard/api/requests/req_1', { key: KEY_OF_ANN });
    expect(body).toMatchObject({ entry: { id: 'req_1', outcome: 'ok', status: 200 }, network: [] });
    expect(text).not.toContain('team-1');
    expect(text).not.toContain('upstream.test');
  });

  it('tells a caller nothing of the requests of others, not even that there are any', async () => {
    const ask = async (id: string): Promise<object> => {
      const { status, body } = await app.ask('GET', `/dashboard/api/requests/${id}`, { key: KEY_OF_BOB });
      return { status, body };
    };
    const others = await ask('req_1');
    expect(others).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(others).toEqual(await ask('req_0'));
  });

  it('takes a place among the reads of the log, since an entry may be as large as its prompt', async () => {
    const reads = app.app.get(LogReadLimiter);
    const readers = Array.from({ length: 9 }, () => Object.assign(new EventEmitter(), { closed: false }));
    const entered = readers.map((reader) => reads.enter(reader as unknown as ServerResponse, 'ann'));
    const ask = async (key: string): Promise<number> =>
      (await app.ask('GET', '/dashboard/api/requests/req_1', { key })).status;
    expect([await ask(KEY_OF_ANN), await ask(KEY_OF_BOB)]).toEqual([429, 404]);
    readers.forEach((reader) => Object.assign(reader, { closed: true }).emit('close'));
    await Promise.allSettled(entered);
    expect(await ask(KEY_OF_ANN)).toBe(200);
  });

  it.each(['unknown', '%2e%2e%2fsettings', "'%20OR%201=1"])(
    'answers the unknown id %s with 404',
    async (id) => {
      const answer = await app.ask('GET', `/dashboard/api/requests/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    },
  );
});
