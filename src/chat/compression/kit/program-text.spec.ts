import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { openedPaths, OPENING_CALLS, programCalls, shellLines, toolStrings } from './program-text.js';

describe('openedPaths', () => {
  it.each(examplesOf({ OPENING_CALLS }))('%s: %s', (_table, _name, pattern, example) => {
    expect(example).toMatch(pattern);
    expect(openedPaths(example)).toEqual(['a.ts']);
  });

  it('finds each file, with quotes of a shell or none', () => {
    expect(openedPaths(`a = open("x.json"); b = open(\\"y z.json\\", \\"rb\\")`)).toEqual([
      'x.json',
      'y z.json',
    ]);
  });

  it.each([
    ['is written', `open('a.json', 'w')`],
    ['is appended to', `open('a.json', mode="a")`],
    ['is listed', `Path('src').glob('*')`],
    ['is a page', `open("https://a.example/")`],
    ['has no known name', 'open(path)'],
  ])('finds none that %s', (_how, code) => {
    expect(openedPaths(code)).toEqual([]);
  });

  it('takes time in proportion to the text', async () => {
    const parts = ["open('", "Path('a", 'open(  '.padEnd(12)];
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => parts.map((part) => openedPaths(part.repeat(40_000)))),
      500,
    );
  });
});

describe('shellLines', () => {
  it('takes the lines of a cell that are marked', () => {
    expect(shellLines('import os\n!ls\nprint("!x")\n!cat a.ts')).toBe('ls\ncat a.ts');
  });
});

describe('toolStrings', () => {
  it('reads the strings of a program that calls tools, whatever quotes they have', () => {
    const code = String.raw`tools.exec_command({ cmd: "cat \"a b\"", dir: 'x' }); text(` + '`a\nb`)';
    expect(toolStrings(code)).toEqual(['cat "a b"', 'x', 'a\nb']);
    expect(toolStrings("run('cat a.ts')")).toEqual([]);
  });

  it('takes time in proportion to the text', async () => {
    const parts = ['\\"', '"', `"'\``, '"\\'];
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => parts.map((part) => toolStrings(`tools.a ${part.repeat(40_000)}`))),
      500,
    );
  });
});

describe('programCalls', () => {
  it('reads the tools that a program calls, and the strings that they are given', () => {
    const code = `const [a] = await Promise.all([tools.fs.read_file({ limit: 3, path: 'a.ts' }), tools.list()]);
const b = await tools
  .fs.read_file({ "path": "b's.ts" });`;
    expect(programCalls(code)).toEqual([
      { tool: 'read_file', values: { path: 'a.ts' } },
      { tool: 'list', values: {} },
      { tool: 'read_file', values: { path: "b's.ts" } },
    ]);
    expect(programCalls("read_file({ path: 'a.ts' })")).toEqual([]);
  });

  it('takes time in proportion to the text', async () => {
    const parts = ['tools.a(', 'tools.a ', 'tools.a({ a: "', 'a', "a: '"];
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => parts.map((part) => programCalls(`tools.a(${part.repeat(40_000)}`))),
      500,
    );
  });
});
