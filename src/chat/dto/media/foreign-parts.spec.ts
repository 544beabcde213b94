import { describe, expect, it } from '@jest/globals';
import { inChatForm } from './foreign-parts.js';

const URL = 'https://a.example/b.png';
const PNG = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
const text = (data: string): object => ({ type: 'text', media_type: 'text/plain', data });

describe('inChatForm', () => {
  it.each<[object, object]>([
    [
      { type: 'image_url', image_url: URL },
      { type: 'image_url', image_url: { url: URL } },
    ],
    [
      { type: 'input_image', image_url: URL, detail: 'low' },
      { type: 'image_url', image_url: { url: URL, detail: 'low' } },
    ],
    [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:x' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:x' } },
    ],
    [
      { type: 'input_video', video_url: URL },
      { type: 'video_url', video_url: { url: URL } },
    ],
    [
      { type: 'image', source: PNG },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
    [
      { type: 'image', source: { type: 'url', url: URL } },
      { type: 'image_url', image_url: { url: URL } },
    ],
    [
      { type: 'document', title: 'c.pdf', source: { ...PNG, media_type: 'application/pdf' } },
      { type: 'file', file: { filename: 'c.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    ],
    [
      { type: 'document', title: 'T', context: 'C', source: text('Grass is green.') },
      { type: 'text', text: 'T\nC\nGrass is green.' },
    ],
    [
      { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,V29yZHMu' } },
      { type: 'text', text: 'a.txt\nWords.' },
    ],
    [
      { type: 'input_file', filename: 'a.md', file_data: 'data:text/markdown;base64,V29yZHMu' },
      { type: 'text', text: 'a.md\nWords.' },
    ],
    [
      { type: 'document', title: 'T', source: { ...PNG, media_type: 'text/plain', data: 'V29yZHMu' } },
      { type: 'text', text: 'T\nWords.' },
    ],
    [
      { type: 'document', source: { type: 'content', content: 'a' } },
      { type: 'text', text: 'a' },
    ],
    [
      {
        type: 'document',
        source: { type: 'content', content: ['a', 'b'].map((a) => ({ type: 'text', text: a })) },
      },
      { type: 'text', text: 'a\n\nb' },
    ],
  ])('reads %j', (part, read) => {
    expect(inChatForm({ ...part })).toEqual(read);
  });

  it.each([
    { type: 'text', text: 'a' },
    { type: 'image_url', image_url: { url: URL } },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
    { type: 'image', image: URL },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,V29yZHMu' } },
    { type: 'file', file: { file_id: 'f' } },
    { type: 'input_image', file_id: 'f' },
    { type: 'document', source: { type: 'url', url: URL } },
    { type: 'document', source: { type: 'content', content: [{ type: 'image', source: PNG }] } },
  ])('leaves %j alone', (part) => {
    expect(inChatForm(part)).toBe(part);
  });
});
