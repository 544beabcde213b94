import { describe, expect, it } from '@jest/globals';
import { errorTone, servedShares } from '../assets/data/served.js';

const NONE = { ok: 0, errors: 0, clientErrors: 0, rateLimited: 0, keyLimited: 0, cancelled: 0 };

describe('servedShares', () => {
  it('leaves out what callers did wrong, beyond the limits of their keys, or left', () => {
    const totals = { ok: 6, errors: 2, clientErrors: 2, rateLimited: 3, keyLimited: 3, cancelled: 1 };
    expect(servedShares(totals)).toEqual({ share: 1, ofAll: 0.5, tone: '' });
  });

  it.each([
    [95, ''],
    [94, 'warn'],
    [80, 'warn'],
    [79, 'bad'],
  ])('%i of 100 without another fault has the tone %j', (ok, tone) => {
    expect(servedShares({ ...NONE, ok, errors: 100 - ok })).toMatchObject({ share: ok / 100, tone });
  });

  it('counts what the limits of the accounts refused', () => {
    const totals = { ...NONE, ok: 3, rateLimited: 61, keyLimited: 60 };
    expect(servedShares(totals)).toEqual({ share: 0.75, ofAll: 3 / 64, tone: 'bad' });
    expect(servedShares({ ...NONE, rateLimited: 2 })).toEqual({ share: 0, ofAll: 0, tone: 'bad' });
  });

  it('knows no share of nothing', () => {
    expect(servedShares(NONE)).toEqual({ share: undefined, ofAll: undefined, tone: '' });
    expect(servedShares({ ...NONE, rateLimited: 2, keyLimited: 2 })).toEqual({
      share: undefined,
      ofAll: 0,
      tone: '',
    });
  });
});

describe('errorTone', () => {
  it.each([
    [{ errors: 3, clientErrors: 2 }, 'bad'],
    [{ errors: 2, clientErrors: 2 }, 'warn'],
    [{ rateLimited: 2 }, ''],
  ])('of %j is %j', (totals, tone) => {
    expect(errorTone({ ...NONE, ...totals })).toBe(tone);
  });
});
