import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API_KEY, ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { ACCEPTED, DONE, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { AccountCommands } from '../../accounts/registry/account-commands.js';
import { AccountRegistry } from '../../accounts/registry/account-registry.js';
import { type AuditEntry, AuditLog } from '../../common/audit/audit-log.js';
import { LogsService } from '../../logs/logs.service.js';
import { type RequestLogEntry } from '../../logs/records/request-log-entry.js';
import { HARMLESS_QUESTION } from '../../upstream/harmless-question.js';
import { LoginRequiredError, RateLimitedError, UnavailableError } from '../../upstream/upstream.errors.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { DashboardModule } from '../dashboard.module.js';
import { type AccountTestView } from './account-tests.js';

const ROUTE = '/dashboard/api/accounts';
const NAMES = ['a', 'b', 'c'];

describe('AccountTestController', () => {
  let app: ControllerApp;
  let driver: ScriptedDriver;
  let registry: AccountRegistry;
  let commands: AccountCommands;

  beforeAll(async () => {
    app = await ControllerApp.start(DashboardModule, {
      accounts: NAMES.map((name) => ({ name, credentials: { key: `key-of-${name}` } })),
    });
    await app.logReady();
    driver = app.app.get<ScriptedDriver>(UpstreamDriver);
    registry = app.app.get(AccountRegistry);
    commands = app.app.get(AccountCommands);
  });
  beforeEach(async () => {
    driver.prompts.length = 0;
    driver.onPrompt = (prompt) => prompt.answer('hi');
    for (const { id } of registry.list()) {
      await commands.enable(null, id);
      await commands.clearCooldown(null, id);
      await commands.login(null, id);
    }
  });
  afterAll(() => app.close());

  const idOf = (name: string): string => registry.list().find((account) => account.name === name)!.id;

  async function test(name: string): Promise<AccountTestView> {
    const { status, body } = await app.ask('POST', `${ROUTE}/${idOf(name)}/test`);
    expect(status).toBe(200);
    return body as AccountTestView;
  }

  async function entryOf({ requestId }: AccountTestView): Promise<RequestLogEntry | undefined> {
    return (await app.app.get(LogsService).find(requestId))?.entry;
  }

  async function lastAction(): Promise<AuditEntry | undefined> {
    const [last] = await app.app.get(AuditLog).list(1);
    return last;
  }

  describeRoutes(() => app, {
    [`POST ${ROUTE}/x/test`]: { good: { status: 404, body: { error: { code: 'not_found' } } } },
  });

  it.each(NAMES)('asks the account %s, and no other', async (name) => {
    const view = await test(name);
    expect(view).toEqual({
      outcome: 'ok',
      model: 'svc-max',
      firstAnswerMs: expect.any(Number),
      totalMs: expect.any(Number),
      requestId: expect.stringMatching(/^req_/),
    });
    expect(driver.prompts.map(({ account, request }) => [account, request.prompt.text])).toEqual([
      [name, HARMLESS_QUESTION],
    ]);
    expect(registry.get(idOf(name)).isUntested).toBe(false);
  });

  it('is logged as what it is, which counts for no key', async () => {
    const entry = await entryOf(await test('b'));
    expect(entry).toMatchObject({
      method: 'POST',
      path: `${ROUTE}/${idOf('b')}/test`,
      account: 'b',
      model: 'svc-max',
      outcome: 'ok',
      status: 200,
      attempts: [{ account: 'b', outcome: 'ok', considered: [{ account: 'b', outcome: 'chosen' }] }],
      content: { messages: [{ role: 'user', content: HARMLESS_QUESTION }], answer: 'hi' },
    });
    expect(entry).not.toHaveProperty('operation');
    expect(await lastAction()).toMatchObject({
      action: 'account.test',
      subject: 'b',
      after: { outcome: 'ok' },
    });
  });

  it.each([
    [
      new LoginRequiredError('invalid_credentials', 'The upstream does not accept the key of this account.'),
      'invalid_credentials',
      'The upstream does not accept the key of this account.',
      'upstream_error',
    ],
    [new RateLimitedError(60_000), 'rate_limited', 'The upstream limits this account.', 'rate_limited'],
    [
      new UnavailableError('upstream_status_500', 'The upstream answered with status 500.'),
      'upstream_status_500',
      'The upstream answered with status 500.',
      'upstream_error',
    ],
  ])('tells of %p, which it meets once', async (error, outcome, message, logged) => {
    driver.onPrompt = (prompt) => prompt.fail(error);
    const view = await test('a');
    expect(view).toMatchObject({ outcome, message });
    expect(view).not.toHaveProperty('firstAnswerMs');
    expect(driver.prompts).toHaveLength(1);
    expect(await entryOf(view)).toMatchObject({ outcome: logged, attempts: [{ outcome }] });
    expect(await lastAction()).toMatchObject({ after: { outcome } });
  });

  it('leaves out what the upstream refuses of the form', async () => {
    driver.onPrompt = (prompt) => {
      if (driver.prompts.length === 1) {
        prompt.fail(new UnavailableError('unsupported_field', 'It does not know a field.'));
      } else {
        prompt.answer('hi');
      }
    };
    expect(await test('a')).toMatchObject({ outcome: 'ok' });
  });

  it('is refused in words, and asks nothing, while the account cannot be used', async () => {
    await commands.disable(null, idOf('c'));
    const { status, body } = await app.ask('POST', `${ROUTE}/${idOf('c')}/test`);
    expect([status, body]).toMatchObject([400, { error: { message: "'c' is disabled: enable it first." } }]);
    expect(driver.prompts).toEqual([]);
  });

  it('ends when the operator leaves', async () => {
    const left = new AbortController();
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED, text('h'));
      left.abort();
    };
    const asked = fetch(`${app.origin}${ROUTE}/${idOf('a')}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}` },
      signal: left.signal,
    });
    await expect(asked).rejects.toThrow();
    await eventually(PATIENCE_MS, async () => {
      expect(driver.prompts[0]?.isCancelled).toBe(true);
      expect(await lastAction()).toMatchObject({ after: { outcome: 'cancelled' } });
    });
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED, text('h'), DONE);
      prompt.end();
    };
    expect(await test('a')).toMatchObject({ outcome: 'ok' });
  });
});
