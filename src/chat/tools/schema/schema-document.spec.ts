import { describe, expect, it, jest } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { ArgumentSchema, coerceJson } from './argument-schema.js';
import { EvaluationLimits } from './evaluation-limits.js';
import { PatternMatcher } from './pattern-matcher.js';
import { SchemaDocument } from './schema-document.js';
import { StepBudget } from './step-budget.js';

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

/** Brings JSON text to the schema, whose parts are evaluated once. */
function coercer(schema: object, limits?: EvaluationLimits): (json: string) => string {
  const whole = new SchemaDocument(schema, limits).schema(schema);
  return (json) => coerceJson(json, whole).json;
}

describe('patterns for names of members', () => {
  it('are tried once for each name, whatever is asked', () => {
    const patterns = new PatternMatcher();
    const matches = jest.spyOn(patterns, 'matches');
    const coerce = coercer(
      {
        patternProperties: { '^n_': { type: 'integer' }, '^b_': { type: 'boolean' } },
        additionalProperties: false,
      },
      new EvaluationLimits(patterns),
    );
    expect(coerce('{"n_a":"1","b_a":"true"}')).toBe('{"n_a":1,"b_a":true}');
    expect(coerce('{"b_a":"false","n_a":"2"}')).toBe('{"b_a":false,"n_a":2}');
    expect(matches).toHaveBeenCalledTimes(4);
  });

  it('share what they may take, so that no further one is tried behind those of another tool', () => {
    const patterns = new PatternMatcher(2 ** 20);
    const tool = (pattern: string) =>
      coercer({ patternProperties: { [pattern]: { type: 'integer' } } }, new EvaluationLimits(patterns));
    expect(tool('^n_')('{"n_a":"1"}')).toBe('{"n_a":1}');
    const costly = tool('a*b*c');
    list(3000, (at) => costly(JSON.stringify({ ['a'.repeat(60) + String(at)]: '1' })));
    expect(patterns.isSpent).toBe(true);
    expect(tool('^n_')('{"n_a":"1"}')).toBe('{"n_a":"1"}');
  });
});

describe('listed values', () => {
  it('are read once for all alternatives that share them', () => {
    const read = jest.fn(() => 'json');
    const coerce = coercer({
      properties: {
        a: { allOf: [{ enum: list(10, () => ({ toJSON: read })) }, { anyOf: list(30, () => ({})) }] },
      },
    });
    coerce('{"a":{}}');
    expect(read).toHaveBeenCalled();
    expect(read.mock.calls.length).toBeLessThan(100);
  });
});

describe('what evaluating schemas takes', () => {
  it('is counted for all tools of a request, and beyond it they admit everything', () => {
    const limits = new EvaluationLimits(new PatternMatcher(), new StepBudget(2 ** 16));
    const tool = { properties: { n: { type: 'integer' } } };
    expect(coercer(tool, limits)('{"n":"1"}')).toBe('{"n":1}');
    coercer({ allOf: list(900, () => ({ anyOf: [{}, {}] })) }, limits)('{"a":1}');
    expect(coercer(tool, limits)('{"n":"1"}')).toBe('{"n":"1"}');
    expect(new ArgumentSchema(tool, limits).property('n').fromText('1').json).toBe('1');
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
    const coerce = coercer({
      properties: {
        a: { $ref: '#/$defs/x' },
        ...Object.fromEntries(keys.map((key) => [key, { allOf: [{ $ref: '#/$defs/x' }] }])),
      },
      $defs: { x, names: { required: names } },
    });
    const nested = `${'{"a":'.repeat(8)}1${'}'.repeat(8)}`;
    const json = `{${keys.map((key) => `"${key}":"1"`).join()},"a":${nested}}`;
    await cpuPace.expectWithin(
      cpuMs(() => coerce(json)),
      1500,
    );
  });
});
