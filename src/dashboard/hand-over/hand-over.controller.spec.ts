import { afterAll, beforeAll, describe } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { DashboardModule } from '../dashboard.module.js';

const ROUTE = '/dashboard/api/accounts/x/hand-over';
const POINTER = { type: 'down', x: 1, y: 1, buttons: 1, clicks: 1 };
const bad = (...inputs: unknown[]) => [{ handOver: 'h', inputs }, 'inputs'] as const;

// What a hand-over does is in login-hand-over.spec.ts, and with a real browser in test/dashboard.
describe('HandOverController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule, {
      accounts: [{ name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } }],
    });
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    [`POST ${ROUTE}`]: { good: { status: 404, body: { error: { code: 'not_found' } } } },
    [`POST ${ROUTE}/input`]: {
      bad: [
        [{ inputs: [] }, 'handOver'],
        [{ handOver: 'h', inputs: 'x' }, 'inputs'],
        bad(null),
        bad({ type: 'shell', text: 'x' }),
        bad({ type: 'toString' }),
        bad({ type: 'text', text: '' }),
        bad({ type: 'text', text: 'x'.repeat(10_001) }),
        bad({ type: 'key', key: 'F12', shift: false }),
        bad({ type: 'key', key: 'Enter' }),
        bad({ ...POINTER, x: 1e9 }),
        bad({ ...POINTER, x: '1' }),
        bad({ ...POINTER, buttons: 8 }),
        bad({ ...POINTER, clicks: 1.5 }),
        bad({ type: 'wheel', x: 1, y: 1, deltaX: 0 }),
        bad(...Array.from({ length: 101 }, () => POINTER)),
      ],
      good: {
        input: { handOver: 'ended', inputs: [POINTER, { type: 'text', text: 'x' }] },
        status: 404,
        body: { error: { code: 'not_found', message: 'This login by hand has ended.' } },
      },
    },
  });
});
