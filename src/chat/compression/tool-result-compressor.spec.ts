import { describe, expect, it } from '@jest/globals';
import { range } from '../../../test/compression/strategy-context.js';
import { condense } from './tool-result-compressor.js';

function shell(command: string): { name: string; arguments: string } {
  return { name: 'bash', arguments: JSON.stringify({ command }) };
}

const LOG = range(1, 100)
  .map((second) => `2025-01-01 10:00:00 INFO served request ${second} in ${second % 9} ms`)
  .join('\n');

describe('condense', () => {
  it('marks the text as condensed, and reports the rules with their effect', () => {
    const { text, rules } = condense(`\x1b[32m${LOG}\x1b[0m`, shell('./serve'));
    expect(text).toMatch(
      /^\[condensed from 5100 characters\]\n\[100 lines in all\]\n2025-01-01 10:00:00 INFO served request 1 in 1 ms \[100 lines like this\]\n/,
    );
    expect(rules).toEqual([
      { rule: 'terminal', before: LOG.length + 9, after: LOG.length },
      { rule: 'log', before: LOG.length, after: expect.any(Number) },
    ]);
  });

  it('leaves short and condensed texts alone', () => {
    const short = 'x\n'.repeat(599);
    expect(condense(short, shell('./serve'))).toEqual({ text: short, rules: [] });
    const once = condense(LOG, shell('./serve')).text;
    expect(once).not.toBe(LOG);
    const padded = once + '\nsame line'.repeat(500);
    expect(condense(padded, shell('./serve'))).toEqual({ text: padded, rules: [] });
  });

  it('condenses what reads like prose if a command printed it again and again', () => {
    const text = range(1, 200)
      .map((number) => `We are looking for the file module${number}, and there is none of this name.`)
      .join('\n');
    expect(condense(text, shell('./search')).rules).toHaveLength(1);
    expect(condense(text, { name: 'peek', arguments: '{}' })).toEqual({ text, rules: [] });
    expect(condense(text, shell('cat notes.md'))).toEqual({ text, rules: [] });
  });

  it('keeps each of many settings of one form', () => {
    const text = range(1, 400)
      .map((number) => `net.if${number}.mtu = 1500`)
      .join('\n');
    expect(condense(text, shell('sysctl -a'))).toEqual({ text, rules: [] });
  });

  it('takes a list of paths for a table if folders hardly shorten it', () => {
    const states = ['static    -', 'disabled  enabled'];
    const rows = range(1, 150).map(
      (number) => `unit-${number}${number % 8 ? '.service' : ''}`.padEnd(30) + states[number % 2],
    );
    const { rules } = condense(
      [`${'UNIT FILE'.padEnd(30)}STATE     PRESET`, ...rows].join('\n'),
      shell('systemctl'),
    );
    expect(rules.map(({ rule }) => rule)).toEqual(['table']);
  });

  it('leaves a text alone that would hardly get shorter', () => {
    const lines = range(1, 30).map(
      (number) => `${'abcdefghij'.repeat(3)}${'klmno'.charAt(number % 5).repeat(number)}`,
    );
    const text = [...lines, 'same', 'same', 'same', 'same', 'same'].join('\n');
    expect(condense(text, shell('./serve'))).toEqual({ text, rules: [] });
  });

  it('condenses the output of a program within JSON, and reports the rules of both', () => {
    const { text, rules } = condense(JSON.stringify({ exit_code: 1, output: LOG }), shell('./serve'));
    expect(text).toMatch(
      /^\[condensed from \d+ characters\]\n\{"exit_code":1,"output":"\[100 lines in all\]\\n2025-01-01/,
    );
    expect(text).toContain('omitted]');
    expect(rules.map(({ rule }) => rule)).toEqual(['log', 'json']);
  });

  it.each([
    ['a file that was read', { name: 'read_file', arguments: '{"path":"src/a.ts"}' }],
    ['a file that a command printed', shell('cd app && cat src/a.ts | head -50')],
    ['a configuration', { name: 'view', arguments: '{"path":"deploy/values.yaml"}' }],
  ])('never touches %s, whatever it looks like', (_name, tool) => {
    expect(condense(LOG, tool)).toEqual({ text: LOG, rules: [] });
  });

  it('keeps code and prose word for word, as a terminal shows them', () => {
    const code = `import a from 'a';\n\n${range(1, 80)
      .map((number) => `export function f${number}(x) {\n  return a(x);\n}\n`)
      .join('\n')}`;
    const coloured = code.replaceAll(/^(export| {2}return)/gm, '\x1b[1;35m$1\x1b[0m');
    const { text, rules } = condense(coloured, shell('./print-source'));
    expect(text).toBe(`[condensed from ${coloured.length} characters]\n${code}`);
    expect(rules).toEqual([{ rule: 'terminal', before: coloured.length, after: code.length }]);
    const file = `${code}const icon = '${'iVBORw0KGgoAAAANSUhEUgAAAAUA'.repeat(400)}';\n`;
    expect(condense(file, shell('./print-source'))).toEqual({ text: file, rules: [] });
  });

  it('condenses a log that was read', () => {
    expect(condense(LOG, { name: 'read_file', arguments: '{"path":"/var/log/app.log"}' }).rules).toHaveLength(
      1,
    );
  });

  it('treats invalid arguments as none', () => {
    expect(condense(LOG, { name: 'run_tests', arguments: '{"command":' }).rules).toHaveLength(1);
  });
});
