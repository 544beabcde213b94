import { describe, expect, it } from '@jest/globals';
import { templateOf } from './line-template.js';

describe('templateOf', () => {
  it.each([
    ['GET /users/5 200 in 3 ms', 'GET # # in # ms'],
    ['level=info msg="took 5"', 'level info msg took #'],
    // A name before a colon tells lines apart, a time, an address or a place does not.
    ['connected_clients:9981', 'connected_clients #'],
    ['Error: no connection to db-1:5432', 'Error no connection to #'],
    ['10:00:05 at src/a.ts:12', '# at #'],
    ['lease of aa:bb:cc:00:11:22', 'lease of #'],
    ['-----', '-----'],
  ])('makes of %s %s', (line, template) => {
    expect(templateOf(line)).toBe(template);
  });

  it('hands over the words as they stand', () => {
    const words: string[] = [];
    templateOf('hits:5 of a/b', words);
    expect(words).toEqual(['hits', '5', 'of', 'a/b']);
  });
});
