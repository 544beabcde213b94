import { describe, expect, it } from '@jest/globals';
import { templateOf } from '../kit/line-template.js';
import { kindOf, placesIn, withoutZeroes } from './line-kinds.js';

const kind = (line: string): string => kindOf(line, templateOf(line), false);

describe('kindOf', () => {
  it.each([
    'WARNING [app.pay] [pay.py:40] [trace_id=0af7 span_id=12] - retrying payment',
    '[trace=0af7] app.pay retrying payment',
    '{"trace":"0af7","level":"warn","msg":"retrying payment"}',
    'trace: 0af7 WARN retrying payment',
  ])('takes the name of an id for no level: %s', (line) => {
    expect(kind(line)).toBe('warning');
  });

  it.each([
    'DEBUG:root:retrying payment',
    '[debug] retrying payment',
    'level=debug trace=0af7 retrying payment',
    'TRACE retrying payment',
  ])('takes a level for debugging as one: %s', (line) => {
    expect(kind(line)).toBe('plain');
  });
});

describe('withoutZeroes', () => {
  it.each([
    ['Tests run: 4, Failures: 0, Errors: 0', 'Tests run: 4, , '],
    ['0 failed, 2 errors', ', 2 errors'],
    ['10 errors at 12:00 failed', '10 errors at 12:00 failed'],
    ['errors=0.5 failed=0', 'errors=0.5 '],
  ])('takes what is counted with zero out of %s', (line, rest) => {
    expect(withoutZeroes(line)).toBe(rest);
  });
});

describe('placesIn', () => {
  it.each([
    ['begin', (place: string) => `${place}: C: unused`],
    ['end', (place: string) => `   Location: ${place}`],
  ])('reads places with which lines %s', (_name, lineOf) => {
    const places = ['app/a.py:12:5', 'app/b.py:9:1', 'lib/c.py:40'];
    expect(placesIn([0, 1, 2], (line) => lineOf(places[line] ?? ''))).toEqual(places);
  });

  it('takes a time at the end of a line for no place', () => {
    expect(placesIn([0, 1], (line) => `took until: 12:0${line}`)).toBeUndefined();
  });
});
