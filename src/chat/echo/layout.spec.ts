import { describe, expect, it } from '@jest/globals';
import { isLaidOutAlike } from './layout.js';

const RESULT = 'if (ready) {\n  start(now);\n  report("it runs");\n}\nelse {\n  wait();\n}';

describe('isLaidOutAlike', () => {
  it.each([
    ['a copy', RESULT, true],
    ['a copy in a fence', `Here it is:\n\`\`\`\n${RESULT}\n\`\`\``, true],
    ['another end of line', RESULT.replaceAll('\n', ' \r\n'), true],
    ['tabs', RESULT.replaceAll('  ', '\t'), false],
    ['one line', RESULT.replaceAll('\n', ' '), false],
    ['line numbers', RESULT.replaceAll(/^/gm, '7: '), false],
  ])('judges %s', (_, answer, isAlike) => {
    expect(isLaidOutAlike(answer, RESULT)).toBe(isAlike);
  });
});
