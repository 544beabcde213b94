import { describe, expect, it } from '@jest/globals';
import { filterQuery, fits, isStatusIn, readFilters } from '../assets/filters.js';

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

describe('isStatusIn', () => {
  it.each([
    [200, '2xx', true],
    [299, '2XX', true],
    [429, '4xx', true],
    [429, '429', true],
    [429, '42', false],
    [500, '4xx', false],
    [undefined, '4xx', false],
    [undefined, '429', false],
  ])('%p in %p: %p', (status, range, expected) => {
    expect(isStatusIn(status, range)).toBe(expected);
  });
});

describe('fits', () => {
  const entry = { outcome: 'ok', status: 200, model: 'm', account: 'a' };

  it.each([
    [{}, true],
    [{ q: 'any' }, true],
    [{ outcome: 'ok', model: 'm', account: 'a', status: '2xx' }, true],
    [{ outcome: 'cancelled' }, false],
    [{ model: 'other' }, false],
    [{ account: 'other' }, false],
    [{ status: '5xx' }, false],
  ])('%p: %p', (filters, expected) => {
    expect(fits(entry, filters)).toBe(expected);
  });
});
