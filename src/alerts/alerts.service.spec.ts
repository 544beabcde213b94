import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { UpstreamStatus } from '../accounts/dispatch/upstream-status.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamModels } from '../models/upstream-models.js';
import { LoginRequiredError } from '../upstream/upstream.errors.js';
import { ALL_WELL } from './alert-state.js';
import { AlertsModule } from './alerts.module.js';
import { AlertsService } from './alerts.service.js';
import { ToldState } from './told-state.js';
import { Webhook } from './webhook.js';

let app: ControllerApp;
let receiver: Server;
let hooks: string;
const received: object[] = [];
/** Statuses of the next answers; 204 by default. */
const statuses: number[] = [];

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
  app = await ControllerApp.start(AlertsModule, {
    settings: { ALERT_WEBHOOK: `${hooks}/hook` },
    accounts: [{ name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } }],
  });
  await app.logReady();
});
afterAll(async () => {
  await app.close();
  receiver.closeAllConnections();
  receiver.close();
});

it('tells of an account that goes out and comes back, once each, and again where that fails', async () => {
  const alerts = app.app.get(AlertsService);
  const send = jest.spyOn(Webhook.prototype, 'send');
  const [account] = app.app.get(AccountRegistry).list();
  alerts.look();
  statuses.push(500);
  const error = new LoginRequiredError('login_wall', 'The site asks for a login.');
  app.app.get(AccountHealth).requireLogin(account!, error);
  alerts.look();
  expect(send).not.toHaveBeenCalled();
  alerts.look();
  alerts.look();
  await eventually(PATIENCE_MS, () => {
    const events = received.map((alert) => (alert as { event: string }).event);
    // The first of the two was refused, and sent again before the second.
    expect(events).toHaveLength(3);
    expect(events[1]).toBe(events[0]);
    expect(new Set(events)).toEqual(new Set(['account_needs_login', 'not_serving']));
  });
  await eventually(PATIENCE_MS, () => {
    const told = new ToldState(join(app.settings.DATA_DIR, 'alerts.json')).read();
    expect(told).toEqual({ ...ALL_WELL, readiness: 'no_account', accountsOut: ['seed'] });
  });
  expect(received.find((alert) => 'account' in alert)).toEqual({
    event: 'account_needs_login',
    account: 'seed',
    text: "The account 'seed' needs a login.",
    at: expect.any(String),
    gateway: { version: expect.any(String), provider: 'sandbox' },
  });
  expect(JSON.stringify(received)).not.toContain('pass-of-ann');
});

it('tells the end of what a process before it has told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
  const { DATA_DIR, ALERT_WEBHOOK } = app.settings;
  await copyFile(join(DATA_DIR, 'alerts.json'), join(folder, 'alerts.json'));
  const next = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK },
    accounts: [{ name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } }],
  });
  try {
    await next.logReady();
    received.length = 0;
    next.app.get(AlertsService).look();
    next.app.get(AlertsService).look();
    await eventually(PATIENCE_MS, () => {
      expect(received).toMatchObject([
        { event: 'serving_again' },
        { event: 'account_back', account: 'seed' },
      ]);
    });
    await eventually(PATIENCE_MS, () => {
      expect(new ToldState(join(folder, 'alerts.json')).read()).toEqual(ALL_WELL);
    });
  } finally {
    await next.close();
    await rm(folder, { recursive: true });
  }
});

it('tells of an upstream that has kept failing for a minute, and of its end', async () => {
  const { DATA_DIR } = app.settings;
  const folder = await mkdtemp(join(DATA_DIR, 'failing-'));
  const failing = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK: `${hooks}/hook` },
  });
  try {
    await failing.logReady();
    received.length = 0;
    const alerts = failing.app.get(AlertsService);
    const upstream = failing.app.get(UpstreamStatus);
    const failedForMs = jest.spyOn(upstream, 'failedForMs', 'get');
    const hasServed = jest.spyOn(upstream, 'hasServed', 'get').mockReturnValue(false);
    // The last two looks are those of a new process, before and after the first answer.
    for (const ms of [59_999, 59_999, 60_000, 60_000, 70_000, undefined]) {
      failedForMs.mockReturnValue(ms);
      alerts.look();
    }
    hasServed.mockReturnValue(true);
    alerts.look();
    await eventually(PATIENCE_MS, () => expect(received).toHaveLength(2));
    expect(received).toMatchObject([
      {
        event: 'not_serving',
        reason: 'upstream_down',
        text: 'The gateway does not serve: the upstream keeps failing.',
      },
      { event: 'serving_again' },
    ]);
  } finally {
    await failing.close();
  }
});

it('tells of an upstream that has not been reached for a minute, whether requests come or not', async () => {
  const folder = await mkdtemp(join(app.settings.DATA_DIR, 'unreached-'));
  const unreached = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK: `${hooks}/hook` },
  });
  try {
    await unreached.logReady();
    received.length = 0;
    const alerts = unreached.app.get(AlertsService);
    const models = unreached.app.get(UpstreamModels);
    const silentForMs = jest.spyOn(models, 'silentForMs', 'get');
    const isUnknown = jest.spyOn(models, 'isUnknown', 'get').mockReturnValue(true);
    const look = (ms: number | undefined): void => {
      silentForMs.mockReturnValue(ms);
      alerts.look();
    };
    // The last two looks are those of a new process, within its first read and after it.
    for (const ms of [59_999, 59_999, 60_000, 60_000, undefined, 0]) {
      look(ms);
    }
    isUnknown.mockReturnValue(false);
    look(undefined);
    await eventually(PATIENCE_MS, () => expect(received).toHaveLength(2));
    expect(received).toMatchObject([
      {
        event: 'not_serving',
        reason: 'upstream_unreachable',
        text: 'The gateway does not serve: the upstream cannot be reached.',
      },
      { event: 'serving_again' },
    ]);
    jest.spyOn(unreached.app.get(UpstreamStatus), 'hasServed', 'get').mockReturnValue(true);
    look(90_000);
    look(90_000);
    expect(received).toHaveLength(2);
  } finally {
    await unreached.close();
  }
});

it('tells of accounts that have refused every request for ten minutes, and of the end', async () => {
  const folder = await mkdtemp(join(app.settings.DATA_DIR, 'limited-'));
  const limited = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK: `${hooks}/hook` },
  });
  try {
    await limited.logReady();
    received.length = 0;
    const alerts = limited.app.get(AlertsService);
    const logs = limited.app.get(LogsService);
    const now = jest.spyOn(limited.app.get(Clock), 'monotonic');
    const end = async (outcome: 'ok' | 'rate_limited', at: number): Promise<void> => {
      const isCounted = firstValueFrom(logs.endedCompletions$);
      const log = logs.open({ id: `at_${at}`, method: 'POST', path: '/', operation: 'completion' });
      now.mockReturnValue(at);
      log.finish(
        outcome,
        outcome === 'ok' ? { firstAnswerMs: 1 } : { error: { code: 'rate_limit', reason: 'rate_limited' } },
      );
      logs.settle();
      await isCounted;
      alerts.look();
      alerts.look();
    };
    await end('rate_limited', 1);
    await end('rate_limited', 600_000);
    expect(received).toEqual([]);
    await end('rate_limited', 600_001);
    await end('rate_limited', 700_000);
    await end('ok', 700_001);
    await eventually(PATIENCE_MS, () => expect(received).toHaveLength(2));
    expect(received).toMatchObject([
      {
        event: 'not_serving',
        reason: 'rate_limited',
        text: 'The gateway does not serve: no request has been served for ten minutes, since the accounts are at their limits.',
      },
      { event: 'serving_again' },
    ]);
  } finally {
    await limited.close();
  }
});

it('sends again what could not be delivered while it lasts, and no end of what nobody knows of', async () => {
  const { DATA_DIR, ALERT_WEBHOOK } = app.settings;
  const folder = await mkdtemp(join(DATA_DIR, 'undelivered-'));
  const undelivered = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK },
  });
  const sent: unknown[] = [];
  const texts = new Set<string>();
  let isDelivered = false;
  const send = jest.spyOn(Webhook.prototype, 'send').mockImplementation((_, body) => {
    const { event, text } = body as { event: string; text: string };
    sent.push(event);
    texts.add(text);
    return Promise.resolve(isDelivered);
  });
  try {
    await undelivered.logReady();
    const alerts = undelivered.app.get(AlertsService);
    const upstream = undelivered.app.get(UpstreamStatus);
    jest.spyOn(upstream, 'hasServed', 'get').mockReturnValue(true);
    jest.spyOn(upstream, 'failsAtOneConversation', 'get').mockReturnValue(true);
    const failedForMs = jest.spyOn(upstream, 'failedForMs', 'get');
    const look = async (ms: number | undefined): Promise<void> => {
      failedForMs.mockReturnValue(ms);
      alerts.look();
      await setImmediate();
    };
    await look(60_000);
    await look(60_000);
    await look(60_000);
    expect(sent).toEqual(['not_serving', 'not_serving']);
    await look(undefined);
    await look(undefined);
    expect(sent).toHaveLength(2);
    await look(60_000);
    isDelivered = true;
    await look(60_000);
    await look(60_000);
    await look(undefined);
    await look(undefined);
    expect(sent.slice(2)).toEqual(['not_serving', 'serving_again']);
    expect([...texts]).toContainEqual(
      expect.stringContaining('the upstream keeps failing at one conversation, and no other has asked.'),
    );
  } finally {
    send.mockRestore();
    await undelivered.close();
  }
});

it('does not count as told what was under way at the stop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
  const stopped = await ControllerApp.start(AlertsModule, {
    settings: { DATA_DIR: folder, ALERT_WEBHOOK: `${hooks}/silent` },
    accounts: [],
  });
  try {
    await stopped.logReady();
    received.length = 0;
    const alerts = stopped.app.get(AlertsService);
    alerts.look();
    alerts.look();
    await eventually(PATIENCE_MS, () => expect(received).toMatchObject([{ event: 'not_serving' }]));
  } finally {
    await stopped.close();
  }
  expect(new ToldState(join(folder, 'alerts.json')).read()).toEqual(ALL_WELL);
  await rm(folder, { recursive: true });
});

it('tells nothing of a shutdown', () => {
  const send = jest.spyOn(Webhook.prototype, 'send').mockClear();
  app.app.get(ReadinessService).announceShutdown();
  app.app.get(AlertsService).look();
  expect(send).not.toHaveBeenCalled();
});
