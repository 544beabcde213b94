// The names of settings are known once they are declared.
import './settings.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SettingsError } from './settings.errors.js';
import { dotEnvSource, environmentSource, jsonTextSource } from './settings-sources.js';

const valuesOf = (environment: NodeJS.ProcessEnv): object => environmentSource(environment).values;

describe('variables of a proxy', () => {
  it('are known in small letters too, which win', () => {
    const small = { https_proxy: 'http://small', HTTPS_PROXY: 'http://capital', no_proxy: '.example' };
    expect(valuesOf({ ...small, http_proxy: '', HTTP_PROXY: 'http://other', port: '1' })).toEqual({
      HTTPS_PROXY: 'http://small',
      HTTP_PROXY: 'http://other',
      NO_PROXY: '.example',
    });
  });
});

describe('secrets in files', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    file = join(folder, 'secret');
    writeFileSync(file, '\uFEFFkey in file\n');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are read where a variable with _FILE names one, in the environment and in `.env`', () => {
    const named = { API_KEY_FILE: file, SECRET_KEY_FILE: '', HOST_FILE: file, https_proxy_file: file };
    expect(valuesOf(named)).toEqual({ API_KEY: 'key in file' });
    expect(dotEnvSource('.env', '', { SECRET_KEY_FILE: file }).values).toEqual({ SECRET_KEY: 'key in file' });
  });

  it('are not passed over in silence', () => {
    const refused = (environment: NodeJS.ProcessEnv, problem: string): void =>
      expect(() => valuesOf(environment)).toThrow(new SettingsError([problem]).message);
    const missing = join(folder, 'none');
    refused({ API_KEY_FILE: missing }, `API_KEY_FILE ${missing} does not exist`);
    refused({ API_KEY_FILE: folder }, `API_KEY_FILE ${folder} cannot be read (EISDIR)`);
    const empty = join(folder, 'empty');
    writeFileSync(empty, '\uFEFF \n');
    refused({ API_KEY_FILE: empty }, `API_KEY_FILE ${empty} is empty`);
    refused({ API_KEY_FILE: file, API_KEY: 'hush' }, 'API_KEY and API_KEY_FILE are both set (environment)');
  });
});

describe('values in `.env`', () => {
  const read = (text: string): object => dotEnvSource('.env', text, {});

  it.each(['API_KEY=abc#def', 'PORT=1\nexport API_KEY = abc #x\n  API_KEY: abc#def\r\n'])(
    'are refused where a # cuts them: %j',
    (text) => {
      const line = text.split('\n').findLastIndex((one) => one.includes('API_KEY')) + 1;
      const problem = `API_KEY has a # that ends it: put the value in quotes (.env, line ${line})`;
      expect(() => read(text)).toThrow(new SettingsError([problem]));
    },
  );

  it.each([
    'API_KEY="abc#def"',
    "API_KEY='abc#def' # comment",
    'API_KEY=abc # comment#',
    'API_KEY=#',
    '#API_KEY=abc#def',
    'API_KEY_OF_OTHERS=abc#def',
    'LOG_LEVEL=warn#comment',
    'API_KEY=abc#def\nAPI_KEY=abc',
  ])('are taken where none is cut: %j', (text) => {
    expect(() => read(text)).not.toThrow();
  });
});

describe('names in a JSON file', () => {
  const read = (text: string) => jsonTextSource(text, 'config.json', 'CONFIG_FILE');

  it('are refused where one stands twice, in any spelling, by its last line', () => {
    const text =
      '{"PORT": 1,\n"HOST": "a\\"b", "PORT": 2, "models": {"a": {},\n"a": {"thinking": [{"HOST": 1}]}},\n"\\u0048OST": "c"}';
    expect(() => read(text)).toThrow(
      new SettingsError([
        'PORT is given twice (config.json, line 2)',
        'models.a is given twice (config.json, line 3)',
        'HOST is given twice (config.json, line 4)',
      ]),
    );
  });

  it.each([
    '{"//": "a", "//": "b", "// more": {"a": 1, "a": 2}}',
    '{"models": {"PORT": {"aliases": ["a", "a"]}, "b": {"aliases": []}}, "PORT": 1}',
    '{"HOST": "{\\"HOST\\": 1", "PORT": 1}',
  ])('are taken where none does, or in a comment: %j', (text) => {
    expect(() => read(text)).not.toThrow();
  });

  it('have the lines of settings, not of models that are called like them', () => {
    expect(read('{"models": {"PORT": {}},\n"PORT": 1}').lineOf('PORT')).toBe(2);
  });
});
