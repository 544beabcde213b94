import { describe, expect, it } from '@jest/globals';
import { InternalError } from '../common/errors/gateway.errors.js';
import { StoreError } from '../common/store/store.error.js';
import { failureText } from './start-failure.js';

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
