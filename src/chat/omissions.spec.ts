import { describe, expect, it } from '@jest/globals';
import { type CompletionRequest } from './interfaces/completion-request.js';
import {
  ignoredFieldsNote,
  namesHeader,
  omittedItemsNote,
  omittedToolsNote,
  refuseLoneSearch,
} from './omissions.js';

describe('namesHeader', () => {
  it('names each type once', () => {
    expect(namesHeader(['web_search_20250305', 'mcp', 'mcp'])).toBe('web_search_20250305, mcp');
  });

  it('has no character that a header cannot hold, and an end', () => {
    const types = [
      'a\r\nSet-Cookie: x',
      'ä',
      ...Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(100)}`),
    ];
    const value = namesHeader(types);
    expect(value).toMatch(/^a__Set-Cookie:_x, _, 0x+, [\w, ]+$/);
    expect(value.length).toBeLessThan(1500);
  });
});

describe('omittedToolsNote', () => {
  it('is a sentence', () => {
    expect(omittedToolsNote(['web_search'])).toBe(
      'Tools that a provider would run itself were left out: web_search.',
    );
  });
});

describe('ignoredFieldsNote', () => {
  it('is a sentence', () => {
    expect(ignoredFieldsNote(['container'])).toBe('Fields of the request had no effect: container.');
  });
});

describe('omittedItemsNote', () => {
  it('names the types', () => {
    expect(omittedItemsNote(['poem', 'song'])).toBe('Items of unknown types were left out: poem, song.');
  });
});

describe('refuseLoneSearch', () => {
  const request = { tools: [], toolChoice: 'auto', unsupportedTools: ['memory', 'web_search'] };
  const refuse = (changes: object): void =>
    refuseLoneSearch({ ...request, ...changes } as unknown as CompletionRequest, /search/);

  it('refuses a search without other tools', () => {
    expect(() => refuse({})).toThrow('tools must not be web_search alone');
  });

  it.each([{ tools: [{}] }, { toolChoice: 'none' }, { unsupportedTools: ['memory'] }])(
    'takes %j',
    (changes) => {
      expect(() => refuse(changes)).not.toThrow();
    },
  );
});
