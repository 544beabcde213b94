import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SettingView } from '../../../src/dashboard/setting-view.js';
import { ChildGateway } from '../../support/gateway/child-gateway.js';
import { readStream } from '../../support/gateway/fault-rig.js';
import { LogClient } from '../../support/gateway/log-client.js';
import { exchange } from '../../support/hostile/raw-http.js';
import { OpenAiStub } from '../../support/upstream/openai-stub.js';
import { answer, chunk } from '../../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../../support/watch/eventually.js';

const KEY = 'first-key-of-the-gateway';
const NEW_KEY = 'second-key-of-the-gateway';
const STREAMS = 50;
const MODELS = { 'svc-max': { contextWindow: 50_000 }, other: {} };

let folder: string;
let config: string;
let stub: OpenAiStub;
let gateway: ChildGateway;

const file = () => readFileSync(config, 'utf8');

/** Starts the gateway as its own process. It listens beyond loopback, so that it must keep its key. */
function start(): Promise<ChildGateway> {
  return ChildGateway.start({
    DATA_DIR: folder,
    PROVIDER: 'openai',
    UPSTREAM_BASE_URL: stub.baseUrl,
    UPSTREAM_API_KEYS: 'secret-upstream-key',
    POOL_MAX_SESSIONS: String(STREAMS),
    POOL_MAX_SESSIONS_PER_ACCOUNT: String(STREAMS),
    HOST: '0.0.0.0',
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-e2e-'));
  config = join(folder, 'config.json');
  stub = await OpenAiStub.start();
  stub.answerWith(answer({ pieces: ['Hello'] }));
  writeFileSync(
    config,
    `${JSON.stringify({ '// the key': 'of the team', API_KEY: KEY, models: MODELS }, null, 4)}\n`,
  );
  gateway = await start();
});

afterAll(async () => {
  await gateway.kill();
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

interface SettingsAnswer {
  readonly status: number;
  readonly etag: string;
  readonly text: string;
  readonly body: {
    readonly version: string;
    readonly settings: readonly SettingView[];
    readonly error?: { readonly code: string; readonly param?: string; readonly message: string };
  };
}

async function call(
  path: string,
  {
    method = 'GET',
    key = KEY,
    body,
    headers,
  }: { method?: string; key?: string; body?: unknown; headers?: object } = {},
): Promise<Response> {
  return fetch(new URL(path, gateway.baseUrl), {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function settingsOf(response: Response): Promise<SettingsAnswer> {
  const text = await response.text();
  const etag = response.headers.get('etag') ?? '';
  return { status: response.status, etag, text, body: JSON.parse(text) as SettingsAnswer['body'] };
}

const read = async (key = KEY) => settingsOf(await call('/dashboard/api/settings', { key }));
const patch = async (values: object, etag: string, key = KEY) =>
  settingsOf(
    await call('/dashboard/api/settings', {
      method: 'PATCH',
      key,
      body: { values },
      headers: { 'if-match': etag },
    }),
  );
const change = async (values: object) => patch(values, (await read()).etag);
const shown = ({ body }: SettingsAnswer, name: string) => body.settings.find((one) => one.name === name);
const complete = (body: object = {}) =>
  call('/v1/chat/completions', {
    method: 'POST',
    body: { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }], ...body },
  });

describe('a setting that is changed', () => {
  beforeEach(async () => {
    await change({ STREAM_DEFAULT: null, DEFAULT_MAX_TOKENS: null, UPSTREAM_MODEL: null, BODY_LIMIT: null });
  });

  it('decides about the next request', async () => {
    const before = await complete();
    expect(before.headers.get('content-type')).toContain('text/event-stream');
    await before.text();
    const saved = await change({
      STREAM_DEFAULT: 'false',
      DEFAULT_MAX_TOKENS: 77,
      UPSTREAM_MODEL: 'elsewhere',
    });
    expect([saved.status, saved.body.error]).toEqual([200, undefined]);
    const after = await complete();
    expect(await after.json()).toMatchObject({ object: 'chat.completion' });
    expect(stub.requests.at(-1)?.body).toMatchObject({ model: 'elsewhere', max_tokens: 77 });
    expect((await complete({ messages: 'x'.repeat(3000) })).status).toBe(400);
    await change({ BODY_LIMIT: '2kb' });
    expect((await complete({ messages: 'x'.repeat(3000) })).status).toBe(413);
  });

  it('F39: leaves the streams that run as they are', async () => {
    const finish = Promise.withResolvers<void>();
    stub.answerWith(async (reply) => {
      await reply.event(chunk({ content: 'well' }));
      await finish.promise;
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
      reply.end();
    });
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => complete()));
    await change({ STREAM_DEFAULT: 'false', DEFAULT_MAX_TOKENS: 1, UPSTREAM_MODEL: 'elsewhere' });
    finish.resolve();
    const ends = (await Promise.all(streams.map((stream) => stream.text()))).map(readStream);
    stub.answerWith(answer({ pieces: ['Hello'] }));
    const whole = { text: 'well', finish: 'stop', isDone: true };
    expect(ends).toEqual(Array.from({ length: STREAMS }, () => whole));
  });

  it('lets another host name in', async () => {
    const port = Number(new URL(gateway.baseUrl).port);
    const request = `GET /v1/models HTTP/1.1\r\nHost: gateway.test\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
    expect((await exchange(port, request)).status).toBe(403);
    await change({ ALLOWED_HOSTS: 'gateway.test' });
    expect((await exchange(port, request)).status).toBe(200);
  });

  it('goes into the file, where everything else stays as it was', async () => {
    await change({ ALLOWED_HOSTS: null });
    await change({ DEFAULT_MAX_TOKENS: 78 });
    const values = { '// the key': 'of the team', API_KEY: KEY, models: MODELS, DEFAULT_MAX_TOKENS: 78 };
    expect(file()).toBe(`${JSON.stringify(values, null, 4)}\n`);
  });
});

describe('a change is refused', () => {
  it('F39: if someone else was first, here or in an editor', async () => {
    const { etag } = await read();
    await patch({ DRAIN_MS: 1001 }, etag);
    const second = await patch({ DRAIN_MS: 1002 }, etag);
    expect([second.status, second.body.error?.code]).toEqual([412, 'version_conflict']);
    const third = await read();
    writeFileSync(config, file().replace('1001', '1003'));
    expect((await patch({ DRAIN_MS: 1004 }, third.etag)).status).toBe(412);
    const present = await read();
    expect(shown(present, 'DRAIN_MS')).toMatchObject({ value: 1003, source: 'config', pending: true });
    expect(shown(await patch({}, present.etag), 'DRAIN_MS')).toMatchObject({ value: 1003, pending: false });
  });

  it('for settings of the environment, which are shown as such', async () => {
    const answered = await read();
    expect(shown(answered, 'PROVIDER')).toMatchObject({
      source: 'environment',
      readOnly: true,
      value: 'openai',
    });
    const refused = await change({ PROVIDER: 'sandbox' });
    expect([refused.status, refused.body.error?.param]).toEqual([400, 'values.PROVIDER']);
  });

  it('if it would open the gateway to everyone', async () => {
    const before = file();
    for (const values of [{ API_KEY: null }, { API_KEY: '' }]) {
      const refused = await change(values);
      expect([refused.status, refused.body.error?.param]).toEqual([400, 'values.API_KEY']);
      expect(refused.body.error?.message).toContain('reachable from other machines');
    }
    expect(file()).toBe(before);
    expect((await call('/v1/models', { key: '' })).status).toBe(401);
  });

  it('while the file is broken, which is kept', async () => {
    const before = file();
    writeFileSync(config, '{"API_KEY": ');
    const answers = [await read(), await patch({ DRAIN_MS: 1 }, '*')];
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [409, 'configuration_invalid'],
      [409, 'configuration_invalid'],
    ]);
    expect(file()).toBe('{"API_KEY": ');
    writeFileSync(config, before);
    expect((await complete()).status).toBe(200);
  });
});

it('a new key counts at once, and is never shown', async () => {
  const saved = await change({ API_KEY: NEW_KEY });
  expect(saved.status).toBe(200);
  expect((await read()).status).toBe(401);
  const answered = await read(NEW_KEY);
  expect(shown(answered, 'API_KEY')).toMatchObject({ value: null, isSet: true, source: 'config' });
  expect(saved.text + answered.text).not.toMatch(/key-of-the-gateway|secret-upstream-key/);
  expect((await patch({ API_KEY: KEY }, answered.etag, NEW_KEY)).status).toBe(200);
  expect((await read(NEW_KEY)).status).toBe(401);
});

it('a new key ends the log streams that the old one opened, before they show anything more', async () => {
  const tail = await new LogClient(new URL(gateway.baseUrl).origin, KEY).follow();
  const saved = await change({ API_KEY: NEW_KEY });
  await (await call('/v1/models', { key: NEW_KEY })).text();
  await eventually(PATIENCE_MS, () => expect(tail.isEnded).toBe(true));
  expect(tail.text).toBe(': heartbeat\n\n');
  await tail.stop();
  await patch({ API_KEY: KEY }, saved.etag, NEW_KEY);
});

it('what needs a restart is in force after it', async () => {
  const saved = await change({ SITE_RECIPE: 'other.json' });
  expect(shown(saved, 'SITE_RECIPE')).toMatchObject({ value: 'other.json', restart: true, pending: true });
  await gateway.kill();
  gateway = await start();
  expect(shown(await read(), 'SITE_RECIPE')).toMatchObject({
    value: 'other.json',
    source: 'config',
    pending: false,
  });
});
