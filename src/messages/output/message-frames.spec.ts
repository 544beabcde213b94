import { describe, expect, it } from '@jest/globals';
import { Answer } from '../../chat/completion/answer.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { MessageFrames } from './message-frames.js';

const USAGE = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };

type Data = Readonly<Record<string, unknown>>;

function framesOf(omitsThinking = false): MessageFrames {
  return new MessageFrames({ id: 'msg_1', model: 'm' }, { omitsThinking }, 'req_1');
}

/** The data of the events in a text; each is named by the type of its data. */
function events(text: string): Data[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => {
      const [, name = '', json = ''] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(event) ?? [];
      const data = JSON.parse(json) as Data;
      expect(data.type).toBe(name);
      return data;
    });
}

/** A stream in short: the blocks with what the deltas add up to. */
function blocks(text: string): string[] {
  const found: string[] = [];
  for (const data of events(text)) {
    const {
      content_block: block,
      delta,
      index,
    } = data as {
      content_block?: { type: string };
      delta?: Record<string, string>;
      index?: number;
    };
    if (data.type === 'content_block_start') {
      expect(index).toBe(found.length);
      found.push(`${block?.type}:`);
    } else if (data.type === 'content_block_delta') {
      expect(index).toBe(found.length - 1);
      found[found.length - 1] += delta?.text ?? delta?.thinking ?? delta?.partial_json ?? '';
    }
  }
  return found;
}

describe('MessageFrames', () => {
  it('goes from block to block, and ends each', () => {
    const frames = framesOf();
    const all =
      frames.reasoning('a') +
      frames.reasoning('b') +
      frames.text('c') +
      frames.reasoning('d') +
      frames.text('e') +
      frames.toolCall({ index: 0, id: 'c1', name: 'read', arguments: '' }) +
      frames.toolCall({ index: 0, arguments: '{"a":' }) +
      frames.toolCall({ index: 0, arguments: '1}' }) +
      frames.toolCall({ index: 1, id: 'c2', name: 'read', arguments: '{}' }) +
      frames.end(new Answer(), 'tool_calls', USAGE);
    expect(blocks(all)).toEqual([
      'thinking:ab',
      'text:c',
      'thinking:d',
      'text:e',
      'tool_use:{"a":1}',
      'tool_use:{}',
    ]);
    const ends = events(all).filter(({ type }) => type === 'content_block_stop');
    expect(ends.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('puts what follows a call behind all calls', () => {
    const frames = framesOf();
    const all =
      frames.toolCall({ index: 0, id: 'c1', name: 'read', arguments: '{' }) +
      frames.text('a') +
      frames.toolCall({ index: 0, arguments: '}' }) +
      frames.reasoning('b') +
      frames.text('c') +
      frames.toolCall({ index: 1, id: 'c2', name: 'read', arguments: '{}' }) +
      frames.end(new Answer(), 'tool_calls', USAGE);
    expect(blocks(all)).toEqual(['tool_use:{}', 'tool_use:{}', 'text:a', 'thinking:b', 'text:c']);
  });

  it('has the signature carry thinking that it does not show, block by block', () => {
    const frames = framesOf(true);
    const pieces = [frames.reasoning('a'), frames.reasoning('b'), frames.text('c'), frames.reasoning('d')];
    const all = pieces.join('') + frames.end(new Answer(), 'stop', USAGE);
    expect(blocks(all)).toEqual(['thinking:', 'text:c', 'thinking:']);
    const deltas = events(all).filter(({ type }) => type === 'content_block_delta');
    expect(deltas.map(({ delta }) => delta)).toEqual([
      { type: 'signature_delta', signature: carryText('ab') },
      { type: 'text_delta', text: 'c' },
      { type: 'signature_delta', signature: carryText('d') },
    ]);
  });

  it('writes any text on one line', () => {
    const text = 'a"\n\r\n\u2028 b\\ \ud83d\ude00 data: x\n\n';
    const frames = framesOf();
    expect(events(frames.text(text)).at(-1)).toEqual({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    });
  });

  it('says by its heartbeat nothing before the start, and ping after it', () => {
    const frames = framesOf();
    expect(frames.heartbeat()).toBe(': heartbeat\n\n');
    frames.begin();
    expect(frames.heartbeat()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  it('tells an error in its format', () => {
    expect(events(framesOf().error(new InternalError('upstream_cut', 'it broke.')))).toEqual([
      {
        type: 'error',
        error: { type: 'api_error', message: 'Internal server error: it broke.' },
        request_id: 'req_1',
      },
    ]);
  });
});
