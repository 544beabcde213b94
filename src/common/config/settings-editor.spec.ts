import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { type GatewayError } from '../errors/gateway.errors.js';
import { settingInfos } from './setting.decorators.js';
import { Settings } from './settings.js';
import { SettingsEditor } from './settings-editor.js';
import { fixedOrigin, settingsFromEnvironment } from './settings-loader.js';

let folder: string;
let config: string;
let settings: Settings;
let editor: SettingsEditor;

describe('SettingsEditor', () => {
  beforeEach(() => {
    Logger.overrideLogger(false);
    folder = mkdtempSync(join(tmpdir(), 'settings-editor-'));
    config = join(folder, 'config.json');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Loads the settings as the process does at its start. */
  function start(values?: object, environment: NodeJS.ProcessEnv = {}): void {
    if (values) {
      writeFileSync(config, JSON.stringify(values));
    }
    const loaded = settingsFromEnvironment(environment, folder).validate({});
    settings = loaded.settings;
    editor = new SettingsEditor(settings, loaded.origin);
  }

  const save = (changes: object) => editor.save(changes as Record<string, unknown>, () => true);
  const file = (): unknown => JSON.parse(readFileSync(config, 'utf8'));

  function refusal(work: () => unknown): Pick<GatewayError, 'code' | 'param' | 'message'> {
    try {
      work();
    } catch (error) {
      const { code, param, message } = error as GatewayError;
      return { code, param, message };
    }
    throw new Error('was not refused');
  }

  describe('a saved setting', () => {
    it('is in force at once, and in the file', () => {
      start();
      const saved = save({ TOOL_COMPRESSION: false, BODY_LIMIT: '1mb', ALLOWED_HOSTS: 'chat.test' });
      expect(settings).toMatchObject({
        TOOL_COMPRESSION: false,
        BODY_LIMIT: 2 ** 20,
        ALLOWED_HOSTS: 'chat.test',
      });
      expect(file()).toEqual({ TOOL_COMPRESSION: false, BODY_LIMIT: '1mb', ALLOWED_HOSTS: 'chat.test' });
      expect(saved.isPending('TOOL_COMPRESSION')).toBe(false);
      expect(saved.originOf('TOOL_COMPRESSION')).toBe('config');
      expect(settingsFromEnvironment({}, folder).validate({}).settings).toEqual(settings);
    });

    it('that needs a restart takes effect at the next start', () => {
      start();
      const saved = save({ PORT: 8080 });
      expect([settings.PORT, saved.settings.PORT, saved.isPending('PORT')]).toEqual([26405, 8080, true]);
      expect(editor.read().isPending('PORT')).toBe(true);
      expect(save({ PORT: 26405 }).isPending('PORT')).toBe(false);
    });

    it.each([null, ''])('goes back to its default with %j', (value) => {
      start({ DRAIN_MS: 5, API_KEY: 'k' });
      const saved = save({ DRAIN_MS: value, API_KEY: value });
      expect(settings).toEqual(new Settings());
      expect(saved.originOf('DRAIN_MS')).toBe('default');
      expect(file()).toEqual({});
    });

    it('leaves a default that depends on the provider to the provider that runs', () => {
      start();
      const saved = save({ PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' });
      expect([settings.POOL_MAX_SESSIONS_PER_ACCOUNT, saved.settings.POOL_MAX_SESSIONS_PER_ACCOUNT]).toEqual([
        4, 64,
      ]);
      expect(saved.isPending('POOL_MAX_SESSIONS_PER_ACCOUNT')).toBe(true);
    });

    it('applies edits by hand since the start as well', () => {
      start({ DRAIN_MS: 5 });
      writeFileSync(config, '{"DRAIN_MS": 6, "models": {"one": {}}}');
      expect(editor.read().isPending('DRAIN_MS')).toBe(true);
      expect(settings.DRAIN_MS).toBe(5);
      save({ TOOL_COMPRESSION: false });
      expect(settings).toMatchObject({ DRAIN_MS: 6, TOOL_COMPRESSION: false });
      expect(Object.keys(settings.models ?? {})).toEqual(['one']);
      expect(file()).toEqual({ DRAIN_MS: 6, models: { one: {} }, TOOL_COMPRESSION: false });
    });
  });

  describe('a refused change', () => {
    it.each([
      ['PORT', 70_000, 'PORT must be an integer from 0 to 65535.'],
      ['PORT', {}, 'PORT must be an integer from 0 to 65535.'],
      ['TOOL_COMPRESSION', 'maybe', 'TOOL_COMPRESSION must be true or false.'],
      ['NOPE', 1, 'NOPE is not a setting.'],
      ['DRAIN_MS', Infinity, 'DRAIN_MS is too large a number.'],
      ['models', {}, 'models is not a setting.'],
      ['__proto__', 1, '__proto__ is not a setting.'],
      ['CONFIG_FILE', 'x', 'CONFIG_FILE cannot be changed from here.'],
      ['BROWSER_ENDPOINTS', 'ws://elsewhere.test', 'BROWSER_ENDPOINTS cannot be changed from here.'],
      ['DATABASE_URL', 'postgres://elsewhere.test', 'DATABASE_URL cannot be changed from here.'],
      ['BROWSER_WS_ENDPOINT', 'ws://elsewhere.test', 'BROWSER_WS_ENDPOINT cannot be changed from here.'],
      ['BROWSER_EXECUTABLE_PATH', '/bin/sh', 'BROWSER_EXECUTABLE_PATH cannot be changed from here.'],
      ['ALLOW_UNAUTHENTICATED', true, 'ALLOW_UNAUTHENTICATED cannot be changed from here.'],
      [
        'HEARTBEAT_AFTER_MS',
        5,
        'HEARTBEAT_AFTER_MS is set in the environment, which wins over the file: change it there.',
      ],
      [
        'HEARTBEAT_AFTER_MS',
        null,
        'HEARTBEAT_AFTER_MS is set in the environment, which wins over the file: change it there.',
      ],
      [
        'HOST',
        '0.0.0.0',
        expect.stringContaining('HOST 0.0.0.0 is reachable from other machines but API_KEY is empty'),
      ],
      ['POOL_MIN_SESSIONS', 33, 'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS.'],
      ['POOL_MAX_SESSIONS', 0, expect.stringContaining('POOL_MAX_SESSIONS must be an integer')],
      ['RETRY_MAX_DELAY_MS', 1, 'RETRY_BASE_DELAY_MS must not exceed RETRY_MAX_DELAY_MS.'],
      ['API_KEY', 'two words', expect.stringContaining('API_KEY must be printable ASCII')],
    ])('%s: %j', (name, value, message) => {
      start({ DRAIN_MS: 5 }, { HEARTBEAT_AFTER_MS: '7' });
      const changes = Object.fromEntries([
        ['TOOL_COMPRESSION', false],
        [name, value],
      ]);
      expect(refusal(() => save(changes))).toEqual({
        code: 'invalid_request',
        param: `values.${name}`,
        message,
      });
      expect(readFileSync(config, 'utf8')).toBe('{"DRAIN_MS":5}');
      expect(settings).toEqual(Object.assign(new Settings(), { DRAIN_MS: 5, HEARTBEAT_AFTER_MS: 7 }));
    });

    it('would remove the key of a gateway that listens beyond loopback, now or after a restart', () => {
      start({ HOST: '0.0.0.0', API_KEY: 'k' });
      const message: unknown = expect.stringContaining('HOST 0.0.0.0 is reachable');
      const expected = { code: 'invalid_request', param: 'values.API_KEY', message };
      expect(refusal(() => save({ API_KEY: null }))).toEqual(expected);
      // Loopback counts from the next start on only.
      expect(refusal(() => save({ HOST: '127.0.0.1', API_KEY: null }))).toMatchObject({
        code: 'invalid_request',
        message,
      });
      writeFileSync(config, '{"HOST": "127.0.0.1"}');
      expect(refusal(() => save({ DRAIN_MS: 1 }))).toMatchObject({ code: 'configuration_invalid', message });
      expect(settings.API_KEY).toBe('k');
    });

    it('would send stored keys to another server', () => {
      start({ UPSTREAM_API_KEYS: 'sk-one' });
      const elsewhere = { UPSTREAM_BASE_URL: 'http://elsewhere.test/v1' };
      expect(refusal(() => save(elsewhere))).toMatchObject({
        code: 'invalid_request',
        param: 'values.UPSTREAM_BASE_URL',
        message: expect.stringContaining('UPSTREAM_API_KEYS') as unknown,
      });
      save({ ...elsewhere, UPSTREAM_API_KEYS: 'sk-two' });
      save({ UPSTREAM_API_KEYS: null });
      save({ UPSTREAM_BASE_URL: 'http://third.test/v1' });
      expect(file()).toEqual({ UPSTREAM_BASE_URL: 'http://third.test/v1' });
    });

    it('is based on another version', () => {
      start();
      const { version } = editor.read();
      save({ DRAIN_MS: 1 });
      const late = () => editor.save({ DRAIN_MS: 2 }, (present) => present === version);
      expect(refusal(late)).toMatchObject({ code: 'version_conflict' });
      expect(settings.DRAIN_MS).toBe(1);
      writeFileSync(config, '{"DRAIN_MS": 1 }');
      const { version: second } = editor.read();
      expect(editor.save({ DRAIN_MS: 2 }, (present) => present === second).version).not.toBe(second);
    });
  });

  describe('F22: a file that was broken by hand', () => {
    it.each([
      ['{"DRAIN_MS": 1,\n', 'config.json is not valid JSON (line 2)'],
      ['[]', 'config.json must hold one JSON object'],
      ['', 'config.json is empty; it must hold one JSON object'],
      ['{\n"PROT": 1}', 'PROT is not a setting (config.json, line 2)'],
      ['{"PORT": "x"}', 'PORT must be an integer from 0 to 65535 (config.json, line 1)'],
      ['{"models": {}}', 'models must name at least one model (config.json, line 1)'],
    ])('%j is reported and kept', (text, problem) => {
      start({});
      writeFileSync(config, text);
      const message = `The configuration file was changed by hand, is left as it is, and cannot be used: ${problem}.`;
      const expected = { code: 'configuration_invalid', param: undefined, message };
      expect(refusal(() => editor.read())).toEqual(expected);
      expect(refusal(() => save({ DRAIN_MS: 1 }))).toEqual(expected);
      expect(readFileSync(config, 'utf8')).toBe(text);
      expect(settings).toEqual(new Settings());
    });

    it('is not read if it is a folder', () => {
      start();
      mkdirSync(config);
      expect(refusal(() => editor.read()).message).toContain('config.json cannot be read (EISDIR)');
    });

    // A file of Linux that fails to read as a disk does.
    (process.platform === 'linux' ? it : it.skip)('is not blamed where the disk or the machine fails', () => {
      start();
      symlinkSync('/proc/self/mem', config);
      const message = 'Internal server error: config.json cannot be read (EIO).';
      expect(refusal(() => editor.read())).toEqual({ code: 'internal_error', param: undefined, message });
    });
  });

  describe('the file', () => {
    it('is created for its owner alone, and keeps the mode of an existing one', () => {
      start();
      save({});
      expect(readdirSync(folder)).toEqual([]);
      save({ API_KEY: 'k' });
      expect(statSync(config).mode & 0o777).toBe(0o600);
      chmodSync(config, 0o640);
      save({ API_KEY: 'l' });
      expect(statSync(config).mode & 0o777).toBe(0o640);
      expect(readdirSync(folder)).toEqual(['config.json']);
    });

    it('is replaced at the target of a link', () => {
      writeFileSync(join(folder, 'real.json'), '{}');
      symlinkSync('real.json', config);
      start();
      save({ DRAIN_MS: 1 });
      expect(readFileSync(join(folder, 'real.json'), 'utf8')).toBe('{\n  "DRAIN_MS": 1\n}\n');
      expect(readdirSync(folder)).toEqual(['config.json', 'real.json']);
    });

    it('changes nothing if it cannot be written', () => {
      start({}, { CONFIG_FILE: config });
      rmSync(folder, { recursive: true });
      expect(refusal(() => save({ DRAIN_MS: 1 }))).toMatchObject({
        code: 'internal_error',
        message: 'Internal server error: config.json cannot be written (ENOENT); nothing was changed.',
      });
      expect(settings.DRAIN_MS).toBe(10_000);
      mkdirSync(folder);
    });
  });

  it('refuses to change settings that were put together by code', () => {
    settings = Object.assign(new Settings(), { DRAIN_MS: 1, models: { m: { contextWindow: 5 } } });
    editor = new SettingsEditor(settings, fixedOrigin(settings, config));
    expect(refusal(() => save({ DRAIN_MS: 2 }))).toMatchObject({ param: 'values.DRAIN_MS' });
    save({ TOOL_COMPRESSION: false });
    expect(settings).toMatchObject({
      DRAIN_MS: 1,
      TOOL_COMPRESSION: false,
      models: { m: { contextWindow: 5 } },
    });
  });

  it('leaves a file that loads and agrees with the running settings, for every sequence of changes', () => {
    const name = fc.constantFrom('NOPE', '__proto__', ...settingInfos().map((info) => info.name));
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(
        null,
        '',
        true,
        'false',
        0,
        1,
        40,
        '2mb',
        'auto',
        'full',
        'sandbox',
        'openai',
        '0.0.0.0',
      ),
    );
    const changes = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 6 }), (edits) => {
        rmSync(config, { force: true });
        start();
        for (const edit of edits) {
          const before = { ...settings };
          try {
            save(edit);
          } catch (error) {
            expect((error as GatewayError).code).toBe('invalid_request');
            expect({ ...settings }).toEqual(before);
          }
          const loaded = new Map(Object.entries(settingsFromEnvironment({}, folder).validate({}).settings));
          const saved = editor.read();
          for (const [one, running] of Object.entries(settings)) {
            expect([one, saved.isPending(one)]).toEqual([one, running !== loaded.get(one)]);
          }
          const atOnce = settingInfos().filter(({ name: one, restart }) => !restart && saved.isPending(one));
          // Its default is another one with another provider.
          expect(atOnce.every((info) => info.name === 'POOL_MAX_SESSIONS_PER_ACCOUNT')).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
