import { describe, expect, it } from '@jest/globals';
import { leavesOutLines } from './missing-lines.js';

const RESULT = 'start();\n// Old.\nif (ready) {\n  run();\n}\nif (late) {\n  stop();\n}';

describe('leavesOutLines', () => {
  it.each([
    ['a copy', RESULT, false],
    ['a copy in a fence', `Here it is:\n\`\`\`\n${RESULT}\n\`\`\``, false],
    ['a copy with other blanks', RESULT.replaceAll('\n', '\n\n  '), false],
    ['the beginning', RESULT.slice(0, RESULT.indexOf('if (late)')), false],
    ['the end', RESULT.slice(RESULT.indexOf('if (late)')), false],
    ['a copy in one line', RESULT.replaceAll('\n', ' '), false],
    ['a copy without a line', RESULT.replace('// Old.\n', ''), true],
    ['a copy without several', RESULT.replace(/if \(ready\)[^]*?\}\n/, ''), true],
  ])('judges %s', (_, answer, isLeftOut) => {
    expect(leavesOutLines(answer, RESULT)).toBe(isLeftOut);
  });
});
