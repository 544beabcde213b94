import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { withoutMedia } from './without-media.js';

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
const NOTE = '[image left out: this upstream takes text only]';

describe('withoutMedia', () => {
  it('notes what is left out, as one text, and keeps the other messages themselves', () => {
    const messages: ChatMessage[] = [
      { role: 'user', name: 'ann', content: [text('Look.'), image] },
      { role: 'assistant', content: 'No.' },
      { role: 'user', content: [text('Why?')] },
    ];
    const found = withoutMedia(messages, 'messages');
    expect(found[0]).toEqual({ role: 'user', name: 'ann', content: `Look.\n\n${NOTE}` });
    expect([found[1], found[2]]).toEqual([messages[1], messages[2]]);
  });

  it('notes what a tool has shown, in its result or right after it', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Look at it.' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: [text('Here:'), image] },
      { role: 'user', content: [image] },
    ];
    expect(
      withoutMedia(messages, 'messages')
        .slice(2)
        .map(({ content }) => content),
    ).toEqual([`Here:\n\n${NOTE}`, NOTE]);
  });

  it('refuses to leave out what the user has just sent', () => {
    const file = { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } } as const;
    const messages: ChatMessage[] = [{ role: 'user', content: [text('Read it.'), file] }];
    expect(() => withoutMedia(messages, 'input')).toThrow(
      'input must hold text alone in the newest message of the user: this upstream takes text only (got "file")',
    );
  });
});
