import { afterAll, beforeAll, describe } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { DashboardModule } from './dashboard.module.js';

describe('ApiDescriptionController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'GET /openapi.json': { good: { body: { openapi: '3.1.0', info: { title: 'Chat Completion Gateway' } } } },
  });
});
