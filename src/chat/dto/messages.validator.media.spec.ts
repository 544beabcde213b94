import { describe, expect, it } from '@jest/globals';
import { validateMessages } from './messages.validator.js';

const user = { role: 'user', content: 'hi' };
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
const asking = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'found' };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } };
const noted = (what: string): object => ({
  type: 'text',
  text: `[${what} left out: this upstream takes text only]`,
});

describe('validateMessages, of pictures and files', () => {
  it('takes what the user shows right after results for a part of these', () => {
    const shown = { role: 'user', content: [{ type: 'text', text: 'Attached:' }, image] };
    const [, , , read] = validateMessages([user, asking, result, shown]);
    expect(read).toEqual({ role: 'user', content: [{ type: 'text', text: 'Attached:' }, noted('image')] });
  });

  it('replaces what is no text in older messages and in results', () => {
    const older = { role: 'user', content: [image, { type: 'text', text: 'Look.' }] };
    const seen = { ...result, content: [file, { type: 'video_url', video_url: {} }, { type: 'other' }] };
    expect(validateMessages([older, asking, seen, user])).toEqual([
      { role: 'user', content: [noted('image'), { type: 'text', text: 'Look.' }] },
      asking,
      { ...result, content: [noted('file'), noted('video'), noted('other')] },
      user,
    ]);
  });

  it('has the user show the pictures of results behind them', () => {
    const seen = { ...result, content: [{ type: 'text', text: 'Done.' }, image] };
    expect(validateMessages([user, asking, seen, user], () => true)).toEqual([
      user,
      asking,
      { ...result, content: 'Done.\n\n[image: shown after the results]' },
      { role: 'user', content: [image, { type: 'text', text: 'hi' }] },
    ]);
  });

  it('reads those of other formats, of the user and in results', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const note = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hm.' } };
    const content = [{ type: 'image', source }, note];
    const results = [{ type: 'tool_result', tool_use_id: 'call_1', content }];
    expect(validateMessages([{ role: 'user', content }], () => true)).toEqual([
      { role: 'user', content: [image, { type: 'text', text: 'Hm.' }] },
    ]);
    expect(validateMessages([user, asking, { role: 'user', content: results }], () => true)).toEqual([
      user,
      asking,
      { ...result, content: '[image: shown after the results]\n\nHm.' },
      { role: 'user', content: [image] },
    ]);
  });

  it.each([
    [{ type: 'input_image', file_id: 'file_1' }, 'image'],
    [{ type: 'input_file', file_url: 'https://a.example/b.pdf' }, 'file'],
    [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }, 'image'],
    [{ type: 'document', source: { type: 'content', content: [{ type: 'image' }] } }, 'file'],
  ])('misses the data of %j', (part, kind) => {
    const message = { role: 'user', content: [part] };
    const missing =
      'messages[0].content[0] must hold its data: files stored at a provider are not supported.';
    expect(() => validateMessages([message], () => true)).toThrow(missing);
    const note = { type: 'text', text: `[${kind} left out: its data was not sent]` };
    const read = validateMessages([message, user], () => true);
    expect(read).toEqual([{ ...message, content: [note] }, user]);
    expect(() => validateMessages([message])).toThrow('this upstream takes text only');
  });

  it('keeps what the upstream takes, and asks for each kind', () => {
    const takes = (kind: string): boolean => kind === 'image';
    const noted = { type: 'text', text: '[file left out: this upstream takes text and image only]' };
    const older = { role: 'user', content: [image, file] };
    const newest = { role: 'user', content: [image] };
    const read = validateMessages([older, newest], takes);
    expect(read).toEqual([{ role: 'user', content: [image, noted] }, newest]);
    expect(read[1]).toBe(newest);
    expect(() => validateMessages([{ role: 'user', content: [file] }], takes)).toThrow(
      'messages[0].content[0] must be a text part: this upstream takes text and image only (got "file").',
    );
    const broken = [{ role: 'user', content: [{ type: 'image_url', image_url: 5 }] }];
    expect(() => validateMessages(broken, takes)).toThrow(
      'messages[0].content[0].image_url must be an object.',
    );
  });
});
