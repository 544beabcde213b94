import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { isFileList } from './file-list.js';

const names = [...'abcdefghijklmnopqrst'];

describe('isFileList', () => {
  it('takes lines that end with paths of their own for a list', () => {
    expect(isFileList(names.map((name) => `copied ${name}/${name}.ts`))).toBe(true);
  });

  it.each([
    [
      'a log of services',
      (name: string, at: number) => `web-1  | 2026-03-02T10:00:${10 + at}Z done ${name}/${name}`,
    ],
    ['a profile', (name: string, at: number) => `${at}.20s 3.1% ${at}% 0.4s 1.2%  net/http.${name}`],
  ])('takes %s for none', (_name, line) => {
    expect(isFileList(range(0, 19).map((at) => line(names[at] ?? '', at)))).toBe(false);
  });
});
