import '../../../src/common/config/settings.js';
import { describe, expect, it } from '@jest/globals';
import { settingInfos } from '../../../src/common/config/setting.decorators.js';
import {
  changesBetween,
  durationWords,
  fromFieldText,
  groupSettings,
  settingTitle,
  toFieldText,
  valueText,
} from '../assets/data/setting-values.js';

describe('field texts', () => {
  it.each([
    ['integer', 120_000, '120000'],
    ['boolean', false, 'false'],
    ['choice', 'full', 'full'],
    ['text', 'a b', 'a b'],
  ])('of %s give %p back', (kind, value, text) => {
    expect(toFieldText(kind, value)).toBe(text);
    expect(fromFieldText(kind, text)).toBe(value);
  });

  it.each([
    [32 * 2 ** 20, '32mb'],
    [2 ** 30, '1gb'],
    [1500, '1500'],
    [1536, '1536'],
    [2048, '2kb'],
    [0, '0'],
  ])('of sizes are short: %p', (value, text) => {
    expect(toFieldText('size', value)).toBe(text);
  });

  it('become null if they are empty', () => {
    expect(toFieldText('text', null)).toBe('');
    expect(fromFieldText('integer', '  ')).toBe(null);
  });

  it('pass on invalid numbers for the gateway to refuse', () => {
    expect(fromFieldText('integer', '12x')).toBe('12x');
    expect(fromFieldText('size', '32mb')).toBe('32mb');
  });
});

describe('groupSettings', () => {
  it('puts every setting into one group and omits empty groups', () => {
    const names = ['POOL_IDLE_MS', 'API_KEY', 'NEW_THING', 'PORT', 'LOG_LEVEL', 'ALLOW_UNAUTHENTICATED'];
    expect(
      groupSettings(names.map((name) => ({ name }))).map(({ title, settings }) => [
        title,
        settings.map(({ name }) => name),
      ]),
    ).toEqual([
      ['Listener', ['API_KEY', 'PORT', 'ALLOW_UNAUTHENTICATED']],
      ['Session pool', ['POOL_IDLE_MS']],
      ['Log', ['LOG_LEVEL']],
      ['Other', ['NEW_THING']],
    ]);
  });

  it('knows a group for every setting (else: a pattern in GROUPS of setting-values.js)', () => {
    expect(groupSettings(settingInfos()).find(({ title }) => title === 'Other')).toBeUndefined();
  });
});

describe('a setting for people', () => {
  it.each([
    ['RATE_LIMIT_COOLDOWN_MS', 'Rate limit cooldown'],
    ['UPSTREAM_BASE_URL', 'Upstream base URL'],
    ['API_KEYS', 'API keys'],
    ['BROWSER_WS_ENDPOINT', 'Browser WebSocket endpoint'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'OpenTelemetry exporter OTLP headers'],
  ])('%s is %j', (name, title) => {
    expect(settingTitle(name)).toBe(title);
  });

  it.each([
    ['POOL_IDLE_MS', '120000', '= 2 min'],
    ['POOL_IDLE_MS', '1500', '= 1.5 s'],
    ['POOL_IDLE_MS', '500', ''],
    ['POOL_IDLE_MS', '12x000', ''],
    ['POOL_IDLE_MS', '', ''],
    ['LOG_MAX_BYTES', '120000', ''],
  ])('%s of %j is %j', (name, text, words) => {
    expect(durationWords(name, text)).toBe(words);
  });
});

describe('changesBetween', () => {
  const setting = (more) => ({
    name: 'A',
    kind: 'integer',
    value: 1,
    isSet: false,
    source: 'default',
    ...more,
  });

  it('lists the differing settings with their values as text', () => {
    expect(
      changesBetween(
        [setting(), setting({ name: 'B' }), setting({ name: 'K', secret: true, value: null })],
        [
          setting({ value: 2, isSet: true, source: 'config' }),
          setting({ name: 'B' }),
          setting({ name: 'K', secret: true, value: null, isSet: true, source: 'config' }),
        ],
      ),
    ).toEqual([
      { name: 'A', before: '1', after: '2' },
      { name: 'K', before: 'not set', after: 'set' },
    ]);
  });
});

describe('valueText', () => {
  it.each([
    [{ kind: 'text', unset: 'the usual one' }, null, 'the usual one'],
    [{ kind: 'text' }, '', 'empty'],
    [{ kind: 'size' }, 2048, '2kb'],
    [{ kind: 'boolean' }, false, 'false'],
  ])('%p of %p is %p', (setting, value, text) => {
    expect(valueText(setting, value)).toBe(text);
  });
});
