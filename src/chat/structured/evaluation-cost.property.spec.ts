import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { toolContract } from '../tools/contract/tool-prompt.js';
import { ArgumentSchema } from '../tools/schema/argument-schema.js';
import { OutputSchema } from './output-schema.js';

/** Half of it on an idle machine: what a request may take is counted in steps. */
const LIMIT_MS = 2000;
/** Collections and a busy host only ever add to the cost. */
const ATTEMPTS = 4;

/** Characters of JSON that one repetition makes at most, and the whole of a schema. */
const MAX_REPEATED = 20_000;
const MAX_SCHEMA = 100_000;

type Part = Record<string, unknown>;

function size(value: unknown): number {
  return JSON.stringify(value).length;
}

/** As many as were asked for, or as there is room for. */
function many<T>(count: number, item: T): T[] {
  return Array.from({ length: Math.min(count, Math.ceil(MAX_REPEATED / size(item))) }, () => item);
}

function named<T>(count: number, item: T, name: (at: number) => string): Record<string, T> {
  return Object.fromEntries(many(count, item).map((one, at) => [name(at), one]));
}

const count = fc.constantFrom(1, 30, 64, 300, 900, 4000);
const name = fc.constantFrom<(at: number) => string>(
  (at) => `p${at}`,
  (at) => `漢字${at}`,
  (at) => `${'n'.repeat(110)}${at}`,
  (at) => 'b'.repeat(at + 1),
);
const names = fc.tuple(count, name).map(([times, by]) => Object.keys(named(times, 1, by)));

const character = fc.constantFrom('.', 'a', '[^a]', '\\w', '\\W', '\\p{L}', '[^\\p{L}]', '(?:\\p{L}|b)');
const quantifier = fc.constantFrom('', '', '{64}', '{1,2}', '*', '?');
const pattern = fc
  .record({
    character,
    quantifier,
    times: fc.constantFrom(1, 2, 5, 20),
    start: fc.constantFrom('', '^', '(?i:'),
  })
  .map(
    (one) =>
      `${one.start}${(one.character + one.quantifier).repeat(one.times)}${one.start === '(?i:' ? ')' : ''}`,
  );
const patterns = fc
  .tuple(count, pattern)
  .map(([times, written]) => named(times, true, (at) => `${written}!${at}`));

/** What takes long to be looked at once. */
const leaf: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom<Part>(
    {},
    { type: 'integer' },
    { $ref: `#${'/a'.repeat(20_000)}` },
    { $ref: '#/$defs/x' },
    { anyOf: many(64, { type: 'integer' }) },
    { allOf: [{ anyOf: many(64, { type: 'integer' }) }, ...many(900, {})] },
    { additionalProperties: false },
    { items: true },
    { format: 'regex' },
  ),
  names.map((required) => ({ required })),
  names.map((type) => ({ type })),
  names.map((listed) => ({ allOf: [{ enum: listed }, { enum: listed }] })),
  names.map((all) => ({
    dependentRequired: Object.fromEntries(all.map((one, at) => [one, at === 0 ? ['x'] : []])),
  })),
  patterns.map((patternProperties) => ({ patternProperties })),
  pattern.map((written) => ({ allOf: many(64, 0).map((_, at) => ({ pattern: `${written}!${at}` })) })),
);

/** What looks at it again and again. */
type Multiplier = (inner: Part) => Part;
const multiplier: fc.Arbitrary<Multiplier> = fc.oneof(
  fc
    .tuple(count, name)
    .map(([times, by]): Multiplier => (inner) => ({ properties: named(times, inner, by) })),
  count.map((times): Multiplier => (inner) => ({ anyOf: [...many(times, inner), true] })),
  count.map((times): Multiplier => (inner) => ({ allOf: many(times, inner) })),
  count.map((times): Multiplier => (inner) => ({ not: { anyOf: many(times, { allOf: [inner, false] }) } })),
  fc.constantFrom<Multiplier>(
    (inner) => ({ items: inner, additionalProperties: inner }),
    (inner) => ({ allOf: [{ properties: { a: inner } }, { properties: { a: inner } }], anyOf: many(64, {}) }),
    (inner) => ({ items: { anyOf: many(64, { properties: { a: inner } }) } }),
  ),
);

const id = fc.constantFrom<Part>({}, {}, {}, { $id: `http://x/${'a'.repeat(20_000)}` });
const schema = fc
  .record({ leaf, id, multipliers: fc.tuple(multiplier, multiplier, multiplier) })
  .map(({ leaf: z, id: own, multipliers: [first, second, third] }): Part => {
    const [x, y] = [second({ $ref: '#/$defs/y' }), third({ $ref: '#/$defs/z' })];
    return { ...own, ...first({ $ref: '#/$defs/x' }), $defs: { x, y, z } };
  })
  .filter((one) => size(one) <= MAX_SCHEMA);

const scalar = fc.constantFrom<unknown>(1, '1', null, '漢'.repeat(100), 'a'.repeat(128), '\\p{L}'.repeat(60));
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.tuple(count, tie('value')).map(([times, item]) => many(times, item)),
    fc.tuple(count, tie('value'), name).map(([times, item, by]) => named(times, item, by)),
    fc
      .tuple(count, scalar, name)
      .map(([times, item, by]) => named(times, item, (at) => by(at).padEnd(120, 'a'))),
    fc
      .tuple(fc.nat(12), tie('value'))
      .map(([levels, inner]) => many(levels, 0).reduce((a) => ({ a }), inner)),
  ),
})).value;

/** CPU time of work at its best. */
function leastCpuMs(work: () => void): number {
  let least = Infinity;
  for (let done = 0; done < ATTEMPTS && least >= LIMIT_MS; done++) {
    least = Math.min(least, cpuMs(work));
  }
  return least;
}

/** @returns all that a stage asks of a schema; undefined if the schema is refused */
function judge(asked: Part, json: string): unknown {
  try {
    const output = new OutputSchema(asked, 'schema');
    return [
      output.admitsObject,
      output.admitsArray,
      output.problem(JSON.parse(output.coerce(json).json)),
      output.memberProblem('a', JSON.parse(output.coerceMember('a', json).json)),
    ];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return undefined;
  }
}

function callTool(parameters: Part, json: string): void {
  const tool = { type: 'function', function: { name: 'f', parameters } } as const;
  toolContract({ definitions: [tool], choice: 'auto', parallel: true });
  const argument = new ArgumentSchema(parameters).property('a');
  argument.fromJson(json);
  argument.fromText(json);
}

describe('a schema of at most 100 KB', () => {
  it('takes about a second at most to be read and to judge a value by', () => {
    fc.assert(
      fc.property(schema, value, (asked, given) => {
        const json = JSON.stringify(given);
        expect(leastCpuMs(() => judge(asked, json))).toBeLessThan(LIMIT_MS);
        expect(leastCpuMs(() => callTool(asked, json))).toBeLessThan(LIMIT_MS);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});
