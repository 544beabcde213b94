import { describe, expect, it } from '@jest/globals';
import { filterQuery, fits, hasStatus, readFilters } from '../assets/data/filters.js';

describe('filters in the address', () => {
  it('are read by name, without empty and unknown ones', () => {
    expect(readFilters('?q=a%20b&model=&other=1&status=5xx', ['q', 'model', 'status'])).toEqual({
      q: 'a b',
      status: '5xx',
    });
  });

  it.each([[{}], [{ q: 'a&b=c #?+ü', account: 'x' }], [{ outcome: 'ok' }]])(
    'survive the way there and back: %p',
    (filters) => {
      expect(readFilters(filterQuery(filters), ['q', 'account', 'outcome'])).toEqual(filters);
    },
  );

  it('make no query when none is set', () => {
    expect(filterQuery({ q: '', model: undefined }, { id: null })).toBe('');
  });
});

describe('hasStatus', () => {
  it.each([
    [{ status: 200 }, '2xx', true],
    [{ status: 299 }, '2XX', true],
    [{ status: 429 }, '4xx', true],
    [{ status: 429 }, '429', true],
    [{ status: 429 }, '42', false],
    [{ status: 500 }, '4xx', false],
    [{}, '4xx', false],
    [{}, '429', false],
    [{ outcome: 'rate_limited', status: 429 }, 'rate_limited', true],
    [{ outcome: 'ok', status: 200 }, 'cancelled', false],
  ])('%p has %p: %p', (entry, wanted, expected) => {
    expect(hasStatus(entry, wanted)).toBe(expected);
  });
});

describe('the outcome of an exchange', () => {
  it.each([
    [{}, 'pending'],
    [{ status: 200 }, 'pending'],
    [{ status: 200, totalMs: 5 }, 'ok'],
    [{ status: 404, totalMs: 5 }, 'client_error'],
    [{ status: 429, totalMs: 5 }, 'rate_limited'],
    [{ status: 430, totalMs: 5 }, 'client_error'],
    [{ status: 500, totalMs: 5 }, 'upstream_error'],
    [{ status: 200, error: 'reset', totalMs: 5 }, 'upstream_error'],
    [{ status: 200, error: 'cancelled', totalMs: 5 }, 'cancelled'],
    [{ totalMs: 5 }, 'upstream_error'],
  ])('of %p is %s', (record, outcome) => {
    expect(hasStatus({ kind: 'network', ...record }, outcome)).toBe(true);
    expect(hasStatus({ kind: 'network', ...record }, 'shutdown')).toBe(false);
  });
});

describe('fits', () => {
  const entry = {
    ...{ outcome: 'ok', status: 200, model: 'm', account: 'a', key: 'ann' },
    ...{ client: 'curl/8', operation: 'completion', totalMs: 20, startedAt: 5 },
  };

  it.each([
    [{}, true],
    [{ q: 'any' }, true],
    [{ status: 'ok', model: 'm', account: 'a' }, true],
    [{ status: '2xx' }, true],
    [{ status: 'cancelled' }, false],
    [{ model: 'other' }, false],
    [{ account: 'other' }, false],
    [{ key: 'ann' }, true],
    [{ key: 'bob' }, false],
    [{ served: '1' }, false],
    [{ operation: 'completion' }, true],
    [{ status: '5xx' }, false],
    [{ status: 'failed' }, false],
    [{ reason: 'upstream_idle' }, false],
    [{ client: 'curl' }, true],
    [{ client: 'url' }, false],
    [{ min_ms: '20' }, true],
    [{ min_ms: '21' }, false],
    [{ from: 5, until: 6 }, true],
    [{ from: '6' }, false],
    [{ until: '5' }, false],
  ])('%p: %p', (filters, expected) => {
    expect(fits(entry, filters)).toBe(expected);
  });

  it('finds the exchanges that served a request', () => {
    expect(fits({ kind: 'network', requestId: 'r' }, { served: '1' })).toBe(true);
  });
});
