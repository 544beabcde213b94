import { describe, expect, it } from '@jest/globals';
import { ArgumentSchema } from '../tools/schema/argument-schema.js';
import { renderToolCall } from './render-tool-call.js';

const schema = new ArgumentSchema({
  properties: { path: { type: 'string' }, name: { type: ['string', 'null'] }, any: {} },
});

describe('renderToolCall', () => {
  it('puts strings in quotes that would be read as something else', () => {
    const json = '{"path":"null","name":"null","any":"5"}';
    expect(renderToolCall({ name: 'f', arguments: json }, schema)).toBe(`<tool_call>
<function=f>
<parameter=path>null</parameter>
<parameter=name>"null"</parameter>
<parameter=any>"5"</parameter>
</function>
</tool_call>`);
  });

  it('leaves everything else raw', () => {
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
});
