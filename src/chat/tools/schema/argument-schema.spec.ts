import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs, expectCostRatio } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { ArgumentSchema, type ValueSchema } from './argument-schema.js';

type Json = Readonly<Record<string, unknown>>;

function value(schema: unknown, definitions: Json = {}): ValueSchema {
  return new ArgumentSchema({ type: 'object', properties: { it: schema }, ...definitions }).property('it');
}

/** Reads raw text. The result has the repairs only if there are any. */
function read(schema: unknown, raw: string, definitions: Json = {}): string | [string, ...string[]] {
  const { json, repairs } = value(schema, definitions).fromText(raw);
  return repairs.length > 0 ? [json, ...repairs] : json;
}

function coerce(schema: unknown, json: string, definitions: Json = {}): string | [string, ...string[]] {
  const { json: coerced, repairs } = value(schema, definitions).fromJson(json);
  return repairs.length > 0 ? [coerced, ...repairs] : coerced;
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const nil = { type: 'null' };
const strings = { type: 'array', items: string };

describe('ValueSchema, given raw text', () => {
  it.each([
    '',
    ' ',
    '5',
    'true',
    'null',
    '{"a":1}',
    '"quoted"',
    '  two\n\tlines \n',
    'C:\\new\\table',
    '&lt;b&gt;',
    '\u2028😀',
  ])('keeps the text byte for byte if only strings are admitted: %j', (raw) => {
    expect(read(string, raw)).toBe(JSON.stringify(raw));
  });

  it.each<[schema: unknown, raw: string, expected: string | [string, ...string[]]]>([
    [integer, '5', '5'],
    [integer, '\n 5 \n', '5'],
    [integer, '1.0', '1.0'],
    [integer, '1e3', '1e3'],
    [integer, '-0', '-0'],
    [integer, '12345678901234567890', '12345678901234567890'],
    [integer, '"5"', ['5', 'string_to_number']],
    [integer, '5.5', '5.5'],
    [integer, '05', '"05"'],
    [integer, '5px', '"5px"'],
    [integer, '', '""'],
    [integer, 'true', 'true'],
    [number, '1.10', '1.10'],
    [number, '-2.5e-3', '-2.5e-3'],
    [number, 'NaN', '"NaN"'],
    [boolean, 'true', 'true'],
    [boolean, 'True', ['true', 'string_to_boolean']],
    [boolean, ' FALSE ', ['false', 'string_to_boolean']],
    [boolean, 'yes', '"yes"'],
    [boolean, '1', ['true', 'number_to_boolean']],
    [nil, 'None', ['null', 'string_to_null']],
    [{ type: ['integer', 'null'] }, 'null', 'null'],
    [{ type: ['integer', 'null'] }, 'None', ['null', 'string_to_null']],
    [{ type: ['integer', 'null'] }, '', ['null', 'empty_to_null']],
    [{ type: 'integer', nullable: true }, 'null', 'null'],
    [{ anyOf: [integer, nil] }, '7', '7'],
    [{ anyOf: [boolean, integer] }, 'True', ['true', 'string_to_boolean']],
    [strings, '["a", "b"]', '["a", "b"]'],
    [strings, 'a b', ['["a b"]', 'wrapped_in_array']],
    [strings, '"a"', ['["a"]', 'wrapped_in_array']],
    [strings, '5', ['["5"]', 'number_to_string', 'wrapped_in_array']],
    [strings, '[1,2.50]', ['["1","2.50"]', 'number_to_string']],
    [strings, 'a\nb', '"a\\nb"'],
    [strings, '["a', '"[\\"a"'],
    [strings, "['a', 'b',]", ['["a","b"]', 'single_quotes', 'trailing_comma']],
    [
      { type: 'object', properties: { n: integer } },
      "{n: '5'}",
      ['{"n":5}', 'unquoted_key', 'single_quotes', 'string_to_number'],
    ],
    [string, "['a']", '"[\'a\']"'],
    [strings, '', '""'],
    [{ type: 'array', items: integer }, '7', ['[7]', 'wrapped_in_array']],
    [{ type: 'object' }, ' {"a": 1.0}\n', '{"a": 1.0}'],
    [{ type: 'object' }, '"{\\"a\\":1}"', ['{"a":1}', 'string_to_object']],
    [{ type: 'object' }, 'text', '"text"'],
    [
      { type: 'object', properties: { n: integer } },
      '{"n":"5","s":"6"}',
      ['{"n":5,"s":"6"}', 'string_to_number'],
    ],
    [{ properties: { n: integer } }, '{"n":5}', '{"n":5}'],
    [{ type: 'INTEGER' }, '5', '5'],
    [{ type: 'str' }, '5', '"5"'],
  ])('with the schema %j, reads the text %j as %j', (schema, raw, expected) => {
    expect(read(schema, raw)).toEqual(expected);
  });

  it.each<[schema: unknown, raw: string, expected: string | [string, ...string[]]]>([
    [{ enum: ['fast', 'slow'] }, 'fast', '"fast"'],
    [{ enum: ['fast', 'slow'] }, ' Fast\n', ['"fast"', 'listed_value']],
    [{ enum: ['fast', 'slow'] }, '"fast"', '"fast"'],
    [{ enum: ['fast', 'FAST'] }, 'Fast', '"Fast"'],
    [{ enum: ['fast', 'FAST'] }, 'FAST', '"FAST"'],
    [{ enum: ['fast'] }, 'medium', '"medium"'],
    [{ type: 'string', enum: ['1', '2'] }, '1', '"1"'],
    [{ enum: [1, 2] }, '1', '1'],
    [{ enum: [1, '1'] }, '1', '1'],
    [{ enum: [true, 'auto'] }, 'True', ['true', 'listed_value']],
    [{ enum: [null, 'a'] }, 'null', 'null'],
    [{ enum: [{ a: 1, b: [] }, [2]] }, '{"b":[],"a":1.0}', '{"b":[],"a":1.0}'],
    [{ enum: [{ a: 1, b: [] }, [2]] }, '[3]', '[3]'],
    [{ const: 'a' }, 'A', ['"a"', 'listed_value']],
    [{ const: 7 }, '7', '7'],
    [{ const: { a: [1] } }, '{ "a": [1] }', '{ "a": [1] }'],
    [{ anyOf: [{ enum: ['all'] }, integer] }, 'all', '"all"'],
    [{ anyOf: [{ enum: ['all'] }, integer] }, '5', '5'],
    [{ anyOf: [{ enum: ['all'] }, string] }, 'ALL', '"ALL"'],
  ])('with the schema %j, matches the text %j to %j', (schema, raw, expected) => {
    expect(read(schema, raw)).toEqual(expected);
  });

  describe('if strings and other kinds are admitted', () => {
    it.each<[schema: unknown, raw: string, expected: string]>([
      [{ anyOf: [string, nil] }, 'null', 'null'],
      [{ anyOf: [string, nil] }, '"null"', '"null"'],
      [{ anyOf: [string, nil] }, 'Null', '"Null"'],
      [{ anyOf: [string, nil] }, 'nullable', '"nullable"'],
      [{ anyOf: [string, nil] }, '', '""'],
      [{ anyOf: [string, nil] }, '5', '"5"'],
      [{ anyOf: [string, nil] }, '{"a":1}', '"{\\"a\\":1}"'],
      [{ anyOf: [string, strings] }, '["a"]', '["a"]'],
      [{ anyOf: [string, strings] }, '[1]', '"[1]"'],
      [{ anyOf: [string, strings] }, 'ls -la', '"ls -la"'],
      [{ anyOf: [string, strings] }, '"exact phrase"', '"\\"exact phrase\\""'],
      [{ type: ['string', 'number'] }, '5', '5'],
      [{ type: ['string', 'number'] }, '"5"', '"5"'],
      [{ type: ['string', 'number'] }, '1.10', '"1.10"'],
      [{ type: ['string', 'number'] }, '12345678901234567890', '"12345678901234567890"'],
      [{ type: ['string', 'number'] }, '007', '"007"'],
      [{}, '5', '5'],
      [{}, '{"a":[1]}', '{"a":[1]}'],
      [{}, 'plain', '"plain"'],
      [true, 'true', 'true'],
      [{ description: 'anything' }, '"5"', '"5"'],
      [{ description: 'anything' }, '"five"', '"\\"five\\""'],
    ])('with the schema %j, reads the text %j as %j', (schema, raw, expected) => {
      expect(read(schema, raw)).toBe(expected);
    });

    it('reads an undeclared member like one that admits everything', () => {
      const schema = new ArgumentSchema({ type: 'object', properties: { a: string } });
      expect(schema.property('b').fromText('{"x":1}')).toEqual({ json: '{"x":1}', repairs: [] });
      expect(schema.property('constructor').fromText('x')).toEqual({ json: '"x"', repairs: [] });
      expect(new ArgumentSchema(null).property('b').fromText('5')).toEqual({ json: '5', repairs: [] });
    });

    it('can write any value so that it is read back', () => {
      const schema = value({});
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 2 }), (any) => {
          const json = JSON.stringify(any);
          const raw = typeof any === 'string' && schema.fromText(any).json !== json ? json : any;
          expect(schema.fromText(typeof raw === 'string' ? raw : json).json).toBe(json);
        }),
      );
    });
  });

  it.each<[schema: unknown, takesString: boolean]>([
    [string, true],
    [{ type: 'string', minLength: 2, format: 'uri' }, true],
    [{ type: ['string'] }, true],
    [{ anyOf: [string, { enum: ['a'] }] }, true],
    [{ allOf: [string, { description: 'x' }] }, true],
    [{ enum: ['a'] }, false],
    [{ anyOf: [string, nil] }, false],
    [{ type: ['string', 'number'] }, false],
    [{}, false],
    [integer, false],
    [{ $ref: '#/$defs/path' }, true],
    [{ $ref: '#/$defs/gone' }, false],
  ])('says whether any text of the schema %j can be streamed: %j', (schema, takesString) => {
    expect(value(schema, { $defs: { path: string } }).takesString).toBe(takesString);
  });

  it.each<[schema: unknown, undecided: string[], decided: string[]]>([
    [{ anyOf: [string, nil] }, ['', ' \n', 'n', 'null', 'null\n', '"'], ['nullx', '{', '5', 'x']],
    [{ anyOf: [string, strings] }, ['', '[', '"a'], ['l', 'null', '5', '{']],
    [{ type: ['string', 'integer'] }, ['', '-', '5', ' 12'], ['5 f', '-x', 'x']],
    [{}, ['', '{', '[', '"', '-', 'tru', 'fa', 'nul', '1.5e'], ['tree', 'x', '- item', '1a', '<']],
    [string, [], ['', 'a']],
    [{ enum: ['abc'] }, ['', 'abc'], []],
    [integer, ['', 'a'], []],
  ])('says, for the schema %j, from which beginning text can be streamed', (schema, undecided, decided) => {
    const known = (head: string): boolean => value(schema).startsString(head);
    expect({ undecided: undecided.filter(known), decided: decided.filter((head) => !known(head)) }).toEqual({
      undecided: [],
      decided: [],
    });
  });

  it('never revokes that text is a string', () => {
    const schemas = [{}, { anyOf: [string, nil] }, { type: ['string', 'number', 'array'] }].map((one) =>
      value(one),
    );
    const text = fc.oneof(fc.json({ maxDepth: 1 }), fc.string({ unit: fc.constantFrom(...'nul"[1.{ -x') }));
    fc.assert(
      fc.property(text, fc.nat(8), (raw, length) => {
        for (const schema of schemas) {
          if (schema.startsString(raw.slice(0, length))) {
            expect(schema.fromText(raw)).toEqual({ json: JSON.stringify(raw), repairs: [] });
          }
        }
      }),
    );
  });
});

describe('ArgumentSchema, given JSON', () => {
  it.each<[schema: unknown, json: string, expected: string | [string, ...string[]]]>([
    [string, '"5"', '"5"'],
    [string, '5.10', ['"5.10"', 'number_to_string']],
    [string, '12345678901234567890', ['"12345678901234567890"', 'number_to_string']],
    [string, 'true', ['"true"', 'boolean_to_string']],
    [string, 'null', 'null'],
    [string, '{"a": 1.0}', ['"{\\"a\\": 1.0}"', 'object_to_string']],
    [integer, '"5"', ['5', 'string_to_number']],
    [integer, '"five"', '"five"'],
    [integer, '5.5', '5.5'],
    [integer, '"5.5"', '"5.5"'],
    [boolean, '"False"', ['false', 'string_to_boolean']],
    [boolean, '1', ['true', 'number_to_boolean']],
    [boolean, '2', '2'],
    [{ anyOf: [boolean, integer] }, '1', '1'],
    [{ type: ['string', 'number'] }, '"5"', '"5"'],
    [{ anyOf: [string, nil] }, '5', ['"5"', 'number_to_string']],
    [{ anyOf: [integer, nil] }, '"null"', ['null', 'string_to_null']],
    [strings, '"a"', ['["a"]', 'wrapped_in_array']],
    [strings, '"[\\"a\\"]"', ['["a"]', 'string_to_array']],
    [strings, 'null', 'null'],
    [{ type: 'array', items: { type: 'object' } }, '{"a":1}', ['[{"a":1}]', 'wrapped_in_array']],
    [{ type: 'array', items: strings }, '"a"', '"a"'],
    [{ type: 'object' }, '[]', '[]'],
    [{}, '"5"', '"5"'],
    [
      { prefixItems: [integer, string], items: boolean },
      '["1",2,"true","false"]',
      ['[1,"2",true,false]', 'string_to_number', 'number_to_string', 'string_to_boolean'],
    ],
    [
      { items: [integer], additionalItems: string },
      '["1",2]',
      ['[1,"2"]', 'string_to_number', 'number_to_string'],
    ],
    [{ type: 'object', additionalProperties: integer }, '{"a":"1"}', ['{"a":1}', 'string_to_number']],
    [
      { type: 'object', patternProperties: { '^n_': integer }, additionalProperties: string },
      '{"n_a":"1","b":2}',
      ['{"n_a":1,"b":"2"}', 'string_to_number', 'number_to_string'],
    ],
    [
      { allOf: [{ properties: { a: integer } }, { properties: { b: integer } }] },
      '{"a":"1","b":"2"}',
      ['{"a":1,"b":2}', 'string_to_number'],
    ],
    [{ allOf: [{ type: 'number' }, integer] }, '"5"', ['5', 'string_to_number']],
  ])('with the schema %j, coerces %s to %j', (schema, json, expected) => {
    expect(coerce(schema, json)).toEqual(expected);
  });

  it('chooses the alternative that fits', () => {
    const circle = { properties: { kind: { const: 'circle' }, size: integer }, required: ['kind'] };
    const label = { properties: { kind: { const: 'label' }, size: string }, required: ['kind'] };
    const shape = { oneOf: [circle, label] };
    expect(coerce(shape, '{"kind":"label","size":5}')).toEqual([
      '{"kind":"label","size":"5"}',
      'number_to_string',
    ]);
    expect(coerce(shape, '{"kind":"circle","size":"5"}')).toEqual([
      '{"kind":"circle","size":5}',
      'string_to_number',
    ]);
    expect(coerce(shape, '{"kind":"cube","size":"5"}')).toBe('{"kind":"cube","size":"5"}');
  });

  it('coerces members of the only alternative of its kind even if others are missing', () => {
    const schema = { anyOf: [{ type: 'object', properties: { n: integer }, required: ['n', 'm'] }, nil] };
    expect(coerce(schema, '{"n":"5"}')).toEqual(['{"n":5}', 'string_to_number']);
  });

  it('follows references, also cyclic ones', () => {
    const definitions = {
      $defs: {
        node: {
          type: 'object',
          properties: { n: integer, next: { $ref: '#/$defs/node' }, 'a/b': { $ref: '#' } },
        },
        loop: { $ref: '#/$defs/loop' },
        either: { anyOf: [{ $ref: '#/$defs/either' }, integer] },
        nest: { type: 'array', items: { $ref: '#/$defs/nest' } },
        'with/slash': integer,
      },
    };
    expect(
      coerce({ $ref: '#/$defs/node' }, '{"n":"1","next":{"n":"2","next":{"n":"3"}}}', definitions),
    ).toEqual(['{"n":1,"next":{"n":2,"next":{"n":3}}}', 'string_to_number']);
    expect(coerce({ $ref: '#/$defs/with~1slash' }, '"1"', definitions)).toEqual(['1', 'string_to_number']);
    expect(coerce({ $ref: '#/$defs/loop' }, '"1"', definitions)).toBe('"1"');
    expect(coerce({ $ref: '#/$defs/either' }, '"1"', definitions)).toEqual(['1', 'string_to_number']);
    expect(coerce({ $ref: '#/$defs/nest' }, '"1"', definitions)).toBe('"1"');
    expect(coerce({ $ref: 'https://elsewhere.example/schema' }, '"1"')).toBe('"1"');
    expect(coerce({ $ref: '#/properties/it' }, '"1"')).toBe('"1"');
  });

  it('bounds the time for schemas with endless alternatives', async () => {
    const twice = (name: string): object => ({
      anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
    });
    const names = Array.from({ length: 50 }, (_, index) => `d${index}`);
    const chain = Object.fromEntries(names.map((name, index) => [name, twice(names[index + 1] ?? 'd0')]));
    const tree = {
      anyOf: [
        { type: 'object', properties: { child: { $ref: '#/$defs/tree' }, n: integer } },
        { type: 'object', properties: { child: { $ref: '#/$defs/tree' }, n: boolean } },
        { type: 'object', properties: { child: { $ref: '#/$defs/tree' } }, required: ['never'] },
      ],
    };
    const deep = `${'{"child":'.repeat(60)}{"n":"x"}${'}'.repeat(60)}`;
    const costMs = cpuMs(() => {
      expect(coerce({ $ref: '#/$defs/d0' }, '"1"', { $defs: chain })).toBe('"1"');
      expect(coerce({ $ref: '#/$defs/tree' }, deep, { $defs: { tree } })).toBe(deep);
      expect(coerce({ patternProperties: { '(a+)+$': integer } }, `{"${'a'.repeat(60)}!":"1"}`)).toContain(
        '"1"',
      );
    });
    await cpuPace.expectWithin(costMs, 5000);
  });

  it('finds listed values in linear time', () => {
    const cost = (count: number): number => {
      const names = Array.from({ length: count }, (_, index) => `Name${index}`);
      const schema = value({ type: 'array', items: { enum: names } });
      const list = JSON.stringify(names);
      return cpuMs(() => {
        expect(schema.fromJson(list)).toEqual({ json: list, repairs: [] });
        expect(schema.fromJson(list.toLowerCase())).toEqual({ json: list, repairs: ['listed_value'] });
      });
    };
    expectCostRatio({ small: () => cost(1000), large: () => cost(4000) }, 8);
  });

  it('leaves unsound or too deeply nested JSON unchanged', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    expect(coerce({ type: 'string' }, deep)).toBe(deep);
    expect(coerce(integer, '{"a":')).toBe('{"a":');
  });

  it('knows parameters that are declared beside alternatives', () => {
    const schema = new ArgumentSchema({
      properties: { path: string, limit: integer },
      anyOf: [{ required: ['path'] }, { required: ['limit'] }],
    });
    expect(schema.property('limit').fromJson('"6"')).toEqual({ json: '6', repairs: ['string_to_number'] });
    expect(schema.property('limit').fromText('5').json).toBe('5');
    expect(schema.property('path').takesString).toBe(true);
  });
});

const scalar: fc.Arbitrary<unknown> = fc.constantFrom(string, integer, number, boolean, nil, {}, true);
const anySchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc
      .array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 })
      .map((values) => ({ enum: values })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'toString'), tie('schema'))
      .map((properties) => ({ type: 'object', properties, additionalProperties: false })),
  ),
})).schema;

describe('ArgumentSchema, for any schema', () => {
  it('coerces a coerced value no further', () => {
    fc.assert(
      fc.property(anySchema, fc.json({ maxDepth: 3 }), (schema, json) => {
        const first = value(schema).fromJson(json);
        expect(first.repairs.length > 0 || first.json === json).toBe(true);
        expect(() => JSON.parse(first.json) as unknown).not.toThrow();
        const again = value(schema).fromJson(first.json);
        expect(again.json).toBe(first.json);
      }),
    );
  });

  it('reads raw text as sound JSON, and as itself if strings are admitted', () => {
    const raw = fc.oneof(fc.string(), fc.json({ maxDepth: 2 }));
    fc.assert(
      fc.property(anySchema, raw, (schema, text) => {
        const { json } = value(schema).fromText(text);
        const parsed: unknown = JSON.parse(json);
        expect(!value(schema).takesString || parsed === text).toBe(true);
      }),
    );
  });
});
