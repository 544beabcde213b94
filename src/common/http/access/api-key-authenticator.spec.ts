import { createHash } from 'node:crypto';
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
    countRequest: () => undefined,
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

  it('turns a request away whose key has ended since it was let in', () => {
    const { authenticator, lose } = start();
    const asked = request(`Bearer ${KEY}`);
    authenticator.authenticate(asked);
    authenticator.confirm(asked);
    lose('revoked');
    expect(() => authenticator.confirm(asked)).toThrow('The API key has been revoked.');
  });

  it('turns a request away that was let in without a key, once one is needed', () => {
    const settings = new Settings();
    const ring = new KeyRing(settings);
    const authenticator = new ApiKeyAuthenticator(ring, new WrongKeyLimiter(settings, new SystemClock()));
    const [asked, open] = [request('none'), request('none')];
    authenticator.authenticate(asked);
    settings.API_KEY = KEY;
    expect(() => authenticator.confirm(asked)).toThrow('An API key is required');
    expect(() => authenticator.confirm(open)).not.toThrow();
  });

  it('turns a request away whose key has another role than it was let in with', () => {
    const settings = Object.assign(new Settings(), { API_KEY: KEY });
    const authenticator = new ApiKeyAuthenticator(
      new KeyRing(settings),
      new WrongKeyLimiter(settings, new SystemClock()),
    );
    const asked = request(`Bearer ${KEY}`);
    authenticator.authenticate(asked);
    Object.assign(settings, { API_KEY: 'another', API_KEYS: `ann:${KEY}` });
    expect(() => authenticator.confirm(asked)).toThrow('The API key was changed while the request arrived.');
  });

  it('looks keys up by their digest alone, so that no comparison meets what a caller sends', () => {
    const ring = new KeyRing(Object.assign(new Settings(), { API_KEY: KEY }));
    const asked: string[] = [];
    ring.attach({
      hasKeys: true,
      find: (digest) => void asked.push(digest),
      used: () => undefined,
      countRequest: () => undefined,
    });
    const authenticator = new ApiKeyAuthenticator(
      ring,
      new WrongKeyLimiter(new Settings(), new SystemClock()),
    );
    // The longer the part that is right, the longer a comparison of texts would take.
    const guesses = ['x', KEY.slice(0, 8), KEY.slice(0, -1), `${KEY.slice(0, -1)}x`, `${KEY}x`];
    for (const guess of guesses) {
      expect(authenticator.isAuthentic(request(`Bearer ${guess}`))).toBe(false);
    }
    expect(asked).toEqual(guesses.map((guess) => createHash('sha256').update(guess).digest('hex')));
    expect([ring.find(KEY), ring.find(digestOf(KEY))]).toMatchObject([
      undefined,
      { key: { name: 'API_KEY' } },
    ]);
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
