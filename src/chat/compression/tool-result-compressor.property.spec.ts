import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { condense } from './tool-result-compressor.js';

describe('condense, given any text', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      'diff --git a/a b/a',
      '@@ -1,9 +1,9 @@',
      '+added',
      ' same',
      '{"id": 1, "a": [1, 2]},',
      '[',
      ']',
      '{',
      '}',
      '<a><b/></a>',
      '<html>',
      'src/a.ts:12:code',
      'src/a.ts',
      '12:code',
      '| a | b |',
      '|---|---|',
      'a,b,c',
      '-rw-r--r-- 1 a b 12 Sep 17 10:01 name',
      '├── name',
      '2025-01-01 ERROR failed',
      '  at f (a.ts:1:1)',
      '✓ passes',
      'NAME  READY  STATUS  AGE',
      'a  1/1  Running  5d',
      'commit 1234567890123456789012345678901234567890',
      '\x1b[31mred\x1b[0m\r',
      '[condensed from 12 characters]',
      '\0\0\0\0\0\0',
      '\ud800',
    ),
  );
  const text = fc
    .tuple(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('\n', '', '\n\n'),
    )
    .map(([lines, times, separator]) =>
      Array.from({ length: times }, () => lines.join('\n')).join(separator),
    );
  const tool = fc.record({
    name: fc.constantFrom('bash', 'grep', 'fetch', 'run_tests', ''),
    arguments: fc.constantFrom(
      '{}',
      '{"command":"git diff"}',
      '{"command":["bash","-lc","ls"]}',
      'no JSON',
      '[]',
    ),
  });

  it('never grows a text, never throws, gives equal bytes, and changes nothing twice', () => {
    fc.assert(
      fc.property(text, tool, (original, call) => {
        const once = condense(original, call);
        expect(once.text.length).toBeLessThanOrEqual(
          once.rules.length > 0 ? original.length * 0.9 : original.length,
        );
        expect(once.rules.length === 0).toBe(once.text === original);
        expect(condense(original, call)).toEqual(once);
        expect(condense(once.text, call)).toEqual({ text: once.text, rules: [] });
      }),
      { numRuns: 500 },
    );
  });
});
