import { expect, it } from '@jest/globals';
import { causesOf, messageWithCauses } from './message-with-causes.js';

/** As Node reports that no address of a name can be reached. */
const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), {
  code: 'ECONNREFUSED',
});

it.each([
  ['fetch failed', new Error('fetch failed')],
  ['fetch failed bad port', new Error('fetch failed', { cause: new Error('bad port') })],
  ['fetch failed ECONNREFUSED', new Error('fetch failed', { cause: refused })],
  ['fetch failed', new Error('fetch failed', { cause: 'x' })],
  ['goto: no route', new Error('goto: no route', { cause: new Error('no route') })],
  [
    'goto: no route EHOSTUNREACH',
    new Error('goto: no route', { cause: new Error('no route', { cause: new Error('EHOSTUNREACH') }) }),
  ],
  ['Error: no route', new Error('Error: no route', { cause: new Error('No route') })],
  ['', new Error('', { cause: new Error('') })],
])('%j', (text, error) => expect(messageWithCauses(error)).toBe(text));

it.each([
  ['bad port', new Error('fetch failed', { cause: new Error('bad port') })],
  ['', new Error('goto: no route', { cause: new Error('no route') })],
  ['', new Error('fetch failed')],
])('tells the causes alone: %j', (text, error) => expect(causesOf(error)).toBe(text));
