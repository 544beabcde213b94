import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { jsonStrategy } from './json.strategy.js';
import { joinSequence } from './json-sequence.js';

const condense = (text: string): string | undefined => jsonStrategy.condense(text, strategyContext());

function written(id: number): string {
  return JSON.stringify({ id, state: id === 15 ? 'failed' : 'ok' }, undefined, 2);
}

describe('joinSequence', () => {
  it('makes an array of values behind each other, left open if the last is cut off', () => {
    expect(joinSequence('{\n"a": "}"\n}\n{"b": 2}\n')).toBe('[{\n"a": "}"\n},\n{"b": 2}]');
    expect(joinSequence('[\n1\n][2]\n{"b": ')).toBe('[[\n1\n],\n[2],\n{"b": ');
  });

  it('joins the items of arrays on one line each', () => {
    expect(joinSequence('[{"a": 1}, {"a": 2}]\n[{"a": 3}]\n')).toBe('[{"a": 1}, {"a": 2},\n{"a": 3}]');
    expect(joinSequence('[1, 2]\n[3, 4]\n')).toBeUndefined();
    expect(joinSequence('[{"a": 1}]\n[]')).toBeUndefined();
  });

  it.each([
    '',
    '{\n"a": 1\n}',
    '{"a":1}\n{"b":2}',
    '{\n"a": 1\n}\ndone',
    '{\n"a": ',
    'a {\n}{\n}',
    '{\n}{"error": "x"}',
    '{\n}{"scripts": {}}',
  ])('takes no other text: %j', (text) => {
    expect(joinSequence(text)).toBeUndefined();
  });

  it('lets values behind each other be condensed as rows', () => {
    const condensed = condense(range(1, 40).map(written).join('\n'))?.split('\n') ?? [];
    expect(condensed[0]).toBe('[JSON values behind each other, as one array:]');
    expect(condensed.find((line) => line.startsWith('[40 rows in all'))).toContain('"failed" 1');
    expect(condensed).toContain('{"id": 15, "state": "failed"}');
  });

  it('counts the complete values of a sequence that was cut off, and shows the rest', () => {
    const condensed = condense(`${range(1, 40).map(written).join('\n')}\n{\n  "id": 41,\n  "sta`) ?? '';
    expect(condensed).toContain('[40 rows in all');
    expect(condensed).toMatch(/\n\{\n {2}"id": 41,\n {2}"sta$/);
  });
});
