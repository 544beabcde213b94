import { describe, expect, it } from '@jest/globals';
import { SettingsError } from '../common/config/settings.errors.js';
import { InternalError } from '../common/errors/gateway.errors.js';
import { StoreError } from '../common/store/store.error.js';
import { exitCode, failureText } from './start-failure.js';

describe('failureText', () => {
  it('gives the cause in one line where the database was lost during the start', () => {
    const cause = new Error('canceling statement due to statement timeout');
    const lost = new InternalError('database_away', 'the shared database cannot be reached.', { cause });
    expect(failureText(lost)).toBe(
      'The database (DATABASE_URL) was lost during the start: canceling statement due to statement timeout',
    );
  });

  it('gives what the operator can mend without a stack', () => {
    expect(failureText(new StoreError('another key'))).toBe('another key');
  });

  it('gives the stack of any other error', () => {
    const error = new InternalError('local_resources', 'no');
    expect(failureText(error)).toBe(error.stack);
  });
});

describe('exitCode', () => {
  it.each([
    ['a setting', new SettingsError(['PORT is no number']), 2],
    ['a store of a newer release', new StoreError('newer'), 2],
    ['a store on a full disk', new StoreError('full', undefined, true), 1],
    [
      'a database that is away',
      new StoreError('away', Object.assign(new Error(), { syscall: 'connect' })),
      1,
    ],
    ['a fault', new TypeError('fault'), 1],
  ])('of %s is %3$i', (_what, error, code) => {
    expect(exitCode(error)).toBe(code);
  });
});
