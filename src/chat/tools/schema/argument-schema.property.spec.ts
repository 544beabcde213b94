import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toolContract } from '../contract/tool-prompt.js';
import { ArgumentSchema } from './argument-schema.js';

/** Objects that look like schemas, and are not. */
const { nonsense } = fc.letrec<{ nonsense: object; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      '',
      'string',
      'object',
      'array',
      '#',
      '#/properties/a',
      [],
      ['null', 5],
    ),
    tie('nonsense'),
    fc.array(tie('nonsense'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', '__proto__', '(', '^a'), tie('nonsense')),
  ),
  nonsense: fc.dictionary(
    fc.constantFrom(
      ...[
        'type',
        'properties',
        'required',
        'items',
        'prefixItems',
        'additionalItems',
        'enum',
        'const',
        'anyOf',
      ],
      ...[
        'oneOf',
        'allOf',
        '$ref',
        '$defs',
        'nullable',
        'additionalProperties',
        'patternProperties',
        'format',
      ],
    ),
    tie('value'),
    { maxKeys: 4 },
  ),
}));

describe('a schema that makes no sense', () => {
  it('neither breaks a call nor the description of its tool', () => {
    fc.assert(
      fc.property(nonsense, fc.json({ maxDepth: 2 }), (parameters, json) => {
        const schema = new ArgumentSchema(parameters as Record<string, unknown>);
        for (const key of ['a', '__proto__', 'constructor']) {
          const value = schema.property(key);
          expect(() => JSON.parse(value.fromText(json).json) as unknown).not.toThrow();
          expect(() => JSON.parse(value.fromJson(json).json) as unknown).not.toThrow();
          value.startsString(json.slice(0, 3));
        }
        expect(() => JSON.parse(schema.fromJson(json).json) as unknown).not.toThrow();
        const tool = { type: 'function', function: { name: 'f', parameters } } as const;
        const definitions = [tool as { type: 'function'; function: { name: string } }];
        // The example is JSON where the text of a value would not be read as that value.
        expect(toolContract({ definitions, choice: 'auto', parallel: true })).toMatch(
          /\n<tool_call>\n(?:<function=f>|\{"name": "f",.*)\n/,
        );
      }),
      { numRuns: 150 },
    );
  });
});
