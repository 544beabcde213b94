import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InternalError } from '../../../common/errors/gateway.errors.js';
import { Answer } from '../answer.js';
import { ChunkFrames } from './chunk-frames.js';

const identity = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'svc-max' };
const frames = new ChunkFrames(identity, { includeUsage: false });

const HEAD =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"svc-max"';
const MARKED = `${HEAD},"system_fingerprint":"fp_gateway_1","service_tier":"default"`;

/** The delta of a frame, after checking that all around it is what it should be. */
function deltaOf(frame: string): string {
  const before = `${HEAD},"choices":[{"index":0,"delta":`;
  const after = ',"logprobs":null,"finish_reason":null}]}\n\n';
  expect([frame.slice(0, before.length), frame.slice(-after.length)]).toEqual([before, after]);
  return frame.slice(before.length, -after.length);
}

describe('ChunkFrames', () => {
  it('writes the first chunk', () => {
    expect(frames.begin()).toBe(
      `${MARKED},"choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,` +
        '"finish_reason":null}]}\n\n',
    );
  });

  it('writes pieces of text and reasoning', () => {
    expect(deltaOf(frames.text('Hi'))).toBe('{"content":"Hi"}');
    expect(deltaOf(frames.reasoning('why'))).toBe('{"reasoning_content":"why"}');
  });

  it('writes pieces of tool calls: name and id with the first, arguments with all', () => {
    expect(deltaOf(frames.toolCall({ index: 0, id: 'call_1', name: 'read', arguments: '' }))).toBe(
      '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"read","arguments":""}}]}',
    );
    expect(deltaOf(frames.toolCall({ index: 1, arguments: '{"a":' }))).toBe(
      '{"tool_calls":[{"index":1,"function":{"arguments":"{\\"a\\":"}}]}',
    );
  });

  it('writes calls of custom tools as such, each input in one piece at the end', () => {
    const own = new ChunkFrames(identity, { includeUsage: false, customTools: new Set(['patch']) });
    expect(deltaOf(own.toolCall({ index: 0, id: 'call_1', name: 'patch', arguments: '{"inp' }))).toBe(
      '{"tool_calls":[{"index":0,"id":"call_1","type":"custom","custom":{"name":"patch","input":""}}]}',
    );
    expect(deltaOf(own.toolCall({ index: 1, id: 'call_2', name: 'read', arguments: '' }))).toContain(
      '"function"',
    );
    expect(own.toolCall({ index: 0, arguments: 'ut":"a' })).toBe('');
    expect(own.toolCall({ index: 0, arguments: '"}' })).toBe('');
    const usage = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
    const [input] = own.end(new Answer(), 'tool_calls', usage).split(/(?<=\n\n)/);
    expect(deltaOf(input!)).toBe('{"tool_calls":[{"index":0,"custom":{"input":"a"}}]}');
  });

  it('writes the last chunk, with and without usage', () => {
    const start = `${MARKED},"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":`;
    const usage = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
    expect(frames.end(new Answer(), 'length', usage)).toBe(`${start}"length"}]}\n\ndata: [DONE]\n\n`);
    const withUsage = new ChunkFrames(identity, { includeUsage: true });
    expect(withUsage.end(new Answer(), 'stop', usage)).toBe(
      `${start}"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,` +
        '"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":1}}}\n\n' +
        'data: [DONE]\n\n',
    );
  });

  it('writes an error as its envelope', () => {
    expect(frames.error(new InternalError('upstream_cut', 'it broke.'))).toBe(
      'data: {"error":{"message":"Internal server error: it broke.","type":"server_error","param":null,"code":"internal_error"}}\n\n',
    );
  });

  it('keeps any text on one line and gets it back whole', () => {
    const codeUnit = fc.oneof(
      fc.constantFrom(0, 10, 13, 34, 0x2028, 0xd800, 0xdc00),
      fc.nat({ max: 0xffff }),
    );
    const anyText = fc.array(codeUnit, { maxLength: 10 }).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyText, anyText, (text, id) => {
        const framed = new ChunkFrames({ id, created: 0, model: id }, { includeUsage: true });
        for (const [frame, field] of [
          [framed.text(text), 'content'],
          [framed.reasoning(text), 'reasoning_content'],
        ] as const) {
          expect(frame).toMatch(/^data: [^\r\n]*\n\n$/);
          const chunk = JSON.parse(frame.slice('data: '.length)) as {
            id: string;
            choices: { delta: object }[];
          };
          expect(chunk).toMatchObject({ id, model: id, choices: [{ delta: { [field]: text } }] });
        }
      }),
    );
  });
});
