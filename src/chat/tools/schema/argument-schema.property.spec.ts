import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toolContract } from '../contract/tool-prompt.js';
import { ArgumentSchema } from './argument-schema.js';

/** Objects that resemble schemas without being valid ones. */
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

describe('ArgumentSchema and toolContract', () => {
  it('read calls and describe tools whose schema makes no sense', () => {
    fc.assert(
      fc.property(nonsense, fc.json({ maxDepth: 2 }), (parameters, json) => {
        const schema = new ArgumentSchema(parameters as Record<string, unknown>);
        for (const key of ['a', '__proto__', 'constructor']) {
          const value = schema.property(key);
          expect(() => JSON.parse(value.fromText(json).json) as unknown).not.toThrow();
          expect(() => JSON.parse(value.fromJson(json).json) as unknown).not.toThrow();
          value.startsString(json.slice(0, 3));
        }
        const tool = { type: 'function', function: { name: 'f', parameters } } as const;
        const definitions = [tool as { type: 'function'; function: { name: string } }];
        // A value that would not be read back from raw text makes the example JSON.
        expect(toolContract({ definitions, choice: 'auto', parallel: true })).toMatch(
          /\n<tool_call>\n(?:<function=f>|\{"name": "f",.*)\n/,
        );
      }),
      { numRuns: 150 },
    );
  });
});
