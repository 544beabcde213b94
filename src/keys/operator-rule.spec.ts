import { describe, expect, it } from '@jest/globals';
import { type AccessKey, NO_LIMITS } from './access-key.js';
import { isOperable, requireOperable } from './operator-rule.js';

const NOW = 1_800_000_000_000;
const CALLER: AccessKey = {
  name: 'ann',
  role: 'caller',
  models: null,
  ...NO_LIMITS,
  priority: 'interactive',
  isEnabled: true,
  expiresAt: null,
  createdAt: 1,
  revokedAt: null,
  lastUsedAt: null,
};
const OPERATOR: AccessKey = { ...CALLER, name: 'olga', role: 'operator' };
const NONE = { API_KEY: '', API_KEYS: '' };

describe('isOperable', () => {
  it.each([
    ['without keys', NONE, [], true],
    ['with API_KEY', { API_KEY: 'k', API_KEYS: 'bob:b' }, [CALLER], true],
    ['with callers in the settings alone', { API_KEY: '', API_KEYS: 'bob:b' }, [], false],
    ['with a caller alone', NONE, [CALLER], false],
    ['with a revoked caller alone', NONE, [{ ...CALLER, revokedAt: 1 }], false],
    ["with an operator's key", { API_KEY: '', API_KEYS: 'bob:b' }, [CALLER, OPERATOR], true],
    ["with a disabled operator's key", NONE, [{ ...OPERATOR, isEnabled: false }], false],
    ["with an expired operator's key", NONE, [{ ...OPERATOR, expiresAt: NOW }], false],
  ])('%s: %j', (_what, configured, keys, expected) => {
    expect(isOperable(configured, keys, NOW)).toBe(expected);
  });
});

describe('requireOperable', () => {
  it('names the field that would close the gateway', () => {
    requireOperable(NONE, [OPERATOR], NOW, 'role');
    expect(() => requireOperable(NONE, [CALLER], NOW, 'role')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'role' }),
    );
  });
});
