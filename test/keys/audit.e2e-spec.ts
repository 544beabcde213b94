import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditEntry } from '../../src/common/audit/audit-log.js';
import { type KeyRole } from '../../src/common/http/access/caller-key.js';
import { NEEDED_ROLE } from '../../src/common/http/access/needs-role.decorator.js';
import { RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { failed } from '../support/upstream/openai-stub-plans.js';

/** A request that a route carries out, and what is then in the list of actions. */
interface Action {
  /** In place of the route's path. */
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly action: string;
  readonly subject: string | null;
}

const ADDED = { name: 'added', credentials: { key: 'secret-of-the-account' } };

/** Routes of operators that leave no entry when they are asked here, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /dashboard/api/accounts/:id/hand-over':
    'needs a page: its entries are checked in test/dashboard/login-hand-over.e2e-spec.ts',
  'POST /dashboard/api/accounts/:id/hand-over/input':
    'is a part of a login by hand, whose beginning and end are listed; what is typed is kept nowhere',
  'POST /dashboard/api/requests/:id/rerun': 'changes nothing, and asks nobody',
};

describe('the list of actions', () => {
  let keyed: KeyedGateway;

  beforeAll(async () => {
    keyed = await KeyedGateway.start();
  });
  afterAll(() => keyed.close());

  const ask = (method: string, path: string, { body, headers }: Partial<Action> = {}): Promise<Response> =>
    fetch(keyed.gateway.origin + path, {
      method,
      headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const list = async (): Promise<readonly AuditEntry[]> =>
    (await keyed.json<{ actions: AuditEntry[] }>('GET', '/dashboard/api/audit?limit=100', OPERATOR)).actions;
  const written = (): string[] =>
    keyed.gateway.app
      .get(RouteCatalog)
      .list<KeyRole>(NEEDED_ROLE)
      .filter(({ method, metadata }) => metadata === 'operator' && method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  const accountId = async (name: string): Promise<string> => {
    const { accounts } = await keyed.json<{ accounts: { id: string; name: string }[] }>(
      'GET',
      '/dashboard/api/accounts',
      OPERATOR,
    );
    return accounts.find((account) => account.name === name)?.id ?? 'none';
  };
  /** An action on the account that was added first. */
  const onAccount = async (action: string, rest = '', body?: object): Promise<Action> => ({
    path: `/dashboard/api/accounts/${await accountId(ADDED.name)}${rest}`,
    action: `account.${action}`,
    subject: ADDED.name,
    ...(body && { body }),
  });

  /** Request to each route, in this order. */
  const actions: Readonly<Record<string, () => Action | Promise<Action>>> = {
    'POST /dashboard/api/keys': () => ({ body: { name: 'ann' }, action: 'key.create', subject: 'ann' }),
    'PATCH /dashboard/api/keys/:name': () => ({
      path: '/dashboard/api/keys/ann',
      body: { requestsPerMinute: 5 },
      action: 'key.update',
      subject: 'ann',
    }),
    'POST /dashboard/api/keys/:name/rotate': () => ({
      path: '/dashboard/api/keys/ann/rotate',
      body: {},
      action: 'key.rotate',
      subject: 'ann',
    }),
    'POST /dashboard/api/keys/:name/revoke': () => ({
      path: '/dashboard/api/keys/ann/revoke',
      body: {},
      action: 'key.revoke',
      subject: 'ann',
    }),
    'PATCH /dashboard/api/settings': async () => ({
      headers: { 'if-match': (await ask('GET', '/dashboard/api/settings')).headers.get('etag') ?? '' },
      body: { values: { POOL_QUEUE_LIMIT: 77 } },
      action: 'settings.change',
      subject: null,
    }),
    'POST /dashboard/api/full-texts': () => ({
      body: { minutes: 1 },
      action: 'texts.keep',
      subject: 'full texts',
    }),
    'POST /dashboard/api/accounts': () => ({ body: ADDED, action: 'account.add', subject: ADDED.name }),
    'PATCH /dashboard/api/accounts/:id': () => onAccount('update', '', { credentials: ADDED.credentials }),
    'POST /dashboard/api/accounts/:id/disable': () => onAccount('disable', '/disable'),
    'POST /dashboard/api/accounts/:id/enable': () => onAccount('enable', '/enable'),
    'POST /dashboard/api/accounts/:id/clear-cooldown': () => onAccount('clear_cooldown', '/clear-cooldown'),
    'POST /dashboard/api/accounts/:id/login': () => onAccount('login', '/login'),
    'POST /dashboard/api/accounts/:id/test': () => onAccount('test', '/test'),
    'POST /dashboard/api/accounts/login': async () => {
      keyed.gateway.stub.answerWith(failed(401, { message: 'Incorrect API key provided.' }));
      await keyed.complete(OPERATOR);
      return { action: 'account.login', subject: ADDED.name };
    },
    'DELETE /dashboard/api/accounts/:id': () => onAccount('remove'),
  };

  it('knows every route by which operators change something', () => {
    expect(written().sort()).toEqual([...Object.keys(actions), ...Object.keys(EXCEPTIONS)].sort());
  });

  it('names what was done, to what and by whom, without secrets', async () => {
    for (const [route, prepare] of Object.entries(actions)) {
      const [method = '', path = ''] = route.split(' ');
      const request = await prepare();
      const [last] = await list();
      const response = await ask(method, request.path ?? path, request);
      const { action, subject } = request;
      expect([route, response.ok]).toEqual([route, true]);
      const added = (await list()).filter(({ number }) => number > (last?.number ?? 0));
      expect({ route, added }).toEqual({
        route,
        added: expect.arrayContaining([expect.objectContaining({ actor: 'API_KEY', action, subject })]),
      });
    }
    expect(JSON.stringify(await list())).not.toContain(ADDED.credentials.key);
  });
});
