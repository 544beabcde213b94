import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { parseRecipe } from './recipe-loader.js';

/** The JSON blocks of the documentation that are whole captures. */
async function captures(): Promise<object[]> {
  const text = await readFile('docs/site-recipes.md', 'utf8');
  return [...text.matchAll(/```json\n(\{[^]*?\n\})\n```/g)]
    .map(([, json = '']) => JSON.parse(json) as object)
    .filter((value) => 'mode' in value);
}

describe('docs/site-recipes.md', () => {
  it('has a capture for each transport, and each of them is valid', async () => {
    const found = await captures();
    expect(found.map((capture) => ('transport' in capture ? capture.transport : undefined))).toEqual([
      ...[undefined, undefined, undefined, undefined],
      ...['websocket', 'websocket', 'socketio', 'socketio', 'polling', undefined],
    ]);
    const frame = JSON.parse(await readFile('recipes/sandbox.json', 'utf8')) as object;
    for (const capture of found) {
      expect(() => parseRecipe({ ...frame, capture }, 'the example', ['site.origin'])).not.toThrow();
    }
  });
});
