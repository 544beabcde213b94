import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { NodeList } from '../cluster/node-list.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { LoginRequiredError } from '../upstream/upstream.errors.js';
import { ALL_WELL, type WatchedState } from './alert-state.js';
import { AlertsModule } from './alerts.module.js';
import { AlertsService } from './alerts.service.js';
import { GatewayWatch } from './gateway-watch.js';
import { ReportedState } from './reported-state.js';
import { Webhook } from './webhook.js';

const SEED = { name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } };
const SEED_IS_OUT: WatchedState = { ...ALL_WELL, readiness: 'no_account', accountsOut: ['seed'] };

describe('AlertsService', () => {
  let app: ControllerApp;
  let alerts: AlertsService;
  let receiver: Server;
  let hooks: string;
  let received: object[];
  /** Statuses of the next answers; 204 by default. */
  let statuses: number[];

  beforeAll(async () => {
    receiver = createServer((request: IncomingMessage, response) => {
      void text(request).then((body) => {
        received.push(JSON.parse(body) as object);
        if (request.url !== '/silent') {
          response.writeHead(statuses.shift() ?? 204).end();
        }
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    hooks = `http://127.0.0.1:${port}`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(async () => {
    received = [];
    statuses = [];
    // Looks only when a test says so.
    jest.spyOn(AlertsService.prototype, 'onApplicationBootstrap').mockReturnValue();
    app = await ControllerApp.start(AlertsModule, {
      settings: { ALERT_WEBHOOK: `${hooks}/hook` },
      accounts: [SEED],
    });
    await app.logReady();
    alerts = app.app.get(AlertsService);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
  });

  const memory = (): ReportedState => new ReportedState(join(app.settings.DATA_DIR, 'alerts.json'));
  const loseLogin = (): void => {
    const [account] = app.app.get(AccountRegistry).list();
    const error = new LoginRequiredError('login_wall', 'The site asks for a login.');
    app.app.get(AccountHealth).requireLogin(account!, error);
  };

  it('tells of an account that goes out, once each, and again where that fails', async () => {
    const send = jest.spyOn(Webhook.prototype, 'send');
    alerts.look();
    statuses.push(500);
    loseLogin();
    alerts.look();
    expect(send).not.toHaveBeenCalled();
    alerts.look();
    alerts.look();
    await eventually(PATIENCE_MS, () => {
      const events = received.map((alert) => (alert as { event: string }).event);
      // The first of the two was refused, and sent again before the second.
      expect(events).toEqual(['not_serving', 'not_serving', 'account_needs_login']);
    });
    await eventually(PATIENCE_MS, () => expect(memory().read()).toEqual(SEED_IS_OUT));
    expect(received.at(-1)).toEqual({
      event: 'account_needs_login',
      account: 'seed',
      text: "The account 'seed' needs a login.",
      at: expect.any(String),
      gateway: { version: expect.any(String), provider: 'sandbox' },
    });
    expect(JSON.stringify(received)).not.toContain('pass-of-ann');
  });

  it('tells the end of an outage that a process before it has reported', async () => {
    memory().write(SEED_IS_OUT);
    const { settings } = app;
    const [watch, clock] = [app.app.get(GatewayWatch), app.app.get(Clock)];
    const next = new AlertsService(settings, watch, clock, app.app.get(NodeList), app.app.get(LogsService));
    next.look();
    await eventually(PATIENCE_MS, () => {
      expect(received).toMatchObject([
        { event: 'serving_again' },
        { event: 'account_back', account: 'seed' },
      ]);
    });
    await eventually(PATIENCE_MS, () => expect(memory().read()).toEqual(ALL_WELL));
    next.onModuleDestroy();
  });

  it('names the gateway as its log does, where there are several', async () => {
    jest.spyOn(app.app.get(NodeList), 'own', 'get').mockReturnValue('host-of-process');
    jest.spyOn(app.app.get(LogsService), 'node', 'get').mockReturnValue('host-of-log');
    loseLogin();
    alerts.look();
    alerts.look();
    await eventually(PATIENCE_MS, () => {
      expect(received.at(-1)).toMatchObject({
        text: "host-of-log: The account 'seed' needs a login.",
        gateway: { node: 'host-of-log' },
      });
    });
  });

  it('sends again what could not be delivered while it lasts, and no end of what nobody knows of', async () => {
    const sent: unknown[] = [];
    let isDelivered = false;
    jest.spyOn(Webhook.prototype, 'send').mockImplementation((_, body) => {
      sent.push((body as { event: string }).event);
      return Promise.resolve(isDelivered);
    });
    const seen = jest.spyOn(app.app.get(GatewayWatch), 'look');
    const look = async (readiness: string): Promise<void> => {
      seen.mockReturnValue({ ...ALL_WELL, readiness });
      alerts.look();
      await setImmediate();
    };
    await look('upstream_down');
    await look('upstream_down');
    await look('upstream_down');
    expect(sent).toEqual(['not_serving', 'not_serving']);
    await look('ok');
    await look('ok');
    expect(sent).toHaveLength(2);
    await look('upstream_down');
    isDelivered = true;
    await look('upstream_down');
    await look('upstream_down');
    await look('ok');
    await look('ok');
    expect(sent.slice(2)).toEqual(['not_serving', 'serving_again']);
  });

  it('does not count as reported what was under way at the stop', async () => {
    const send = jest.spyOn(Webhook.prototype, 'send');
    app.settings.ALERT_WEBHOOK = `${hooks}/silent`;
    loseLogin();
    alerts.look();
    alerts.look();
    await eventually(PATIENCE_MS, () => expect(received).toMatchObject([{ event: 'not_serving' }]));
    alerts.onModuleDestroy();
    expect(await Promise.all(send.mock.results.map(({ value }) => value))).toEqual([false]);
    await setImmediate();
    expect(memory().read()).toEqual(ALL_WELL);
  });

  it('tells nothing of a shutdown', () => {
    const send = jest.spyOn(Webhook.prototype, 'send');
    loseLogin();
    app.app.get(ReadinessService).announceShutdown();
    alerts.look();
    alerts.look();
    expect(send).not.toHaveBeenCalled();
  });
});
