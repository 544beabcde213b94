import { describe, expect, it } from '@jest/globals';
import { fileText, textOfFile, textOfSource } from './file-text.js';

const base64 = (text: string | readonly number[]): string => Buffer.from(text as string).toString('base64');
const url = (type: string, text: string | readonly number[]): string => `data:${type};base64,${base64(text)}`;

describe('fileText', () => {
  it.each([
    url('text/plain', 'Grüße'),
    url('TEXT/Markdown;charset=utf-8', 'Grüße'),
    url('text/csv; charset="UTF-8"', 'Grüße'),
    url('application/json', 'Grüße'),
    url('application/vnd.api+json', 'Grüße'),
    url('image/svg+xml', 'Grüße'),
    url('application/x-yaml', 'Grüße'),
    url('application/octet-stream', 'Grüße'),
    url('', 'Grüße'),
    base64('Grüße'),
    url('text/plain', [0xef, 0xbb, 0xbf, ...Buffer.from('Grüße')]),
    url('text/plain', [0xff, 0xfe, ...Buffer.from('Grüße', 'utf16le')]),
    url('text/csv', [...Buffer.from('Grüße', 'latin1')]),
    url('text/plain;charset=iso-8859-1', [...Buffer.from('Grüße', 'latin1')]),
    url('text/plain;charset=none-such', 'Grüße'),
    url('text/plain;charset=us-ascii', 'Grüße'),
    url('text/plain;charset=iso-8859-1', [0xef, 0xbb, 0xbf, ...Buffer.from('Grüße')]),
    url('text/plain;charset=utf-16', [0xfe, 0xff, ...Buffer.from('Grüße', 'utf16le').swap16()]),
    url('application/json ; charset=utf-8', 'Grüße'),
  ])('reads %s', (data) => {
    expect(fileText(data)).toBe('Grüße');
  });

  it.each(['utf-8', 'us-ascii', 'iso-8859-1', 'none-such'])('reads control characters in %s', (charset) => {
    expect(fileText(url(`text/plain;charset=${charset}`, 'a\b'))).toBe('a\b');
  });

  it.each([
    url('application/pdf', '%PDF-1.4 words'),
    url('application/octet-stream', '%PDF-1.4 words'),
    base64('%PDF-1.4 words'),
    url('image/png', 'words'),
    url('application/zip', 'words'),
    url('application/octet-stream', [0x50, 0x4b, 3, 4, 0, 0]),
    url('application/octet-stream', [0xc3, 0x28]),
    url('text/plain', [0x50, 0x4b, 3, 4, 0, 0xff]),
    url('text/plain;charset=iso-8859-1', [0x50, 0x4b, 3, 4, 0, 0xff]),
    'data:text/plain,words',
    'https://a.example/b.txt',
    '',
    undefined,
    5,
  ])('leaves %j alone', (data) => {
    expect(fileText(data)).toBeUndefined();
  });
});

describe('textOfFile', () => {
  it('has the name of the file before its text', () => {
    const data = url('text/plain', 'Words.');
    expect(textOfFile({ filename: 'a.txt', file_data: data })).toBe('a.txt\nWords.');
    expect(textOfFile({ file_data: data })).toBe('Words.');
    expect(textOfFile({ filename: 'a.txt', file_id: 'f' })).toBeUndefined();
  });
});

describe('textOfSource', () => {
  it('reads the base64 of a text', () => {
    expect(textOfSource({ type: 'base64', media_type: 'text/plain', data: base64('Words.') })).toBe('Words.');
    expect(textOfSource({ type: 'base64', media_type: 'application/pdf', data: base64('Words.') })).toBe(
      undefined,
    );
    expect(textOfSource({ type: 'url', url: 'https://a.example' })).toBeUndefined();
    expect(textOfSource(null)).toBeUndefined();
  });
});
