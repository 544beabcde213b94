import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { settingInfos } from './setting.decorators.js';
import { SettingsError } from './settings.errors.js';
import { Settings } from './settings.js';
import { loadSettings, settingsFromEnvironment } from './settings-loader.js';

describe('settingsFromEnvironment', () => {
  let folder: string;
  let config: string;
  let dotEnv: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'));
    config = join(folder, 'config.json');
    dotEnv = join(folder, '.env');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Without `.env`, which ConfigModule reads. */
  const load = (environment: NodeJS.ProcessEnv = {}): Settings =>
    settingsFromEnvironment(environment, folder).validate({}).settings;
  const loadWithDotEnv = (environment: NodeJS.ProcessEnv = {}): Promise<Settings> =>
    loadSettings(environment, folder);
  const loadJson = (values: object, environment: NodeJS.ProcessEnv = {}): Settings => {
    writeFileSync(config, JSON.stringify(values));
    return load(environment);
  };

  function problemsOf(action: () => unknown): readonly string[] {
    try {
      action();
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsError);
      return (error as SettingsError).problems;
    }
    throw new Error('the settings were accepted');
  }

  describe('precedence', () => {
    it('gives the defaults when nothing is set', () => {
      expect(load()).toEqual(new Settings());
    });

    it('takes each value from the highest source that sets it', async () => {
      writeFileSync(config, JSON.stringify({ PORT: 1, DRAIN_MS: 1, LOG_LEVEL: 'warn' }));
      writeFileSync(dotEnv, 'PORT=2\nDRAIN_MS=2\n');
      const expected = Object.assign(new Settings(), { PORT: 3, DRAIN_MS: 2, LOG_LEVEL: 'warn' });
      expect(await loadWithDotEnv({ PORT: '3' })).toEqual(expected);
    });

    it('takes an empty variable, an empty text and null as not set', async () => {
      writeFileSync(config, '{"PORT": 1, "DRAIN_MS": null, "HOST": "", "SITE_RECIPE": null}');
      writeFileSync(dotEnv, 'PORT=\nLOG_LEVEL=warn\n');
      const expected = Object.assign(new Settings(), { PORT: 1, LOG_LEVEL: 'warn' });
      expect(await loadWithDotEnv({ PORT: '', LOG_LEVEL: '', CONFIG_FILE: '' })).toEqual(expected);
    });

    it('passes over variables that are no settings, and `models`, which is a table', async () => {
      writeFileSync(dotEnv, 'models=x\nNOT_OURS=1\n');
      expect(await loadWithDotEnv({ models: 'x', PATH: '/bin', __proto__: 'x' })).toEqual(new Settings());
    });

    it('reads `.env` with comments, quotes and `export`', async () => {
      writeFileSync(dotEnv, '# a comment\nexport PORT=8080 # another\nAPI_KEY="a#b"\n');
      expect(await loadWithDotEnv()).toEqual(Object.assign(new Settings(), { PORT: 8080, API_KEY: 'a#b' }));
    });

    it('finds CONFIG_FILE in the environment, in `.env`, relative and absolute', async () => {
      const other = join(folder, 'other.json');
      writeFileSync(other, '{"PORT": 7}');
      expect(load({ CONFIG_FILE: 'other.json' }).PORT).toBe(7);
      expect(load({ CONFIG_FILE: other }).PORT).toBe(7);
      writeFileSync(dotEnv, 'CONFIG_FILE=other.json');
      expect((await loadWithDotEnv()).PORT).toBe(7);
    });

    it('passes over a byte order mark in both files', async () => {
      writeFileSync(config, '\uFEFF{"DRAIN_MS": 5}');
      writeFileSync(dotEnv, '\uFEFFPORT=6\n');
      expect(await loadWithDotEnv()).toEqual(Object.assign(new Settings(), { DRAIN_MS: 5, PORT: 6 }));
    });

    it('takes keys that begin with // as comments', () => {
      expect(loadJson({ '// PORT': 'the port', '//': ['free'], PORT: 5 }).PORT).toBe(5);
    });

    it('gives an account of an API more sessions than one of a site', () => {
      const openai = { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' };
      expect(load().POOL_MAX_SESSIONS_PER_ACCOUNT).toBe(4);
      expect(load(openai).POOL_MAX_SESSIONS_PER_ACCOUNT).toBe(64);
      expect(loadJson({ POOL_MAX_SESSIONS_PER_ACCOUNT: null }, openai).POOL_MAX_SESSIONS_PER_ACCOUNT).toBe(
        64,
      );
      expect(loadJson({ POOL_MAX_SESSIONS_PER_ACCOUNT: 2 }, openai).POOL_MAX_SESSIONS_PER_ACCOUNT).toBe(2);
    });
  });

  describe('values', () => {
    it.each([
      ['PORT', '0', 0],
      ['PORT', ' 65535 ', 65_535],
      ['BODY_LIMIT', '2048', 2048],
      ['BODY_LIMIT', '2048b', 2048],
      ['BODY_LIMIT', '1kb', 1024],
      ['BODY_LIMIT', '2 MB', 2 * 2 ** 20],
      ['LOG_MAX_BYTES', '3gb', 3 * 2 ** 30],
      ['TOOL_COMPRESSION', 'false', false],
      ['TOOL_COMPRESSION', '0', false],
      ['BROWSER_NO_SANDBOX', 'true', true],
      ['BROWSER_NO_SANDBOX', '1', true],
      ['ECHO_ACTION', 'off', 'off'],
      ['API_KEY', 'k-1', 'k-1'],
    ] as const)('reads %s=%s from the environment and from JSON text', (name, text, value) => {
      expect(load({ [name]: text })[name]).toBe(value);
      expect(loadJson({ [name]: text })[name]).toBe(value);
      expect(loadJson({ [name]: value })[name]).toBe(value);
    });

    const integer = 'PORT must be an integer from 0 to 65535';
    const size = 'BODY_LIMIT must be a size from 1kb to 128mb, such as 512kb or 32mb';
    const boolean = 'TOOL_COMPRESSION must be true or false';
    const choice = 'ECHO_ACTION must be one of auto, drop, regenerate, off';
    const text = 'SITE_RECIPE must be a text of one line';
    it.each([
      ...['-1', '65536', '1.5', '1e3', '0x10', 'x', '99999999999999999999', '1 2', 'NaN'].map(
        (value) => ['PORT', value, integer] as const,
      ),
      ...['0', '-1', '1023', '1.5mb', '32 MiB', 'mb', '129mb', '3gb'].map(
        (value) => ['BODY_LIMIT', value, size] as const,
      ),
      ...['yes', 'TRUE', '2'].map((value) => ['TOOL_COMPRESSION', value, boolean] as const),
      ...['Auto', 'none', 'auto,off'].map((value) => ['ECHO_ACTION', value, choice] as const),
      ['SITE_RECIPE', 'a\r\nPORT=1', text],
      ['SITE_RECIPE', 'a\u0000b', text],
      ['DRAIN_MS', '3600001', 'DRAIN_MS must be an integer from 0 to 3600000'],
      ['DEFAULT_MAX_TOKENS', '1000000000', 'DEFAULT_MAX_TOKENS must be an integer from 1 to 1000000'],
    ])('refuses %s=%j', (name, value, message) => {
      expect(problemsOf(() => load({ [name]: value }))).toEqual([`${message} (environment)`]);
      expect(problemsOf(() => loadJson({ [name]: value }))).toEqual([`${message} (${config}, line 1)`]);
    });

    it.each([
      ...[-1, 1.5, true, [1], { a: 1 }].map((value) => ['PORT', value, integer] as const),
      ...[0, 1.5, true, ['1mb']].map((value) => ['BODY_LIMIT', value, size] as const),
      ...[1, 0, [true], {}].map((value) => ['TOOL_COMPRESSION', value, boolean] as const),
      ...[1, true, ['auto'], {}].map((value) => ['ECHO_ACTION', value, choice] as const),
      ...[1, true, ['a'], {}].map((value) => ['SITE_RECIPE', value, text] as const),
    ])('refuses %s: %j in JSON', (name, value, message) => {
      expect(problemsOf(() => loadJson({ [name]: value }))).toEqual([`${message} (${config}, line 1)`]);
    });

    it('bounds every number: a timer takes no more than 2^31 ms, and no size is larger than 1 TiB', () => {
      const numbers = settingInfos().filter(({ kind }) => kind === 'integer' || kind === 'size');
      for (const { name, kind, min = NaN, max = NaN } of numbers) {
        expect(max).toBeLessThan(kind === 'size' ? 2 ** 40 + 1 : 2 ** 31);
        for (const value of [min - 1, max + 1, 1e15]) {
          expect(problemsOf(() => loadJson({ [name]: value }))).toHaveLength(1);
        }
      }
    });

    it('never accepts a whole number out of range, nor refuses one in it', () => {
      fc.assert(
        fc.property(fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), (value) => {
          if (value >= 1 && value <= 20) {
            expect(load({ RETRY_MAX_ATTEMPTS: String(value) }).RETRY_MAX_ATTEMPTS).toBe(value);
          } else {
            expect(problemsOf(() => load({ RETRY_MAX_ATTEMPTS: String(value) }))).toHaveLength(1);
          }
        }),
      );
    });
  });

  describe('reports', () => {
    it('names every bad key at once, each with its place', async () => {
      writeFileSync(
        config,
        '{\n  "PROT": 1,\n  "BODY_LIMIT":\n    "big",\n  "TOOL_COMPRESSION": "PORT"\n}\n',
      );
      writeFileSync(dotEnv, 'DRAIN_MS=1\n\n export LOG_LEVEL = loud\nDRAIN_MS=soon\nECHO_ACTION: loud\n');
      const expected = [
        'PORT must be an integer from 0 to 65535 (environment)',
        `BODY_LIMIT must be a size from 1kb to 128mb, such as 512kb or 32mb (${config}, line 3)`,
        `TOOL_COMPRESSION must be true or false (${config}, line 5)`,
        `LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (${dotEnv}, line 3)`,
        `DRAIN_MS must be an integer from 0 to 3600000 (${dotEnv}, line 4)`,
        `ECHO_ACTION must be one of auto, drop, regenerate, off (${dotEnv}, line 5)`,
        `PROT is not a setting (${config}, line 2)`,
      ];
      const error = (await loadWithDotEnv({ PORT: 'x' }).catch((reason: unknown) => reason)) as SettingsError;
      expect(error).toBeInstanceOf(SettingsError);
      expect([...error.problems].sort()).toEqual(expected.sort());
    });

    it('writes one line for each in its message', () => {
      expect(() => load({ PORT: 'x', DRAIN_MS: 'y' })).toThrow(
        'The configuration is not valid:\n' +
          '  - PORT must be an integer from 0 to 65535 (environment)\n' +
          '  - DRAIN_MS must be an integer from 0 to 3600000 (environment)',
      );
    });

    it('shows no value of a setting', () => {
      writeFileSync(config, '{"API_KEY": secret-one, "SECRET_KEY": "secret-two"');
      writeFileSync(join(folder, 'keys.json'), '{"API_KEY": ["secret-one"], "SECRET_KEY": "secret-two\\n"}');
      for (const file of ['config.json', 'keys.json']) {
        expect(problemsOf(() => load({ CONFIG_FILE: file })).join('\n')).not.toMatch(/secret-/);
      }
    });

    it.each(['__proto__', 'constructor', 'toString', 'prototype', 'port', 'PORT '])(
      'does not know the key %j',
      (key) => {
        writeFileSync(config, `{\n${JSON.stringify(key)}: {"PORT": 1}}`);
        expect(problemsOf(() => load())).toEqual([`${key} is not a setting (${config}, line 2)`]);
      },
    );

    it.each([
      ['STREAM_DEFAULT', 'STREAM_DEFAULT must be one of auto, true, false'],
      ['PORT', 'PORT must be an integer from 0 to 65535'],
      ['models', 'models.constructor: must be a table'],
    ])('takes an object with a constructor as a value of %s for nothing else', (name, problem) => {
      writeFileSync(config, `{"${name}": {"constructor": ["x"]}}`);
      expect(problemsOf(() => load())).toEqual([`${problem} (${config}, line 1)`]);
    });

    it.each(['CONFIG_FILE', 'DATABASE_URL'])('refuses %s inside the file', (name) => {
      expect(problemsOf(() => loadJson({ [name]: 'postgres://b', SECRET_KEY: 's' }))).toEqual([
        `${name} can be set in the environment only (${config}, line 1)`,
      ]);
    });
  });

  describe('F22: files', () => {
    it.each([
      ['nothing', '', 'is empty; it must hold one JSON object'],
      ['white space', ' \n', 'is empty; it must hold one JSON object'],
      ['an array', '[1]', 'must hold one JSON object'],
      ['null', 'null', 'must hold one JSON object'],
      ['a text', '"PORT"', 'must hold one JSON object'],
      ['half of an object', '{\n"PORT": 1,\n', 'is not valid JSON (line 3)'],
      ['half of a text', '{\n"HOST": "127', 'is not valid JSON (line 2)'],
      ['a text over two lines', '{"HOST": "a\nb"}', 'is not valid JSON (line 1)'],
      ['a trailing comma', '{"PORT": 1,\n}', 'is not valid JSON (line 2)'],
      ['a bare word', '{"PORT": 1,\n\n"HOST": here}', 'is not valid JSON (line 3)'],
      ['a missing comma', '{"PORT": 1\n"HOST": "x"}', 'is not valid JSON (line 2)'],
      ['two objects', '{}\n{}', 'is not valid JSON (line 2)'],
      ['binary data', '\u0000\u0001', 'is not valid JSON (line 1)'],
    ])('refuses a file that holds %s', (_what, text, message) => {
      writeFileSync(config, text);
      expect(problemsOf(() => load())).toEqual([`CONFIG_FILE ${config} ${message}`]);
    });

    it('finds the line of a fault wherever it is', () => {
      const values = {
        PORT: 1,
        HOST: 'a "quoted" \\ text',
        models: { a: { thinking: true, contextWindow: 1e6 } },
      };
      const text = JSON.stringify(values, null, 1);
      fc.assert(
        fc.property(fc.nat({ max: text.length }), (at) => {
          writeFileSync(config, `${text.slice(0, at)}\u0007${text.slice(at)}`);
          const line = text.slice(0, at).split('\n').length;
          expect(problemsOf(() => load())).toEqual([
            `CONFIG_FILE ${config} is not valid JSON (line ${line})`,
          ]);
        }),
      );
    });

    it('takes a missing file for an empty one, and refuses a folder and one that cannot be read', () => {
      symlinkSync('loop', join(folder, 'loop'));
      const at = (name: string): string => join(folder, name);
      const problems = (file: string): readonly string[] => problemsOf(() => load({ CONFIG_FILE: file }));
      expect(load({ CONFIG_FILE: 'gone.json' })).toEqual({ ...load({}), CONFIG_FILE: 'gone.json' });
      expect(problems('.')).toEqual([`CONFIG_FILE ${folder} cannot be read (EISDIR)`]);
      expect(problems('loop')).toEqual([`CONFIG_FILE ${at('loop')} cannot be read (ELOOP)`]);
    });

    it('refuses a `.env` that is a folder', () => {
      mkdirSync(dotEnv);
      expect(problemsOf(() => load())).toEqual(['.env cannot be read (EISDIR)']);
    });

    it('follows a link to the file', () => {
      writeFileSync(join(folder, 'real.json'), '{"PORT": 9}');
      symlinkSync('real.json', config);
      expect(load().PORT).toBe(9);
    });
  });

  describe('models', () => {
    it('are unset without a table', () => {
      expect(load().models).toBeUndefined();
    });

    it('get their defaults', () => {
      expect(
        loadJson({ models: { small: { contextWindow: 8192, upstreamModel: 'm' }, big: {} } }).models,
      ).toEqual({
        small: { contextWindow: 8192, maxOutputTokens: 65_536, thinking: true, upstreamModel: 'm' },
        big: { contextWindow: 1_000_000, maxOutputTokens: 65_536, thinking: true },
      });
    });

    it.each([
      [{}, 'models must name at least one model'],
      [[], 'models must be a table of models'],
      [{ a: { thinking: 'no' } }, 'models.a.thinking: must be true or false'],
      [{ a: { context_window: 1 } }, 'models.a: context_window is not known'],
    ])('refuses %j', (models, message) => {
      writeFileSync(config, `{\n"models": ${JSON.stringify(models)}}`);
      expect(problemsOf(() => load())).toEqual([`${message} (${config}, line 2)`]);
    });
  });

  describe('rules over several settings', () => {
    const reachable = (host: string): string =>
      `HOST ${host} is reachable from other machines but API_KEY is empty: set API_KEY, listen on 127.0.0.1, ` +
      'or set ALLOW_UNAUTHENTICATED=1 if something else authenticates callers';
    it.each([
      [{ HOST: '0.0.0.0' }, reachable('0.0.0.0')],
      [{ HOST: '::' }, reachable('::')],
      [{ HOST: '127.0.0.1.example.org' }, reachable('127.0.0.1.example.org')],
      [
        { API_KEY: 'two words' },
        'API_KEY must be printable ASCII without spaces, since it travels in a header',
      ],
      [{ API_KEY: 'clé' }, 'API_KEY must be printable ASCII without spaces, since it travels in a header'],
      [{ PROVIDER: 'web' }, 'SITE_RECIPE is needed with PROVIDER=web'],
      [{ PROVIDER: 'openai' }, 'UPSTREAM_BASE_URL must be an http or https URL with PROVIDER=openai'],
      [
        { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'localhost:11434/v1' },
        'UPSTREAM_BASE_URL must be an http or https URL with PROVIDER=openai',
      ],
      [
        { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'https://sk-hush@host/v1' },
        'UPSTREAM_BASE_URL must name no user or password, which would not be sent: keys belong in UPSTREAM_API_KEYS',
      ],
      [{ TOOL_MODE: 'native' }, 'TOOL_MODE=native needs PROVIDER=openai: a chat site takes text only'],
      [{ BROWSER_WS_ENDPOINT: 'http://grid:3000' }, 'BROWSER_WS_ENDPOINT must be a ws:// or wss:// URL'],
      [
        { BROWSER_ENDPOINTS: 'http://one:9222,two' },
        'BROWSER_ENDPOINTS: entry 2 must be ws(s)://host/…, http(s)://host:port or webdriver+http(s)://host:port',
      ],
      [
        { BROWSER_ENDPOINTS: 'http://one:9222', BROWSER_WS_ENDPOINT: 'ws://one:9222' },
        'BROWSER_WS_ENDPOINT is the older name of BROWSER_ENDPOINTS: set one of them only',
      ],
      ...['redis://:hush@store', 'postgres://me:hu#sh@store/gateway'].map(
        (url): [NodeJS.ProcessEnv, string] => [
          { DATABASE_URL: url, SECRET_KEY: 's' },
          'DATABASE_URL must be a postgres:// URL, with / ? # and @ in a password as %2F %3F %23 and %40',
        ],
      ),
      [
        { DATABASE_URL: 'postgres://me:hush@store/gateway' },
        'SECRET_KEY is needed with DATABASE_URL: all gateways on one database open its secrets with the same one',
      ],
      [{ SECRET_KEY_PREVIOUS: 'hush' }, 'SECRET_KEY_PREVIOUS needs the SECRET_KEY that takes its place'],
      [{ ALERT_WEBHOOK: 'ftp://hooks.test/x' }, 'ALERT_WEBHOOK must be an http:// or https:// URL'],
      [
        { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hush%' },
        expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS must be (?!.*hush)/),
      ],
      [
        { ALLOWED_HOSTS: 'chat.example, *.corp.example' },
        'ALLOWED_HOSTS must be a list of hosts like chat.example or chat.example:8443, separated by commas, or *: *.corp.example is none',
      ],
      [
        { PROVIDER: 'web', SITE_RECIPE: 'a.json', HTTP_PROXY: 'socks5://me:hush@proxy' },
        'HTTP_PROXY must be an http:// or https:// URL, such as http://proxy.example:3128',
      ],
      [{ POOL_MIN_SESSIONS: '33' }, 'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS'],
      [{ RETRY_BASE_DELAY_MS: '8001' }, 'RETRY_BASE_DELAY_MS must not exceed RETRY_MAX_DELAY_MS'],
    ])('refuse %j', (environment, message) => {
      const [problem, ...others] = problemsOf(() => load(environment));
      expect([problem?.replace(/ \((?:[A-Z_]+: environment(?:; )?)+\)$/, ''), others]).toEqual([message, []]);
    });

    it.each([
      { HOST: '0.0.0.0', API_KEY: 'k' },
      { HOST: '0.0.0.0', ALLOW_UNAUTHENTICATED: '1' },
      { HOST: '127.0.0.2' },
      { HTTPS_PROXY: 'socks5://127.0.0.1:1080' },
      { HOST: '::1' },
      { HOST: 'localhost' },
      { PROVIDER: 'web', SITE_RECIPE: 'recipes/x.json' },
      { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'https://[::1]:11434/v1' },
      { BROWSER_WS_ENDPOINT: 'wss://grid:3000/?token=x' },
      { BROWSER_ENDPOINTS: 'http://one:9222,http://two:9222' },
      { DATABASE_URL: 'postgresql://me@store/gateway?sslmode=require', SECRET_KEY: 's' },
      { POOL_MIN_SESSIONS: '32' },
    ])('accept %j', (environment) => {
      expect(() => load(environment)).not.toThrow();
    });

    it('tell where each value comes from', () => {
      const broken = () => loadJson({ POOL_MIN_SESSIONS: 20 }, { POOL_MAX_SESSIONS: '10' });
      expect(problemsOf(broken)).toEqual([
        'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS ' +
          `(POOL_MIN_SESSIONS: ${config}, line 1; POOL_MAX_SESSIONS: environment)`,
      ]);
    });

    it('leave out what other gateways have saved and the environment forbids, where a database is shared', () => {
      const shared = { DATABASE_URL: 'postgres://me@store/gateway', SECRET_KEY: 's' };
      const environment = { ...shared, POOL_MAX_SESSIONS: '10' };
      writeFileSync(config, '{"POOL_MIN_SESSIONS": 20, "POOL_QUEUE_LIMIT": 7}');
      const { settings, leftOut } = settingsFromEnvironment(environment, folder).validate({});
      expect([settings.POOL_MIN_SESSIONS, settings.POOL_QUEUE_LIMIT]).toEqual([
        new Settings().POOL_MIN_SESSIONS,
        7,
      ]);
      expect(leftOut).toEqual([
        { names: ['POOL_MIN_SESSIONS'], text: 'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS' },
      ]);
      // A mistake of the file alone is nobody else's.
      const own = { POOL_MIN_SESSIONS: 20, POOL_MAX_SESSIONS: 10 };
      expect(problemsOf(() => loadJson(own, shared))).toHaveLength(1);
    });

    it('are not asked about a setting that is wrong by itself', () => {
      expect(problemsOf(() => loadJson({ HOST: 5, POOL_MIN_SESSIONS: 'many' }))).toEqual([
        `HOST must be a text of one line (${config}, line 1)`,
        `POOL_MIN_SESSIONS must be an integer from 0 to 10000 (${config}, line 1)`,
      ]);
    });
  });
});
