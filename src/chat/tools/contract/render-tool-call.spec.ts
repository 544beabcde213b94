import { describe, expect, it } from '@jest/globals';
import { ArgumentSchema } from '../schema/argument-schema.js';
import { renderToolCall } from './render-tool-call.js';

const schema = new ArgumentSchema({
  properties: { path: { type: 'string' }, name: { type: ['string', 'null'] }, any: {} },
});

describe('renderToolCall', () => {
  it('leaves very long arguments as they are', () => {
    const json = JSON.stringify({ path: 'a', lines: Array<number>(200_000).fill(1) });
    expect(renderToolCall({ name: 'write', arguments: json }, schema)).toBe(
      `<tool_call>\n{"name": "write", "arguments": ${json}}\n</tool_call>`,
    );
  });

  it('quotes strings that would be read back as another kind', () => {
    const json = '{"path":"null","name":"null","any":"5"}';
    expect(renderToolCall({ name: 'f', arguments: json }, schema)).toBe(`<tool_call>
<function=f>
<parameter=path>null</parameter>
<parameter=name>"null"</parameter>
<parameter=any>"5"</parameter>
</function>
</tool_call>`);
  });

  it('puts text that begins with a line break on lines of its own', () => {
    const body = (path: string): string =>
      renderToolCall({ name: 'f', arguments: JSON.stringify({ path }) }, schema);
    expect(body('\n a\n')).toContain('\n<parameter=path>\n\n a\n\n</parameter>\n');
    expect(body('\r\na')).toContain('\n<parameter=path>\n\r\na\n</parameter>\n');
    expect(body('a\n\n')).toContain('\n<parameter=path>a\n\n</parameter>\n');
  });

  it('writes all other values raw', () => {
    const json = '{"path":"\\"a\\"","name":null,"any":"five","more":{"n": 1.0}}';
    expect(renderToolCall({ name: 'f', arguments: json }, schema)).toBe(`<tool_call>
<function=f>
<parameter=path>"a"</parameter>
<parameter=name>null</parameter>
<parameter=any>five</parameter>
<parameter=more>{"n": 1.0}</parameter>
</function>
</tool_call>`);
  });

  it.each([
    ['markup of calls in a value', '{"path":"see </parameter>"}'],
    ['markup of calls in a list', '{"more":["<tool_call>"]}'],
    ['a key that no tag can carry', '{"a>b":"c"}'],
    ['a key twice', '{"path":"a","path":"b"}'],
    ['a number that would be read as a string', '{"any":1.0,"path":"a"}'],
  ])('writes a call as JSON that has %s', (_what, json) => {
    expect(renderToolCall({ name: 'f', arguments: json }, schema)).toBe(
      `<tool_call>\n{"name": "f", "arguments": ${json}}\n</tool_call>`,
    );
  });
});
