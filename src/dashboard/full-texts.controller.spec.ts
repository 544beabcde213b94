import { afterAll, beforeAll, describe } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { DashboardModule } from './dashboard.module.js';

describe('FullTextsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule);
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'POST /dashboard/api/full-texts': {
      bad: [
        [{}, 'minutes'],
        [{ minutes: 61 }, 'minutes'],
        [{ minutes: -1 }, 'minutes'],
        [{ minutes: '15' }, 'minutes'],
      ],
      good: { input: { minutes: 0 }, body: { remainingMs: 0 } },
    },
  });
});
