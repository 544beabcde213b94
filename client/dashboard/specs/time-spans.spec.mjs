import { describe, expect, it } from '@jest/globals';
import { toLogQuery } from '../assets/data/filters.js';
import { spanText, TIME_SPANS, timeSpan } from '../assets/data/time-spans.js';

const local = (...parts) => new Date(...parts).getTime();
const NOW = local(2026, 10, 22, 11, 30);
const HOUR_MS = 3_600_000;

describe('timeSpan', () => {
  it.each([
    ['15min', { from: NOW - HOUR_MS / 4 }],
    ['hour', { from: NOW - HOUR_MS }],
    ['today', { from: local(2026, 10, 22) }],
    ['yesterday', { from: local(2026, 10, 21), until: local(2026, 10, 22) }],
    ['yesterday-evening', { from: local(2026, 10, 21, 17), until: local(2026, 10, 22) }],
    ['unknown', {}],
  ])('%s', (name, expected) => {
    expect(timeSpan(name, NOW)).toEqual(expected);
  });

  it('knows every span that is offered', () => {
    Object.keys(TIME_SPANS).forEach((name) => expect(timeSpan(name, NOW)).toHaveProperty('from'));
  });
});

it('turns words into times, which exact times override', () => {
  expect(toLogQuery({ q: 'x', time: 'hour' }, NOW)).toEqual({
    q: 'x',
    from: NOW - HOUR_MS,
    until: undefined,
  });
  expect(toLogQuery({ time: 'hour', from: '5', until: '6' }, NOW)).toEqual({ from: '5', until: '6' });
});

it('says a span in words', () => {
  const [from, until] = [local(2026, 10, 21, 17), local(2026, 10, 22)];
  expect([spanText({}), spanText({ from }), spanText({ until }), spanText({ from, until })]).toEqual([
    '',
    'since 21 Nov 17:00',
    'before 22 Nov 00:00',
    '21 Nov 17:00 – 22 Nov 00:00',
  ]);
});
