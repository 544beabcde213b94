import { describe, expect, it } from '@jest/globals';
import { Answer } from '../../chat/completion/answer.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { type FinishReason } from '../../upstream/upstream-driver.js';
import { toMessageUsage } from './message.js';
import { toMessage } from './message-body.js';

const USAGE = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };

function message(answer: Answer, reason: FinishReason = 'stop', omitsThinking = false): object {
  return toMessage({ id: 'msg_1', model: 'm' }, { omitsThinking }, answer, reason, USAGE);
}

function calling(json: string): Answer {
  const answer = new Answer();
  answer.addToolCall({ index: 0, id: 'c1', name: 'read', arguments: json });
  return answer;
}

describe('toMessageUsage', () => {
  it('counts what caches saved and took apart from the rest', () => {
    expect(toMessageUsage({ ...USAGE, cacheWriteTokens: 2 })).toMatchObject({
      input_tokens: 2,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 1,
    });
  });
});

// Fields: https://platform.claude.com/docs/en/api/messages
describe('toMessage', () => {
  it('is the whole answer', () => {
    const answer = calling('{"path":"a"}');
    answer.addReasoning('Why.');
    answer.addText('Here.');
    expect(message(answer, 'tool_calls')).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Why.', signature: 'Z2F0ZXdheQ==' },
        { type: 'text', text: 'Here.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 1,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
      },
    });
  });

  it('has the signature carry thinking that is not to be shown', () => {
    const answer = new Answer();
    answer.addReasoning('Why.');
    expect(message(answer, 'stop', true)).toMatchObject({
      content: [{ type: 'thinking', thinking: '', signature: carryText('Why.') }],
    });
  });

  it('tells a refusal', () => {
    const answer = new Answer();
    answer.addRefusal('I cannot.');
    expect(message(answer)).toMatchObject({
      content: [{ type: 'text', text: 'I cannot.' }],
      stop_reason: 'refusal',
    });
  });

  it.each<[FinishReason, string | undefined, object]>([
    ['stop', undefined, { stop_reason: 'end_turn', stop_sequence: null }],
    ['stop', 'END', { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
    ['length', undefined, { stop_reason: 'max_tokens', stop_sequence: null }],
    ['content_filter', undefined, { stop_reason: 'refusal', stop_sequence: null }],
    ['tool_calls', undefined, { stop_reason: 'tool_use', stop_sequence: null }],
  ])('ended by %s %s', (reason, sequence, expected) => {
    const answer = new Answer();
    answer.stopSequence = sequence;
    expect(message(answer, reason)).toMatchObject({ content: [], ...expected });
  });

  it.each([
    ['', {}],
    [' ', {}],
    ['{}', {}],
    ["{'path': 'a',}", { path: 'a' }],
    ['{"path":"a', { unreadable_input: '{"path":"a' }],
    ['[1]', { unreadable_input: '[1]' }],
    ['null', { unreadable_input: 'null' }],
    ['read it', { unreadable_input: 'read it' }],
  ])('makes an object of the arguments %j', (json, input) => {
    expect(message(calling(json))).toMatchObject({ content: [{ type: 'tool_use', input }] });
  });
});
