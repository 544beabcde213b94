import { expect, it } from '@jest/globals';
import { messageWithCauses } from './message-with-causes.js';

/** As Node reports that no address of a name can be reached. */
const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), {
  code: 'ECONNREFUSED',
});

it.each([
  ['fetch failed', new Error('fetch failed')],
  ['fetch failed bad port', new Error('fetch failed', { cause: new Error('bad port') })],
  ['fetch failed ECONNREFUSED', new Error('fetch failed', { cause: refused })],
  ['fetch failed', new Error('fetch failed', { cause: 'x' })],
])('%j', (text, error) => expect(messageWithCauses(error)).toBe(text));
