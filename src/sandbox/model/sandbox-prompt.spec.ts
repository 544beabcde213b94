import { describe, expect, it } from '@jest/globals';
import { lastToolResponse, lastUserMessage } from './sandbox-prompt.js';

describe('lastUserMessage', () => {
  it('is the last one, by whomever', () => {
    expect(lastUserMessage('<user name="ann">\nOne\n</user>\n\n<user name="bob">\nTwo\n</user>')).toBe('Two');
  });

  it('returns a prompt without tags as a whole', () => {
    expect(lastUserMessage('Hello <user> there')).toBe('Hello <user> there');
  });

  it('returns the text between the last user tags', () => {
    const prompt =
      '<system>\nBe kind.\n</system>\n<user>\nOne\n</user>\n<user>\nTwo\nlines\n</user>\n<assistant>\nA';
    expect(lastUserMessage(prompt)).toBe('Two\nlines');
  });

  it('returns the rest of the prompt after an unclosed tag', () => {
    expect(lastUserMessage('<user>\nOne\n</user>\n<user>\nTwo')).toBe('Two');
  });

  it('ignores tags within a line', () => {
    expect(lastUserMessage('<user>\nSay <user>\nor </user> twice\n</user>')).toBe(
      'Say <user>\nor </user> twice',
    );
  });

  it('ignores tool results', () => {
    const prompt = '<user>\nRead it\n</user>\n<tool_response name="read">\n[[status:500]]\n</tool_response>';
    expect(lastUserMessage(prompt)).toBe('Read it');
  });
});

describe('lastToolResponse', () => {
  it.each([
    ['<tool_response name="a">\n one \n\n two\n</tool_response>\n<user>\nx', ' one \n\n two'],
    ['x\n<tool_response>\nold\n</tool_response>\n<tool_response id="2">\nnew\n</tool_response>\n', 'new'],
    ['<tool_response>on one line</tool_response>', 'on one line'],
    ['<tool_response>\n\n</tool_response>', ''],
    ['<tool_response>\n</tool_response> inside\n\n</tool_response>', '</tool_response> inside\n'],
  ])('reads %j', (prompt, text) => {
    expect(lastToolResponse(prompt)).toBe(text);
  });

  it.each([
    'no result',
    'a <tool_response>\ninline\n</tool_response>',
    '<tool_response>\nnever closed',
    '<tool_response',
  ])('finds none in %j', (prompt) => {
    expect(lastToolResponse(prompt)).toBeUndefined();
  });
});
