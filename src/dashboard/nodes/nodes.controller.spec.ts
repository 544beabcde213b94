import { afterAll, beforeAll, describe } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { DashboardModule } from '../dashboard.module.js';

describe('NodesController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
  });
  afterAll(() => app.close());

  // With a database: test/dashboard/dashboard-nodes.e2e-spec.ts.
  describeRoutes(() => app, { 'GET /dashboard/api/nodes': { good: { body: { nodes: [] } } } });
});
