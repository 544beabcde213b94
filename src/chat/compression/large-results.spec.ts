import { expect, it } from '@jest/globals';
import { LargeResults } from './large-results.js';

it('leaves a result as it is that would fill the memory of the thread', async () => {
  const failures: unknown[] = [];
  const results = new LargeResults((error) => failures.push(error));
  const text = 'a\n'.repeat(2 ** 27);
  expect(await results.condense(text, { name: 'run', arguments: '{}' })).toBeUndefined();
  expect(failures).toEqual([new Error('268435456 characters do not fit into the memory of the gateway.')]);
});
