import { describe, expect, it } from '@jest/globals';
import { refusesMedia } from './media-refusal.js';

/** Messages in which the user shows a part. */
const showing = (part: object): readonly object[] => [
  { role: 'user', content: [{ type: 'text', text: 'a' }, part] },
];
const PICTURE = showing({ type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } });

describe('refusesMedia', () => {
  it.each([
    'this model does not support image input (ref: b8bd630e)',
    'Model do not support image input.',
    'Model does not support images. Please use a model that does.',
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'audio input is not supported',
    'Image input is not enabled for this model',
    'No endpoints found that support image input',
    'Invalid content type. image_url is only supported by certain models.',
    'Failed to deserialize the JSON body: messages[7]: unknown variant `image_url`, expected `text` at line 1',
    'Failed to parse messages: Unsupported content part type: "image_url"; messages = [',
    'Unsupported content part type for text-only server: image_url',
    "body; messages; 0; content; Input should be 'text'",
    'facebook/opt-125m is not a multimodal model',
    'The model is not a VLM (Vision Language Model). Please check your messages.',
    'At most 0 image(s) may be provided in one prompt.',
    "'messages.1.content' must be a string",
  ])('takes it for a word about the model: %s', (text) => {
    expect(refusesMedia(text, PICTURE)).toBe(true);
  });

  it.each([
    'Invalid base64 image_url.',
    'This model does not support image type image/tiff.',
    'image URLs are not currently supported, please use base64 encoded data instead',
    'does not support image URLs',
    'You uploaded an unsupported image. Please make sure your image is valid.',
    'At most 5 image(s) may be provided in one prompt.',
    'Image size exceeds the limit.',
    "Unrecognized request argument supplied: 'top_k'",
    'messages[0].content must be an array',
  ])('takes it for something else: %s', (text) => {
    expect(refusesMedia(text, PICTURE)).toBe(false);
  });

  it('takes no words of the request for a word about the model, unless it says so in others, too', () => {
    const repeats = (words: string): boolean => words === 'text-only';
    const repeated = 'Could not read https://pictures.example/Text-Only.';
    expect(refusesMedia(repeated, PICTURE)).toBe(true);
    expect(refusesMedia(repeated, PICTURE, repeats)).toBe(false);
    expect(refusesMedia('Model does not support images: it is text-only.', PICTURE, repeats)).toBe(true);
  });

  it.each<[boolean, object[]]>([
    [false, []],
    [false, [{ role: 'user', content: 'a' }, { role: 'assistant', content: null }, { role: 'user' }]],
    [false, [{ role: 'user', content: [{ type: 'text', text: 'a' }] }]],
    [true, [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }]],
    [true, [{ role: 'user', content: [{ type: 'file' }] }, { role: 'assistant' }]],
    [false, [{ role: 'tool', content: [{ type: 'image_url' }] }]],
    [false, [{ role: 'assistant', content: [{ type: 'image_url' }] }]],
  ])('is %s for %j', (expected, messages) => {
    expect(refusesMedia('This is a text-only model.', messages)).toBe(expected);
  });
});
