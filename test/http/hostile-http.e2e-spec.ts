import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Settings } from '../../src/common/config/settings.js';
import { SECURITY_HEADERS } from '../../src/common/http/answer/security-headers.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { CONTENT_TYPE_CASES, FIELD_CASES, JSON_CASES, TEXT_CASES } from '../support/hostile/body-cases.js';
import { type Expected, type HostileCase, NO_KEY } from '../support/hostile/hostile-case.js';
import { exchange, type RawResponse } from '../support/hostile/raw-http.js';
import { AUTH_CASES, BROWSER_CASES, KEY, ROUTE_CASES } from '../support/hostile/request-cases.js';
import { BODY_LIMIT, SIZE_CASES, WIRE_CASES } from '../support/hostile/wire-cases.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const OPEN_CASES = [
  ...JSON_CASES,
  ...TEXT_CASES,
  ...FIELD_CASES,
  ...CONTENT_TYPE_CASES,
  ...ROUTE_CASES,
  ...BROWSER_CASES,
  ...SIZE_CASES,
  ...WIRE_CASES,
];

let stub: OpenAiStub;
let closed: TestGateway;
let open: TestGateway;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  stub = await OpenAiStub.start();
  stub.answerWith(answer({ pieces: ['hello'] }));
  const settings: Partial<Settings> = { PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl, BODY_LIMIT };
  closed = await startGateway({ ...settings, API_KEY: KEY });
  open = await startGateway(settings);
});

afterAll(async () => {
  await closed?.close();
  await open?.close();
  await stub?.close();
  process.off('unhandledRejection', note);
});

function portOf(gateway: TestGateway): number {
  return Number(new URL(gateway.origin).port);
}

async function send(
  gateway: TestGateway,
  hostile: HostileCase,
  authorization?: string,
): Promise<RawResponse> {
  const port = portOf(gateway);
  const bytes = hostile.request({ host: `127.0.0.1:${port}`, authorization });
  return exchange(port, bytes, { isHead: hostile.isHead });
}

function expectAnswer(response: RawResponse, expected: Expected, isHead: boolean): void {
  const { status, headers, body } = response;
  expect({ status, body }).toEqual({ status: expected.status, body: expect.any(String) });
  if (expected.code !== undefined && !isHead) {
    const envelope: unknown = JSON.parse(body);
    expect(envelope).toEqual({
      error: {
        message: expect.stringMatching(/^[A-Za-z].{8,}\.$/s),
        type: typeOf(status),
        code: expected.code,
        param: expected.param ?? null,
      },
    });
  }
  if (status >= 400) {
    expect(headers.get('x-gateway-reason')).toEqual([expect.stringMatching(/^[a-z_]+$/)]);
    expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8']);
    expect(body).not.toMatch(/\bat .+:\d+:\d+|node_modules|\/src\/|node:/);
  }
  expect(headers.get('x-request-id')).toEqual([expect.stringMatching(/^req_[0-9a-f]{32}$/)]);
  for (const [name, value] of SECURITY_HEADERS) {
    expect([name, headers.get(name)]).toEqual([name, [value]]);
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    expect([name, headers.get(name)]).toEqual([name, [value]]);
  }
  const leaks = [...headers.keys()].filter((name) =>
    /^(x-powered-by|etag|server|access-control-)/.test(name),
  );
  expect(leaks).toEqual([]);
}

function typeOf(status: number): string {
  const types: Record<number, string> = {
    401: 'authentication_error',
    429: 'rate_limit_error',
    500: 'server_error',
  };
  return types[status] ?? 'invalid_request_error';
}

describe('F32: with the key', () => {
  test.each(OPEN_CASES.map((hostile) => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    expectAnswer(await send(closed, hostile, `Bearer ${KEY}`), hostile.expect, hostile.isHead);
  });
});

describe('F32: without the key', () => {
  test.each(OPEN_CASES.map((hostile) => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    expectAnswer(await send(closed, hostile), hostile.isBeforeKey ? hostile.expect : NO_KEY, hostile.isHead);
  });

  test.each(AUTH_CASES.map((hostile) => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    expectAnswer(await send(closed, hostile), hostile.expect, hostile.isHead);
  });
});

describe('F32: with authentication off', () => {
  test.each(OPEN_CASES.map((hostile) => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    expectAnswer(await send(open, hostile), hostile.expect, hostile.isHead);
  });
});

describe('F32: all at once', () => {
  test('eight hostile callers do not disturb ten good ones', async () => {
    let isOver = false;
    const statuses = new Map<number, number>();
    const good = Array.from({ length: 10 }, async () => {
      while (!isOver) {
        const { status } = await fetch(`${closed.baseUrl}/models`, {
          headers: { authorization: `Bearer ${KEY}` },
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const rest = OPEN_CASES.values();
    const hostile = Array.from({ length: 8 }, async () => {
      for (const next of rest) {
        expectAnswer(await send(closed, next, `Bearer ${KEY}`), next.expect, next.isHead);
      }
    });
    await Promise.all(hostile).finally(() => (isOver = true));
    await Promise.all(good);
    expect([...statuses.keys()]).toEqual([200]);
  });
});

describe('afterwards', () => {
  test('the gateways answer as before, and nothing was left unhandled', async () => {
    for (const gateway of [closed, open]) {
      const response = await fetch(`${gateway.baseUrl}/models`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      expect(response.status).toBe(200);
    }
    expect(unhandled).toEqual([]);
  });
});

test('the corpus is as large as it says', () => {
  const names = [...OPEN_CASES, ...AUTH_CASES].map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(250);
  expect(new Set(names).size).toBe(names.length);
});
