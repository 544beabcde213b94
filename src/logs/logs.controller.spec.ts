import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { LogsModule } from './logs.module.js';
import { RequestLog } from './request-log.js';

describe('LogsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(LogsModule);
    await app.logReady();
    app.app
      .get(RequestLog)
      .open({ id: 'req_1', method: 'POST', path: '/v1/x' })
      .finish('ok', { status: 200 });
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'GET /log': { isPublic: true, good: { status: 302 } },
    'GET /log/json': {
      bad: [
        ['?limit=0', 'limit'],
        ['?limit=501', 'limit'],
        ['?before=x', 'before'],
        ['?kind=all', 'kind'],
        ['?level=loud', 'level'],
        ['?status=600', 'status'],
        ['?model=a&model=b', 'model'],
        [`?account=${'x'.repeat(201)}`, 'account'],
        [`?q=${'x'.repeat(201)}`, 'q'],
        ['?content=2', 'content'],
        ['?from=yesterday', 'from'],
        ['?until=-1', 'until'],
        ['?min_ms=1.5', 'min_ms'],
        [`?client=${'x'.repeat(61)}`, 'client'],
        ['?sort=status', 'sort'],
        ['?served=yes', 'served'],
        ['?operation=models', 'operation'],
        ['?format=xml', 'format'],
        ['?form=1', 'form'],
      ],
      good: { input: '?status=2xx&limit=1', body: { entries: [{ id: 'req_1', outcome: 'ok' }], next: null } },
    },
    'POST /log/ticket': { good: { status: 201, body: { expiresInMs: 30_000 } } },
    'GET /log/stream': {
      bad: [
        ['?kind=other', 'kind'],
        ['?after=x', 'after'],
        ['?content=yes', 'content'],
        ['?contents=1', 'contents'],
      ],
    },
  });

  it('GET /log/stream accepts a ticket in place of the key, once', async () => {
    const { body } = await app.ask('POST', '/log/ticket');
    const path = `/log/stream?token=${(body as { ticket: string }).ticket}`;
    expect((await app.ask('HEAD', path, { key: '' })).status).toBe(200);
    expect((await app.ask('HEAD', path, { key: '' })).status).toBe(401);
  });

  it('GET /log/json exports a page as CSV', async () => {
    const { headers, text } = await app.ask('GET', '/log/json?format=csv&model=none');
    expect([headers.get('content-type'), headers.get('x-next')]).toEqual(['text/csv; charset=utf-8', null]);
    const head = text.trim().split(',');
    expect(head.slice(0, 6)).toEqual(['started_at', 'id', 'method', 'path', 'outcome', 'status']);
    const all = await app.ask('GET', '/log/json?format=csv&limit=1');
    expect(all.text.split('\r\n')[1]).toMatch(/^\d{4}-\d\d-\d\dT[^,]*Z,req_1,POST,\/v1\/x,ok,200,/);
  });

  it('GET /log leads to the page', async () => {
    expect((await app.ask('GET', '/log', { key: '' })).headers.get('location')).toBe('/dashboard/logs');
  });
});
