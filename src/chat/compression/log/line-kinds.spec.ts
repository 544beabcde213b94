import { describe, expect, it } from '@jest/globals';
import { templateOf } from '../kit/line-template.js';
import { kindOf } from './line-kinds.js';

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
