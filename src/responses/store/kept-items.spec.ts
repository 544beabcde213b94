import { describe, expect, it } from '@jest/globals';
import { type InputItem, validateInput } from '../dto/input-items.validator.js';
import { toKeptItems } from './kept-items.js';

const UNIQUE = '0123456789abcdef0123456789abcdef';
const kept = (...items: object[]): readonly InputItem[] =>
  toKeptItems(validateInput(items), `resp_${UNIQUE}`);
const id = `in_${UNIQUE}0`;

describe('toKeptItems', () => {
  it.each<[what: string, item: object, kept: object]>([
    [
      'a text as a part',
      { role: 'user', content: 'Hi' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    ],
    [
      'a text of the assistant as the format answers with it',
      { role: 'assistant', content: 'Hi', phase: 'commentary' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hi' }],
        phase: 'commentary',
      },
    ],
    [
      'parts by the names of the format',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a', extra: 1 },
          { type: 'input_image', image_url: 'data:x', detail: 'low' },
          { type: 'input_image', image_url: 'data:y' },
        ],
      },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:x', detail: 'low' },
          { type: 'input_image', image_url: 'data:y', detail: 'auto' },
        ],
      },
    ],
    [
      'what a part of an answer had',
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a', annotations: [{ type: 'url_citation' }], parsed: null },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', annotations: [{ type: 'url_citation' }], logprobs: [], text: 'a' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ],
    [
      'a call',
      { type: 'function_call', call_id: 'c', name: 'read', namespace: 'fs', arguments: '{}', parsed: {} },
      { type: 'function_call', call_id: 'c', name: 'read', namespace: 'fs', arguments: '{}' },
    ],
    [
      'what came of one',
      { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'text', text: 'a' }] },
      { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'a' }] },
    ],
    [
      'reasoning',
      { type: 'reasoning', encrypted_content: 'x' },
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
    ],
    [
      'a call of a built-in tool as a whole',
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] }, extra: 1 },
    ],
  ])('keeps %s, with a status', (_what, item, expected) => {
    expect(kept({ ...item, extra: 1 })).toEqual([{ ...expected, id, status: 'completed' }]);
  });

  it('keeps the id and the status that an item has', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{', status: 'incomplete' };
    expect(kept({ ...item, id: 'fc_1' })).toEqual([{ ...item, id: 'fc_1' }]);
  });

  it('keeps what has no status without one', () => {
    expect(kept({ type: 'compaction', encrypted_content: 'x', extra: 1 })).toEqual([
      { type: 'compaction', encrypted_content: 'x', id },
    ]);
    const tools = { type: 'additional_tools', role: 'developer', tools: [] };
    expect(kept(tools)).toEqual([{ ...tools, id }]);
  });

  it('keeps nothing of what is left out', () => {
    expect(kept({ type: 'web_search_call' }, { role: 'user', content: 'Hi' })).toMatchObject([
      { id: `in_${UNIQUE}1` },
    ]);
  });
});
