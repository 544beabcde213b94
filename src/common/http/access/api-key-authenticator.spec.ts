import { type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../config/settings.js';
import { SystemClock } from '../../time/clock.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { digestOf } from './bearer.js';
import { callerKeyOf } from './caller-key.js';
import { type KeyObstacle, KeyRing } from './key-ring.js';
import { WrongKeyLimiter } from './wrong-key-limiter.js';

const KEY = 'gwk_0123456789abcdef';
const key = { name: 'team', role: 'caller', digest: digestOf(KEY) } as const;

function start(): {
  readonly authenticator: ApiKeyAuthenticator;
  readonly lose: (obstacle: KeyObstacle) => void;
} {
  const settings = new Settings();
  const ring = new KeyRing(settings);
  let obstacle: KeyObstacle | undefined;
  ring.attach({
    hasKeys: true,
    find: (digest) => (digest === key.digest ? { key, obstacle } : undefined),
    used: () => undefined,
    admit: () => undefined,
  });
  const authenticator = new ApiKeyAuthenticator(ring, new WrongKeyLimiter(settings, new SystemClock()));
  return { authenticator, lose: (found) => (obstacle = found) };
}

/** A request whose headers can be read once. */
function request(authorization: string): IncomingMessage {
  let reads = 0;
  return {
    rawHeaders: ['Authorization', authorization],
    get headers() {
      reads++;
      if (reads > 1) {
        throw new Error('read twice');
      }
      return { authorization };
    },
    socket: { remoteAddress: '192.0.2.1' },
  } as unknown as IncomingMessage;
}

describe('ApiKeyAuthenticator', () => {
  it('reads the key of a request once', () => {
    const { authenticator } = start();
    const asked = request(`Bearer ${KEY}`);
    expect([authenticator.isAuthentic(asked), authenticator.authenticate(asked)]).toEqual([true, key]);
    expect(callerKeyOf(asked)).toBe(key);
  });

  it.each([
    ['Bearer wrong', 'The API key is wrong.'],
    ['Basic eDp5', 'An API key is required'],
  ])('refuses %s both times', (authorization, message) => {
    const { authenticator } = start();
    const asked = request(authorization);
    expect(authenticator.isAuthentic(asked)).toBe(false);
    expect(() => authenticator.authenticate(asked)).toThrow(message);
  });

  it.each(['revoked', 'disabled'] as const)('turns away a key that was %s since the arrival', (obstacle) => {
    const { authenticator, lose } = start();
    const asked = request(`Bearer ${KEY}`);
    expect(authenticator.isAuthentic(asked)).toBe(true);
    lose(obstacle);
    expect(() => authenticator.authenticate(asked)).toThrow(obstacle);
  });
});
