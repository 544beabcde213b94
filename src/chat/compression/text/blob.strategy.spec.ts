import { describe, expect, it } from '@jest/globals';
import { strategyContext } from '../../../../test/compression/strategy-context.js';
import { blobStrategy } from './blob.strategy.js';

const condense = (text: string): string | undefined => blobStrategy.condense(text, strategyContext());

/** 432 characters. */
const BASE64 = Buffer.from(Array.from({ length: 324 }, (_, index) => (index * 89 + 7) % 256)).toString(
  'base64',
);
const HEX = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 89 + 7) % 256)).toString('hex');

describe('blobStrategy', () => {
  it('keeps the head of a long run and counts the rest', () => {
    expect(condense(`{"icon":"data:image/png;base64,${BASE64}"}`)).toBe(
      `{"icon":"data:image/png;base64,${BASE64.slice(0, 24)}[… 408 base64 characters omitted]"}`,
    );
    expect(condense(`key: ${HEX}\nend`)).toBe(
      `key: ${HEX.slice(0, 24)}[… 376 hexadecimal digits omitted]\nend`,
    );
  });

  it('does not end a run at an escaped line break', () => {
    const broken = (BASE64.match(/.{1,60}/g) ?? []).join('\\n');
    expect(condense(`"${broken}"`)).toBe(
      `"${BASE64.slice(0, 24)}[… ${broken.length - 24} base64 characters omitted]"`,
    );
  });

  it('counts the lines of an encoded file', () => {
    const lines = BASE64.match(/.{1,60}/g) ?? [];
    expect(condense(`begin\n${lines.join('\n')}\nend`)).toBe(
      `begin\n${lines[0] ?? ''}\n[… 7 lines of base64, 372 characters, omitted]\nend`,
    );
  });

  it('counts binary characters and keeps readable ones', () => {
    expect(condense(`\x7fELF\x02\x01\x01\0\0\0\0\0\0\0 /lib64/ld-linux-x86-64.so.2 \0\0\0\0\nnext`)).toBe(
      'ELF  /lib64/ld-linux-x86-64.so.2 \n[… 14 binary characters omitted]\nnext',
    );
  });

  it.each([
    ['a hash', 'a'.repeat(3) + '0123456789abcdef'.repeat(8)],
    ['a signed token', `eyJ${BASE64.replaceAll(/[+/=]/g, 'x')}.${BASE64}`],
    ['a ruler', '='.repeat(500)],
    ['a long path', '/usr/lib/some/Folder1'.repeat(30)],
    ['a long word', 'abcdefghij'.repeat(60)],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
