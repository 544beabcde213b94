import { describe, expect, it } from '@jest/globals';
import { causesOf, messageWithCauses } from './message-with-causes.js';

/** As Node reports that no address of a name can be reached. */
const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), {
  code: 'ECONNREFUSED',
});

describe('messageWithCauses', () => {
  it.each([
    ['no cause', new Error('fetch failed'), 'fetch failed'],
    ['a cause', new Error('fetch failed', { cause: new Error('bad port') }), 'fetch failed bad port'],
    ['a cause without a message', new Error('fetch failed', { cause: refused }), 'fetch failed ECONNREFUSED'],
    ['a cause that is no error', new Error('fetch failed', { cause: 'x' }), 'fetch failed'],
    [
      'a cause that it has told',
      new Error('goto: no route', { cause: new Error('no route') }),
      'goto: no route',
    ],
    [
      'a cause of such a cause',
      new Error('goto: no route', { cause: new Error('no route', { cause: new Error('EHOSTUNREACH') }) }),
      'goto: no route EHOSTUNREACH',
    ],
    [
      'a cause in other case',
      new Error('Error: no route', { cause: new Error('No route') }),
      'Error: no route',
    ],
    ['nothing to say', new Error('', { cause: new Error('') }), ''],
  ])('tells of an error with %s', (_what, error, text) => expect(messageWithCauses(error)).toBe(text));
});

describe('causesOf', () => {
  it.each([
    ['a cause', new Error('fetch failed', { cause: new Error('bad port') }), 'bad port'],
    ['a cause that it has told', new Error('goto: no route', { cause: new Error('no route') }), ''],
    ['no cause', new Error('fetch failed'), ''],
  ])('tells the causes alone, of an error with %s', (_what, error, text) => {
    expect(causesOf(error)).toBe(text);
  });
});
