import { type IncomingMessage, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../../config/settings.js';
import { BodyAdmission } from './body-admission.js';
import { BodyBudget } from './body-budget.js';
import { JsonBodyReader } from './json-body-reader.js';

const KIB = 2 ** 10;

describe('JsonBodyReader', () => {
  let reader: JsonBodyReader;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const settings = new Settings();
    reader = new JsonBodyReader(settings, new BodyBudget(), new BodyAdmission(settings));
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  /** Begins to read a body. */
  function read(length?: number): { readonly body: PassThrough; readonly read: Promise<string> } {
    const body = new PassThrough();
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    const request = Object.assign(body, { headers }) as unknown as IncomingMessage;
    const response = new PassThrough() as unknown as ServerResponse;
    return {
      body,
      read: reader.read(request, response).then(
        (parsed) => JSON.stringify(parsed),
        (error: { code: string }) => error.code,
      ),
    };
  }

  /** Sends so many spaces, and lets 5 s pass. */
  async function send(body: PassThrough, bytes: number): Promise<void> {
    body.write(' '.repeat(bytes));
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(5000);
  }

  it.each([
    ['declared', 1024 * KIB],
    ['chunked', undefined],
  ])('waits for a large %s body while 16 KiB come in 5 s', async (_kind, length) => {
    const { body, read: done } = read(length);
    await send(body, 64 * KIB);
    await send(body, 16 * KIB);
    await send(body, 16 * KIB - 1);
    expect(await done).toBe('request_timeout');
  });

  it('reads a large body that comes slowly, and a small one that comes late', async () => {
    const [large, small] = [read(65 * KIB), read(2)];
    await send(large.body, 62 * KIB);
    large.body.end(`${' '.repeat(3 * KIB - 2)}{}`);
    small.body.end('{}');
    expect([await large.read, await small.read]).toEqual(['{}', '{}']);
  });
});
