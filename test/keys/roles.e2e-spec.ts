import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyRole } from '../../src/common/http/access/caller-key.js';
import { NEEDED_ROLE } from '../../src/common/http/access/needs-role.decorator.js';
import { IS_PUBLIC } from '../../src/common/http/access/public.decorator.js';
import { RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { LogClient } from '../support/gateway/log-client.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const CALLER = 'key-of-a-caller-from-the-environment';
const OTHER = 'key-of-another-caller';

/** Answers without an end, and lets its callers in by a guard of its own. */
const STREAM = '/log/stream';

describe('roles', () => {
  let keyed: KeyedGateway;
  let catalog: RouteCatalog;

  beforeAll(async () => {
    keyed = await KeyedGateway.start({ API_KEYS: `ann:${CALLER}, bob:${OTHER}`, LOG_CONTENT: 'full' });
    keyed.gateway.stub.answerWith(answer({ pieces: ['Hello.'] }));
    catalog = keyed.gateway.app.get(RouteCatalog);
  });
  afterAll(() => keyed.close());

  const roles = (): readonly { method: string; path: string; metadata?: KeyRole }[] =>
    catalog.list<KeyRole>(NEEDED_ROLE);
  const publicRoutes = (): ReadonlySet<string> =>
    new Set(
      catalog
        .list<boolean>(IS_PUBLIC)
        .filter(({ metadata }) => metadata)
        .map(({ method, path }) => `${method} ${path}`),
    );
  /** Status of a request to a route, with values in place of its parameters; its body is not waited for. */
  const status = async (method: string, path: string, key: string): Promise<number> => {
    const left = new AbortController();
    try {
      const response = await fetch(keyed.gateway.origin + path.replace(/[:*]\w+/g, 'none'), {
        method,
        redirect: 'manual',
        signal: left.signal,
        headers: {
          ...(key !== '' && { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
        },
        ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
      });
      return response.status;
    } finally {
      left.abort();
    }
  };

  it('are named by every route that is not public', () => {
    const open = publicRoutes();
    const unnamed = roles()
      .filter(({ metadata }) => metadata === undefined)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !open.has(route));
    expect(unnamed).toEqual([]);
    expect(roles().length).toBeGreaterThan(20);
  });

  it('let each key in where it may go, and nowhere else', async () => {
    const open = publicRoutes();
    const wrong: string[] = [];
    for (const { method, path, metadata } of roles()) {
      const route = `${method} ${path}`;
      if (open.has(route) && path !== STREAM) {
        continue;
      }
      const stranger = await status(method, path, '');
      const caller = await status(method, path, CALLER);
      const operator = await status(method, path, OPERATOR);
      const callerIsRight = metadata === 'caller' ? ![401, 403].includes(caller) : caller === 403;
      if (stranger !== 401 || !callerIsRight || [401, 403].includes(operator)) {
        wrong.push(`${route}: ${stranger} ${caller} ${operator}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  describe('in the log', () => {
    const entries = async (key: string, query = ''): Promise<readonly RequestLogEntry[]> =>
      (await new LogClient(keyed.gateway.origin, key).page(`?limit=500${query}`))
        .entries as readonly RequestLogEntry[];

    beforeAll(async () => {
      await keyed.complete(CALLER, { messages: [{ role: 'user', content: 'a secret of ann' }] });
      await keyed.complete(OTHER, { messages: [{ role: 'user', content: 'a secret of bob' }] });
    });

    it('an operator sees all with the names of the keys, and can filter by them', async () => {
      expect(
        new Set((await entries(OPERATOR)).filter(({ isStranger }) => !isStranger).map(({ key }) => key)),
      ).toEqual(new Set(['ann', 'bob', 'API_KEY']));
      expect((await entries(OPERATOR, '&key=bob')).every(({ key }) => key === 'bob')).toBe(true);
    });

    it('a caller sees its own requests, without the accounts', async () => {
      const own = await entries(CALLER);
      expect(new Set(own.map(({ key }) => key))).toEqual(new Set(['ann']));
      const completed = own.find(({ outcome, model }) => outcome === 'ok' && model !== undefined);
      expect(completed).toMatchObject({ usage: {}, content: { answer: 'Hello.' } });
      expect(completed).not.toHaveProperty('account');
      expect(completed).not.toHaveProperty('attempts');
      expect(JSON.stringify(own)).not.toContain('secret of bob');
    });

    it.each(['&key=bob', '&kind=network', '&account=k1'])('a caller may not ask for %s', async (query) => {
      expect((await keyed.ask('GET', `/log/json?limit=5${query}`, CALLER)).status).toBe(403);
    });

    it('a caller follows its own requests only, by header and by ticket', async () => {
      const { ticket } = await keyed.json<{ ticket: string }>('POST', '/log/ticket', CALLER, {});
      const tails = [
        await new LogClient(keyed.gateway.origin, CALLER).follow('?kind=all'),
        await new LogClient(keyed.gateway.origin).follow(`?kind=all&token=${ticket}`),
      ];
      await keyed.complete(OTHER);
      await keyed.complete(CALLER);
      for (const tail of tails) {
        await eventually(PATIENCE_MS, () => expect(tail.events.length).toBe(2));
        expect(tail.events.map(({ record }) => 'key' in record && record.key)).toEqual(['ann', 'ann']);
        await tail.stop();
      }
    });
  });
});
