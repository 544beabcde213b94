import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAGE_PATHS } from '../../../test/support/browser/page-paths.js';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { PagesModule } from './pages.module.js';

const PAGES = PAGE_PATHS.map((path) => `/dashboard${path}`);

describe('PagesController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(PagesModule);
  });
  afterAll(() => app.close());

  describeRoutes(
    () => app,
    Object.fromEntries(PAGES.map((path) => [`GET ${path}`, { isPublic: true, good: {} }])),
  );

  it.each([...PAGES, '/dashboard/', '/dashboard/Logs/'])(
    'serves %s as HTML, to be revalidated',
    async (path) => {
      const { headers } = await app.ask('GET', path);
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
        'text/html; charset=utf-8',
        'no-cache',
      ]);
    },
  );

  it('leads people from the root to the dashboard, and tells programs nothing', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const { status, headers: sent } = await app.ask('GET', '/', { key: '', headers });
    expect([status, sent.get('location')]).toEqual([302, '/dashboard']);
    const icon = await app.ask('GET', '/favicon.ico', { key: '' });
    expect([icon.status, icon.headers.get('location')]).toEqual([301, '/dashboard/assets/favicon.svg']);
    expect((await app.ask('GET', '/')).status).toBe(404);
    expect((await app.ask('GET', '/', { key: '' })).status).toBe(401);
  });

  it('answers people at an unknown path with a page, with the status that programs get', async () => {
    const headers = { accept: 'text/html' };
    for (const [key, status] of [
      [undefined, 404],
      ['', 401],
    ] as const) {
      const answer = await app.ask('GET', '/docs?x=<b>', { headers, ...(key !== undefined && { key }) });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
      expect(answer.text).toContain('<a href="/dashboard">');
      expect(answer.text).not.toContain('docs');
    }
    expect((await app.ask('POST', '/docs', { headers })).body).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  // Existing assets are served by a module that needs the HTTP adapter at compile time: see test/dashboard.
  it('answers an unknown asset with 404', async () => {
    const answer = await app.ask('GET', '/dashboard/assets/pages/unknown.js');
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
