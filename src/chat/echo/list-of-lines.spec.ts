import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { isHitList, isLineList, isPathList, isPlaceList, isRecordList } from './list-of-lines.js';

function lines(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n');
}

describe('isPathList', () => {
  it.each<[string, string]>([
    ['paths', lines(12, (at) => `src/chat/part-${at}.ts`)],
    ['one path', 'src/app.ts\n'],
    ['indented paths', lines(12, (at) => `  ./part-${at}.ts  `)],
    ['a tree', `.\n├── src\n${lines(12, (at) => `│   ├── part-${at}.ts`)}\n│   └── test\n└── README`],
    ['a tree in ASCII', lines(12, (at) => `|   |-- part-${at}.ts`)],
  ])('knows %s', (_what, text) => {
    expect(isPathList(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['commits', lines(20, (at) => `4f2a${at} pool: decide at once in case ${at}`)],
    ['variables', lines(12, (at) => `SETTING_${at}=value-${at}`)],
    ['CSV', lines(12, (at) => `${at},user${at}@example.org`)],
    ['properties', lines(12, (at) => `server.port${at}=80`)],
  ])('tells %s from one', (_what, text) => {
    expect(isPathList(text)).toBe(false);
  });
});

describe('isPlaceList', () => {
  it.each<[string, string]>([
    [
      'errors of a compiler and their number',
      `${lines(12, (at) => `src/a.ts(${at},5): error TS7006: Wrong.`)}\n\nFound 12 errors.`,
    ],
    ['matches', lines(20, (at) => `src/part-${at}.ts:${at}: const a = b(c);`)],
    [
      'files',
      `total 48\n${lines(20, (at) => `-rw-r--r-- 1 root root 4${at} May  9 10:0${at % 10} part-${at}`)}`,
    ],
  ])('knows %s', (_what, text) => {
    expect(isPlaceList(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a log', lines(20, (at) => `2026-03-04T10:20:${10 + at}Z GET /users ${at}`)],
    ['commits', lines(20, (at) => `4f2a${at} pool: decide at once in case ${at}`)],
  ])('tells %s from one', (_what, text) => {
    expect(isPlaceList(text)).toBe(false);
  });
});

describe('isLineList', () => {
  it('knows logs and records', () => {
    const log = lines(20, (at) => `2026-03-04T10:20:${10 + at}Z GET /users ${at}`);
    expect([log, lines(9, (at) => `SETTING_${at}=${at}`), 'A sentence.'].map(isLineList)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('isRecordList', () => {
  it.each<[string, string]>([
    ['commits', lines(20, (at) => `4f2a${at} pool: decide at once in case ${at} (#${at})`)],
    ['pods', `NAME READY STATUS\n${lines(20, (at) => `web-${at} 1/1 Running`)}\n`],
    ['matches', lines(20, (at) => `src/part-${at}.ts:${at}: TODO handle (the case) {`)],
    ['errors of a compiler', lines(12, (at) => `src/a.ts(${at},5): error TS2322: Type 'string' is wrong.`)],
    ['variables', lines(12, (at) => `SETTING_${at}=value-${at}`)],
  ])('knows %s', (_what, text) => {
    expect(isRecordList(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a sentence', 'The quick brown fox jumps over the lazy dog.'],
    ['two lines', 'a b\nc d'],
    ['code', 'function f(a) {\n  const b = a;\n  return b;\n}\n'],
    ['prose', lines(9, (at) => `This is the sentence of number ${at}.`)],
    ['paragraphs', lines(9, () => 'word '.repeat(60))],
    ['a document', lines(9, (at) => `# Part ${at}\n\nIt is about this\nand that\n`)],
    ['a log', lines(20, (at) => `2026-03-04T10:20:${10 + at}Z GET /users ${at}`)],
    ['a log in brackets', lines(20, (at) => `[10:20:${10 + at}] GET /users ${at}`)],
    ['a journal', lines(20, (at) => `Mar  4 10:20:${10 + at} host sshd: closed ${at}`)],
    ['JSON', JSON.stringify({ a: [1, 2, 3], b: { c: 4 } }, null, 2)],
  ])('tells %s from one', (_what, text) => {
    expect(isRecordList(text)).toBe(false);
  });

  it.each(['a', '/', ' ', '.', 'a/', 'a \n', '1:', '[', 'Mar ', '│', '|', '#1)', '-rw'])(
    'takes linear time for a text that repeats %j',
    async (unit) => {
      const text = unit.repeat(200_000);
      const judge = (): unknown =>
        [isPathList, isPlaceList, isRecordList].map((is) => [is(text), is(`${text} a b`)]);
      await cpuPace.expectOnceWithin(() => cpuMs(judge), 600);
    },
  );
});

describe('isHitList', () => {
  const hits = lines(
    4,
    (at) => `${at}. Talk ${at}\n   https://talks.example/${at}\n   Says how queues are drained.`,
  );

  it('knows what a search has found', () => {
    expect([hits, hits.replaceAll('https://', ''), lines(4, (at) => `- item ${at}`)].map(isHitList)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
