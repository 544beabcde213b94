import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SteppedClock } from '../../../../test/support/gateway/accounts-rig.js';
import { Settings } from '../../config/settings.js';
import { networkOf, WrongKeyLimiter } from './wrong-key-limiter.js';

const MINUTE_MS = 60_000;

describe('WrongKeyLimiter', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  });
  afterEach(() => warn.mockRestore());

  const start = (): { readonly clock: SteppedClock; readonly limiter: WrongKeyLimiter } => {
    const clock = new SteppedClock();
    const settings = Object.assign(new Settings(), { WRONG_KEYS_PER_MINUTE: 2 });
    return { clock, limiter: new WrongKeyLimiter(settings, clock) };
  };

  it('names the rest of the minute once the limit is passed, for that address alone', () => {
    const { clock, limiter } = start();
    expect([limiter.count('192.0.2.1'), limiter.count('192.0.2.1')]).toEqual([0, 0]);
    clock.pass(10_000);
    expect(limiter.count('192.0.2.1')).toBe(MINUTE_MS - 10_000);
    expect(limiter.count('192.0.2.2')).toBe(0);
    clock.pass(MINUTE_MS - 10_000);
    expect(limiter.count('192.0.2.1')).toBe(0);
  });

  it('tells the process log of a network beyond the limit, once a minute', () => {
    const { clock, limiter } = start();
    const send = (keys: number): void => {
      for (let sent = 0; sent < keys; sent++) {
        limiter.count('192.0.2.1');
      }
    };
    send(2);
    expect(warn).not.toHaveBeenCalled();
    send(5);
    expect(warn.mock.calls).toEqual([
      [{ event: 'wrong_keys', network: '192.0.2.1' }, expect.stringContaining('WRONG_KEYS_PER_MINUTE')],
    ]);
    clock.pass(MINUTE_MS);
    send(3);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('forgets the network seen first when 10,000 others came', () => {
    const { limiter } = start();
    const limited = (): boolean => [1, 2, 3].map(() => limiter.count('first')).some((waitMs) => waitMs > 0);
    expect(limited()).toBe(true);
    for (let index = 0; index < 10_000; index++) {
      limiter.count(`other ${index}`);
    }
    expect([limiter.count('first'), limiter.count('first')]).toEqual([0, 0]);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::5', '2001:db8:0:0'],
    ['2001:db8:1:2:3::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('takes %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
