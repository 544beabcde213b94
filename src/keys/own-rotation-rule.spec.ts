import { describe, expect, it } from '@jest/globals';
import { type KeySecret } from './access-key.js';
import { requireRotatable } from './own-rotation-rule.js';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const LATEST: KeySecret = {
  digest: 'latest',
  keyName: 'ann',
  prefix: 'gwk_a',
  createdAt: NOW,
  expiresAt: null,
};

/** Secrets that were replaced, by how long ago they were made. */
const replaced = (...hoursAgo: number[]): KeySecret[] =>
  hoursAgo.map((hours) => ({
    ...LATEST,
    digest: `made ${hours} hours ago`,
    createdAt: NOW - hours * HOUR_MS,
    expiresAt: NOW + HOUR_MS,
  }));

describe('requireRotatable', () => {
  it('lets the latest secret replace itself, however many there were before the last day', () => {
    expect(() => requireRotatable([LATEST], 'latest', NOW)).not.toThrow();
    const secrets = [...replaced(1, 2, 23, 24, 25, 26), LATEST];
    expect(() => requireRotatable(secrets, 'latest', NOW)).not.toThrow();
  });

  it('refuses a secret that was replaced, and a key that is not in the store', () => {
    const refused = (code: string): unknown => expect.objectContaining({ code });
    expect(() => requireRotatable([...replaced(1), LATEST], 'made 1 hours ago', NOW)).toThrow(
      refused('permission_denied'),
    );
    expect(() => requireRotatable([LATEST], 'of the settings', NOW)).toThrow(refused('not_found'));
  });

  it('refuses a sixth secret within a day, with the time until there may be one', () => {
    expect(() => requireRotatable([...replaced(22, 9, 23, 1), LATEST], 'latest', NOW)).toThrow(
      expect.objectContaining({ code: 'rate_limit', reason: 'key_limited', retryAfterMs: HOUR_MS }),
    );
  });
});
