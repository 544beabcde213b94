import { describe, expect, it } from '@jest/globals';
import { parseDeepSelectors } from './deep-selector.js';

describe('parseDeepSelectors', () => {
  it.each([
    ['.answer > p', [['.answer > p']]],
    ['chat-app >>> .answer', [['chat-app', '.answer']]],
    ['a>>>b >>> c, .d', [['a', 'b', 'c'], ['.d']]],
    [':is(.a, .b) >>> [title="x, >>> y"]', [[':is(.a, .b)', '[title="x, >>> y"]']]],
    ['.a\\,b', [['.a\\,b']]],
    ['[href^="text/"]', [['[href^="text/"]']]],
  ])('reads %s', (text, selectors) => {
    expect(parseDeepSelectors(text)).toEqual(selectors);
  });

  it.each([
    'aria/Stop',
    'text/Stop',
    'xpath/.//button',
    'pierce/.a',
    '.a, aria/Stop',
    'a >>>> b',
    '>>> b',
    '.a,',
  ])('knows that %s is none', (text) => {
    expect(parseDeepSelectors(text)).toBeUndefined();
  });
});
