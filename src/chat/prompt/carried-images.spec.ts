import { describe, expect, it } from '@jest/globals';
import { type Model } from '../../models/model.js';
import { type ChatMessage, type MediaPart } from '../interfaces/chat-message.js';
import { CHAT_FIELD_NAMES, type CompletionRequest } from '../interfaces/completion-request.js';
import { carriedImages } from './carried-images.js';

const text = (value: string) => ({ type: 'text', text: value }) as const;
const image = (url: string): MediaPart => ({ type: 'image_url', image_url: { url } });
const png = (base64: string): MediaPart => image(`data:image/png;base64,${base64}`);
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } } as const;

function carried(
  messages: readonly ChatMessage[],
  imageLimit: number | null = 2,
): ReturnType<typeof carriedImages> {
  const model = { imageLimit: imageLimit ?? undefined } as Model;
  return carriedImages({ messages, model, fieldNames: CHAT_FIELD_NAMES } as CompletionRequest);
}

describe('carriedImages', () => {
  it('takes images out of the conversation, numbered in its order', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: [text('Is this'), png('AAAA'), text('a cat?')] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: [image('data:IMAGE/Jpeg;base64,BB==')] },
    ];
    expect(carried(messages)).toEqual({
      messages: [
        messages[0],
        { role: 'user', name: 'ann', content: 'Is this\n\n[image 1]\n\na cat?' },
        messages[2],
        { role: 'user', content: '[image 2]' },
      ],
      images: [
        { type: 'image/png', base64: 'AAAA' },
        { type: 'image/jpeg', base64: 'BB==' },
      ],
    });
  });

  it('carries the newest, as many as the upstream takes at once', () => {
    const { messages, images } = carried([
      { role: 'user', content: [png('AAAA')] },
      { role: 'user', content: [png('BBBB')] },
      { role: 'user', content: [png('CCCC')] },
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      '[image left out: this upstream takes 2 at once]',
      '[image 1]',
      '[image 2]',
    ]);
    expect(images.map(({ base64 }) => base64)).toEqual(['BBBB', 'CCCC']);
  });

  it('notes addresses in older messages, and refuses them in the newest', () => {
    const address = image('https://example.com/cat.png');
    const [older] = carried([
      { role: 'user', content: [address] },
      { role: 'user', content: 'Why?' },
    ]).messages;
    expect(older).toEqual({ role: 'user', content: '[image left out: its data was not sent]' });
    for (const part of [address, image('data:image/png;base64,'), image('data:text/plain;base64,AAAA')]) {
      expect(() => carried([{ role: 'user', content: [part] }])).toThrow(
        expect.objectContaining({
          param: 'messages',
          message:
            'messages must hold its images as data URLs in base64, e.g. data:image/png;base64,…: ' +
            'this upstream follows no addresses.',
        }),
      );
    }
  });

  it('refuses more images in the newest message than go at once', () => {
    expect(() => carried([{ role: 'user', content: [png('AAAA'), png('BBBB'), png('CCCC')] }])).toThrow(
      'messages must hold at most 2 images in the newest message of the user: this upstream takes no more at once',
    );
  });

  it('goes on without what tools have shown too much of', () => {
    const { messages, images } = carried([
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'Three pictures' },
      { role: 'user', content: [png('AAAA'), png('BBBB'), png('CCCC')] },
    ]);
    expect(messages.at(-1)?.content).toBe(
      '[image left out: this upstream takes 2 at once]\n\n[image 1]\n\n[image 2]',
    );
    expect(images).toHaveLength(2);
  });

  it('leaves everything to an upstream that takes messages', () => {
    const messages: ChatMessage[] = [{ role: 'user', content: [png('AAAA')] }];
    expect(carried(messages, null)).toEqual({
      messages,
      images: [],
    });
  });
});
