import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { PagesModule } from './pages.module.js';

const PAGES = ['', '/logs', '/accounts', '/network', '/keys', '/settings'].map((page) => `/dashboard${page}`);

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

  it.each(PAGES)('serves %s as HTML, to be revalidated', async (path) => {
    const { headers } = await app.ask('GET', path);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'no-cache',
    ]);
  });

  // Existing assets are served by a module that needs the HTTP adapter at compile time: see test/dashboard.
  it('answers an unknown asset with 404', async () => {
    const answer = await app.ask('GET', '/dashboard/assets/pages/unknown.js');
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
