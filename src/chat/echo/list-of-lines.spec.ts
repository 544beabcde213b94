import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { isList } from './list-of-lines.js';

function lines(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n');
}

describe('isList', () => {
  it.each<[string, string]>([
    ['paths', lines(12, (at) => `src/chat/part-${at}.ts`)],
    ['one path', 'src/app.ts\n'],
    ['indented paths', lines(12, (at) => `  ./part-${at}.ts  `)],
    ['commits', lines(20, (at) => `4f2a${at} pool: decide at once in case ${at}`)],
    ['pods', `NAME READY STATUS\n${lines(20, (at) => `web-${at} 1/1 Running`)}\n`],
    ['matches', lines(20, (at) => `src/part-${at}.ts:${at}: TODO handle (the case) {`)],
    ['errors of a compiler', lines(12, (at) => `src/a.ts(${at},5): error TS2322: Type 'string' is wrong.`)],
    ['variables', lines(12, (at) => `SETTING_${at}=value-${at}`)],
  ])('knows %s', (_what, text) => {
    expect(isList(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a sentence', 'The quick brown fox jumps over the lazy dog.'],
    ['two lines', 'a b\nc d'],
    ['code', 'function f(a) {\n  const b = a;\n  return b;\n}\n'],
    ['prose', lines(9, (at) => `This is the sentence of number ${at}.`)],
    ['paragraphs', lines(9, () => 'word '.repeat(60))],
    ['a document', lines(9, (at) => `# Part ${at}\n\nIt is about this\nand that\n`)],
    ['JSON', JSON.stringify({ a: [1, 2, 3], b: { c: 4 } }, null, 2)],
  ])('tells %s from one', (_what, text) => {
    expect(isList(text)).toBe(false);
  });

  it.each(['a', '/', ' ', '.', 'a/', 'a \n'])('takes linear time for a text that repeats %j', (unit) => {
    expect(cpuMs(() => isList(unit.repeat(200_000)))).toBeLessThan(300);
  });
});
