import { describe, expect, it } from '@jest/globals';
import { OutputSchema } from './output-schema.js';

const LONG = 'x'.repeat(100_000);

describe('what is said of a schema and of what does not fit it', () => {
  it('names a reference, but no long one', () => {
    expect(() => new OutputSchema({ $ref: '#/$defs/none' }, 'schema')).toThrow(
      'refers to "#/$defs/none", which it does not define.',
    );
    expect(() => new OutputSchema({ $ref: `#/$defs/${LONG.slice(0, 3000)}` }, 'schema')).toThrow(
      /refers to "#\/\$defs\/x{50,200}…, which it does not define\.$/,
    );
  });

  it.each([
    [
      'enum',
      { enum: Array.from({ length: 20_000 }, (_, at) => `choice ${at}`) },
      'a',
      /^m: .*"choice 1".*…$/,
    ],
    ['const', { const: LONG }, 'a', /^m: Instance does not match "x+…$/],
    ['number', { type: 'number', maximum: 5 }, 7, /^m: 7 is greater than 5\.$/],
    ['name', { type: 'object', additionalProperties: false }, { [LONG]: 1 }, /^m\.x+…: /],
  ])('says which member breaks its %s in one short sentence', (_, schema, value, sentence) => {
    const { memberProblem, problem } = said({ properties: { m: schema } }, { m: value });
    expect(memberProblem).toMatch(sentence);
    expect(problem).toMatch(sentence);
    expect(memberProblem.length).toBeLessThan(700);
  });

  it('names a member that is not declared, but no endless one', () => {
    const { memberProblem } = said({ additionalProperties: false }, { [LONG]: 1 });
    expect(memberProblem).toMatch(/^The member "x{50,200}… is not declared, and no others are allowed\.$/);
  });
});

/** What is said of the only member of a value, read by itself and with the whole. */
function said(
  keywords: object,
  value: Readonly<Record<string, unknown>>,
): { readonly memberProblem: string; readonly problem: string } {
  const schema = new OutputSchema({ type: 'object', ...keywords }, 'schema');
  const [[name, member] = ['', undefined]] = Object.entries(value);
  return {
    memberProblem: schema.memberProblem(name, member) ?? '',
    problem: schema.problem(value) ?? '',
  };
}
