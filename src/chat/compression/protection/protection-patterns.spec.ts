import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { OTHER_TOOL_WORDS, READER_NAMES, readKind } from './file-reads.js';
import { CONFIGURATION_FOLDERS, CONFIGURATION_WORDS, GENERATED_NAMES, pathKind } from './path-kind.js';
import { ERROR_HEADS, ERROR_TITLES } from './protected-looks.js';
import { CODE_ENDS, CODE_HEADS, CODE_STARTS, CONFIG_LINES, LINE_TIMES } from './source-patterns.js';

const TABLES = {
  ...{ CODE_STARTS, CODE_ENDS, CODE_HEADS, CONFIG_LINES, LINE_TIMES },
  ...{ ERROR_HEADS, ERROR_TITLES, CONFIGURATION_FOLDERS, GENERATED_NAMES, READER_NAMES },
};

describe('protection patterns', () => {
  it.each(examplesOf(TABLES))('%s: %s', (_table, _name, pattern, example) => {
    expect(example).toMatch(pattern);
  });

  it.each(CONFIGURATION_WORDS)('classify a JSON file with %s in its name as configuration', (word) => {
    expect(pathKind(`app/${word}${word.endsWith('.') ? '' : '.'}json`)).toBe('source');
  });

  it.each(OTHER_TOOL_WORDS)('classify no tool with %s in its name as a reader', (word) => {
    const use = {
      isShell: false,
      isOnlyReader: false,
      commands: [],
      opened: [],
      called: [],
      paths: ['src/a.ts'],
      verb: undefined,
    };
    expect(readKind({ ...use, name: `show${word}` })).toBe('none');
  });
});
