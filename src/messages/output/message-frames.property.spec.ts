import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Answer } from '../../chat/completion/answer.js';
import { MessageFrames } from './message-frames.js';

const USAGE = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };

interface Block {
  readonly type: string;
  readonly id?: string;
  content: string;
  isClosed: boolean;
}

interface Event {
  readonly type: string;
  readonly index: number;
  readonly content_block: { readonly type: string; readonly id?: string };
  readonly delta: Readonly<Record<string, string>>;
}

/** Reads a stream as a strict client does: blocks one after the other, deltas of their kind to the open one only. */
function readStrictly(text: string): Block[] {
  const blocks: Block[] = [];
  const [, ...events] = text.split(/(?:^|\n\n)event: \w+\ndata: /);
  for (const json of events) {
    const { type, index, content_block: start, delta } = JSON.parse(json) as Event;
    const open = blocks.at(-1);
    switch (type) {
      case 'content_block_start':
        expect([index, open?.isClosed ?? true]).toEqual([blocks.length, true]);
        blocks.push({ ...start, content: '', isClosed: false });
        break;
      case 'content_block_delta':
        expect([index, open?.isClosed]).toEqual([blocks.length - 1, false]);
        open!.content += delta.text ?? delta.thinking ?? delta.partial_json ?? '';
        break;
      case 'content_block_stop':
        expect([index, open?.isClosed]).toEqual([blocks.length - 1, false]);
        open!.isClosed = true;
        break;
    }
  }
  return blocks;
}

const piece = fc.record({
  kind: fc.constantFrom('text', 'reasoning', 'call', 'nextCall'),
  value: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
});

describe('MessageFrames', () => {
  it('loses, repeats and mixes nothing, whatever the order of the pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const frames = new MessageFrames({ id: 'm', model: 'm' }, { omitsThinking: false }, 'r');
        const sent = { text: '', thinking: '', calls: [] as string[] };
        let stream = frames.begin();
        for (const { kind, value } of pieces) {
          if (kind === 'text') {
            sent.text += value;
            stream += frames.text(value);
          } else if (kind === 'reasoning') {
            sent.thinking += value;
            stream += frames.reasoning(value);
          } else {
            const isNew = kind === 'nextCall' || sent.calls.length === 0;
            const index = isNew ? sent.calls.push('') - 1 : sent.calls.length - 1;
            sent.calls[index] += value;
            stream += frames.toolCall({
              index,
              ...(isNew && { id: `c${index}`, name: 'n' }),
              arguments: value,
            });
          }
        }
        stream += frames.end(new Answer(), 'stop', USAGE);
        const blocks = readStrictly(stream);
        const joined = (type: string): string =>
          blocks
            .filter((block) => block.type === type)
            .map(({ content }) => content)
            .join('');
        const calls = blocks.filter(({ type }) => type === 'tool_use');
        expect([joined('text'), joined('thinking')]).toEqual([sent.text, sent.thinking]);
        expect(calls.map(({ id, content }) => [id, content])).toEqual(
          sent.calls.map((content, index) => [`c${index}`, content]),
        );
        expect(blocks.every(({ isClosed }) => isClosed)).toBe(true);
      }),
    );
  });
});
