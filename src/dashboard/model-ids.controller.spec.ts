import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { DashboardModule } from './dashboard.module.js';

const KEY_OF_ANN = 'key-of-a-caller';
const MODEL = { contextWindow: 1000, maxOutputTokens: 100, thinking: false };

describe('ModelIdsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule, {
      settings: {
        API_KEYS: `ann:${KEY_OF_ANN}`,
        models: { small: MODEL, large: { ...MODEL, contextWindow: 2000 } },
      },
    });
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'GET /dashboard/api/models': {
      good: {
        body: {
          models: ['small', 'large'],
          contextWindows: { small: 1000, large: 2000 },
          provider: 'sandbox',
        },
      },
    },
  });

  it('does not tell a caller which provider answers', async () => {
    const { body } = await app.ask('GET', '/dashboard/api/models', { key: KEY_OF_ANN });
    expect(body).toEqual({ models: ['small', 'large'], contextWindows: { small: 1000, large: 2000 } });
  });
});
