import { describe, expect, it } from '@jest/globals';
import { TokenDay } from './token-day.js';

const DAY = 86_400_000;
const LIMIT = 100;

describe('TokenDay', () => {
  it('forgets at midnight what was used, but not what is set aside', () => {
    const tokens = new TokenDay(DAY);
    tokens.add(60, DAY);
    const reservation = tokens.reserve(30, LIMIT, 2 * DAY - 1);
    expect(tokens.remaining(LIMIT, 2 * DAY - 1)).toBe(10);
    expect(tokens.remaining(LIMIT, 2 * DAY)).toBe(70);
    reservation?.settle(20, 2 * DAY);
    expect(tokens.taken(2 * DAY)).toEqual({ used: 20, reserved: 0 });
  });

  it('knows both days of a clock that jumps over midnight and back', () => {
    const tokens = new TokenDay(DAY);
    tokens.add(80, DAY);
    tokens.add(10, 2 * DAY);
    expect(tokens.remaining(LIMIT, DAY)).toBe(20);
    tokens.add(20, DAY);
    expect(tokens.remaining(LIMIT, 2 * DAY)).toBe(90);
    expect(tokens.remaining(LIMIT, 2 * DAY - 1)).toBe(0);
  });

  it('goes by the latest two days where the clock was far off', () => {
    const tokens = new TokenDay(30 * DAY);
    tokens.add(80, 30 * DAY);
    expect(tokens.remaining(LIMIT, DAY)).toBe(100);
    tokens.add(70, DAY);
    expect(tokens.remaining(LIMIT, 2 * DAY)).toBe(100);
    expect(tokens.remaining(LIMIT, 2 * DAY - 1)).toBe(30);
  });
});
