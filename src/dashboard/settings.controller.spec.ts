import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API_KEY as KEY, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { type Settings } from '../common/config/settings.js';
import { settingsFromEnvironment } from '../common/config/settings-loader.js';
import { DashboardModule } from './dashboard.module.js';
import { type SettingView } from './setting-view.js';

const ROUTE = '/dashboard/api/settings';
const OTHER_KEY = 'another-key';
const SECRET = 'secret-of-the-store';

let folder: string;
let config: string;
let app: ControllerApp;
let settings: Settings;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-controller-'));
  config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ API_KEY: KEY }));
  const environment = { DATA_DIR: folder, SECRET_KEY: SECRET, DRAIN_MS: '7' };
  const loaded = settingsFromEnvironment(environment, folder).validate({});
  settings = loaded.settings;
  app = await ControllerApp.start(DashboardModule, { loaded });
});

beforeEach(() => {
  writeFileSync(config, JSON.stringify({ API_KEY: KEY }));
  settings.API_KEY = KEY;
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

interface SettingsResult {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
  readonly body: { readonly version: string; readonly settings: readonly SettingView[] };
}

async function ask(
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<SettingsResult> {
  const answer = await app.ask(method, ROUTE, { body, headers });
  return {
    status: answer.status,
    etag: answer.headers.get('etag'),
    text: answer.text,
    body: answer.body as SettingsResult['body'],
  };
}

const patch = (values: unknown, version: string, key = KEY) =>
  ask('PATCH', { values }, { 'if-match': version, authorization: `Bearer ${key}` });
const version = async () => (await ask('GET')).etag ?? '';
const shown = ({ body }: SettingsResult, name: string) =>
  body.settings.find((setting) => setting.name === name);
const file = () => readFileSync(config, 'utf8');

describe('SettingsController', () => {
  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: { good: {} },
    [`PATCH ${ROUTE}`]: {},
  });
});

describe('GET settings', () => {
  it('shows everything that a form needs', async () => {
    const answer = await ask('GET');
    expect([answer.status, answer.etag]).toEqual([200, `"${answer.body.version}"`]);
    expect(shown(answer, 'PORT')).toEqual({
      name: 'PORT',
      kind: 'integer',
      about: 'Port that the gateway listens on; 0 takes a free one.',
      min: 0,
      max: 65535,
      restart: true,
      secret: false,
      default: 26405,
      value: 26405,
      isSet: false,
      source: 'default',
      readOnly: false,
      pending: false,
    });
    expect(shown(answer, 'TOOL_MODE')).toMatchObject({
      kind: 'choice',
      choices: ['native', 'emulated'],
      unset: 'native with PROVIDER=openai, else emulated',
      default: null,
      value: null,
    });
    expect(shown(answer, 'DRAIN_MS')).toMatchObject({
      default: 10_000,
      value: 7,
      isSet: true,
      source: 'environment',
      readOnly: true,
    });
  });

  it('shows of a secret only whether it is set', async () => {
    const answer = await ask('GET');
    expect(shown(answer, 'API_KEY')).toMatchObject({
      secret: true,
      value: null,
      isSet: true,
      source: 'config',
    });
    expect(shown(answer, 'SECRET_KEY')).toMatchObject({ value: null, isSet: true, source: 'environment' });
    expect(shown(answer, 'UPSTREAM_BASE_URL')).toMatchObject({
      value: null,
      isSet: false,
      source: 'default',
    });
    expect(answer.text).not.toContain(KEY);
    expect(answer.text).not.toContain(SECRET);
  });
});

describe('PATCH settings', () => {
  it('applies a change, saves it, and answers with a new version', async () => {
    const before = await version();
    const answer = await patch({ TOOL_COMPRESSION: false, LOG_MAX_BYTES: '1gb', PORT: 1 }, before);
    expect(answer.status).toBe(200);
    expect(answer.etag).toBe(`"${answer.body.version}"`);
    expect(answer.etag).not.toBe(before);
    expect(shown(answer, 'TOOL_COMPRESSION')).toMatchObject({
      value: false,
      source: 'config',
      pending: false,
    });
    expect(shown(answer, 'LOG_MAX_BYTES')).toMatchObject({
      value: 2 ** 30,
      source: 'config',
      pending: false,
    });
    expect(shown(answer, 'PORT')).toMatchObject({ value: 1, source: 'config', pending: true });
    expect(settings).toMatchObject({ TOOL_COMPRESSION: false, LOG_MAX_BYTES: 2 ** 30, PORT: 26405 });
    expect(file()).toBe(
      `{\n  "API_KEY": "${KEY}",\n  "TOOL_COMPRESSION": false,\n  "LOG_MAX_BYTES": "1gb",\n  "PORT": 1\n}\n`,
    );
    expect((await ask('GET')).text).toBe(answer.text);
  });

  it('applies a new key to the next request', async () => {
    const answer = await patch({ API_KEY: OTHER_KEY }, await version());
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(OTHER_KEY);
    expect((await ask('GET')).status).toBe(401);
    expect((await patch({ API_KEY: KEY }, answer.etag ?? '', OTHER_KEY)).status).toBe(200);
    expect((await ask('GET')).status).toBe(200);
  });

  it('applies limits of the pool at once', async () => {
    await patch({ POOL_MIN_SESSIONS: 3 }, await version());
    expect(app.app.get(SessionPool).stats()).toMatchObject({ sessions: 3 });
  });

  it('answers 428 without If-Match', async () => {
    const answer = await ask('PATCH', { values: { DRAIN_MS: 1 } });
    expect([answer.status, answer.body]).toMatchObject([428, { error: { code: 'precondition_required' } }]);
  });

  it('answers 412 after another change, made over HTTP or in an editor', async () => {
    const first = await version();
    await patch({ TOOL_COMPRESSION: true }, first);
    const second = await version();
    writeFileSync(config, `${file()}\n`);
    const before = file();
    for (const late of [first, second, 'W/"x"', '']) {
      const answer = await patch({ TOOL_COMPRESSION: false }, late);
      expect([answer.status, answer.body]).toMatchObject([412, { error: { code: 'version_conflict' } }]);
    }
    expect([settings.TOOL_COMPRESSION, file()]).toEqual([true, before]);
  });

  it('lets one of several concurrent changes through', async () => {
    const present = await version();
    const answers = await Promise.all(
      [1000, 2000, 3000, 4000].map((value) => patch({ DEFAULT_MAX_TOKENS: value }, present)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it.each([
    ['no values', {}, 'values'],
    ['a list', { values: [] }, 'values'],
    ['a text', { values: 'PORT' }, 'values'],
    ['a value out of range', { values: { PORT: -1 } }, 'values.PORT'],
    ['an unknown setting', { values: { PROT: 1 } }, 'values.PROT'],
    ['a setting of the environment', { values: { DRAIN_MS: 1 } }, 'values.DRAIN_MS'],
    [
      'a program to run',
      { values: { BROWSER_EXECUTABLE_PATH: '/bin/sh' } },
      'values.BROWSER_EXECUTABLE_PATH',
    ],
  ])('refuses %s', async (_what, body, param) => {
    const answer = await ask('PATCH', body, { 'if-match': '*' });
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request', param } }]);
    expect(file()).toBe(JSON.stringify({ API_KEY: KEY }));
  });

  it('answers 409 while the file is broken, and leaves it alone', async () => {
    writeFileSync(config, '{"API_KEY": "x"');
    for (const answer of [await ask('GET'), await patch({ PORT: 1 }, '*')]) {
      expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'configuration_invalid' } }]);
    }
    expect(file()).toBe('{"API_KEY": "x"');
  });

  it("keeps API_KEY for as long as no other key is an operator's", async () => {
    await app.ask('POST', '/dashboard/api/keys', { body: { name: 'ann' } });
    for (const none of [null, '']) {
      const { status, body } = await patch({ API_KEY: none }, '*');
      expect([status, body]).toMatchObject([400, { error: { param: 'values.API_KEY' } }]);
    }
    expect(settings.API_KEY).toBe(KEY);
    await app.ask('PATCH', '/dashboard/api/keys/ann', { body: { role: 'operator' } });
    expect((await patch({ API_KEY: null }, '*')).status).toBe(200);
  });
});
