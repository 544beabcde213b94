import { describe, expect, it, jest } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { ArgumentSchema } from './argument-schema.js';
import { EvaluationLimits } from './evaluation-limits.js';
import { PatternMatcher } from './pattern-matcher.js';
import { StepBudget } from './step-budget.js';

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

describe('patterns for names of members', () => {
  it('are tried once for each name, whatever is asked', () => {
    const patterns = new PatternMatcher();
    const matches = jest.spyOn(patterns, 'matches');
    const schema = new ArgumentSchema(
      {
        patternProperties: { '^n_': { type: 'integer' }, '^b_': { type: 'boolean' } },
        additionalProperties: false,
      },
      new EvaluationLimits(patterns),
    );
    const json = '{"n_a":"1","b_a":"true"}';
    expect(schema.fromJson(json).json).toBe('{"n_a":1,"b_a":true}');
    expect(schema.fromJson(json).json).toBe('{"n_a":1,"b_a":true}');
    expect(schema.property('n_a').fromText('5').json).toBe('5');
    expect(matches).toHaveBeenCalledTimes(4);
  });

  it('share what they may take, so that no further one is tried behind those of another tool', () => {
    const patterns = new PatternMatcher(2 ** 20);
    const tool = (pattern: string) =>
      new ArgumentSchema(
        { patternProperties: { [pattern]: { type: 'integer' } } },
        new EvaluationLimits(patterns),
      );
    expect(tool('^n_').fromJson('{"n_a":"1"}').json).toBe('{"n_a":1}');
    const costly = tool('a*b*c');
    list(3000, (at) => costly.fromJson(JSON.stringify({ ['a'.repeat(60) + String(at)]: '1' })));
    expect(patterns.isSpent).toBe(true);
    expect(tool('^n_').fromJson('{"n_a":"1"}').json).toBe('{"n_a":"1"}');
  });
});

describe('listed values', () => {
  it('are read once for all alternatives that share them', () => {
    const read = jest.fn(() => 'json');
    const schema = new ArgumentSchema({
      properties: {
        a: { allOf: [{ enum: list(10, () => ({ toJSON: read })) }, { anyOf: list(30, () => ({})) }] },
      },
    });
    schema.fromJson('{"a":{}}');
    expect(read.mock.calls.length).toBeLessThan(100);
  });
});

describe('what evaluating schemas takes', () => {
  it('is counted for all tools of a request, and beyond it they admit everything', () => {
    const limits = new EvaluationLimits(new PatternMatcher(), new StepBudget(2 ** 16));
    const tool = () => new ArgumentSchema({ properties: { n: { type: 'integer' } } }, limits);
    expect(tool().fromJson('{"n":"1"}').json).toBe('{"n":1}');
    new ArgumentSchema({ allOf: list(900, () => ({ anyOf: [{}, {}] })) }, limits).fromJson('{"a":1}');
    expect(tool().fromJson('{"n":"1"}').json).toBe('{"n":"1"}');
    expect(tool().property('n').fromText('1').json).toBe('1');
  });

  const integers = { anyOf: list(64, () => ({ type: 'integer' })) };
  const tree = { properties: { a: { $ref: '#/$defs/x' } } };
  const reference = `#${'/a'.repeat(50_000)}`;
  const names = list(2000, (at) => `n${at}`);

  it.each<[string, object, number]>([
    ['alternatives of many parts', { allOf: [integers, ...list(900, () => ({}))] }, 100],
    ['schemas within each alternative', { allOf: [tree, tree], anyOf: list(64, () => ({})) }, 1],
    ['long references', { allOf: list(400, () => ({ $ref: reference })) }, 4],
    ['references to long lists of names', { allOf: list(900, () => ({ $ref: '#/$defs/names' })) }, 64],
    ['values that are listed twice', { allOf: [{ enum: names }, { enum: names }], $comment: '' }, 2000],
  ])('stays small with %s', async (_, x, count) => {
    const keys = list(count, (at) => `p${at}`);
    const schema = new ArgumentSchema({
      properties: {
        a: { $ref: '#/$defs/x' },
        ...Object.fromEntries(keys.map((key) => [key, { allOf: [{ $ref: '#/$defs/x' }] }])),
      },
      $defs: { x, names: { required: names } },
    });
    const nested = `${'{"a":'.repeat(8)}1${'}'.repeat(8)}`;
    const json = `{${keys.map((key) => `"${key}":"1"`).join()},"a":${nested}}`;
    await cpuPace.expectWithin(
      cpuMs(() => schema.fromJson(json)),
      1500,
    );
  });
});
